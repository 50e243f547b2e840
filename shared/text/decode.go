package text

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrBinary says that bytes are not a text in any encoding that Decode knows.
var ErrBinary = errors.New("not a text: it holds binary data")

// windows1252 is what bytes 0x80 to 0x9F mean in Windows code page 1252; the
// five that it leaves open stand for the C1 controls, as the WHATWG Encoding
// Standard has them.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// Plain reports whether Decode returns the bytes of a file as they are.
func Plain(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

// Decode turns the bytes of a text file into a string. UTF-8 comes back as it
// is, to the byte, so that offsets are offsets into the file; UTF-16 with a
// byte order mark is converted; what is UTF-8 but for a few bytes has U+FFFD in
// their place; anything else is read as Windows-1252. No text holds a NUL. note
// tells the user of a conversion, and is empty without one.
func Decode(b []byte) (t, note string, err error) {
	switch {
	case len(b) >= 2 && b[0] == 0xff && b[1] == 0xfe:
		return fromUTF16(b[2:], 0, 1)
	case len(b) >= 2 && b[0] == 0xfe && b[1] == 0xff:
		return fromUTF16(b[2:], 1, 0)
	case bytes.IndexByte(b, 0) >= 0:
		return "", "", ErrBinary
	case utf8.Valid(b):
		return string(b), "", nil
	case damaged(b):
		return strings.ToValidUTF8(string(b), "\ufffd"), DamagedUTF8, nil
	}
	var sb strings.Builder
	sb.Grow(len(b) + len(b)/8)
	control := 0
	for _, c := range b {
		if 0x80 <= c && c < 0xa0 {
			sb.WriteRune(windows1252[c-0x80])
			continue
		}
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			control++
		}
		sb.WriteRune(rune(c))
	}
	// A real text has next to no control characters.
	if control*100 > len(b) {
		return "", "", ErrBinary
	}
	return sb.String(), AsWindows1252, nil
}

// The notes of Decode that others tell apart.
const (
	// AsWindows1252 is on a text that is in no encoding that its bytes show.
	AsWindows1252 = "not UTF-8, read as Windows-1252; offsets count in its UTF-8 form"
	// DamagedUTF8 is on one of which a few bytes are no UTF-8.
	DamagedUTF8 = "some bytes are no UTF-8, and read as �; offsets count with those"
)

// damaged reports whether bytes are UTF-8 but for a few: a file that was cut within
// a character, or put together of others. In Windows-1252 hardly any letters stand
// together as the bytes of one character do.
func damaged(b []byte) bool {
	const share = 4 // of characters of several bytes, to one that is none
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

// fromUTF16 converts two-byte units whose low and high bytes stand at lo and
// hi. A last odd byte is dropped. UTF-32 may begin alike, and has units of 0.
func fromUTF16(b []byte, lo, hi int) (t, note string, err error) {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = uint16(b[2*i+lo]) | uint16(b[2*i+hi])<<8
		if u[i] == 0 {
			return "", "", ErrBinary
		}
	}
	return string(utf16.Decode(u)), "read as UTF-16; offsets count in its UTF-8 form", nil
}
