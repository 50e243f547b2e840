package breakpoint

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// The statistics here add in one order and without fused multiply-add, so every target
// makes the same decisions. A compiler may fuse across statements; the conversion
// float64(x*y) forbids it. Element-by-element work, which has no order, uses gonum's
// floats. gonum's sums are assembly on some targets.

// Percentile is numpy.percentile(v, p) with its default method "linear" (H & F 1996, type
// 7). It returns the value at position (n-1)·p/100 of the sorted values. It interpolates
// between the two neighbours from the nearer end, like numpy's _lerp. p is from 0 to 100.
// Without values it returns NaN. NaN among the values sorts first.
func Percentile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	at := float64(float64(len(v)-1) * (p / 100))
	i := min(max(int(at), 0), len(v)-1)
	a, b := neighbours(v, i)
	t := at - float64(i)
	if t >= 0.5 {
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}

// buckets is the number of parts into which neighbours divides the range of values.
const buckets = 1024

// neighbours returns the values at i and i+1 of v when sorted. At the last index it returns
// the same value twice. It sorts only the values of their buckets, which takes a tenth of
// the time.
func neighbours(v []float64, i int) (float64, float64) {
	low, high, numbers := v[0], v[0], true
	for _, x := range v { // Go's min and max are calls in WebAssembly
		if x < low {
			low = x
		} else if x > high {
			high = x
		} else if x != x {
			numbers = false
		}
	}
	next := min(i+1, len(v)-1)
	scale := (buckets - 1) / (high - low)
	if !(numbers && scale > 0 && scale < math.MaxFloat64) { // all are equal, or not all are numbers
		s := slices.Sorted(slices.Values(v))
		return s[i], s[next]
	}
	var counts [buckets]int
	for _, x := range v {
		counts[int((x-low)*scale)]++
	}
	from, before := 0, 0
	for before+counts[from] <= i {
		before += counts[from]
		from++
	}
	to, through := from, before+counts[from]
	for through <= next {
		to++
		through += counts[to]
	}
	s := make([]float64, 0, through-before)
	for _, x := range v {
		if b := int((x - low) * scale); from <= b && b <= to {
			s = append(s, x)
		}
	}
	slices.Sort(s)
	return s[i-before], s[next-before]
}

// rank is the inverse of Percentile: it returns the lowest p with Percentile(v, p) = x. For
// an x outside the values it returns 0 or 100.
func rank(v []float64, x float64) float64 {
	s := slices.Sorted(slices.Values(v))
	i, _ := slices.BinarySearch(s, x) // s[i-1] < x ≤ s[i]
	switch {
	case i == 0:
		return 0
	case i == len(s):
		return 100
	}
	at := float64(i-1) + (x-s[i-1])/(s[i]-s[i-1])
	return 100 * at / float64(len(s)-1)
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// stddev is the population's standard deviation (ddof 0), like numpy.std.
func stddev(v []float64) float64 {
	m, sum := mean(v), 0.0
	for _, x := range v {
		sum += float64((x - m) * (x - m))
	}
	return math.Sqrt(sum / float64(len(v)))
}

// iqr is the distance between the first and the third quartile.
func iqr(v []float64) float64 { return Percentile(v, 75) - Percentile(v, 25) }

// gradient is numpy.gradient(d): central differences, one-sided at the ends. For a single
// value it returns 0.
func gradient(d []float64) []float64 {
	g := make([]float64, len(d))
	last := len(d) - 1
	if last < 1 {
		return g
	}
	g[0], g[last] = d[1]-d[0], d[last]-d[last-1]
	inner := g[1:last]
	floats.SubTo(inner, d[2:], d[:last-1])
	floats.Scale(0.5, inner)
	return g
}

// ratio returns a/b, or 0 if b is 0: without any spread, all settings are equivalent.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
