package eval

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// RuneIndex counts the characters (code points) of one text. A byte that is not UTF-8
// counts as one.
type RuneIndex struct {
	text   string
	starts []int // byte offset of each; nil if every character is one byte
}

// NewRuneIndex returns the RuneIndex of t.
func NewRuneIndex(t string) *RuneIndex {
	c := &RuneIndex{text: t}
	if n := utf8.RuneCountInString(t); n < len(t) {
		c.starts = make([]int, 0, n)
		for i := range t {
			c.starts = append(c.starts, i)
		}
	}
	return c
}

// Len returns the number of characters.
func (c *RuneIndex) Len() int {
	if c.starts == nil {
		return len(c.text)
	}
	return len(c.starts)
}

// Range converts bytes to characters. It returns an error for an offset outside the text or
// inside a character, and for a span that ends before it begins.
func (c *RuneIndex) Range(s text.Span) (Range, error) {
	if s.Start < 0 || s.End < s.Start || s.End > len(c.text) {
		return Range{}, fmt.Errorf("bytes %d to %d are outside a text of %d bytes", s.Start, s.End, len(c.text))
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

// before returns the number of characters that begin before a byte offset.
func (c *RuneIndex) before(byte int) int {
	if c.starts == nil {
		return byte
	}
	return sort.SearchInts(c.starts, byte)
}

// byte returns the byte offset of a character.
func (c *RuneIndex) byte(n int) int {
	switch {
	case n >= c.Len():
		return len(c.text)
	case c.starts == nil:
		return n
	}
	return c.starts[n]
}

// Of returns the text of a range, and false if the range is not valid.
func (c *RuneIndex) Of(r Range) (string, bool) {
	if r.Start < 0 || r.End < r.Start || r.End > c.Len() {
		return "", false
	}
	return c.text[c.byte(r.Start):c.byte(r.End)], true
}

// Find returns the first occurrence of an excerpt, word for word; any run of white space
// matches any other. It returns false if there is none or the excerpt is blank.
func (c *RuneIndex) Find(excerpt string) (Range, bool) {
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

// single returns t with each run of white space replaced by one space, and the source byte
// in t for each of its bytes.
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
