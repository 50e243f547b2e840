// Package topic finds where a text changes its topic. It finds all boundaries and their
// number at once, for every granularity.
//
// A text of n sentences is divided to maximize the sum over its segments a..b of
//
//	E(a,b) + 0.4·L(a,b) - g·ln min(n,128)
//
// plus the evidence for single gaps (Input.Prior, Input.Layout). E measures how much more
// similar the sentences of a segment are than nearby sentences are on average. L measures
// how much its words repeat. g is the granularity, 1 by default; its product with the
// logarithm is the price of one more segment. README.md explains the origin of formulas and
// constants, the results, and what did not work.
//
//	E(a,b) = Σ_{i≠j in a..b} (x_i·x_j - μ) / (ℓσ)
//	L(a,b) = Σ_w Σ_{c=1}^{count_w-1} ln(1 + c/α_w) - Σ_{j=0}^{m-1} ln(1 + j/A)
//
// The segment has ℓ sentences and m words. x has length 1. μ and σ are the mean and
// standard deviation of x_i·x_j over sentences at most 40 apart. α_w = 1 + 400·(share of w
// in the text), and A = max(distinct words, 500) + 400. Segments of up to 64 sentences are
// found directly. They are then joined, up to 256 sentences, if that gives a higher sum.
//
// Granularities are 2^(i/4), for i from -12 to 12, and nested. The solution for i = 0 is
// exact. A coarser one uses only boundaries of the previous one, and a finer one keeps them
// all. So each boundary has a strength, the coarsest granularity at which it exists, and
// another granularity needs no second pass. In a text with headings, parts that are short
// for a granularity are joined, and strengths are adjusted accordingly: see sizes.go.
//
// Time and memory are linear in n. Every sum has one order and no fused multiply-add, so
// that every target makes the same decisions.
package topic

import (
	"fmt"
	"math"

	"seam/shared/vector"
)

// Constants of the method. README.md explains each of them.
const (
	window         = 64    // most sentences of a segment found directly
	longest        = 256   // most sentences of a joined segment
	block          = 128   // sentences of a block for counting words; largest argument of the price's logarithm
	near           = 40    // maximum distance of sentences for μ and σ
	background     = 400.0 // weight of the text's own word shares, in words
	fewestTypes    = 500.0 // minimum number of distinct words assumed
	lexical        = 0.4   // weight of L
	ownLexical     = 1.0   // weight of L with OwnWords
	ownPrice       = 0.84  // price of a segment with OwnWords, relative to other vectors
	ownShortest    = 24    // minimum number of sentences in the price's logarithm with OwnWords
	prior          = 0.6   // weight of Input.Prior
	usualPrior     = -0.3  // the average to which it is shifted, so that kinds of text it was not learned from are not cut more or less often
	witness        = 0.5   // share of a segment's price that vectors and prior alone must show at a boundary
	leastDeviation = 1e-3  // of similarities; smaller differences are rounding errors
	levels         = 12    // granularities on each side of 1
	perOctave      = 4     // granularities for a factor of 2
)

// Finest and Coarsest are the granularities at both ends. Default is used unless another
// one is requested.
const (
	Finest   = 0.125
	Default  = 1.0
	Coarsest = 8.0
)

// Input is a text to divide.
type Input struct {
	Sentences []string
	Vectors   vector.Matrix // one row per sentence, of any length; zeros if nothing is known
	// OwnWords reports whether Vectors come from an embedder fitted to this text. They are
	// then weaker evidence.
	OwnWords bool
	// Owned allows Find to change Vectors, which saves a copy.
	Owned bool
	// Prior holds, for each gap, how much more likely a topic begins after it than
	// elsewhere, as a difference of log odds. It is nil if unknown.
	Prior []float64
	// Layout holds the visible structure at each gap. Nil means no structure anywhere.
	Layout []Gap
	// Progress, if not nil, is called as work advances. If it returns an error, the work
	// stops with that error.
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

// phases is the number of passes over all sentences.
const phases = 3

// report reports that a phase, counted from 0, is done for the given number of sentences.
func (in *Input) report(phase, done int) error {
	if in.Progress == nil {
		return nil
	}
	n := len(in.Sentences)
	return in.Progress(phase*n+done, phases*n)
}

// Gap describes the text between two sentences.
type Gap struct {
	// Heading is the level, from 1 at the top, of a heading that begins with the next
	// sentence; 0 for none.
	Heading int
	// Inside is set within a block that is not cut: a list, a table, code, the lines of one
	// heading.
	Inside bool
	// Within is set inside a paragraph, if the text has paragraphs.
	Within bool
}

// Effect of the layout on a boundary, in prices of a segment at granularity 1.
const (
	headingWorth = 5.0 // of level 1
	headingStep  = 0.75
	leastHeading = 2.0
	withinCost   = 1.0
	insideCost   = 1e6 // never a boundary
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
	// Curve holds, for each gap, the binary logarithm of the coarsest granularity at which
	// it is a boundary, in steps of a quarter from -3 to 3. A gap that is never a boundary
	// has a value below -3, down to -6; the lower, the higher its cost.
	Curve []float64
}

// Find divides a text. It returns errors of progress, and an error if the Input contradicts
// itself or the vectors are invalid.
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

// average returns the mean of values, or 0 if there are none.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Level returns the binary logarithm of a granularity, or -Inf if the granularity is not
// above 0.
func Level(granularity float64) float64 {
	if !(granularity > 0) {
		return math.Inf(-1)
	}
	return vector.Ln(granularity) / math.Ln2
}

// Boundaries returns the gaps at which the text is divided at a granularity. i is a
// boundary after sentence i; they ascend. A larger granularity never adds one.
func (t *Topics) Boundaries(granularity float64) []int {
	return t.At(Level(granularity))
}

// At is Boundaries for the binary logarithm of a granularity.
func (t *Topics) At(level float64) []int {
	// Allow for rounding of quarters. Below the finest granularity there are no more
	// boundaries.
	level = max(level, -float64(levels)/perOctave) - 1e-9
	var out []int
	for i, v := range t.Curve {
		if v >= level {
			out = append(out, i)
		}
	}
	return out
}
