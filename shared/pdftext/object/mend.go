package object

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// maxMended is the maximum number of objects repaired in a file.
const maxMended = 16

// mend opens b even if some objects cannot be read. why is the error of the first attempt.
// pdfcpu v0.15.0 reads all objects at once and fails at the first one it does not
// understand, which its error names. If that object is a stream, mend gives it a valid
// dictionary. Otherwise, or if that does not help, mend removes it. Both happen by an
// incremental update.
func mend(ctx context.Context, b []byte, password string, why error) (f *File, err error) {
	err = why
	tried := map[int]bool{}
	for range maxMended {
		n, ok := objectIn(err)
		if !ok || ctx.Err() != nil {
			break
		}
		body := []byte("null")
		if !tried[n] {
			body = soundStream(b, n)
		}
		tried[n] = true
		if b, ok = replace(b, n, body); !ok {
			break
		}
		if f, err = read(ctx, b, password); err == nil {
			return f, nil
		}
	}
	return nil, why
}

// objectIn returns the number of the object named in an error of pdfcpu: "stream obj#6: …",
// "object stream obj#26: …".
func objectIn(err error) (n int, ok bool) {
	_, s, ok := strings.Cut(err.Error(), "obj#")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	n, e := strconv.Atoi(s[:end])
	return n, e == nil && 0 < n && n < maxObjects
}

// soundStream returns stream n of b with a minimal dictionary: the length and, if the old
// one names it, the most common filter. It returns null if there is no such stream or it is
// an object stream, which needs more.
func soundStream(b []byte, n int) []byte {
	null := []byte("null")
	body := bodyOf(b, n)
	data := bytes.Index(body[:min(len(body), maxDict)], []byte("stream"))
	if end := bytes.Index(body, []byte("endobj")); data < 0 || end >= 0 && end < data {
		return null
	}
	dict := body[:data]
	if bytes.Contains(dict, []byte("/ObjStm")) || bytes.Contains(dict, []byte("/XRef")) {
		return null
	}
	body = bytes.TrimPrefix(bytes.TrimPrefix(body[data+len("stream"):], []byte("\r")), []byte("\n"))
	size := bytes.Index(body, []byte("endstream"))
	if size < 0 {
		return null
	}
	filter := ""
	if bytes.Contains(dict, []byte("FlateDecode")) {
		filter = " /Filter /FlateDecode"
	}
	out := fmt.Appendf(nil, "<< /Length %d%s >>\nstream\n", size, filter)
	return append(append(out, body[:size]...), "\nendstream"...)
}

// replace appends an update to b in which body is object n.
func replace(b []byte, n int, body []byte) (out []byte, ok bool) {
	at := bytes.LastIndex(b, []byte("/Root"))
	if at < 0 {
		return nil, false
	}
	from, to, ok := enclosing(b, at)
	if !ok {
		return nil, false
	}
	return update(b, n, body, b[from:to], false), true
}
