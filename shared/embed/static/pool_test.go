package static

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Sums must match Go's to the bit, whatever implements them.
func TestSumIsThatOfGo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 19 {
		for lanes := range 5 {
			rows := make([][]lane, n)
			for i := range rows {
				rows[i] = lanesOf(r, lanes)
			}
			got := lanesOf(r, lanes)
			want := append([]lane(nil), got...)
			sum(got, rows)
			add(want, rows)
			for i := range got {
				for j := range got[i] {
					if math.Float32bits(got[i][j]) != math.Float32bits(want[i][j]) {
						t.Fatalf("%d vectors of %d lanes: %g, want %g", n, lanes, got[i][j], want[i][j])
					}
				}
			}
		}
	}
}

func lanesOf(r *rand.Rand, n int) []lane {
	out := make([]lane, n)
	for i := range out {
		for j := range out[i] {
			out[i][j] = float32(r.NormFloat64())
		}
	}
	return out
}

func BenchmarkSum(b *testing.B) { benchmarkSum(b, sum) }

func BenchmarkSumGo(b *testing.B) { benchmarkSum(b, add) }

func benchmarkSum(b *testing.B, sum func([]lane, [][]lane)) {
	r := rand.New(rand.NewPCG(7, 8))
	rows := make([][]lane, 24)
	for i := range rows {
		rows[i] = lanesOf(r, 16)
	}
	total := make([]lane, 16)
	for b.Loop() {
		sum(total, rows)
	}
}
