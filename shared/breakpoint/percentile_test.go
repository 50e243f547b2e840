package breakpoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortedPercentile computes Percentile directly from its definition.
func sortedPercentile(v []float64, p float64) float64 {
	s := slices.Sorted(slices.Values(v))
	at := float64(float64(len(s)-1) * (p / 100))
	i := min(max(int(at), 0), len(s)-1)
	a, b, t := s[i], s[min(i+1, len(s)-1)], at-float64(i)
	if t >= 0.5 {
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}

// Percentile must equal the sorted version to the bit, in any order of values.
func TestPercentileEqualsASort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	nan := math.NaN()
	cases := [][]float64{{1}, {nan}, {nan, 1}, {2, nan, 1, nan}, {0, 0, 0}, {1, 2}, {2, 1}, {math.Inf(1), 0, math.Inf(-1)}, {0, 1e-320, 2e-320}, {-math.MaxFloat64, 0, math.MaxFloat64}, {1e300, 1, 2, 3, 4}}
	for n := range 200 {
		v, few, up := make([]float64, n+1), make([]float64, n+1), make([]float64, n+1)
		for i := range v {
			v[i], few[i], up[i] = r.NormFloat64(), float64(r.IntN(4)), float64(i)
		}
		if n%7 == 0 {
			v[r.IntN(n+1)] = nan
		}
		down := slices.Clone(up)
		slices.Reverse(down)
		cases = append(cases, v, few, up, down)
	}
	for _, v := range cases {
		before := slices.Clone(v)
		for _, p := range []float64{0, 1, 5, 25, 33.3, 50, 75, 95, 99.9, 100} {
			got, want := Percentile(v, p), sortedPercentile(v, p)
			if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%d values, %g: %v, want %v", len(v), p, got, want)
			}
		}
		if !slices.EqualFunc(v, before, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Error("the values were moved")
		}
	}
}
