package chunk

import (
	"fmt"
	"slices"
	"strconv"

	"seam/shared/breakpoint"
	"seam/shared/text"
)

// Boundary is a break after sentence After.
type Boundary struct {
	After  int
	Reason string
}

// Threshold breaks between sentences where a curve passes its threshold: see
// package breakpoint.
type Threshold struct {
	Method  breakpoint.Method
	Setting *float64 // the method's number; nil: its default
	Cut     *float64 // instead: a value on the curve
	Count   int      // instead of both: this many chunks, where nothing else bounds them
}

// Find applies the method to the similarities of neighbours.
func (t Threshold) Find(similarities []float64) (breakpoint.Result, Broken, error) {
	switch {
	case t.Count > 0:
		r := breakpoint.Largest(similarities, t.Count-1)
		return r, Largest(r), nil
	case t.Cut != nil:
		r := t.Method.At(similarities, *t.Cut)
		return r, Boundaries(t.Method, r), nil
	}
	x := t.Method.Default()
	if t.Setting != nil {
		x = *t.Setting
	}
	r, err := t.Method.Find(similarities, x)
	return r, Boundaries(t.Method, r), err
}

func (t Threshold) Chunk(in Input, limits Limits) ([]Chunk, error) {
	_, found, err := t.Find(in.Similarities)
	if err != nil {
		return nil, err
	}
	return found.Chunk(in, limits)
}

// Broken makes chunks of whole sentences, broken at boundaries that are known
// (they must ascend) and then brought within limits. Similarities, where there
// are any, tell which of several cuts is the better one.
type Broken []Boundary

func (x Broken) Chunk(in Input, limits Limits) ([]Chunk, error) {
	if len(in.Sentences) == 0 {
		return nil, nil
	}
	b := builder{view: in.View, sentences: in.Sentences, similarities: in.Similarities, limits: limits}
	return b.build(x)
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

// Boundaries gives the result of a breakpoint method its reasons.
func Boundaries(m breakpoint.Method, r breakpoint.Result) Broken {
	out := make(Broken, len(r.Boundaries))
	for i, at := range r.Boundaries {
		out[i] = Boundary{at, reason(m.Curve, r.Curve[at], r.Threshold)}
	}
	return out
}

// Largest gives the boundaries of breakpoint.Largest their reasons.
func Largest(r breakpoint.Result) Broken {
	why := "the largest"
	if n := len(r.Boundaries); n > 1 {
		why = fmt.Sprintf("one of the %d largest", n)
	}
	out := make(Broken, len(r.Boundaries))
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
