package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Interval is a mean over questions with the bounds of its 95 % interval. With fewer than
// two questions the bounds are NaN.
type Interval struct {
	Mean, Low, High float64
}

// rounds is the number of samples in a bootstrap. The bounds then vary by about a fiftieth
// of the interval's width.
const rounds = 4000

// Bootstrap returns the mean of v, and the interval between the 2.5th and the 97.5th
// percentile of the means of 4,000 samples drawn from v with replacement. The draws are the
// same each time, so equal figures give equal bounds. Source: Efron and Tibshirani, An
// Introduction to the Bootstrap (1993), chapter 13.
func Bootstrap(v []float64) Interval {
	out := Interval{Mean(v), math.NaN(), math.NaN()}
	if len(v) < 2 || math.IsNaN(out.Mean) {
		return out
	}
	draw := draws(1)
	means := make([]float64, rounds)
	for i := range means {
		sum := 0.0
		for range v {
			sum += v[draw.below(len(v))]
		}
		means[i] = sum / float64(len(v))
	}
	slices.Sort(means)
	out.Low, out.High = means[rounds/40], means[rounds-1-rounds/40]
	return out
}

// draws generates pseudorandom numbers with SplitMix64. The same start gives the same
// numbers. Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators
// (2014).
type draws uint64

// below returns a number from 0 to n-1: the upper word of a product. Its bias of n/2⁶⁴ is
// negligible here.
func (d *draws) below(n int) int {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	high, _ := bits.Mul64(z^z>>31, uint64(n))
	return int(high)
}

// PairedBootstrap returns the Bootstrap of the differences a minus b between two scores of
// the same questions, in the same order.
func PairedBootstrap(a, b []float64) (Interval, error) {
	if len(a) != len(b) {
		return Interval{}, fmt.Errorf("%d scores cannot be paired with %d", len(a), len(b))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Bootstrap(d), nil
}

// IncludesZero reports whether the interval of a difference contains zero or is unknown. Then these
// questions do not show that either side is better.
func (i Interval) IncludesZero() bool { return !(i.Low > 0 || i.High < 0) }

// MarshalJSON returns {"mean","low","high"} to 5 decimals, with null for unknown bounds.
func (i Interval) MarshalJSON() ([]byte, error) {
	number := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		x = Round(x, 5)
		return &x
	}
	return json.Marshal(struct {
		Mean *float64 `json:"mean"`
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
	}{number(i.Mean), number(i.Low), number(i.High)})
}
