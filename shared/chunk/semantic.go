package chunk

import (
	"fmt"
	"math"
	"strings"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/topic"
	"seam/shared/vector"
)

// Default limits of the method semantic, in tokens of the embedder.
const (
	DefaultMax = 512
	DefaultMin = 32
)

// semantic makes a chunk of each topic. Topics are found without limits. A topic longer
// than the maximum is then divided at its best inner places, and one shorter than the
// minimum is joined to the nearer neighbour.
func semantic() Method {
	return Method{Name: semanticName, Label: "Semantic", View: text.Reading,
		Help:      "Finds the topics of the whole text at once, by meaning, words and layout. Short sections are joined; the coarser, the longer ones too.",
		Sentences: Sentenced, Embeds: true, Vectors: true, Curve: breakpoint.Strength, Setting: coarseness(),
		Max: DefaultMax, Min: DefaultMin, TakeMin: true, Overlap: true, Chunker: topical{}}
}

func semanticWords() Words {
	return Words{Group: Meaning, Words: breakpoint.Words{Good: "articles, reports and talks in which one topic follows another, with or without headings. The method to start with.",
		German: breakpoint.German{Label: "Semantisch",
			Help: "Findet die Themen des ganzen Textes auf einmal, nach Bedeutung, Wörtern und Gliederung. Kurze Stücke werden verbunden; je gröber, desto längere auch.", Setting: "Körnung",
			Good: "Artikel, Berichte und Reden, in denen ein Thema auf das andere folgt, mit oder ohne Überschriften. Das Verfahren für den Anfang."}}}
}

const semanticName = "semantic"

// coarseness returns the setting of semantic. It is the granularity of package topic, under
// a name that shows its direction.
func coarseness() *breakpoint.Setting {
	return &breakpoint.Setting{Label: "Coarseness", Default: topic.Default, Min: topic.Finest, Max: topic.Coarsest, Step: 0.25,
		AtLeast: 1e-9, Below: 1e9, Logarithmic: true,
		None: "the text is one topic at coarseness %g"}
}

// topical needs Sentences and Vectors.
type topical struct{}

var _ Restorer = topical{}

func (topical) Analyse(in Input, progress func(done, total int) error) (Analysis, error) {
	half := func(behind int) func(done, total int) error {
		if progress == nil {
			return nil
		}
		return func(done, total int) error { return progress(behind*total+done, 2*total) }
	}
	given := topic.Input{Sentences: in.texts(), Vectors: in.Vectors, OwnWords: in.OwnWords, Owned: in.Owned, Layout: Layout(in), Progress: half(1)}
	if in.Prior != nil {
		var err error
		if given.Prior, err = in.Prior(given.Sentences, half(0)); err != nil {
			return nil, err
		}
	}
	found, err := topic.Find(given)
	if err != nil {
		return nil, err
	}
	return newTopics(in, found, given.Layout), nil
}

// Numbers implements Restorer. It returns the strengths.
func (topical) Numbers(a Analysis) []float64 { return a.(topics).found.Curve }

// Restore implements Restorer.
func (topical) Restore(in Input, numbers []float64) (Analysis, error) {
	if len(numbers) != max(0, len(in.Sentences)-1) {
		return nil, fmt.Errorf("%d strengths of %d sentences", len(numbers), len(in.Sentences))
	}
	return newTopics(in, &topic.Topics{Curve: numbers}, Layout(in)), nil
}

// topics is the Analysis of topical.
type topics struct {
	in      Input
	found   *topic.Topics
	inner   []float64 // value of a cut within a topic at each gap
	reasons []Reason  // reason for a boundary at each gap
	names   *namer
}

func newTopics(in Input, found *topic.Topics, layout []topic.Gap) topics {
	in.Vectors, in.Prior = vector.Matrix{}, nil // large, and no longer needed
	t := topics{in: in, found: found, reasons: make([]Reason, len(found.Curve))}
	finest := topic.Level(topic.Finest)
	t.names = &namer{in: in, kind: ReasonStrength, curve: found.Curve, least: finest, layout: layout, ends: paragraphEnds(in.View.Text, in.Sentences)}
	t.inner = inner(found.Curve, layout, in.Sentences, t.names.listings())
	for i, v := range found.Curve {
		switch {
		case layout != nil && layout[i].Heading > 0:
			t.reasons[i] = Reason{Kind: ReasonHeading, Name: titleAt(in.View.Text, in.Sentences[i+1].Start)}
		case v >= finest:
			t.reasons[i] = Reason{Kind: ReasonStrength, Value: v}
		default:
			t.reasons[i] = Reason{Kind: ReasonTopic}
		}
	}
	return t
}

func (t topics) Find(by Criterion) (Boundaries, error) {
	curve := t.found.Curve
	r := breakpoint.Result{Curve: curve, Setting: topic.Default}
	switch by.By {
	case ByCount:
		if r = breakpoint.Highest(curve, int(by.Value)-1); len(r.Boundaries) > 0 {
			r.Setting = math.Exp2(r.Threshold)
		}
	case ByThreshold:
		r.Setting, r.Threshold = math.Exp2(by.Value), by.Value
		r.Boundaries = t.found.At(r.Threshold)
	default:
		r.Setting = by.or(topic.Default)
		if err := coarseness().Check(semanticName, r.Setting); err != nil {
			return Boundaries{}, err
		}
		r.Threshold = topic.Level(r.Setting)
		r.Boundaries = t.found.At(r.Threshold)
	}
	found := Boundaries{Result: r, Reasons: make([]Reason, len(r.Boundaries))}
	for i, at := range r.Boundaries {
		found.Reasons[i] = t.reasons[at]
	}
	return found, nil
}

func (t topics) Chunk(found Boundaries, limits Limits) ([]Chunk, error) {
	if len(t.in.Sentences) == 0 {
		return nil, nil
	}
	in, ends := t.in, found.ends()
	made := limits.Made // chunks have no topic until all are made
	limits.Made = nil
	b := builder{view: in.View, sentences: in.Sentences, similarities: in.Similarities, limits: limits, inner: t.inner, curve: t.found.Curve, names: t.names, ends: ends}
	chunks, err := b.build()
	number(chunks, in.Sentences, ends)
	for i := 0; made != nil && err == nil && i < len(chunks); i++ {
		err = made(chunks[i])
	}
	return chunks, err
}

// number sets each chunk's topic to the one that covers most of it, the first among equals.
func number(chunks []Chunk, sentences []text.Span, found []boundary) {
	end := func(topic int) int { // the first byte after it
		if topic < len(found) {
			return sentences[found[topic].after+1].Start
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

// inner returns the value of a cut within a topic at each gap: its place on the curve,
// reduced within a paragraph, and reduced much more within a block that is not cut.
func inner(curve []float64, layout []topic.Gap, sentences []text.Span, code *code) []float64 {
	out := make([]float64, len(curve))
	for i, v := range curve {
		out[i] = float64(curveWorth * v)
		switch {
		case layout == nil:
		case layout[i].Inside:
			if cost := code.cost(sentences[i], sentences[i+1]); cost > 0 {
				out[i] -= cost
				continue
			}
			out[i] -= insideCost
		case layout[i].Within:
			out[i] -= paragraphWorth
		}
	}
	return out
}

// longestTitle is the maximum length in bytes of a heading in a Reason.
const longestTitle = 120

// titleAt returns the title of the heading on the line that starts at byte at.
func titleAt(t string, at int) string {
	line := t[at:]
	if i := strings.IndexAny(line, "\r\n\f"); i >= 0 {
		line = line[:i]
	}
	if len(line) > longestTitle {
		line = line[:text.Edge(line, longestTitle)]
	}
	return strings.Join(strings.Fields(strings.Trim(line, "#= \t")), " ")
}
