package vector

import (
	"math"
	"math/big"
	"slices"
	"testing"
)

// mat returns a matrix with the given rows.
func mat(rows ...[]float32) Matrix {
	m := New(len(rows), len(rows[0]))
	for i, r := range rows {
		copy(m.Row(i), r)
	}
	return m
}

func TestCosineOfUglyVectors(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		name string
		a, b []float32
		want float64
	}{
		{"equal", []float32{1, 2, 3}, []float32{1, 2, 3}, 1},
		{"other length", []float32{1, 2, 3}, []float32{10, 20, 30}, 1},
		{"opposite", []float32{1, 2, 3}, []float32{-1, -2, -3}, -1},
		{"orthogonal", []float32{1, 0}, []float32{0, 5}, 0},
		{"zero", []float32{0, 0}, []float32{1, 1}, 0},
		{"both zero", []float32{0, 0}, []float32{0, 0}, 0},
		{"huge", []float32{3e38, 3e38}, []float32{3e38, 3e38}, 1},
		{"subnormal", []float32{1e-45, 0}, []float32{1e-45, 0}, 1},
		{"huge and tiny", []float32{3e38, 0}, []float32{1e-45, 0}, 1},
		{"NaN", []float32{nan, 1}, []float32{1, 1}, 0},
		{"infinite", []float32{inf, 1}, []float32{1, 1}, 0},
		{"both infinite", []float32{inf, 1}, []float32{inf, 1}, 0},
		{"empty", nil, nil, 0},
	} {
		if got := Cosine(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The sum must not depend on whether a target fuses operations. Each product is exact here,
// so only the order of additions matters.
func TestDotIsTheSumInItsOrder(t *testing.T) {
	product := func(x, y float32) float64 {
		p, exact := new(big.Float).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y))).Float64()
		if exact != big.Exact {
			t.Fatalf("%v·%v is not exact", x, y)
		}
		return p
	}
	for n := range 12 {
		a, b := make([]float32, n), make([]float32, n)
		for i := range n {
			a[i], b[i] = float32(math.Sin(float64(i+1))), float32(math.Cos(float64(3*i)))
		}
		var lane [4]float64
		for i := range n / 4 * 4 {
			lane[i%4] += product(a[i], b[i])
		}
		want := (lane[0] + lane[1]) + (lane[2] + lane[3])
		for i := n / 4 * 4; i < n; i++ {
			want += product(a[i], b[i])
		}
		if got := Dot(a, b); got != want {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
	}
}

func TestAdjacent(t *testing.T) {
	if got := Adjacent(Matrix{}); got != nil {
		t.Errorf("no rows: %v", got)
	}
	if got := Adjacent(mat([]float32{1, 2})); got != nil {
		t.Errorf("one row: %v", got)
	}
	got := Adjacent(mat([]float32{1, 0}, []float32{2, 0}, []float32{0, 1}, []float32{0, 0}))
	for i, want := range []float64{1, 0, 0} {
		if got[i] != want {
			t.Errorf("%v", got)
		}
	}
}

func TestNormalize(t *testing.T) {
	m := mat([]float32{3, 4}, []float32{0, 0}, []float32{float32(math.NaN()), 1}, []float32{1e-30, 0})
	Normalize(m)
	for i, want := range []float64{1, 0, 0, 1} {
		if n := math.Sqrt(Dot(m.Row(i), m.Row(i))); math.Abs(n-want) > 1e-6 {
			t.Errorf("row %d has length %v", i, n)
		}
	}
}

// Normalized must give the numbers of Normalize without changing its argument.
func TestNormalized(t *testing.T) {
	m := New(1000, 7)
	for i := range m.Data {
		m.Data[i] = float32(i%13) - 6
	}
	clear(m.Row(500))
	want := Matrix{m.Rows, m.Dim, slices.Clone(m.Data)}
	before := slices.Clone(m.Data)
	got := Normalized(m)
	Normalize(want)
	if got.Rows != m.Rows || got.Dim != m.Dim || !slices.Equal(got.Data, want.Data) || !slices.Equal(m.Data, before) {
		t.Error("they differ")
	}
	if none := Normalized(Matrix{}); none.Rows != 0 {
		t.Error(none)
	}
}

func TestTopK(t *testing.T) {
	m := mat([]float32{1, 0}, []float32{0, 1}, []float32{1, 1}, []float32{2, 0})
	hits := TopK(m, []float32{1, 0}, 3)
	if len(hits) != 3 || hits[0].Row != 0 || hits[1].Row != 3 || hits[2].Row != 2 {
		t.Errorf("%v", hits)
	}
	if got := TopK(m, []float32{1, 0}, 99); len(got) != 4 {
		t.Errorf("all: %v", got)
	}
	if TopK(m, []float32{1, 0}, 0) != nil || TopK(m, []float32{1}, 3) != nil {
		t.Error("nothing asked, or another dimension, gives hits")
	}
}

func TestLn(t *testing.T) {
	for x := 1.0; x < 1e15; x *= 1.37 {
		if got, want := Ln(x), math.Log(x); math.Abs(got-want) > 1e-14*max(1, want) {
			t.Errorf("Ln(%v) = %v, want %v", x, got, want)
		}
	}
	if Ln(1) != 0 {
		t.Errorf("Ln(1) = %v", Ln(1))
	}
}

func BenchmarkAdjacent(b *testing.B) {
	m := New(20000, 256)
	for i := range m.Data {
		m.Data[i] = float32(i%17) - 8
	}
	for b.Loop() {
		Adjacent(m)
	}
}
