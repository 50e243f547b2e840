// Package chunk cuts a document into chunks: spans of its text with pages, a
// length in tokens and a reason for every boundary.
//
// What always holds, whatever the method: a chunk's text is
// view.Text[Start:End]; spans ascend and begin and end on rune edges; a maximum
// that was asked for is kept (down to a single grapheme); without overlap,
// chunks and the white space between them give the text back.
package chunk

import (
	"encoding/hex"
	"fmt"
	"seam/shared/digest"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/token"
)

// Chunk is a span of a view.
type Chunk struct {
	ID string // of the text alone, see finish
	text.Span
	Tokens      int    // in the unit of Limits.Counter
	First, Last int    // indexes of the first and the last page; -1 without pages
	Reason      string // why it ends
}

// Reasons that are not made of numbers.
const (
	ReasonEnd  = "end"
	ReasonMax  = "max tokens"
	ReasonSize = "size"
)

// Boundary is a break after sentence After.
type Boundary struct {
	After  int
	Reason string
}

// Limits bound the length of chunks; the zero value bounds nothing.
type Limits struct {
	Min, Max int // 0: none
	Counter  token.Counter
	Memo     *Memo // nil: nothing is remembered
	// Progress is told how far the work is; its error ends it. May be nil.
	Progress func(done, total int) error
}

func (l Limits) report(done, total int) error {
	if l.Progress == nil {
		return nil
	}
	return l.Progress(done, total)
}

// Memo remembers what was measured of the spans of one text with one counter,
// so that moving a threshold measures only the chunks that are new. The zero
// value is empty.
type Memo struct{ known map[text.Span]measure }

// measure is what follows from a span's text.
type measure struct {
	digest      string // hexadecimal
	tokens      int
	first, last int
}

// maxKnown bounds a memo; beyond it everything is measured anew.
const maxKnown = 1 << 17

func (m *Memo) of(v *text.View, s text.Span, counter token.Counter) measure {
	if m != nil {
		if x, ok := m.known[s]; ok {
			return x
		}
	}
	t := s.Of(v.Text)
	sum := digest.Sum256([]byte(t))
	x := measure{digest: hex.EncodeToString(sum[:6]), tokens: counter.Count(t), first: -1, last: -1}
	if first, last, ok := v.PageRange(s); ok {
		x.first, x.last = first, last
	}
	if m != nil {
		if m.known == nil || len(m.known) >= maxKnown {
			m.known = map[text.Span]measure{}
		}
		m.known[s] = x
	}
	return x
}

// Check reports limits that contradict each other.
func (l Limits) Check() error {
	switch {
	case l.Min < 0 || l.Max < 0:
		return fmt.Errorf("a length of %d tokens is not possible", min(l.Min, l.Max))
	case l.Max > 0 && l.Min > l.Max:
		return fmt.Errorf("the minimum of %d tokens is above the maximum of %d", l.Min, l.Max)
	}
	return nil
}

// Sentences makes chunks of whole sentences of v, broken at boundaries (which
// must ascend) and then brought within limits. similarities, N-1 of them or
// none, tell which of several cuts is the better one. The one error is that of
// limits.Progress.
func Sentences(v *text.View, sentences []text.Span, similarities []float64, boundaries []Boundary, limits Limits) ([]Chunk, error) {
	if len(sentences) == 0 {
		return nil, nil
	}
	b := builder{view: v, sentences: sentences, similarities: similarities, limits: limits}
	return b.build(boundaries)
}

// WithStops returns the notebook's sentences with the full stop that its
// splitting took from each but the last. Chunks of these are the notebook's:
// its sentences joined by ". ", with a "." after each chunk but the last.
func WithStops(sentences []text.Span) []text.Span {
	out := slices.Clone(sentences)
	for i := range len(out) - 1 {
		out[i].End += len(".")
	}
	return out
}

// Fixed cuts windows of size units of limits.Counter, each overlap units back
// into the one before; limits has no other say. A last short window is kept,
// also one that lies whole in the window before it, as Python's slicing in the
// notebook gives them.
func Fixed(v *text.View, size, overlap int, limits Limits) ([]Chunk, error) {
	counter := limits.Counter
	switch {
	case size <= 0:
		return nil, fmt.Errorf("a chunk of %d %s is not possible", size, counter.Name())
	case overlap < 0 || overlap >= size:
		return nil, fmt.Errorf("an overlap of %d does not fit chunks of %d %s", overlap, size, counter.Name())
	}
	edges := edges(v.Text, counter)
	var chunks []Chunk
	for i := 0; i < len(edges); i += size - overlap {
		last := min(i+size, len(edges)) - 1
		c := Chunk{Span: text.Span{Start: edges[i].Start, End: edges[last].End}, Reason: ReasonSize}
		if last == len(edges)-1 {
			c.Reason = ReasonEnd
		}
		chunks = append(chunks, c)
	}
	return finish(v, chunks, limits)
}

// edges returns the units of t, each with what stands between it and the next
// (a full stop, a bracket) up to the white space, so that nothing but white
// space is lost. What stands before the first unit goes with it.
func edges(t string, counter token.Counter) []text.Span {
	units := counter.Spans(t)
	for i := range units {
		next := len(t)
		if i+1 < len(units) {
			next = units[i+1].Start
		}
		between := t[units[i].End:next]
		cut := len(between)
		if i+1 < len(units) {
			if at := strings.LastIndexFunc(between, unicode.IsSpace); at >= 0 {
				_, n := utf8.DecodeRuneInString(between[at:])
				units[i+1].Start = units[i].End + at + n
				cut = at
			}
		}
		units[i].End += len(strings.TrimRightFunc(between[:cut], unicode.IsSpace))
	}
	if len(units) > 0 {
		before := t[:units[0].Start]
		units[0].Start -= len(strings.TrimLeftFunc(before, unicode.IsSpace))
	}
	return units
}

// finish fills in what follows from the spans. An id is the first 12
// hexadecimal digits of the SHA-256 of the chunk's text, with a number from the
// second chunk of the same text on, so that an edit elsewhere in the document
// changes none.
func finish(v *text.View, chunks []Chunk, limits Limits) ([]Chunk, error) {
	seen := make(map[string]int, len(chunks))
	for i := range chunks {
		if err := limits.report(i, len(chunks)); err != nil {
			return nil, err
		}
		c := &chunks[i]
		m := limits.Memo.of(v, c.Span, limits.Counter)
		c.ID, c.Tokens, c.First, c.Last = m.digest, m.tokens, m.first, m.last
		seen[m.digest]++
		if n := seen[m.digest]; n > 1 {
			c.ID += "-" + strconv.Itoa(n)
		}
	}
	return chunks, nil
}

// Boundaries gives the result of a breakpoint method its reasons.
func Boundaries(m breakpoint.Method, r breakpoint.Result) []Boundary {
	out := make([]Boundary, len(r.Boundaries))
	for i, at := range r.Boundaries {
		out[i] = Boundary{at, reason(m.Curve, r.Curve[at], r.Threshold)}
	}
	return out
}

// Largest gives the boundaries of breakpoint.Largest their reasons.
func Largest(r breakpoint.Result) []Boundary {
	why := "the largest"
	if n := len(r.Boundaries); n > 1 {
		why = fmt.Sprintf("one of the %d largest", n)
	}
	out := make([]Boundary, len(r.Boundaries))
	for i, at := range r.Boundaries {
		out[i] = Boundary{at, fmt.Sprintf("drop %.2f, %s", r.Curve[at], why)}
	}
	return out
}

func reason(curve breakpoint.Curve, value, threshold float64) string {
	v, t := apart(value, threshold)
	switch curve {
	case breakpoint.Similarity:
		return "similarity " + v + " < " + t
	case breakpoint.Gradient:
		return "rise " + v + " > " + t
	default:
		return "drop " + v + " > " + t
	}
}

// apart prints two numbers with as many digits, two at least, as show that they
// differ.
func apart(a, b float64) (string, string) {
	for digits := 2; ; digits++ {
		x, y := strconv.FormatFloat(a, 'f', digits, 64), strconv.FormatFloat(b, 'f', digits, 64)
		if x != y || digits == 17 {
			return x, y
		}
	}
}
