package shards

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"seam/shared/vector"
)

// flat returns vectors that vary along few directions, and only a little along all others.
func flat(rows, dim, few int) vector.Matrix {
	r := rand.New(rand.NewPCG(3, 4))
	directions := vector.New(few, dim)
	for i := range directions.Data {
		directions.Data[i] = float32(r.NormFloat64())
	}
	m := vector.New(rows, dim)
	for i := range rows {
		row := m.Row(i)
		for k := range row {
			row[k] = 1 + .02*float32(r.NormFloat64())
		}
		for d := range few {
			f := float32(r.NormFloat64())
			for k, x := range directions.Row(d) {
				row[k] += f * x
			}
		}
	}
	vector.Normalize(m)
	return m
}

// Axes must capture most of the variation, in about equal shares, and be the same each
// time.
func TestAxes(t *testing.T) {
	m := flat(500, 96, 20)
	mean := meanOf(m)
	a := axesOf(m, mean, 24)
	if b := axesOf(m, mean, 24); !slices.Equal(a.codes, b.codes) || !slices.Equal(a.steps, b.steps) {
		t.Error("the axes of the same vectors are others")
	}
	all, inside := 0., make([]float64, a.count())
	d, along := make([]float64, m.Dim), make([]float64, a.count())
	for i := range m.Rows {
		difference(m.Row(i), mean, d)
		all += length(d) * length(d)
		a.along(d, along)
		for k, x := range along {
			inside[k] += x * x
		}
	}
	held := 0.
	for _, x := range inside {
		held += x
	}
	if share := held / all; share < .97 || share > 1.03 {
		t.Errorf("24 axes hold %.3f of vectors that differ in 20 directions", share)
	}
	if most, least := slices.Max(inside), slices.Min(inside); most > 4*least {
		t.Errorf("an axis holds %v, another one %v", most, least)
	}
}

// With more axes than the vectors span, the others must be zeros, without any NaN.
func TestAxesOfFew(t *testing.T) {
	for _, rows := range []int{0, 1, 3} {
		m := flat(rows, 32, 2)
		a := axesOf(m, meanOf(m), 16)
		for k, step := range a.steps {
			if s := float64(step); math.IsNaN(s) || math.IsInf(s, 0) || a.count() != 16 || len(a.codes) != 16*32 {
				t.Fatalf("%d vectors: axis %d has the step %v", rows, k, s)
			}
		}
		if _, factors := codesOf(m, meanOf(m), a); len(factors) != rows || slices.ContainsFunc(factors, func(f float64) bool { return !(f >= 0) || math.IsInf(f, 0) }) {
			t.Errorf("%d vectors have the factors %v", rows, factors)
		}
	}
}

// The quantized vectors must fit in the bytes allowed for a first question, and use as much
// of them as possible.
func TestAxesFor(t *testing.T) {
	const dim = 384
	before := mostAxes + 8
	for _, vectors := range []int{0, 1, 5000, 9000, 13000, 16000} {
		n := axesFor(vectors, dim)
		if vectorBytes(vectors, n, dim) > mostTold || n%8 != 0 || n > before || n < mostAxes && vectorBytes(vectors, n+8, dim) <= mostTold {
			t.Errorf("of %d vectors %d numbers are told: %d bytes", vectors, n, vectorBytes(vectors, n, dim))
		}
		before = n
	}
	if axesFor(1e6, dim) != leastAxes || axesFor(9, 30) != 24 {
		t.Error("numbers of many vectors, and of short ones")
	}
}
