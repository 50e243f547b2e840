package vector

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a matrix of numbers around 0. One row in ten has another scale or no
// direction, or is a copy of the previous one.
func random(r *rand.Rand, rows, dim int) Matrix {
	m := New(rows, dim)
	for i := range rows {
		row := m.Row(i)
		for j := range row {
			row[j] = float32(r.NormFloat64())
		}
		scale := float32(1)
		switch r.IntN(50) {
		case 0:
			scale = 1e-30
		case 1:
			scale = 1e30
		case 2:
			scale = 0
		case 3:
			scale = float32(math.NaN())
		case 4:
			scale = float32(math.Inf(1))
		case 5:
			copy(row, m.Row(max(i-1, 0)))
		}
		for j := range row {
			row[j] *= scale
		}
	}
	return m
}

// shapes are numbers of rows and columns, around whole lanes and around a block.
var shapes = [][2]int{{1, 1}, {3, 2}, {5, 3}, {9, 4}, {20, 7}, {33, 15}, {40, 16}, {41, 17}, {50, 31}, {7, 33}, {60, 64}, {30, 100}, {20, 255}, {64, 256}, {50, 384}, {5, 1536}, {block - 1, 4}, {block, 5}, {2*block + 3, 8}}

// Computes the sum in the same order with different code.
func TestDot32IsTheSumInItsOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 100 {
		m := random(r, 2, n)
		a, b := m.Row(0), m.Row(1)
		var lane [4]float32
		for i := 0; i+16 <= n; i += 16 {
			var product [16]float32
			for j := range product {
				product[j] = a[i+j] * b[i+j]
			}
			for l := range lane {
				left, right := product[l]+product[l+4], product[l+8]+product[l+12]
				lane[l] += left + right
			}
		}
		left, right := lane[0]+lane[1], lane[2]+lane[3]
		want := left + right
		for i := n / 16 * 16; i < n; i++ {
			product := a[i] * b[i]
			want += product
		}
		if got := dot32(a, b); math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
	}
}

// fingerprint returns a hash of all results of this package for some matrices.
func fingerprint() string {
	r, h := rand.New(rand.NewPCG(7, 7)), sha256.New()
	for _, shape := range shapes {
		m, q := random(r, shape[0], shape[1]), random(r, 1, shape[1]).Row(0)
		for i := range q {
			if q[i] != q[i] || q[i]-q[i] != 0 {
				q[i] = 1
			}
		}
		write32(h, Scores(m, q, nil))
		writeHits(h, TopK(m, q, 10))
		writeHits(h, TopK(m, q, mostTop+1))
		writeHits(h, Nearest(m, q, 5))
		for _, x := range Adjacent(m) {
			binary.Write(h, binary.LittleEndian, x)
		}
		x := Quantize(m)
		binary.Write(h, binary.LittleEndian, x.codes)
		write32(h, x.steps)
		write32(h, x.Scores(q, nil))
		writeHits(h, x.TopK(q, 3))
		Normalize(m)
		write32(h, m.Data)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// write32 writes numbers, with every NaN as the same one, because NaNs differ between
// processors.
func write32(h hash.Hash, numbers []float32) {
	for _, x := range numbers {
		bits := math.Float32bits(x)
		if x != x {
			bits = math.Float32bits(float32(math.NaN()))
		}
		binary.Write(h, binary.LittleEndian, bits)
	}
}

func writeHits(h hash.Hash, hits []Hit) {
	for _, x := range hits {
		fmt.Fprintf(h, "%d %x\n", x.Row, math.Float64bits(x.Score))
	}
}

// The result must be the same on every target and with the kernel.
func TestSameEverywhere(t *testing.T) {
	if got, want := fingerprint(), "87266824f49b024e"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestScores(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, shape := range shapes {
		m, q := random(r, shape[0], shape[1]), make([]float32, shape[1])
		for i := range q {
			q[i] = float32(r.NormFloat64())
		}
		room := make([]float32, 1, m.Rows)
		got := Scores(m, q, room)
		if &got[0] != &room[0] || len(got) != m.Rows {
			t.Fatalf("%v: %d scores, or in other memory", shape, len(got))
		}
		for i, x := range got {
			want := Dot(m.Row(i), q)
			allowed := 1e-6 * math.Sqrt(Dot(m.Row(i), m.Row(i))*Dot(q, q))
			if math.Abs(float64(x)-want) > allowed && allowed < 1e20 {
				t.Errorf("%v: row %d scores %v, want %v", shape, i, x, want)
			}
		}
	}
	if got := Scores(New(0, 3), make([]float32, 3), nil); len(got) != 0 {
		t.Errorf("no rows: %v", got)
	}
	if got := Scores(New(2, 3), make([]float32, 2), nil); got != nil {
		t.Errorf("another dimension: %v", got)
	}
}

// TopK must match the sorted list of all cosines. Equal rows come in order.
func TestTopKIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, shape := range shapes {
		m, q := random(r, shape[0], shape[1]), make([]float32, shape[1])
		for i := range q {
			q[i] = float32(r.NormFloat64())
		}
		for _, k := range []int{1, 10, mostTop, mostTop + 1, m.Rows, m.Rows + 1} {
			hits := TopK(m, q, k)
			if len(hits) != min(k, m.Rows) {
				t.Fatalf("%v: %d hits of %d", shape, len(hits), k)
			}
			if !slices.IsSortedFunc(hits, func(a, b Hit) int {
				return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
			}) {
				t.Errorf("%v: not in order: %v", shape, hits)
			}
			var all []Hit
			for i := range m.Rows {
				all = append(all, Hit{i, Cosine(m.Row(i), q)})
			}
			all = Best(all, k)
			for i, h := range hits {
				if math.Abs(h.Score-Cosine(m.Row(h.Row), q)) > 1e-6 || math.Abs(h.Score-all[i].Score) > 1e-6 {
					t.Errorf("%v, k %d: hit %d is %v, want %v", shape, k, i, h, all[i])
				}
			}
		}
	}
}

// For rows of length 1, Nearest must match TopK. Rows without a finite product are not
// hits.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	m, q := New(3000, 40), New(1, 40)
	for i := range m.Data {
		m.Data[i] = float32(r.NormFloat64())
	}
	for i := range q.Data {
		q.Data[i] = float32(r.NormFloat64())
	}
	Normalize(m)
	Normalize(q)
	for _, k := range []int{1, 10, mostTop + 1} {
		got, want := Nearest(m, q.Data, k), TopK(m, q.Data, k)
		for i, h := range got {
			if math.Abs(h.Score-want[i].Score) > 1e-6 || h.Row != want[i].Row && i+1 < k && want[i].Score-want[i+1].Score > 1e-6 {
				t.Errorf("k %d: hit %d is %v, want %v", k, i, h, want[i])
			}
		}
	}
	nan := float32(math.NaN())
	ugly := mat([]float32{nan, 1}, []float32{1, 1}, []float32{float32(math.Inf(-1)), 1}, []float32{-1, 0})
	for _, k := range []int{4, mostTop + 1} {
		if got := Nearest(ugly, []float32{1, 0}, k); !slices.Equal(got, []Hit{{1, 1}, {3, -1}}) {
			t.Errorf("k %d: %v", k, got)
		}
	}
	if Nearest(m, q.Data, 0) != nil || Nearest(m, q.Data[:2], 3) != nil {
		t.Error("nothing asked, or another dimension, gives hits")
	}
}

// Float32 sums must be used only where they are precise enough.
func TestAdjacentOfUglyVectors(t *testing.T) {
	for _, scale := range []float32{1e-45, 1e-38, 1e-30, 1e-20, 1e-10, 1, 1e10, 1e20, 1e30, 1e38} {
		m := mat([]float32{scale, 0}, []float32{scale, 0}, []float32{0, scale}, []float32{0, 0}, []float32{scale, scale}, []float32{scale, float32(math.NaN())})
		got := Adjacent(m)
		for i, x := range got {
			if want := Cosine(m.Row(i), m.Row(i+1)); math.Abs(x-want) > 1e-7 {
				t.Errorf("%g: %v of %d and the next, want %v", scale, x, i, want)
			}
		}
	}
}
