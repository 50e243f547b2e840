//go:build amd64 || (js && kernel)

package encoder

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func randomly(r *rand.Rand, n int, scale float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(scale * r.NormFloat64())
	}
	return x
}

// functions compares this target's functions with the ones in Go.
func functions(t *testing.T, x, y []float32, by *norm) {
	t.Helper()
	n := len(x)
	got, want := slices.Clone(x), slices.Clone(x)
	normalize(got, y, by)
	if normalizeGo(want, y, by); !sameBits(got, want) {
		t.Errorf("LayerNorm of %d numbers differs", n)
	}
	got, want = slices.Clone(x), slices.Clone(x)
	gelu(got)
	if geluGo(want); !sameBits(got, want) {
		t.Errorf("GELU of %d numbers differs", n)
	}
	got, want = slices.Clone(x), slices.Clone(x)
	got[n-1], want[n-1] = float32(math.Inf(-1)), float32(math.Inf(-1))
	if a, b := softmax(got), softmaxGo(want); !sameBits(append(got, a), append(want, b)) {
		t.Errorf("softmax of %d numbers differs", n)
	}
	codes, wanted := make([]int8, n), make([]int8, n)
	if a, b := quantize(codes, x), quantizeGo(wanted, x); a != b || !slices.Equal(codes, wanted) {
		t.Errorf("the codes of %d numbers differ", n)
	}
}
