package chunk

import (
	"fmt"
	"math"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/topic"
)

// Limits of Semantic where none are given, in tokens of the embedder.
const (
	DefaultMax = 512
	DefaultMin = 32
)

// Semantic makes a chunk of each topic. Topics are found without limits: one
// that is longer than the maximum is then divided at its best inner places, one
// that is shorter than the minimum joined to the neighbour it is nearer to.
// Needs Sentences.
type Semantic struct {
	Topics  *topic.Topics
	Layout  []topic.Gap // what Topics was made with; nil for none
	Setting *float64    // the granularity; nil: topic.Default
	Cut     *float64    // instead: a value on the curve, the binary logarithm of a granularity
	Count   int         // instead of both: this many chunks, where nothing else bounds them
}

// Find tells where the topics end, and makes chunks of them.
func (s Semantic) Find() (breakpoint.Result, Chunker) {
	curve := s.Topics.Curve
	r := breakpoint.Result{Curve: curve, Setting: topic.Default}
	switch {
	case s.Count > 0:
		if r = breakpoint.Highest(curve, s.Count-1); len(r.Boundaries) > 0 {
			r.Setting = math.Exp2(r.Threshold)
		}
	case s.Cut != nil:
		r.Setting, r.Threshold = math.Exp2(*s.Cut), *s.Cut
		r.Boundaries = s.Topics.At(r.Threshold)
	default:
		if s.Setting != nil {
			r.Setting = *s.Setting
		}
		r.Threshold = topic.Level(r.Setting)
		r.Boundaries = s.Topics.At(r.Threshold)
	}
	out := make(Broken, len(r.Boundaries))
	for i, at := range r.Boundaries {
		out[i] = Boundary{at, s.why(at)}
	}
	return r, topics{s, out}
}

func (s Semantic) Chunk(in Input, limits Limits) ([]Chunk, error) {
	_, found := s.Find()
	return found.Chunk(in, limits)
}

// why says what makes a boundary.
func (s Semantic) why(at int) string {
	if s.Layout != nil && s.Layout[at].Heading > 0 {
		return ReasonHeading
	}
	if v := s.Topics.Curve[at]; v >= topic.Level(topic.Finest) {
		return fmt.Sprintf("topic %.2g", math.Exp2(v))
	}
	return "topic"
}

// topics are those of Semantic at one granularity.
type topics struct {
	Semantic
	ends Broken
}

func (t topics) Chunk(in Input, limits Limits) ([]Chunk, error) {
	if len(in.Sentences) == 0 {
		return nil, nil
	}
	b := builder{view: in.View, sentences: in.Sentences, similarities: in.Similarities, limits: limits, inner: t.inner(), curve: t.Topics.Curve}
	chunks, err := b.build(t.ends)
	number(chunks, in.Sentences, t.ends)
	return chunks, err
}

// number tells each chunk the topic that most of it is of, the first of equals.
func number(chunks []Chunk, sentences []text.Span, found Broken) {
	end := func(topic int) int { // the first byte behind it
		if topic < len(found) {
			return sentences[found[topic].After+1].Start
		}
		return sentences[len(sentences)-1].End
	}
	first := 0
	for i := range chunks {
		c := &chunks[i]
		for end(first) <= c.Start {
			first++
		}
		most := 0
		for k, at := first, c.Start; at < c.End; k++ {
			if n := min(end(k), c.End) - at; n > most {
				most, c.Topic = n, k+1
			}
			at = end(k)
		}
	}
}

// inner is what a cut within a topic is worth at each gap: its place on the
// curve, less within a paragraph, and much less within what is not cut.
func (s Semantic) inner() []float64 {
	out := make([]float64, len(s.Topics.Curve))
	for i, v := range s.Topics.Curve {
		out[i] = v
		switch {
		case s.Layout == nil:
		case s.Layout[i].Inside:
			out[i] -= insideCost
		case s.Layout[i].Within:
			out[i] -= paragraphWorth
		}
	}
	return out
}
