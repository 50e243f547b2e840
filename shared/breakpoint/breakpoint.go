// Package breakpoint turns the similarities of neighbouring sentences into boundaries. A
// method sets a threshold on a curve and breaks wherever the curve passes it.
//
// For N sentences there are N-1 similarities s, cosines in [-1, 1], and N-1 distances d = 1
// - s in [0, 2]. s[i] compares sentences i and i+1, and a boundary i is a break after
// sentence i. P(p) is the percentile with linear interpolation. mean and stddev are those
// for a population (ddof 0). x is the setting, with its default in brackets. Every
// comparison is strict:
//
//	percentile           d[i] > P(x) of d                             [95 %]
//	stddev               d[i] > mean(d) + x·stddev(d)                 [3]
//	iqr                  d[i] > mean(d) + x·(P(75) - P(25)) of d      [1.5]
//	gradient             g[i] > P(x) of g, g = numpy.gradient(d)      [95 %]
//	notebook-percentile  s[i] < P(x) of s                             [90 %]
//	notebook-stddev      s[i] < mean(s) - x·stddev(s)                 [1]
//	notebook-iqr         s[i] < P(25) - 1.5·(P(75) - P(25)) of s
//
// The first four are LangChain's thresholds on Seam's sentences: its SemanticChunker
// (langchain_experimental/text_splitter.py) with its defaults, including the mean in iqr
// and the rising flank in gradient. LangChain compares each sentence together with a
// neighbour on both sides; Seam compares single sentences. The notebook-* methods are
// compute_breakpoints of notebook 02 of all-rag-techniques. They look at similarities, so
// at 90 nine gaps in ten break.
//
// NaN counts as 0 and an infinity as ±1. Package vector gives neither: vectors of zeros,
// NaN or infinities have similarity 0 to everything. Vectors need not have length 1.
// Without a gap (N < 2) there is no boundary, and the threshold is NaN. If all values are
// equal, as with a single gap or repeated sentences, there is no boundary, however the mean
// is rounded.
//
// Every sum has one order and no fused multiply-add, so every target makes the same
// decisions.
package breakpoint

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"seam/shared/vector"
)

// Curve names the values that a method compares with its threshold.
type Curve string

const (
	Distance   Curve = "distance"   // 1 - similarity; a break where it is above the threshold
	Gradient   Curve = "gradient"   // numpy.gradient of the distances; a break where it is above the threshold
	Similarity Curve = "similarity" // cosine; a break where it is below the threshold
	Strength   Curve = "strength"   // from package topic, the binary logarithm of a granularity; a break where it is at or above the threshold
)

// Setting describes the number that a method takes.
type Setting struct {
	Label          string
	Default        float64
	Min, Max, Step float64 // for a slider
	Logarithmic    bool    // equal ratios are equal steps; Step is in units of the binary logarithm
	Finer          bool    // reports whether larger values make finer chunks; otherwise they make coarser ones
	None           string  // message to show if nothing is cut, with %g for the setting
	AtLeast, Below float64 // a value outside [AtLeast, Below] is refused
}

// Check returns an error if x is not a valid setting. method names the method in the error.
func (s Setting) Check(method string, x float64) error {
	switch {
	case s.AtLeast <= x && x <= s.Below:
		return nil
	case s.Logarithmic:
		return fmt.Errorf("invalid %s %g: use a value above 0 (default %g)", strings.ToLower(s.Label), x, s.Default)
	}
	return fmt.Errorf("invalid setting %g for %s: use %g to %g", x, method, s.AtLeast, s.Below)
}

// Method is one way to set the threshold.
type Method struct {
	Name    string
	Label   string
	Help    string   // one sentence for users
	Curve   Curve    // the values compared
	Setting *Setting // nil if the method takes none

	None string // message to show if nothing is cut; empty if Setting has one

	threshold func(curve []float64, x float64) float64
	setting   func(curve []float64, cut float64) float64 // the inverse of threshold
}

func percent(of string, def float64) *Setting {
	return &Setting{Label: "Percentile of " + of, Default: def, Max: 100, Step: 0.5, Below: 100,
		None: "none of the " + of + " is beyond percentile %g"}
}

// finer sets s.Finer.
func finer(s *Setting) *Setting {
	s.Finer = true
	return s
}

func factor(what, label string, def, max float64) *Setting {
	return &Setting{Label: strings.ToUpper(label[:1]) + label[1:], Default: def, Max: max, Step: 0.05, AtLeast: math.Inf(-1), Below: math.Inf(1),
		None: "no " + what + " is %g " + label}
}

var methods = []Method{
	{"percentile", "Percentile", "Breaks where the distance is above the given percentile of all distances. LangChain's threshold on Seam's sentences.",
		Distance, percent("distances", 95), "", Percentile, rank},
	{"stddev", "Standard deviation", "Breaks where the distance is more than the given number of standard deviations above the mean. LangChain's threshold on Seam's sentences.",
		Distance, factor("distance", "standard deviations above the mean", 3, 6), "",
		func(c []float64, x float64) float64 { return mean(c) + float64(x*stddev(c)) },
		func(c []float64, cut float64) float64 { return ratio(cut-mean(c), stddev(c)) }},
	{"iqr", "Interquartile range", "Breaks where the distance is more than the given number of interquartile ranges above the mean. LangChain's threshold on Seam's sentences.",
		Distance, factor("distance", "interquartile ranges above the mean", 1.5, 6), "",
		func(c []float64, x float64) float64 { return mean(c) + float64(x*iqr(c)) },
		func(c []float64, cut float64) float64 { return ratio(cut-mean(c), iqr(c)) }},
	{"gradient", "Gradient", "Breaks where the distance rises faster than the given percentile of all gradients. LangChain's threshold on Seam's sentences.",
		Gradient, percent("gradients", 95), "", Percentile, rank},
	{"notebook-percentile", "Notebook: percentile", "Breaks where the similarity is below the given percentile of similarities, as the notebook does: at 90, nine in ten gaps break.",
		Similarity, finer(percent("similarities", 90)), "", Percentile, rank},
	{"notebook-stddev", "Notebook: standard deviation", "Breaks where the similarity is more than the given number of standard deviations below the mean, as the notebook does.",
		Similarity, factor("similarity", "standard deviations below the mean", 1, 6), "",
		func(c []float64, x float64) float64 { return mean(c) - float64(x*stddev(c)) },
		func(c []float64, cut float64) float64 { return ratio(mean(c)-cut, stddev(c)) }},
	{"notebook-iqr", "Notebook: interquartile", "Breaks where the similarity is below the first quartile less 1.5 interquartile ranges, as the notebook does.",
		Similarity, nil, "no similarity is 1.5 interquartile ranges below the first quartile",
		func(c []float64, _ float64) float64 { return Percentile(c, 25) - float64(1.5*iqr(c)) }, nil},
}

// Methods returns all methods in display order.
func Methods() []Method { return slices.Clone(methods) }

// Lookup returns the method with the given name. The error lists the valid names.
func Lookup(name string) (Method, error) {
	var names []string
	for _, m := range methods {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Method{}, fmt.Errorf("unknown method %q: choose one of %s", name, strings.Join(names, ", "))
}

// Default returns the default setting, or 0 for a method without a setting.
func (m Method) Default() float64 {
	if m.Setting == nil {
		return 0
	}
	return m.Setting.Default
}

// Result is a method's decision.
type Result struct {
	Curve      []float64 // the values compared, one per gap
	Threshold  float64   // NaN if there is no gap
	Setting    float64   // the setting that gives Threshold; 0 for a method without one
	Boundaries []int     // i means a break after sentence i; ascending
}

// Find applies the method to the similarities of neighbours (N-1 values for N sentences). x
// is the setting: a percentile from 0 to 100, or a factor of any size; notebook-iqr ignores
// it. NaN and a percentile outside its range are errors. The package comment explains
// similarities that are not numbers, all equal, or missing. Find does not change
// similarities.
func (m Method) Find(similarities []float64, x float64) (Result, error) {
	if m.Setting != nil {
		if err := m.Setting.Check(m.Name, x); err != nil {
			return Result{}, err
		}
	}
	curve := m.curve(similarities)
	if len(curve) == 0 {
		return Result{Curve: curve, Threshold: math.NaN(), Setting: x}, nil
	}
	t := m.threshold(curve, x)
	return Result{curve, t, x, m.cut(curve, t)}, nil
}

// At applies an absolute threshold on the method's curve, as when a user moves the line in
// the picture. Setting in the result is the setting that gives the same threshold.
func (m Method) At(similarities []float64, threshold float64) Result {
	curve := m.curve(similarities)
	r := Result{Curve: curve, Threshold: threshold, Boundaries: m.cut(curve, threshold)}
	if m.setting != nil && len(curve) > 0 {
		r.Setting = m.setting(curve, threshold)
	}
	return r
}

// Largest breaks at the n gaps of largest distance. This makes n+1 chunks, or one per
// sentence if there are fewer sentences. Among equal distances the earlier gap comes first.
// The threshold is the smallest distance chosen, or NaN if there is none.
//
// LangChain's number_of_chunks sets a percentile instead. With ties, and because its index
// is rounded, it misses the number.
func Largest(similarities []float64, n int) Result { return Highest(distances(similarities), n) }

// Highest breaks at the n highest values of a curve. Among equal values the earlier comes
// first.
func Highest(d []float64, n int) Result {
	r := Result{Curve: d, Threshold: math.NaN()}
	if n = min(n, len(d)); n <= 0 {
		return r
	}
	order := make([]vector.Hit, len(d))
	for i, x := range d {
		order[i] = vector.Hit{Row: i, Score: x}
	}
	best := vector.Best(order, n)
	chosen := make([]bool, len(d))
	for _, h := range best {
		chosen[h.Row] = true
	}
	for i, is := range chosen {
		if is {
			r.Boundaries = append(r.Boundaries, i)
		}
	}
	r.Threshold = best[n-1].Score
	return r
}

func (m Method) curve(similarities []float64) []float64 {
	switch m.Curve {
	case Similarity:
		return finite(similarities)
	case Gradient:
		return gradient(distances(similarities))
	default:
		return distances(similarities)
	}
}

// cut returns the indexes where the curve strictly passes the threshold.
func (m Method) cut(curve []float64, t float64) []int {
	if !slices.ContainsFunc(curve, func(v float64) bool { return v != curve[0] }) {
		return nil
	}
	var out []int
	below := m.Curve == Similarity
	for i, v := range curve {
		if below && v < t || !below && v > t {
			out = append(out, i)
		}
	}
	return out
}

func distances(similarities []float64) []float64 {
	d := finite(similarities)
	for i, s := range d {
		d[i] = 1 - s
	}
	return d
}

// finite returns a copy with NaN replaced by 0 and infinities by 1 or -1.
func finite(similarities []float64) []float64 {
	out := slices.Clone(similarities)
	for i, s := range out {
		switch {
		case s-s == 0: // a number; math.IsNaN is a call in the page's engine
		case math.IsNaN(s):
			out[i] = 0
		default:
			out[i] = math.Copysign(1, s)
		}
	}
	return out
}
