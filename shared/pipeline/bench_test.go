package pipeline

import (
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// BenchmarkRechunk20000 measures the cost of moving the threshold with 20,000 sentences.
// Everything except the curve is computed again.
func BenchmarkRechunk20000(b *testing.B) {
	all := strings.Join(pdftest.Paragraphs, "\n\n")
	s := NewSession(text.NewPlain(strings.Repeat(all+"\n\n", 20_000/38)))
	x := 90.0
	for b.Loop() {
		x = 185 - x // alternates between 90 and 95
		chunked(b, s, Settings{Setting: &x})
	}
}
