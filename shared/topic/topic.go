// Package topic finds where a text changes its topic: all boundaries at once,
// and their number, for every granularity.
//
// A text of n sentences is divided so that the sum over its segments a..b of
//
//	E(a,b) + 0.4·L(a,b) - g·ln min(n,128)
//
// is largest, plus what is known of single gaps (Input.Prior, Input.Layout).
// E is how much more alike the sentences of a segment are than sentences near
// each other are on average; L is how much its words repeat; g is the
// granularity, 1 by default, and its product with the logarithm the price of
// one more segment. README.md tells where formulas and constants come from,
// what they reach, and what did not work.
//
//	E(a,b) = Σ_{i≠j in a..b} (x_i·x_j - μ) / (ℓσ)
//	L(a,b) = Σ_w Σ_{c=1}^{count_w-1} ln(1 + c/α_w) - Σ_{j=0}^{m-1} ln(1 + j/A)
//
// with ℓ sentences and m words in the segment, x of length 1, μ and σ mean and
// standard deviation of x_i·x_j over sentences at most 40 apart, α_w =
// 1 + 400·(share of w in the text), A = max(different words, 500) + 400. Segments
// of up to 64 sentences are found at once; such are then joined, to 256 at most,
// where that is worth more.
//
// Granularities are 2^(i/4), i from -12 to 12, and nested: the solution of
// i = 0 is exact, a coarser one may use only boundaries of the one before, a
// finer one keeps them all. So a boundary has a strength, the coarsest
// granularity at which it is made, and another granularity needs no second pass.
// In a text with headings parts that are short for a granularity are joined, and
// strengths are what is left then: sizes.go.
//
// Time and memory are linear in n. Every sum has one order and no fused
// multiply-add, so that every target decides alike.
package topic

import (
	"fmt"
	"math"

	"seam/shared/vector"
)

// Constants of the method; README.md has the reason of each.
const (
	window         = 64    // most sentences of a segment that is found at once
	longest        = 256   // most sentences of a segment that is joined of such
	block          = 128   // sentences of a block that counts words; largest argument of the price's logarithm
	near           = 40    // sentences this far apart give μ and σ
	background     = 400.0 // how many words the text's own shares of words weigh
	fewestTypes    = 500.0 // different words that are assumed at the least
	lexical        = 0.4   // weight of L
	ownLexical     = 1.0   // beside vectors of the text's own words
	ownPrice       = 0.84  // of a segment beside such, against other vectors
	ownShortest    = 24    // sentences by which the price of one is reckoned at the least beside such
	prior          = 0.6   // weight of Input.Prior
	usualPrior     = -0.3  // what it is brought to on average: a kind of text that it was not learned from is not cut more or less for that
	witness        = 0.5   // of a segment's price: what vectors and prior alone must see at a boundary
	leastDeviation = 1e-3  // of similarities: what differs less is rounding
	levels         = 12    // granularities on each side of 1
	perOctave      = 4     // granularities for a factor of 2
)

// Finest and Coarsest are the granularities at both ends; Default is the one to
// use unless another is asked for.
const (
	Finest   = 0.125
	Default  = 1.0
	Coarsest = 8.0
)

// Input is a text to be divided.
type Input struct {
	Sentences []string
	Vectors   vector.Matrix // a row a sentence, of any length; zeros where nothing is known
	// OwnWords says that Vectors were made of the text's own words: they are the
	// weaker witness then.
	OwnWords bool
	// Prior holds for each gap how much more likely than elsewhere a topic
	// begins behind it, as a difference of log odds; nil where nothing is known.
	Prior []float64
	// Layout says for each gap what the page shows there; nil for Plain ones.
	Layout []Gap
	// Progress is told how far the work is; its error ends it. May be nil.
	Progress func(done, total int) error
}

func (in *Input) check() error {
	n := len(in.Sentences)
	switch {
	case in.Vectors.Rows != n || in.Vectors.Check() != nil:
		return fmt.Errorf("%d vectors for %d sentences", in.Vectors.Rows, n)
	case in.Prior != nil && len(in.Prior) != max(0, n-1):
		return fmt.Errorf("%d values for the %d gaps between %d sentences", len(in.Prior), max(0, n-1), n)
	case in.Layout != nil && len(in.Layout) != max(0, n-1):
		return fmt.Errorf("a layout of %d gaps for %d sentences", len(in.Layout), n)
	}
	return nil
}

// phases are the parts of the work that go over all sentences.
const phases = 3

// report tells that a phase, from 0, is done for so many of the sentences.
func (in *Input) report(phase, done int) error {
	if in.Progress == nil {
		return nil
	}
	n := len(in.Sentences)
	return in.Progress(phase*n+done, phases*n)
}

// Gap is what stands between two sentences.
type Gap struct {
	// Heading is the level, from 1 at the top, of a heading that the next
	// sentence begins; 0 for none.
	Heading int
	// Inside is set within what is not cut: a list, a table, code, the lines
	// of one heading.
	Inside bool
	// Within is set inside a paragraph of a text that has paragraphs.
	Within bool
}

// Price of a boundary by the layout, in prices of a segment at granularity 1.
const (
	headingWorth = 5.0 // of level 1
	headingStep  = 0.75
	leastHeading = 2.0
	withinCost   = 1.0
	insideCost   = 1e6 // never
)

func (g Gap) worth() float64 {
	switch {
	case g.Inside:
		return -insideCost
	case g.Heading > 0:
		return max(leastHeading, headingWorth-headingStep*float64(g.Heading-1))
	case g.Within:
		return -withinCost
	}
	return 0
}

// Topics is a text divided at every granularity.
type Topics struct {
	// Curve holds for each gap the binary logarithm of the coarsest granularity
	// at which it is a boundary, in steps of a quarter from -3 to 3, and less
	// than -3 where it never is one: the lower, the more it would cost, down to -6.
	Curve []float64
}

// Find divides a text. Without progress the only errors are an Input that
// contradicts itself and vectors that are not what they say.
func Find(in Input) (*Topics, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	n := len(in.Sentences)
	if n < 2 {
		return &Topics{Curve: []float64{}}, nil
	}
	b, err := gather(&in)
	if err != nil {
		return nil, err
	}
	s := &solver{evidence: b, n: n, unit: vector.Ln(float64(max(2, min(n, block)))), bonus: make([]float64, n)}
	if in.OwnWords {
		s.unit = vector.Ln(float64(max(ownShortest, min(n, block)))) * ownPrice
	}
	shift := usualPrior - average(in.Prior)
	for i := range n - 1 {
		if in.Prior != nil {
			s.bonus[i+1] = float64(prior * (in.Prior[i] + shift))
		}
		if in.Layout != nil {
			s.bonus[i+1] += float64(in.Layout[i].worth() * s.unit)
		}
	}
	curve, err := s.strengths(&in)
	if err != nil {
		return nil, err
	}
	if joins := headed(&in); joins != nil {
		joins.strengths(curve)
	}
	return &Topics{Curve: curve}, nil
}

// average is the mean of values, 0 of none.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Level is the binary logarithm of a granularity, -Inf for one that is not above 0.
func Level(granularity float64) float64 {
	if !(granularity > 0) {
		return math.Inf(-1)
	}
	return vector.Ln(granularity) / math.Ln2
}

// Boundaries are the gaps at which the text is divided at a granularity:
// i for a boundary after sentence i, ascending. A larger granularity never has
// one more.
func (t *Topics) Boundaries(granularity float64) []int {
	return t.At(Level(granularity))
}

// At is Boundaries for the binary logarithm of a granularity.
func (t *Topics) At(level float64) []int {
	// A quarter that rounding misses is still that quarter; below the finest
	// granularity there is nothing to add.
	level = max(level, -float64(levels)/perOctave) - 1e-9
	var out []int
	for i, v := range t.Curve {
		if v >= level {
			out = append(out, i)
		}
	}
	return out
}
