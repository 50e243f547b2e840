package object

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"seam/shared/pdftext/lex"
)

const encryptKey = "/Encrypt"

// Limits of what is looked at, so that hostile files take no time.
const (
	maxCandidates = 16       // dictionaries that might be of the encryption
	maxDict       = 64 << 10 // bytes of a dictionary
)

// indirectEncrypt returns b itself unless its trailer holds /Encrypt as a
// direct dictionary. pdfcpu v0.15.0 takes such a file for not encrypted and
// hands out cipher text, so an incremental update is appended, as any editor
// could have made it: the dictionary as an object of its own, and a trailer
// that refers to it.
func indirectEncrypt(b []byte) []byte {
	end := len(b)
	for range maxCandidates {
		at := bytes.LastIndex(b[:end], []byte(encryptKey))
		if at < 0 {
			return b
		}
		end = at
		value := at + len(encryptKey)
		size, ok := encryption(b[value:])
		if !ok {
			continue
		}
		from, to, ok := enclosing(b, at)
		if !ok || value+size > to {
			continue
		}
		entries := slices.Concat(b[from:at], []byte(" "), b[value+size:to])
		return update(b, sizeOf(entries), b[value:value+size], entries, true)
	}
	return b
}

// encryption reports whether b begins with an encryption dictionary, and its
// length in bytes.
func encryption(b []byte) (size int, ok bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(b, " \r\n\t\f\x00"), []byte("<<")) {
		return 0, false
	}
	lx := lex.New(b[:min(len(b), maxDict)])
	d := lx.Next()
	return lx.Offset(), d.Kind == lex.Dict && d.Get("Filter").Kind == lex.Name
}

// enclosing finds the trailer dictionary, or that of the cross-reference
// stream, around offset at: the bytes between its "<<" and ">>".
func enclosing(b []byte, at int) (from, to int, ok bool) {
	head := max(bytes.LastIndex(b[:at], []byte("trailer")), bytes.LastIndex(b[:at], []byte(" obj")))
	if head < 0 {
		return 0, 0, false
	}
	open := bytes.Index(b[head:at], []byte("<<"))
	if open < 0 {
		return 0, 0, false
	}
	from = head + open
	lx := lex.New(b[from:min(len(b), from+maxDict)])
	if lx.Next().Kind != lex.Dict {
		return 0, 0, false
	}
	to = from + lx.Offset() - 2
	return from + 2, to, to > at
}

// update appends to b: body as object number, a cross-reference section of it,
// and a trailer of entries, in which /Encrypt refers to it if it encrypts.
func update(b []byte, number int, body, entries []byte, encrypts bool) []byte {
	previous := int64(-1)
	if i := bytes.LastIndex(b, []byte("startxref")); i >= 0 {
		if v := lex.New(b[i+len("startxref"):]).Next(); v.Kind == lex.Number {
			previous = int64(v.Num)
		}
	}
	size := max(sizeOf(entries), number+1)
	// The old entries give way to new ones. /Prev names what came before the
	// old section, not that section.
	old := []string{"/Prev", "/Size", "/XRefStm"}
	if encrypts {
		old = append(old, encryptKey)
	}
	for _, key := range old {
		entries = bytes.ReplaceAll(entries, []byte(key), []byte("/Was"+key[1:]))
	}
	n := strconv.Itoa(number)
	out := append(bytes.Clone(b), '\n')
	object := len(out)
	out = append(append(append(out, n+" 0 obj\n"...), body...), "\nendobj\n"...)
	section := len(out)
	out = fmt.Appendf(out, "xref\n%d 1\n%010d 00000 n \ntrailer\n<<%s /Size %d", number, object, entries, size)
	if encrypts {
		out = fmt.Appendf(out, " /Encrypt %d 0 R", number)
	}
	if previous >= 0 {
		out = fmt.Appendf(out, " /Prev %d", previous)
	}
	return fmt.Appendf(out, " >>\nstartxref\n%d\n%%%%EOF\n", section)
}

// sizeOf is the /Size among the entries of a trailer, 1 without a sane one.
func sizeOf(entries []byte) int {
	v := lex.New(entries[behind(entries, "/Size"):]).Next()
	if v.Kind == lex.Number && v.Num > 1 && v.Num < maxObjects {
		return int(v.Num)
	}
	return 1
}

// longKey returns b with an update in which the encryption dictionary has a
// key of 128 bits, if it is of version 4 and gives no length: pdfcpu v0.15.0
// takes it for 40 bits then, while version 4 leaves the length to its crypt
// filters, all of which have 128.
func longKey(b []byte) (out []byte, ok bool) {
	at := bytes.LastIndex(b, []byte(encryptKey))
	if at < 0 {
		return nil, false
	}
	from, to, ok := enclosing(b, at)
	if !ok {
		return nil, false
	}
	v := lex.New(b[at+len(encryptKey):]).Next()
	head := []byte(strconv.Itoa(int(v.Num)) + " 0 obj")
	i := bytes.LastIndex(b, append([]byte("\n"), head...))
	if v.Kind != lex.Number || v.Num < 1 || v.Num >= maxObjects || i < 0 {
		return nil, false
	}
	body := b[i+1+len(head):]
	lx := lex.New(body[:min(len(body), maxDict)])
	d := lx.Next()
	if d.Kind != lex.Dict || d.Get("V").Num != 4 || d.Get("Length").Kind != lex.End {
		return nil, false
	}
	open := bytes.Index(body[:lx.Offset()], []byte("<<")) + 2
	dict := append([]byte("<< /Length 128 "), body[open:lx.Offset()]...)
	return update(b, int(v.Num), dict, b[from:to], true), true
}

// behind is the offset behind key in b, the end of b if it is not there.
func behind(b []byte, key string) int {
	if i := bytes.Index(b, []byte(key)); i >= 0 {
		return i + len(key)
	}
	return len(b)
}
