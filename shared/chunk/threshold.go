package chunk

import (
	"math"
	"slices"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/vector"
)

// thresholds returns the methods that break between sentences where a curve passes a
// threshold; see package breakpoint.
func thresholds() []Method {
	var out []Method
	for _, m := range breakpoint.Methods() {
		row := Method{Name: m.Name, Label: m.Label, Help: m.Help, View: text.Reading, Sentences: Sentenced, Embeds: true,
			Curve: m.Curve, Setting: m.Setting, None: m.None, TakeMin: true, Overlap: true, Chunker: threshold{m}}
		if m.Curve == breakpoint.Similarity {
			row.View, row.Sentences = text.Content, Notebook
		}
		out = append(out, row)
	}
	return out
}

// threshold needs Sentences and Similarities.
type threshold struct{ method breakpoint.Method }

func (t threshold) Analyse(in Input, _ func(done, total int) error) (Analysis, error) {
	if t.method.Curve == breakpoint.Similarity {
		in.Sentences = WithStops(in.Sentences)
	}
	in.Vectors, in.Prior = vector.Matrix{}, nil // large, and not needed
	return distances{t.method, in, &namer{in: in, kind: kindOf(t.method.Curve), least: math.Inf(-1)}}, nil
}

// distances is the Analysis of threshold.
type distances struct {
	method breakpoint.Method
	in     Input
	names  *namer
}

func (d distances) Find(by Criterion) (Boundaries, error) {
	s := d.in.Similarities
	switch by.By {
	case ByCount:
		return largest(breakpoint.Largest(s, int(by.Value)-1)), nil
	case ByThreshold:
		return above(d.method, d.method.At(s, by.Value)), nil
	}
	r, err := d.method.Find(s, by.or(d.method.Default()))
	return above(d.method, r), err
}

func (d distances) Chunk(found Boundaries, limits Limits) ([]Chunk, error) {
	d.names.curve = found.Curve
	return build(d.in, found.ends(), limits, d.names)
}

// above adds reasons to the result of a method.
func above(m breakpoint.Method, r breakpoint.Result) Boundaries {
	found := Boundaries{Result: r, Reasons: make([]Reason, len(r.Boundaries))}
	for i, at := range r.Boundaries {
		found.Reasons[i] = Reason{Kind: kindOf(m.Curve), Value: r.Curve[at], Threshold: r.Threshold}
	}
	return found
}

// largest adds reasons to the result of breakpoint.Largest.
func largest(r breakpoint.Result) Boundaries {
	found := Boundaries{Result: r, Reasons: make([]Reason, len(r.Boundaries))}
	for i, at := range r.Boundaries {
		found.Reasons[i] = Reason{Kind: ReasonLargest, Value: r.Curve[at], Of: len(r.Boundaries)}
	}
	return found
}

// boundary is the end of a chunk after a sentence.
type boundary struct {
	after  int
	reason Reason
}

// ends returns the boundaries one by one.
func (b Boundaries) ends() []boundary {
	out := make([]boundary, len(b.Reasons))
	for i, r := range b.Reasons {
		out[i] = boundary{b.Boundaries[i], r}
	}
	return out
}

// atBoundaries makes chunks of whole sentences that end at the given ascending boundaries,
// and brings them within limits. If there are similarities, they decide where to divide a
// chunk that is too long.
func atBoundaries(in Input, ends []boundary, limits Limits) ([]Chunk, error) {
	return build(in, ends, limits, &namer{in: in})
}

// build is atBoundaries with the names of boundaries that the maximum needs.
func build(in Input, ends []boundary, limits Limits, names *namer) ([]Chunk, error) {
	if len(in.Sentences) == 0 {
		return nil, nil
	}
	b := builder{view: in.View, sentences: in.Sentences, similarities: in.Similarities, limits: limits, ends: ends, names: names}
	return b.build()
}

// WithStops returns the notebook's sentences with the full stop that its splitting removed
// from all except the last. Chunks of these sentences match the notebook's: sentences
// joined by ". ", with a "." after each chunk except the last.
func WithStops(sentences []text.Span) []text.Span {
	out := slices.Clone(sentences)
	for i := range len(out) - 1 {
		out[i].End += len(".")
	}
	return out
}
