//go:build js && kernel

package encoder

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

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

// Every function of the kernel must match Go's to the bit, for products of every shape and
// all kinds of rows, even if the memory grows in between.
func TestKernelEqualsGo(t *testing.T) {
	needKernel(t)
	r := rand.New(rand.NewPCG(7, 8))
	var grown [][]byte
	for round := range 60 {
		if round%20 == 0 {
			grown = append(grown, make([]byte, 20<<20))
		}
		rows, n := tileRows*(1+r.IntN(4)), tileColumns*(1+r.IntN(4))
		compareProducts(t, r, rows, 1+r.IntN(90), n)
		compareBytes(t, r, rows, unit*(1+r.IntN(60)), n)
		width, scale := unit*(1+r.IntN(60)), math.Pow(10, float64(r.IntN(40)-30))
		functions(t, randomly(r, width, scale), randomly(r, width, scale), &norm{randomly(r, width, 1), randomly(r, width, 1), 1e-12})
	}
	compareBytes(t, r, tileRows, MaxInner, tileColumns)
	for _, b := range grown {
		if slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
			t.Fatal("the kernel wrote where nothing of it is")
		}
	}
}

func compareProducts(t *testing.T, r *rand.Rand, rows, k, n int) {
	t.Helper()
	strideA, strideC := k+r.IntN(9), n+r.IntN(9)
	a, panels, bias := grid{randomly(r, rows*strideA, 1), strideA}, randomly(r, k*n, 1), randomly(r, n, 1)
	got, want := grid{randomly(r, rows*strideC, 1), strideC}, grid{nil, strideC}
	want.data = slices.Clone(got.data)
	product(got, a, rows, panels, k, n, bias)
	productTiles(want, a, rows, panels, k, n, bias)
	if !sameBits(got.data, want.data) {
		t.Errorf("a product of %d×%d and %d×%d differs", rows, k, k, n)
	}
}

// compareBytes compares products of bytes. One row is zeros, one has a NaN, and one has
// only the largest codes.
func compareBytes(t *testing.T, r *rand.Rand, rows, k, n int) {
	t.Helper()
	stride := n + r.IntN(9)
	a, codes := grid{randomly(r, rows*k, 1), k}, make([]int8, n*k)
	clear(a.row(1, k))
	a.row(2, k)[r.IntN(k)] = float32(math.NaN())
	for i := range k {
		a.row(3, k)[i] = float32(1 - 2*r.IntN(2))
	}
	for i := range codes {
		if codes[i] = int8(r.IntN(2*largest+1) - largest); i < k {
			codes[i] = int8(largest * a.row(3, k)[i])
		}
	}
	l := newLinear8(n, k, codes, randomly(r, n, 1), randomly(r, n, 1))
	got, want := grid{randomly(r, rows*stride, 1), stride}, grid{nil, stride}
	want.data = slices.Clone(got.data)
	var w, v work
	l.apply(&w, got, a, rows)
	l.applyTiles(&v, want, a, rows)
	if !sameBits(got.data, want.data) || !sameBits(w.steps, v.steps) {
		t.Errorf("a product of bytes, %d×%d and %d×%d, differs", rows, k, k, n)
	}
}
