package eval

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// Mean returns the exact sum, rounded once, divided by the number of values, like Python's
// statistics.fmean. It returns 0 without values, and NaN if a value is not finite.
func Mean(v []float64) float64 {
	sum, ok := sums(v, 1)
	switch {
	case len(v) == 0:
		return 0
	case !ok:
		return math.NaN()
	}
	f, _ := sum.Float64()
	return f / float64(len(v))
}

// Deviation returns the standard deviation of a whole population (divisor n), exact and
// rounded once, like Python's statistics.pstdev. It returns 0 without values, and NaN if a
// value is not finite.
func Deviation(v []float64) float64 { return deviation(v, len(v)) }

// deviation returns the root of the squared distances from the mean divided by divisor.
func deviation(v []float64, divisor int) float64 {
	sum, ok := sums(v, 1)
	squares, _ := sums(v, 2)
	switch {
	case len(v) == 0:
		return 0
	case !ok:
		return math.NaN()
	}
	n := new(big.Rat).SetInt64(int64(len(v)))
	variance := new(big.Rat).Quo(new(big.Rat).Mul(sum, sum), n)
	variance.Quo(variance.Sub(squares, variance), n.SetInt64(int64(divisor)))
	const bits = 256 // far more than the 53 that are kept
	root, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(bits).SetRat(variance)).Float64()
	return root
}

// sums adds the values raised to power, 1 or 2, exactly. It returns false if a value is not
// finite.
func sums(v []float64, power int) (*big.Rat, bool) {
	sum, x := new(big.Rat), new(big.Rat)
	for _, f := range v {
		if x.SetFloat64(f) == nil {
			return sum, false
		}
		if power == 2 {
			x.Mul(x, x)
		}
		sum.Add(sum, x)
	}
	return sum, true
}

// Difference is the difference between two scores of the same documents.
type Difference struct {
	Mean  float64 // mean of the differences
	Error float64 // standard error of that mean; NaN for fewer than two documents
	N     int     // number of documents
}

// Sure reports whether the difference is more than twice its standard error. Chance alone
// would then give the opposite sign about once in forty times.
func (d Difference) Sure() bool { return math.Abs(d.Mean) > 2*d.Error }

// Paired compares two scores of the same documents, in the same order: a minus b. Its error
// is for paired differences, sd(a-b)/√n with divisor n-1. It does not include differences
// between documents that affect both scores.
func Paired(a, b []float64) (Difference, error) {
	if len(a) != len(b) {
		return Difference{}, fmt.Errorf("%d scores cannot be paired with %d", len(a), len(b))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	out := Difference{Mean(d), math.NaN(), len(d)}
	if len(d) > 1 {
		out.Error = deviation(d, len(d)-1) / math.Sqrt(float64(len(d)))
	}
	return out, nil
}

// Round returns x rounded to the given number of decimals.
func Round(x float64, decimals int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	if err != nil {
		return x // not finite
	}
	return r
}
