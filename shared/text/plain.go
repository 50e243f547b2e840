package text

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// Problems with the bytes of a text, for errors.Is.
var (
	// ErrBinary reports bytes that are not text in any known encoding.
	ErrBinary = errors.New("not a text: it holds binary data")
	// ErrUnclear reports a text in an encoding that cannot be found out.
	ErrUnclear = errors.New("the encoding of this text is not clear")
)

// Plain reports whether the bytes of a file are text in UTF-8: without NUL, and without the
// escapes of encodings that are ASCII, too.
func Plain(b []byte) bool {
	return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 && !bytes.Contains(b, []byte("\x1b$"))
}
