package search

import (
	"context"
	"reflect"
	"testing"

	"seam/shared/embed"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// sentencesOf returns texts cut into their sentences.
func sentencesOf(t *testing.T, hooks pipeline.Hooks, texts ...string) (results []*pipeline.Result) {
	t.Helper()
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "builtin"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range texts {
		r, err := pipeline.NewSession(text.NewPlain(d)).Run(context.Background(), plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	return results
}

// Saved data must be used and must give the same hits.
func TestMade(t *testing.T) {
	ctx := context.Background()
	asked := 0
	model := counting{builtinModel(t), &asked}
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	results := sentencesOf(t, hooks, "A heddle has an eye. The warp goes through it. The doctor works in a hospital.", "", "The sails drive a shaft. A physician heals.")
	made := make([]Made, len(results))
	for i, r := range results {
		var err error
		if made[i], err = Make(ctx, r, true, hooks); err != nil || made[i].Embedder != model.ID() || made[i].Vectors.Rows != len(r.Chunks) {
			t.Fatalf("%+v, %v", made[i], err)
		}
	}
	find := func(o Options) *Found {
		t.Helper()
		s, err := NewSearcher(results, o, hooks)
		if err != nil {
			t.Fatal(err)
		}
		asked = 0
		found, err := s.Search(ctx, Query{Text: "medicine", K: 9, Mode: "dense"}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	want := find(Options{})
	if without := asked; without < 5 {
		t.Errorf("%d texts were embedded", without)
	}
	before := asked
	if got := find(Options{Made: made}); !reflect.DeepEqual(got, want) || asked != before-5 {
		t.Errorf("%d texts were embedded again, %d without:\n%+v\n%+v", asked, before, got, want)
	}
	for i, m := range made {
		var err error
		if made[i], err = Known(results[i], m.Words.Encode(), m.Embedder, m.Vectors); err != nil {
			t.Fatal(err)
		}
	}
	if got := find(Options{Made: made}); !reflect.DeepEqual(got, want) || asked != before-5 {
		t.Errorf("with what was kept: %+v\n%+v", got, want)
	}
	made[2].Embedder = "another"
	if got := find(Options{Made: made}); !reflect.DeepEqual(got, want) || asked != before-3 {
		t.Errorf("vectors of another model are used")
	}
	if _, err := NewSearcher(results, Options{Made: made[:2]}, hooks); err == nil {
		t.Error("what was made of other results is taken")
	}
	lexical := *results[0]
	lexical.Plan.Embedder = "lexical"
	if m, err := Make(ctx, &lexical, true, hooks); err != nil || m.Vectors.Rows > 0 {
		t.Errorf("vectors that are fitted to all chunks were made of some: %v", err)
	}
	if m, err := Make(ctx, results[0], false, hooks); err != nil || m.Vectors.Rows > 0 || m.Words == nil {
		t.Errorf("%+v, %v", m, err)
	}
}
