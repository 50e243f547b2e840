package text

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 maps the bytes 0x80 to 0x9F of Windows code page 1252. Its five undefined
// bytes map to C1 controls, as in the WHATWG Encoding Standard.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// Decode converts the bytes of a text file to a string. UTF-8 is returned unchanged, so
// offsets are offsets into the file. UTF-16 with a byte order mark is converted. In UTF-8
// with a few invalid bytes, U+FFFD replaces those. Other bytes are read as Windows-1252.
// Text with a NUL is refused. note describes a conversion to the user and is empty if there
// was none.
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
	// Real text has almost no control characters.
	if control*100 > len(b) {
		return "", "", ErrBinary
	}
	return sb.String(), AsWindows1252, nil
}

// Notes of Decode that callers compare with.
const (
	// AsWindows1252 is the note for a text whose encoding is not evident from its bytes.
	AsWindows1252 = "not UTF-8, read as Windows-1252; offsets count in its UTF-8 form"
	// DamagedUTF8 is the note for UTF-8 with a few invalid bytes.
	DamagedUTF8 = "some bytes are no UTF-8, and read as �; offsets count with those"
)

// damaged reports whether b is UTF-8 with few invalid bytes, such as a file cut within a
// character or assembled from others. Text in Windows-1252 rarely has letters in sequences
// that are valid multi-byte UTF-8.
func damaged(b []byte) bool {
	const share = 4 // multi-byte characters per invalid one
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

// fromUTF16 converts two-byte units; lo and hi are the positions of their low and high
// bytes. It drops a last odd byte. UTF-32 may begin with the same bytes, but has units of
// 0.
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
