// Package chunk cuts a document into chunks: spans of its text with pages, a length in
// tokens and a reason for every boundary. Each method is a Method with a Chunker. Every
// chunker must pass the tests of package chunktest.
//
// Some things hold for every method. A chunk's text is view.Text[Start:End]. Spans ascend,
// and they start and end on rune boundaries. A requested maximum is kept, down to a single
// grapheme. Without overlap, the chunks and the white space between them add up to the
// text. The same input gives the same chunks.
package chunk

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Chunk is a span of a view with its length, its pages and the reason for its end.
type Chunk struct {
	ID string // hash of the text alone; see finish
	text.Span
	Tokens      int    // in units of Limits.Counter
	First, Last int    // indexes of the first and last page; -1 without pages
	Reason      Reason // why the chunk ends here
	Topic       int    // for the method semantic: the topic of most of the chunk, counted from 1; otherwise 0
}

// Input is a text with everything the methods may use. Only View is always required; each
// method documents the other fields it needs.
type Input struct {
	View         *text.View
	Sentences    []text.Span    // spans of View, ascending
	Vectors      vector.Matrix  // one row per sentence
	Similarities []float64      // between neighbouring sentences; len(Sentences)-1
	Sections     []text.Section // of View
	Listings     []text.Span    // code in View that its text does not mark, ascending
	// OwnWords reports whether Vectors come from an embedder that is fitted to this text.
	OwnWords bool
	// Owned allows the method to change Vectors, which nobody else needs.
	Owned bool
	// Prior, if not nil, returns one value per gap between the given sentences: how much
	// more likely a section begins after the gap than elsewhere, as a difference of log
	// odds. It may take long. If progress returns an error, Prior stops with that error.
	Prior func(sentences []string, progress func(done, total int) error) ([]float64, error)
}

// texts returns the text of each sentence.
func (in Input) texts() []string {
	out := make([]string, len(in.Sentences))
	for i, s := range in.Sentences {
		out[i] = s.Of(in.View.Text)
	}
	return out
}

// Limits bounds the length of chunks. With only a Counter it sets no bounds.
type Limits struct {
	Min, Max int // 0 means no limit; for Max, some methods then use their own default
	// Overlap is the most units that a chunk may reach back into the one before. It does
	// not move the ends of chunks, except in methods that say so.
	Overlap int
	Counter token.Counter
	Memo    *Memo // nil disables the memo
	// Progress, if not nil, is called as work advances. If it returns an error, the work
	// stops with that error.
	Progress func(done, total int) error
	// Made, if not nil, is called with each chunk in order, once the chunk is final. If it
	// returns an error, the work stops with that error.
	Made func(Chunk) error
}

func (l Limits) report(done, total int) error {
	if l.Progress == nil {
		return nil
	}
	return l.Progress(done, total)
}

// Check returns an error if limits contradict each other.
func (l Limits) Check() error {
	switch {
	case l.Min < 0 || l.Max < 0:
		return fmt.Errorf("invalid length of %d tokens", min(l.Min, l.Max))
	case l.Max > 0 && l.Min > l.Max:
		return fmt.Errorf("the minimum of %d tokens is above the maximum of %d", l.Min, l.Max)
	case l.Overlap < 0 || l.Max > 0 && l.Overlap >= l.Max:
		return fmt.Errorf("an overlap of %d is not possible with chunks of %d", l.Overlap, l.Max)
	}
	return nil
}

// within returns l with the given size as the maximum if it has none.
func (l Limits) within(size int) Limits {
	if l.Max == 0 {
		l.Max = size
	}
	return l
}

// skipBlank returns the index of the first byte at or after i that is not white space.
func skipBlank(t string, i int) int {
	for i < len(t) {
		if c := t[i]; c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t[i:])
		if !unicode.IsSpace(r) {
			return i
		}
		i += n
	}
	return i
}

// trimmed returns the end of t[:i] without its trailing white space.
func trimmed(t string, i int) int {
	for i > 0 && t[i-1] < utf8.RuneSelf {
		if c := t[i-1]; c != ' ' && (c < '\t' || c > '\r') {
			return i
		}
		i--
	}
	return len(strings.TrimRightFunc(t[:i], unicode.IsSpace))
}
