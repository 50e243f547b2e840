//go:build js && kernel

package vector

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// same32 reports whether two slices have the same bits. All NaNs are equal.
func same32(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	})
}

// needKernel skips a test if the kernel is switched off.
func needKernel(t *testing.T) {
	t.Helper()
	if os.Getenv("SEAM_KERNEL") == "off" {
		t.Skip("SEAM_KERNEL=off: this run is without the kernel")
	}
	if ready() == 0 {
		t.Fatal("the kernel is not there: run with wasm/kernel/exec.mjs")
	}
}

// Every function of the kernel must match Go's to the bit, for matrices of every shape and
// all kinds of rows, even if the memory grows in between.
func TestKernelEqualsGo(t *testing.T) {
	needKernel(t)
	r := rand.New(rand.NewPCG(11, 5))
	var grown [][]byte
	for round := range 300 {
		shape := [2]int{1 + r.IntN(60), r.IntN(70)}
		if round < len(shapes) {
			shape = shapes[round]
		}
		if round%50 == 0 {
			grown = append(grown, make([]byte, 20<<20))
		}
		m, q := random(r, shape[0], shape[1]), random(r, 1, shape[1]).Row(0)
		compareFloats(t, m, q)
		compareBytes(t, r, m)
		a, b := Matrix{m.Rows, m.Dim, slices.Clone(m.Data)}, Matrix{m.Rows, m.Dim, slices.Clone(m.Data)}
		normalize(a)
		normalizeGo(b)
		if !same32(a.Data, b.Data) {
			t.Errorf("%v: rows of length 1 differ", shape)
		}
	}
	for _, b := range grown {
		if slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
			t.Fatal("the kernel wrote where nothing of it is")
		}
	}
}

func compareFloats(t *testing.T, m Matrix, q []float32) {
	t.Helper()
	a, b := make([]float32, m.Rows), make([]float32, m.Rows)
	scores(a, m, q)
	scoresGo(b, m, q)
	if !same32(a, b) {
		t.Errorf("%d×%d: scores %v, want %v", m.Rows, m.Dim, a, b)
	}
	qq := dot32(q, q)
	if x, y := cosines(a, m, q, qq), cosinesGo(b, m, q, qq); x != y || !same32(a, b) {
		t.Errorf("%d×%d: cosines %v, want %v; %d of them bad, want %d", m.Rows, m.Dim, a, b, x, y)
	}
	c, d := make([]float64, m.Rows-1), make([]float64, m.Rows-1)
	x, y := adjacent(c, m), adjacentGo(d, m)
	if x != y || !slices.EqualFunc(c, d, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	}) {
		t.Errorf("%d×%d: neighbours %v, want %v; %d of them bad, want %d", m.Rows, m.Dim, c, d, x, y)
	}
	e, f := make([]float64, m.Dim), make([]float64, m.Dim)
	for j := range e {
		e[j] = float64(j)
	}
	copy(f, e)
	addRows(e, m)
	addRowsGo(f, m)
	if !slices.EqualFunc(e, f, same) {
		t.Errorf("%d×%d: sums of rows %v, want %v", m.Rows, m.Dim, e, f)
	}
	for _, k := range []int{1, 2, 10} {
		x, y := newTop(k), newTop(k)
		for range 2 {
			best(x.scores, x.rows, b, 7)
			bestGo(y.scores, y.rows, b, 7)
		}
		if !same32(x.scores, y.scores) || !slices.Equal(x.rows, y.rows) {
			t.Errorf("best %d of %v: %v, want %v", k, b, x, y)
		}
	}
}

func compareBytes(t *testing.T, r *rand.Rand, m Matrix) {
	t.Helper()
	stride := (m.Dim + 15) / 16 * 16
	a, b := make([]int8, m.Rows*stride), make([]int8, m.Rows*stride)
	s, u := make([]float32, m.Rows), make([]float32, m.Rows)
	quantize(a, s, m, stride)
	quantizeGo(b, u, m, stride)
	if !slices.Equal(a, b) || !same32(s, u) {
		t.Errorf("%d×%d: bytes %v × %v, want %v × %v", m.Rows, m.Dim, a, s, b, u)
	}
	q := make([]int16, stride)
	for i := range m.Dim {
		q[i] = int16(r.IntN(1<<16) - 1<<15)
	}
	scores8(s, a, q, u, 0.25)
	want := make([]float32, m.Rows)
	scores8Go(want, a, q, u, 0.25)
	if !same32(s, want) {
		t.Errorf("%d×%d: scores of bytes %v, want %v", m.Rows, m.Dim, s, want)
	}
}
