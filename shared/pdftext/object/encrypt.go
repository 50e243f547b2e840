package object

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"seam/shared/pdftext/lex"
)

const encryptKey = "/Encrypt"

// Limits on the data examined, so that hostile files take no time.
const (
	maxCandidates = 16       // possible encryption dictionaries
	maxDict       = 64 << 10 // bytes of a dictionary
)

// indirectEncrypt returns b unchanged unless its trailer holds /Encrypt as a direct
// dictionary. pdfcpu v0.15.0 treats such a file as not encrypted and returns cipher text.
// So an incremental update is appended, as any editor could have made it: the dictionary as
// a separate object, and a trailer that refers to it.
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

// encryption reports whether b begins with an encryption dictionary, and its length in
// bytes.
func encryption(b []byte) (size int, ok bool) {
	if !bytes.HasPrefix(bytes.TrimLeft(b, " \r\n\t\f\x00"), []byte("<<")) {
		return 0, false
	}
	lx := lex.New(b[:min(len(b), maxDict)])
	d := lx.Next()
	return lx.Offset(), d.Kind == lex.Dict && d.Get("Filter").Kind == lex.Name
}

// enclosing finds the trailer dictionary, or the cross-reference stream's, around offset
// at. It returns the bytes between its "<<" and ">>".
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

// update appends an update to b: body as object number, its cross-reference section, and a
// trailer with entries. If encrypts is set, /Encrypt in the trailer refers to the object.
func update(b []byte, number int, body, entries []byte, encrypts bool) []byte {
	previous := int64(-1)
	if i := bytes.LastIndex(b, []byte("startxref")); i >= 0 {
		if v := lex.New(b[i+len("startxref"):]).Next(); v.Kind == lex.Number {
			previous = int64(v.Num)
		}
	}
	size := max(sizeOf(entries), number+1)
	// New entries replace the old ones. /Prev refers to the section before the old one, not
	// to the old one itself.
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

// sizeOf returns the /Size in the entries of a trailer, or 1 if it is invalid.
func sizeOf(entries []byte) int {
	v := lex.New(entries[behind(entries, "/Size"):]).Next()
	if v.Kind == lex.Number && v.Num > 1 && v.Num < maxObjects {
		return int(v.Num)
	}
	return 1
}

// plainEncryption returns b with an update in which the encryption dictionary suits pdfcpu
// v0.15.0. Its crypt filters are not references. If version 4 gives no key length, the
// length is 128 bits; pdfcpu assumes 40, but version 4 leaves the length to its crypt
// filters, which all have 128. A filter of version 4 without its optional length gets 16
// bytes. If neither streams nor strings are encrypted, only attached files are, and out has
// no encryption. ok is false if nothing needs to change.
func plainEncryption(b []byte) (out []byte, ok bool) {
	at := bytes.LastIndex(b, []byte(encryptKey))
	if at < 0 {
		return nil, false
	}
	from, to, ok := enclosing(b, at)
	if !ok {
		return nil, false
	}
	v := lex.New(b[at+len(encryptKey):]).Next()
	dict, d := dictOf(b, v)
	if d.Kind != lex.Dict {
		return nil, false
	}
	if d.Get("V").Num >= 4 && identity(d.Get("StmF")) && identity(d.Get("StrF")) {
		return unencrypted(b), true
	}
	entries := dict[2 : len(dict)-2]
	mended := false
	if d.Get("V").Num == 4 && d.Get("Length").Kind == lex.End {
		entries, mended = append([]byte(" /Length 128 "), entries...), true
	}
	// The filters, and each one of them.
	if f := d.Get("CF"); f.Kind == lex.Number {
		var ok bool
		entries, f, ok = inline(b, entries, "CF", f)
		mended = mended || ok
		for i := 0; i+1 < len(f.Items); i += 2 {
			entries, _, _ = inline(b, entries, string(f.Items[i].Bytes), f.Items[i+1])
		}
	}
	if d.Get("V").Num == 4 {
		whole := lex.New(slices.Concat([]byte("<<"), entries, []byte(">>"))).Next()
		filters := whole.Get("CF")
		for i := 0; i+1 < len(filters.Items); i += 2 {
			if filter := filters.Items[i+1]; filter.Kind == lex.Dict && filter.Get("Length").Kind == lex.End {
				entries = withLength(entries, string(filters.Items[i].Bytes))
				mended = true
			}
		}
	}
	if !mended {
		return nil, false
	}
	return update(b, int(v.Num), slices.Concat([]byte("<<"), entries, []byte(">>")), b[from:to], true), true
}

// unencrypted returns b with other names for the entries /Encrypt of its trailers, so that
// readers do not find the encryption. All offsets stay.
func unencrypted(b []byte) []byte {
	out := bytes.Clone(b)
	for at := 0; ; at += len(encryptKey) {
		n := bytes.Index(out[at:], []byte(encryptKey))
		if n < 0 {
			return out
		}
		at += n
		if lex.New(out[at+len(encryptKey):min(len(out), at+maxDict)]).Next().Kind == lex.Number {
			out[at+1] = 'e'
		}
	}
}

// identity reports whether a crypt filter's name means no encryption, the default.
func identity(name lex.Value) bool {
	return name.Kind == lex.End || name.Kind == lex.Name && string(name.Bytes) == "Identity"
}

// withLength adds a length of 16 bytes to a crypt filter in the entries of a dictionary.
func withLength(entries []byte, name string) []byte {
	at := behind(entries, "/CF")
	at += behind(entries[at:], "/"+name)
	at += behind(entries[at:], "<<")
	return slices.Concat(entries[:at], []byte(" /Length 16 "), entries[at:])
}

// inline replaces an object reference, the value of key in the entries of a dictionary, by
// the object itself if it is a dictionary. v is the object's number.
func inline(b, entries []byte, key string, v lex.Value) (out []byte, d lex.Value, ok bool) {
	dict, d := dictOf(b, v)
	reference := fmt.Appendf(nil, "/%s %d 0 R", key, int(v.Num))
	if d.Kind != lex.Dict || !bytes.Contains(entries, reference) {
		return entries, lex.Value{}, false
	}
	return bytes.Replace(entries, reference, fmt.Appendf(nil, "/%s %s", key, dict), 1), d, true
}

// dictOf returns the dictionary with object number v, as bytes from "<<" to ">>" and
// parsed.
func dictOf(b []byte, v lex.Value) (dict []byte, d lex.Value) {
	if v.Kind != lex.Number || v.Num < 1 || v.Num >= maxObjects {
		return nil, lex.Value{}
	}
	body := bodyOf(b, int(v.Num))
	lx := lex.New(body[:min(len(body), maxDict)])
	if d = lx.Next(); d.Kind != lex.Dict {
		return nil, lex.Value{}
	}
	body = body[:lx.Offset()]
	return body[bytes.Index(body, []byte("<<")):], d
}

// bodyOf returns the file from the last object with number n, after its header, or nil if
// there is none.
func bodyOf(b []byte, n int) []byte {
	head := fmt.Appendf(nil, "\n%d 0 obj", n)
	if at := bytes.LastIndex(b, head); at >= 0 {
		return b[at+len(head):]
	}
	return nil
}

// behind returns the offset after key in b, or the end of b if key does not occur.
func behind(b []byte, key string) int {
	if i := bytes.Index(b, []byte(key)); i >= 0 {
		return i + len(key)
	}
	return len(b)
}
