// Package charset converts the bytes of texts, in any encoding of the web, to UTF-8, and finds
// out the encoding. It is too large for the engine. The tables of the encodings are in
// golang.org/x/text, or in the browser.
package charset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"seam/shared/text"
)

// ErrUnknown reports an Options.Name that names no encoding.
var ErrUnknown = errors.New("this encoding is unknown: choose one such as utf-8, windows-1251, koi8-r, shift_jis, euc-kr or gb18030")

// Tables decodes bytes from the encoding with a label of the WHATWG Encoding Standard, such
// as "Shift_JIS" or "latin1". U+FFFD replaces invalid bytes. name is the encoding's name in
// lower case, and "" if the label is unknown.
type Tables func(label string, b []byte) (name, t string)

// Options configures Decode. The zero value is valid.
type Options struct {
	// Name is the encoding, by a label of the WHATWG Encoding Standard. The default is to
	// find it out.
	Name string
	// Tables defaults to the tables in the program. A program for the browser has none, and reads
	// only UTF-8, UTF-16 and Windows-1252 without them.
	Tables Tables
}

// Known reports whether name is empty or the label of an encoding that a native program reads.
func Known(name string) bool {
	known, _ := tables(name, nil)
	return name == "" || known != ""
}

// Decode converts the bytes of a text file to a string. UTF-8 is returned unchanged, so
// offsets are offsets into the file. Decode finds other encodings by, in this order, a byte
// order mark, the declaration of an XML or HTML file, unless the bytes contradict it, and the
// letters and words. U+FFFD replaces NUL and a few invalid bytes. notes describe these
// conversions to the user.
//
// Decode returns text.ErrBinary for bytes that are no text, text.ErrUnclear if several encodings fit,
// and ErrUnknown if o.Name is unknown.
func Decode(b []byte, o Options) (t string, notes []string, err error) {
	if o.Tables == nil {
		o.Tables = tables
	}
	d := decoder{Options: o, b: b}
	t, err = d.decode()
	if err == nil {
		t, err = d.clean(t)
	}
	if err != nil {
		return "", nil, err
	}
	return t, d.notes, nil
}

// Notes of Decode. A note that ends in Declares, before Offsets, is about an encoding that the
// file declares.
const (
	Offsets       = "; offsets count"
	Declares      = "as the file declares"
	asWindows1252 = "not UTF-8, read as Windows-1252; offsets count in its UTF-8 form"
	asUTF16       = "read as UTF-16; offsets count in its UTF-8 form"
	asDeclared    = "read as %s, " + Declares + Offsets + " in its UTF-8 form"
	asFound       = "read as %s, found by its letters; offsets count in its UTF-8 form"
	asChosen      = "read as %s, as chosen; offsets count in its UTF-8 form"
	damagedUTF8   = "some bytes are no UTF-8, and read as �; offsets count with those"
	damagedOther  = "some bytes are not in this encoding, and read as �"
	withNUL       = "NUL characters are read as �; offsets count with those"
)

// decoder holds the state of one Decode.
type decoder struct {
	Options
	b     []byte
	notes []string
}

func (d *decoder) decode() (string, error) {
	b := d.b
	if d.Name != "" {
		if t, ok := d.as(d.Name, asChosen); ok {
			return t, nil
		}
		return "", ErrUnknown
	}
	marked := bytes.HasPrefix(b, []byte("\ufeff"))
	valid := utf8.Valid(b)
	switch {
	case len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff):
		d.note(asUTF16)
		return fromUTF16(b[2:], b[0] == 0xff), nil
	case valid && bytes.Contains(b, []byte("\x1b$")):
		if name, t := d.Tables("iso-2022-jp", b); name != "" && !strings.ContainsAny(t, "\x1b\ufffd") {
			d.note(fmt.Sprintf(asFound, name))
			return t, nil
		}
	case valid && bytes.IndexByte(b, 0) < 0:
	case tooManyControls(b):
		return d.unmarkedUTF16()
	}
	if valid {
		return string(b), nil
	}
	if !marked && !damaged(b, 4) {
		declared, _ := d.Tables(declaration(b), nil)
		if name := d.detect(declared); name != "" {
			how := asFound
			if name == declared {
				how = asDeclared
			} else if name == windows1252 {
				how = asWindows1252
			}
			if t, ok := d.as(name, how); ok {
				return t, nil
			}
		}
		if declared != "utf-8" || !damaged(b, 1) {
			return "", text.ErrUnclear
		}
	}
	d.note(damagedUTF8)
	return strings.ToValidUTF8(string(b), "\ufffd"), nil
}

// as decodes the bytes from an encoding. ok is false if it is unknown.
func (d *decoder) as(label, how string) (t string, ok bool) {
	name, _ := d.Tables(label, nil)
	switch name {
	case "":
		return "", false
	case "utf-8":
		t = string(d.b)
		if t = strings.ToValidUTF8(t, "\ufffd"); t != string(d.b) {
			d.note(damagedUTF8)
		}
		return t, true
	case "utf-16le", "utf-16be":
		t = strings.TrimPrefix(fromUTF16(d.b, name == "utf-16le"), "\ufeff")
	default:
		_, t = d.Tables(name, d.b)
	}
	d.note(strings.Replace(how, "%s", name, 1))
	if strings.Contains(t, "\ufffd") {
		d.note(damagedOther)
	}
	return t, true
}

func (d *decoder) note(n string) { d.notes = append(d.notes, n) }

// clean replaces each run of NUL characters. It returns text.ErrBinary if there are NULs and many
// other control characters.
func (d *decoder) clean(t string) (string, error) {
	if strings.IndexByte(t, 0) < 0 {
		return t, nil
	}
	if tooManyControls([]byte(t)) {
		return "", text.ErrBinary
	}
	var s strings.Builder
	s.Grow(len(t) + 2)
	for {
		before, after, found := strings.Cut(t, "\x00")
		s.WriteString(before)
		if !found {
			break
		}
		s.WriteString("\ufffd")
		t = strings.TrimLeft(after, "\x00")
	}
	d.note(withNUL)
	return s.String(), nil
}

// tooManyControls reports whether b is binary data. Real text has almost no control
// characters, but a file that was written when a machine stopped may have a run of NULs.
func tooManyControls(b []byte) bool {
	n, nul, last := 0, 0, byte(' ')
	for _, c := range b {
		switch {
		case c == 0:
			nul++
			if last > 0 {
				n++
			}
		case c < '\b' || c > '\r' && c < ' ' && c != '\x1b':
			n++
		}
		last = c
	}
	return n*100 > len(b) && (n > 1 || len(b) < 8) || nul*2 > len(b)
}

// damaged reports whether b is UTF-8 with few invalid bytes, such as a file cut within a
// character or assembled from others. share is the number of multi-byte characters for each
// invalid one. Text in Windows-1252 rarely has letters in sequences that are valid multi-byte
// UTF-8.
func damaged(b []byte, share int) bool {
	good, bad := 0, 0
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if b = b[n:]; n > 1 {
			good++
		} else if r == utf8.RuneError {
			bad++
		}
	}
	return good >= share*bad
}

// unmarkedUTF16 reads UTF-16 without a byte order mark. Its blanks and line ends have zeros at
// even or at odd positions only.
func (d *decoder) unmarkedUTF16() (string, error) {
	var zeros [2]int
	for i, c := range d.b {
		if c == 0 {
			zeros[i&1]++
		}
	}
	little := zeros[1] > zeros[0]
	if most := max(zeros[0], zeros[1]); most < 2 || most*200 < len(d.b) || min(zeros[0], zeros[1]) > 0 {
		return "", text.ErrBinary
	}
	t := fromUTF16(d.b, little)
	for _, r := range t {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) || r == utf8.RuneError {
			return "", text.ErrBinary
		}
	}
	d.note(asUTF16)
	return t, nil
}

// fromUTF16 converts two-byte units. It drops a last odd byte.
func fromUTF16(b []byte, little bool) string {
	high := 0
	if little {
		high = 1
	}
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = uint16(b[2*i+1-high]) | uint16(b[2*i+high])<<8
	}
	return string(utf16.Decode(u))
}
