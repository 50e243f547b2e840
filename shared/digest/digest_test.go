package digest

import (
	"crypto/sha256"
	"testing"
)

func TestSumIsSHA256(t *testing.T) {
	b := make([]byte, 1000)
	for i := range b {
		b[i] = byte(i * i)
	}
	for n := range b {
		if want := sha256.Sum256(b[:n]); sum(b[:n]) != want || Sum256(b[:n]) != want {
			t.Errorf("%d bytes: %x, %x, want %x", n, sum(b[:n]), Sum256(b[:n]), want)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for b.Loop() {
		sum(data)
	}
}
