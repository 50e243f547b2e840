package engine

import (
	"context"
	"strings"
	"testing"

	"seam/shared/text"
)

// BenchmarkRechunk20000 is what moving the threshold costs with 20,000
// sentences: everything but the curve is computed again.
func BenchmarkRechunk20000(b *testing.B) {
	all := strings.Join(paragraphs, "\n\n")
	s := NewSession(text.NewPlain(strings.Repeat(all+"\n\n", 20_000/38)))
	x := 90.0
	for b.Loop() {
		x = 185 - x // 90, 95, 90, …
		if _, err := s.Chunk(context.Background(), Settings{Threshold: &x}, local); err != nil {
			b.Fatal(err)
		}
	}
}
