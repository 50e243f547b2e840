package search

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/encoder"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Every chunk must have a vector of length 1 and a named embedder, unless it is lexical.
// With a dear embedder, vectors come from the sentences, and nothing is embedded.
func TestVectors(t *testing.T) {
	model := builtinModel(t)
	asked := 0
	hooks := pipeline.Hooks{Vectors: true, Embedder: func(name string) (embed.Embedder, error) {
		if name == "openai:x" {
			return counting{model, &asked}, nil
		}
		return model, nil
	}}
	for _, name := range []string{"builtin", "openai:x", "lexical"} {
		plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Unit: "words", Embedder: name, MaxTokens: 10})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.NewSession(text.NewPlain("A heddle has an eye. The warp goes through it. The doctor works in a hospital.")).Run(context.Background(), plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		before := asked
		m, of, err := Vectors(context.Background(), r, hooks)
		if err != nil || m.Rows != len(r.Chunks) || m.Rows == 0 || of != name && (of != "" || name != "lexical") || asked != before {
			t.Errorf("%s: %d vectors of %d chunks by %q, %d texts embedded, %v", name, m.Rows, len(r.Chunks), of, asked-before, err)
		}
		for i := range m.Rows {
			if square := vector.Dot(m.Row(i), m.Row(i)); math.Abs(square-1) > 1e-5 {
				t.Errorf("%s: vector %d has length² %g", name, i, square)
			}
		}
	}
}

// A query must go only to hosted embedders of documents that are searched.
func TestQueriesOfOtherDocumentsAreNotSent(t *testing.T) {
	asked, ctx := 0, context.Background()
	hooks := pipeline.Hooks{Vectors: true, Embedder: func(name string) (embed.Embedder, error) { return counting{builtinModel(t), &asked}, nil }}
	var results []*pipeline.Result
	for _, name := range []string{"openai:x", "lexical"} {
		plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Unit: "words", Embedder: name, MaxTokens: 10})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.NewSession(text.NewPlain("A heddle has an eye. The warp goes through it. The doctor works in a hospital.")).Run(ctx, plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	s, err := NewSearcher(results, Options{}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range []int{1, 0} {
		asked = 0
		found, err := s.Search(ctx, Query{Text: "warp", K: 3, Mode: "hybrid", Filter: Filter{Sources: []int{source}}}, hooks)
		if err != nil || asked != want || len(found.Hits) == 0 || found.Hits[0].Source != source {
			t.Errorf("document %d: %d texts were embedded, want %d: %+v, %v", source, asked, want, found, err)
		}
	}
}

// builtinModel returns the built-in model.
func builtinModel(t *testing.T) *builtin.Model {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "embed", "builtin", "model.bin"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := builtin.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// counting counts the texts that a model embeds.
type counting struct {
	*builtin.Model
	n *int
}

func (c counting) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	*c.n += len(texts)
	return c.Model.Embed(ctx, texts, progress)
}

// An embedder that distinguishes roles must embed chunks in the role for chunks.
func TestVectorsHaveTheirRole(t *testing.T) {
	m, err := encoder.Open(os.DirFS("../embed/encoder/testdata/bert-f16-first-prompts"), "x")
	if err != nil {
		t.Fatal(err)
	}
	model := m.Embedder()
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	r := sentencesOf(t, hooks, "A heddle has an eye. The warp goes through it.")[0]
	var texts []string
	for i := range r.Chunks {
		texts = append(texts, r.Headed(i))
	}
	want, err := embed.For(model, embed.Chunks).Embed(t.Context(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := Vectors(t.Context(), r, hooks)
	made, err2 := Make(t.Context(), r, true, hooks)
	if err != nil || err2 != nil || !slices.Equal(got.Data, want.Data) || !slices.Equal(made.Vectors.Data, want.Data) {
		t.Errorf("chunks have other vectors: %v, %v", err, err2)
	}
}
