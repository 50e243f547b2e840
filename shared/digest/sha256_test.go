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

// What comes in pieces of any size has the digest of the whole.
func TestHash(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for n := range 300 {
		b := make([]byte, n*7)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		for name, h := range map[string]Hash{"pure": newPure(), "New": New()} {
			for rest := b; len(rest) > 0; {
				k := 1 + random.IntN(min(len(rest), 200))
				if got, err := h.Write(rest[:k]); got != k || err != nil {
					t.Fatalf("%s: wrote %d of %d: %v", name, got, k, err)
				}
				rest = rest[k:]
			}
			for range 2 { // it ends nothing
				if h.Sum() != sha256.Sum256(b) {
					t.Fatalf("%s: another digest for %d bytes", name, len(b))
				}
			}
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
