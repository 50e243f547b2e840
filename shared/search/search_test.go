package search

import (
	"context"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// A word that the model sees only as letters is not understood.
func TestUnderstood(t *testing.T) {
	m := builtinModel(t)
	for query, want := range map[string]bool{"zyxwv": false, "qwrtpsd": false, "": false, "?!": false, "zyxwv qwrtpsd": false,
		"doctor": true, "AI": true, "zyxwv doctor": true, "C": true, "(go)": true, "photosynthesizing": true, "a1": true} {
		if got := understood(m.Counter(), query); got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

// The header of a chunk must be searched with it.
func TestHeadersAreSearched(t *testing.T) {
	d := text.NewPlain("A heddle has an eye. " + strings.Repeat("The warp goes through it. ", 20))
	d.Title = "Shafts"
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Unit: "words", Embedder: "lexical", MaxTokens: 12, Headers: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.NewSession(d).Run(context.Background(), plan, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSearcher([]*pipeline.Result{r}, Options{}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(context.Background(), Query{Text: "shafts", K: 50, Mode: "keyword"}, pipeline.Hooks{})
	if err != nil || len(found.Hits) != len(r.Chunks) {
		t.Errorf("%d of %d chunks with the header are found by it (%v)", len(found.Hits), len(r.Chunks), err)
	}
}
