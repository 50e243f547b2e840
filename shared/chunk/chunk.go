// Package chunk cuts a document into chunks: spans of its text with pages, a
// length in tokens and a reason for every boundary. Every method is a Method with a
// Chunker; package chunktest is what each has to pass.
//
// What always holds, whatever the method: a chunk's text is
// view.Text[Start:End]; spans ascend and begin and end on rune edges; a maximum
// that was asked for is kept (down to a single grapheme); without overlap,
// chunks and the white space between them give the text back; the same input
// gives the same chunks.
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

// Chunk is a span of a view.
type Chunk struct {
	ID string // of the text alone, see finish
	text.Span
	Tokens      int    // in the unit of Limits.Counter
	First, Last int    // indexes of the first and the last page; -1 without pages
	Reason      Reason // why it ends
	Topic       int    // of the method semantic: the topic it is of, or most of, from 1; else 0
}

// Input is a text and what is known of it. Methods say what they need beside
// View; the rest may be empty.
type Input struct {
	View         *text.View
	Sentences    []text.Span    // of the view, ascending
	Vectors      vector.Matrix  // a row a sentence
	Similarities []float64      // of neighbouring sentences: one fewer than there are
	Sections     []text.Section // of the view
	// OwnWords says that Vectors were made of the text's own words.
	OwnWords bool
	// Prior tells for each gap between sentences, whose texts it takes, how much more
	// likely than elsewhere a section begins behind it, as a difference of log odds;
	// nil where nobody knows. It may take long; an error of progress ends it.
	Prior func(sentences []string, progress func(done, total int) error) ([]float64, error)
}

// texts are those of the sentences.
func (in Input) texts() []string {
	out := make([]string, len(in.Sentences))
	for i, s := range in.Sentences {
		out[i] = s.Of(in.View.Text)
	}
	return out
}

// Limits bound the length of chunks; a Limits of nothing but a Counter bounds
// nothing.
type Limits struct {
	Min, Max int // 0: none, for Max also the method's default
	// Overlap is how far at most a chunk reaches back into the one before.
	// Where chunks would end does not depend on it, but for methods that say so.
	Overlap int
	Counter token.Counter
	Memo    *Memo // nil: nothing is remembered
	// Progress is told how far the work is; its error ends it. May be nil.
	Progress func(done, total int) error
	// Made is told of each chunk, in their order, as soon as nothing can change it any
	// more; its error ends the work. May be nil.
	Made func(Chunk) error
}

func (l Limits) report(done, total int) error {
	if l.Progress == nil {
		return nil
	}
	return l.Progress(done, total)
}

// Check reports limits that contradict each other.
func (l Limits) Check() error {
	switch {
	case l.Min < 0 || l.Max < 0:
		return fmt.Errorf("a length of %d tokens is not possible", min(l.Min, l.Max))
	case l.Max > 0 && l.Min > l.Max:
		return fmt.Errorf("the minimum of %d tokens is above the maximum of %d", l.Min, l.Max)
	case l.Overlap < 0 || l.Max > 0 && l.Overlap >= l.Max:
		return fmt.Errorf("an overlap of %d does not fit chunks of %d", l.Overlap, l.Max)
	}
	return nil
}

// within returns the limits with a maximum, size where there is none.
func (l Limits) within(size int) Limits {
	if l.Max == 0 {
		l.Max = size
	}
	return l
}

// skipBlank returns the first byte from i on that is not of white space.
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

// trimmed returns the end of t[:i] without white space.
func trimmed(t string, i int) int {
	for i > 0 && t[i-1] < utf8.RuneSelf {
		if c := t[i-1]; c != ' ' && (c < '\t' || c > '\r') {
			return i
		}
		i--
	}
	return len(strings.TrimRightFunc(t[:i], unicode.IsSpace))
}
