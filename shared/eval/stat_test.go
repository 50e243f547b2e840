//go:build !js

package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// gonum's statistics are independent and round at every step. Means, deviations and
// standard errors must agree with them up to rounding.
func TestStatisticsAreGonums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	agree := func(what string, n int, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%s of %d scores: %v, gonum has %v", what, n, got, want)
		}
	}
	for range 200 {
		n := 2 + r.IntN(100)
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = r.Float64(), r.Float64()
		}
		agree("mean", n, Mean(a), stat.Mean(a, nil))
		agree("deviation", n, Deviation(a), stat.PopStdDev(a, nil))
		mean, sd := stat.MeanStdDev(floats.SubTo(make([]float64, n), a, b), nil)
		d, err := Paired(a, b)
		if err != nil {
			t.Fatal(err)
		}
		agree("mean difference", n, d.Mean, mean)
		agree("standard error", n, d.Error, stat.StdErr(sd, float64(n)))
	}
}
