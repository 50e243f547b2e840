package encoder

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// each runs a test with all of the processor's features, and with fewer.
func each(t *testing.T, run func(t *testing.T)) {
	t.Helper()
	can256, can512 := has256, has512
	defer func() { has256, has512 = can256, can512 }()
	if !can256 {
		t.Skip("this processor has no AVX2: there is nothing but Go to test")
	}
	t.Run("256", func(t *testing.T) { has512 = false; run(t) })
	if can512 {
		has512 = true
		t.Run("512", run)
	} else {
		t.Log("this processor has no AVX-512 with VNNI: its kernels are not tested")
	}
}

// The kernels must match the Go functions to the bit.
func TestKernels(t *testing.T) {
	each(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, k := range []int{1, 3, 8, 32, 40, 384, 1536} {
			stride, strideA := tileColumns+r.IntN(9), k+r.IntN(9)
			a, panel, bias := randomly(r, tileRows*strideA, 1), randomly(r, k*tileColumns, 1), randomly(r, tileColumns, 1)
			got, want := randomly(r, tileRows*stride, 1), make([]float32, tileRows*stride)
			copy(want, got)
			tile(got, stride, a, strideA, panel, bias)
			tileGo(want, stride, a, strideA, panel, bias)
			if !sameBits(got, want) {
				t.Errorf("a tile of %d numbers differs", k)
			}
		}
		for _, n := range []int{8, 16, 40, 64, 384, 1536} {
			for _, scale := range []float64{1e-30, .01, 1, 5, 50, 1e9} {
				x, y := randomly(r, n, scale), randomly(r, n, scale)
				by := &norm{randomly(r, n, 1), randomly(r, n, 1), 1e-12}
				functions(t, x, y, by)
			}
		}
	})
}

// The byte kernels must match Go to the bit, including the largest codes.
func TestKernelsOfBytes(t *testing.T) {
	each(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, k := range []int{8, 16, 40, 384, 1536, MaxInner} {
			for _, extreme := range []bool{false, true} {
				code := func() int8 {
					if extreme {
						return int8(largest - 2*largest*r.IntN(2))
					}
					return int8(r.IntN(2*largest+1) - largest)
				}
				rows, columns := make([]int8, tileRows*k), make([]int8, tileColumns*k)
				for i := range rows {
					rows[i] = code()
				}
				for i := range columns {
					columns[i] = code()
				}
				l := newLinear8(tileColumns, k, columns, randomly(r, tileColumns, 1), randomly(r, tileColumns, 1))
				steps := randomly(r, tileRows, 1)
				got, want := make([]float32, tileRows*tileColumns), make([]float32, tileRows*tileColumns)
				tile8(got, tileColumns, rows, l.panels, steps, l.steps, l.bias, l.extra)
				tile8Go(want, tileColumns, rows, l.panels, steps, l.steps, l.bias)
				if !sameBits(got, want) {
					t.Errorf("a tile of %d numbers differs", k)
				}
				sum := int32(0)
				for p := range k {
					sum += int32(rows[k+p]) * int32(columns[2*k+p])
				}
				if exact := float32(float32(float32(sum)*l.steps[2])*steps[1]) + l.bias[2]; want[tileColumns+2] != exact {
					t.Errorf("a sum of %d products is %v, not %v", k, want[tileColumns+2], exact)
				}
			}
		}
	})
}

// A model's vectors must be the same to the bit with every kernel.
func TestKernelsGiveOneVector(t *testing.T) {
	for _, name := range fixtures {
		texts := readExpected(t, name).Texts
		for _, m := range []*Model{openFixture(t, name), openedPacked(t, packed(t, name, Eight), name), openedPacked(t, packed(t, name, Four), name)} {
			can256, can512 := has256, has512
			has256, has512 = false, false
			want := vectors(t, m, texts...)
			has256, has512 = can256, can512
			each(t, func(t *testing.T) {
				if !sameBits(vectors(t, m, texts...).Data, want.Data) {
					t.Errorf("%s: the vectors are not those of Go", m.ID())
				}
			})
		}
	}
}

// NaN and infinities must not reach the codes, and no kernel may write past its rows.
func TestKernelsOfUglyNumbers(t *testing.T) {
	each(t, func(t *testing.T) {
		for _, odd := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e-40, 1e38} {
			x := make([]float32, 16)
			x[3] = odd
			codes := slices.Repeat([]int8{7}, 24)
			if step := quantize(codes, x); step != 0 || slices.ContainsFunc(codes[:16], func(c int8) bool { return c != 0 }) || codes[16] != 7 {
				t.Errorf("%v has codes %d, a step of %v", odd, codes, step)
			}
		}
	})
}
