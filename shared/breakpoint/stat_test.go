//go:build !js

package breakpoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// samples returns lists of 1 to 200 numbers. Some have many equal values.
func samples(r *rand.Rand) [][]float64 {
	lists := make([][]float64, 500)
	for i := range lists {
		v := make([]float64, 1+r.IntN(200))
		for j := range v {
			v[j] = 2*r.Float64() - 1
			if i%3 == 0 {
				v[j] = math.Round(4*v[j]) / 4
			}
		}
		lists[i] = v
	}
	return lists
}

// quantile computes Hyndman and Fan's type 7, numpy's default, using gonum's type 4. Both
// interpolate between the sorted values: type 7 at (n-1)p of 0 to n-1, type 4 at np of 1 to
// n.
func quantile(v []float64, percent float64) float64 {
	n := float64(len(v))
	at := (percent/100*(n-1) + 1) / n
	return stat.Quantile(min(at, 1), stat.LinInterp, slices.Sorted(slices.Values(v)), nil)
}

// gonum is independent code. It sums in another order and interpolates with another
// formula, so an error that both share is unlikely.
func TestStatisticsAreGonums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	agree := func(what string, v []float64, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%s of %d numbers: %v, gonum has %v", what, len(v), got, want)
		}
	}
	for _, v := range samples(r) {
		for _, p := range []float64{0, 25, 50, 75, 95, 100, 100 * r.Float64()} {
			agree("percentile", v, Percentile(v, p), quantile(v, p))
		}
		agree("mean", v, mean(v), stat.Mean(v, nil))
		agree("standard deviation", v, stddev(v), stat.PopStdDev(v, nil))
		agree("interquartile range", v, iqr(v), quantile(v, 75)-quantile(v, 25))
	}
}
