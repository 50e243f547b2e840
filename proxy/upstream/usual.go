package upstream

import (
	"bytes"
	"strconv"
)

// usual parses a response of the usual form: exact keys, each once, with plain values, and
// embeddings in base64. For any other response it returns false, and encoding/json has to
// parse it. That uses reflection for every key and value, which took longer than all the
// rest of a small response.
func usual(body []byte) (reply embeddings, ok bool) {
	r := reader{rest: body}
	ok = r.object(func(key string) bool {
		switch key {
		case "data":
			return r.array(func() bool { return r.row(&reply) })
		case "usage":
			reply.Usage = &tokens{}
			return r.object(func(key string) bool {
				switch key {
				case "prompt_tokens":
					return r.number(&reply.Usage.Prompt)
				case "completion_tokens":
					return r.number(&reply.Usage.Completion)
				case "total_tokens":
					return r.number(&reply.Usage.Total)
				}
				return r.plain()
			})
		}
		return r.plain()
	})
	r.blanks()
	return reply, ok && len(r.rest) == 0
}

// reader parses JSON of that form. Each method returns false if it finds anything else.
type reader struct{ rest []byte }

func (r *reader) blanks() {
	for len(r.rest) > 0 && (r.rest[0] == ' ' || r.rest[0] == '\n' || r.rest[0] == '\r' || r.rest[0] == '\t') {
		r.rest = r.rest[1:]
	}
}

// skip takes a byte, and the white space before it.
func (r *reader) skip(c byte) bool {
	r.blanks()
	if len(r.rest) == 0 || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// list parses a comma-separated list between two brackets.
func (r *reader) list(open, end byte, one func() bool) bool {
	if !r.skip(open) {
		return false
	}
	if r.skip(end) {
		return true
	}
	for one() {
		if r.skip(end) {
			return true
		}
		if !r.skip(',') {
			return false
		}
	}
	return false
}

func (r *reader) array(one func() bool) bool { return r.list('[', ']', one) }

// mostKeys is the most keys of an object in that form.
const mostKeys = 16

// object parses an object; value parses the value of a key.
func (r *reader) object(value func(key string) bool) bool {
	var seen [mostKeys][]byte
	n := 0
	return r.list('{', '}', func() bool {
		key, ok := r.text()
		if !ok || n == mostKeys || !r.skip(':') {
			return false
		}
		for _, c := range key { // which encoding/json would match case-insensitively
			if (c < 'a' || c > 'z') && c != '_' {
				return false
			}
		}
		for _, before := range seen[:n] {
			if bytes.Equal(before, key) {
				return false
			}
		}
		seen[n] = key
		n++
		return value(string(key))
	})
}

// row parses one embedding.
func (r *reader) row(reply *embeddings) bool {
	var one row
	ok := r.object(func(key string) (ok bool) {
		switch key {
		case "index":
			one.Index = new(int)
			return r.number(one.Index)
		case "embedding":
			one.text, ok = r.text()
			return ok && len(one.text)+2 > longString
		}
		return r.plain()
	})
	reply.Data = append(reply.Data, one)
	return ok
}

// text parses a string without escapes, and returns its contents.
func (r *reader) text() ([]byte, bool) {
	if !r.skip('"') {
		return nil, false
	}
	n := bytes.IndexByte(r.rest, '"')
	if n < 0 || bytes.IndexByte(r.rest[:n], '\\') >= 0 {
		return nil, false
	}
	text := r.rest[:n]
	r.rest = r.rest[n+1:]
	return text, true
}

// number parses a small whole number.
func (r *reader) number(to *int) bool {
	r.blanks()
	n := 0
	for n < len(r.rest) && r.rest[n] >= '0' && r.rest[n] <= '9' {
		n++
	}
	if n == 0 || n > 9 || r.rest[0] == '0' && n > 1 {
		return false
	}
	*to, _ = strconv.Atoi(string(r.rest[:n])) // they are digits
	r.rest = r.rest[n:]
	return true
}

// plain parses a value that is not used: a short string, a small number or null.
func (r *reader) plain() bool {
	r.blanks()
	if rest, null := bytes.CutPrefix(r.rest, []byte("null")); null {
		r.rest = rest
		return true
	}
	if len(r.rest) > 0 && r.rest[0] == '"' {
		text, ok := r.text()
		for _, c := range text {
			ok = ok && c >= ' '
		}
		return ok
	}
	return r.number(new(int))
}
