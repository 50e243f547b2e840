package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Dot and Dot4 must match the Go functions to the bit, whatever implements them.
func TestDotsAreThoseOfGo(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 70 {
		for range 20 {
			var v [5][]float32
			for i := range v {
				v[i] = make([]float32, n+3)[r.IntN(4):] // at any alignment
				v[i] = v[i][:n]
				for j := range v[i] {
					v[i][j] = number(r)
				}
			}
			if got, want := Dot(v[0], v[1]), dotGo(v[0], v[1]); !same(got, want) {
				t.Fatalf("Dot of %v and %v: %g, want %g", v[0], v[1], got, want)
			}
			var got, want [4]float32
			got[0], got[1], got[2], got[3] = Dot4(v[0], v[1], v[2], v[3], v[4])
			want[0], want[1], want[2], want[3] = dot4Go(v[0], v[1], v[2], v[3], v[4])
			for i := range got {
				if !same(float64(got[i]), float64(want[i])) {
					t.Fatalf("Dot4 of %v: %g, want %g", v, got, want)
				}
			}
		}
	}
}

// number returns a random number: usually an ordinary one, sometimes one that overflows,
// underflows or is NaN.
func number(r *rand.Rand) float32 {
	if r.IntN(20) == 0 {
		return math.Float32frombits(r.Uint32())
	}
	return float32(r.NormFloat64())
}

// same reports whether two numbers have the same bits or are both NaN.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func BenchmarkDot(b *testing.B) { benchmarkDot(b, Dot) }

func BenchmarkDotGo(b *testing.B) { benchmarkDot(b, dotGo) }

func benchmarkDot(b *testing.B, dot func(x, y []float32) float64) {
	m := New(2, 256)
	for i := range m.Data {
		m.Data[i] = float32(i)
	}
	for b.Loop() {
		dot(m.Row(0), m.Row(1))
	}
}

func BenchmarkDot4(b *testing.B) { benchmarkDot4(b, Dot4) }

func BenchmarkDot4Go(b *testing.B) { benchmarkDot4(b, dot4Go) }

func benchmarkDot4(b *testing.B, dot4 func(x, p, q, r, s []float32) (float32, float32, float32, float32)) {
	m := New(5, 256)
	for i := range m.Data {
		m.Data[i] = float32(i)
	}
	for b.Loop() {
		dot4(m.Row(0), m.Row(1), m.Row(2), m.Row(3), m.Row(4))
	}
}
