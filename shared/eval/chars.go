package eval

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// Characters counts the characters (code points) of one text. A byte that is not UTF-8
// is one.
type Characters struct {
	text   string
	starts []int // byte of each; nil where every byte is one
}

// NewCharacters counts those of t.
func NewCharacters(t string) *Characters {
	c := &Characters{text: t}
	if n := utf8.RuneCountInString(t); n < len(t) {
		c.starts = make([]int, 0, n)
		for i := range t {
			c.starts = append(c.starts, i)
		}
	}
	return c
}

// Len is their number.
func (c *Characters) Len() int {
	if c.starts == nil {
		return len(c.text)
	}
	return len(c.starts)
}

// Range turns bytes into characters. An offset outside of the text or inside of a
// character is an error, and so is a span that ends before it begins.
func (c *Characters) Range(s text.Span) (Range, error) {
	if s.Start < 0 || s.End < s.Start || s.End > len(c.text) {
		return Range{}, fmt.Errorf("bytes %d to %d are no part of a text of %d bytes", s.Start, s.End, len(c.text))
	}
	r := Range{c.before(s.Start), c.before(s.End)}
	switch {
	case c.byte(r.Start) != s.Start:
		return Range{}, fmt.Errorf("byte %d is inside a character", s.Start)
	case c.byte(r.End) != s.End:
		return Range{}, fmt.Errorf("byte %d is inside a character", s.End)
	}
	return r, nil
}

// before is the number of characters that begin before a byte.
func (c *Characters) before(byte int) int {
	if c.starts == nil {
		return byte
	}
	return sort.SearchInts(c.starts, byte)
}

// byte is where a character begins.
func (c *Characters) byte(n int) int {
	switch {
	case n >= c.Len():
		return len(c.text)
	case c.starts == nil:
		return n
	}
	return c.starts[n]
}

// Of is the text of a range; false where there is no such range.
func (c *Characters) Of(r Range) (string, bool) {
	if r.Start < 0 || r.End < r.Start || r.End > c.Len() {
		return "", false
	}
	return c.text[c.byte(r.Start):c.byte(r.End)], true
}

// Find returns where an excerpt stands first, word for word; any run of white space
// matches any other. False where it does not, or says nothing.
func (c *Characters) Find(excerpt string) (Range, bool) {
	wanted := strings.Join(strings.Fields(excerpt), " ")
	if wanted == "" {
		return Range{}, false
	}
	plain, from := single(c.text)
	at := strings.Index(plain, wanted)
	if at < 0 {
		return Range{}, false
	}
	return Range{c.before(from[at]), c.before(from[at+len(wanted)-1] + 1)}, true
}

// single returns t with one blank for every run of white space, and of which byte of t
// each of its bytes came.
func single(t string) (string, []int) {
	plain, from := make([]byte, 0, len(t)), make([]int, 0, len(t))
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(t[i:])
		switch {
		case !unicode.IsSpace(r):
			for k := range n {
				plain, from = append(plain, t[i+k]), append(from, i+k)
			}
		case len(plain) == 0 || plain[len(plain)-1] != ' ':
			plain, from = append(plain, ' '), append(from, i)
		}
		i += n
	}
	return string(plain), from
}
