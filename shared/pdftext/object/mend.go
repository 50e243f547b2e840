package object

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
)

// maxMended is how many objects of a file are mended.
const maxMended = 16

// mend opens b although some objects can't be read; why is the error of the
// first attempt. pdfcpu v0.15.0 reads all objects at once and gives the file up
// at the first one that it does not understand. That one is named in its
// error: it gets a sound dictionary if it is a stream, or else, or where that
// does not help, is taken out, each by an incremental update.
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

// objectIn is the number of the object that an error of pdfcpu's names:
// "stream obj#6: …", "object stream obj#26: …".
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

// soundStream is stream n of b under a dictionary with nothing but the length
// and, if the old one names it, the most common filter; null if there is no
// such stream, or it holds objects, which need more.
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

// replace appends an update of b in which body is object n.
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
