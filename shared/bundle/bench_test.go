package bundle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// noise embeds texts at random. The contents of a bundle do not affect how fast it opens.
type noise struct{ dim int }

func (noise) ID() string             { return "noise" }
func (noise) Counter() token.Counter { return token.Characters }
func (n noise) Embed(_ context.Context, texts []string, _ embed.Progress) (vector.Matrix, error) {
	r := rand.New(rand.NewPCG(1, 2))
	m := vector.Matrix{Rows: len(texts), Dim: n.dim, Data: make([]float32, len(texts)*n.dim)}
	for i := range m.Data {
		m.Data[i] = r.Float32() - 0.5
	}
	return m, nil
}

// BenchmarkOpen opens a bundle of 100,000 sentences with vectors of 384 numbers from a
// file, and reads all of it.
func BenchmarkOpen(b *testing.B) {
	var all strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&all, "The loom of room %d wove %d yards of linen in a week.\n", i%977, i)
	}
	s := pipeline.NewSession(text.NewPlain(all.String()))
	h := pipeline.Hooks{Vectors: true, Embedder: func(string) (embed.Embedder, error) { return noise{384}, nil }}
	r, err := s.Run(context.Background(), plan(b, pipeline.Settings{Method: "recursive", MaxTokens: 60, Unit: "chars"}), h)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "large.seam")
	if err := os.WriteFile(path, write(b, false, []*Item{ItemOf(s, r, Source{Format: "text"}, r.Plan.Embedder, "noise")}), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := openAll(path); err != nil {
			b.Fatal(err)
		}
	}
}

func openAll(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	opened, err := Open(f, info.Size())
	if err != nil {
		return err
	}
	it, err := opened.Item(0)
	if err != nil {
		return err
	}
	return opened.Vectors(0, it)
}
