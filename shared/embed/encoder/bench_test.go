package encoder

import (
	"os"
	"slices"
	"testing"
)

// opened returns the model in the packed file named by SEAM_PACKED.
func opened(b *testing.B) *Model {
	b.Helper()
	path := os.Getenv("SEAM_PACKED")
	if path == "" {
		b.Skip("no model: set SEAM_PACKED to a packed file")
	}
	file, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return openedPacked(b, file, "model")
}

var benchTexts = []string{
	"The committee asked the engineers to explain why the bridge had been closed for so long.",
	"Every spring the river leaves its bed and covers the meadows below the village, and nobody there calls it a flood.",
	"A function that is called with too few arguments returns an error.",
	"In the evening she wrote three letters: one to her sister, one to the bank, and one that she never sent.",
}

// BenchmarkTokens measures the throughput for many texts.
func BenchmarkTokens(b *testing.B) {
	m := opened(b)
	texts, tokens := slices.Repeat(benchTexts, 16), 0
	for _, s := range texts {
		tokens += m.Counter().Count(s) + len(m.before) + len(m.after)
	}
	b.ResetTimer()
	for b.Loop() {
		vectors(b, m, texts...)
	}
	b.ReportMetric(float64(tokens*b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// BenchmarkQuery measures the time for a question.
func BenchmarkQuery(b *testing.B) {
	m := opened(b)
	for b.Loop() {
		vectors(b, m, "why does my program stop when two threads write to the same file?")
	}
}
