package digest

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
)

func TestSum256(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 1030 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		if sum(b) != sha256.Sum256(b) {
			t.Fatalf("another digest for %d bytes", n)
		}
	}
}

func FuzzSum256(f *testing.F) {
	f.Add([]byte("abc"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if sum(b) != sha256.Sum256(b) {
			t.Error("another digest")
		}
	})
}

func BenchmarkSum256(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	b.Run("own", func(b *testing.B) {
		for b.Loop() {
			sum(data)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			sha256.Sum256(data)
		}
	})
}
