package search

import (
	"context"
	"math"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/vector"
)

// readBy returns vectors for a result. A text with the first word points in one direction,
// a text with the second word in another, and any other text in a third.
func readBy(s *Searcher, result int, one, two string) *Read {
	texts, of := s.ReadingTexts(result, "en")
	m := vector.New(len(texts), 3)
	for i, t := range texts {
		switch {
		case strings.Contains(t, one):
			m.Row(i)[0] = 1
		case strings.Contains(t, two):
			m.Row(i)[1] = 1
		default:
			m.Row(i)[2] = 1
		}
	}
	return &Read{m, of}
}

// Texts that an encoder has read must be found by it in every mode except keyword, with the
// nearest sentence, even if it has read only one of two results. The better the words cover
// a text, the more they count.
func TestContext(t *testing.T) {
	ctx, model := context.Background(), builtinModel(t)
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	results := sentencesOf(t, hooks, "The heddle has an eye. The warp goes through it. The weft crosses the warp.", "The sails drive a shaft of oak. The stones grind the corn.")
	s, err := NewSearcher(results, Options{}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	read := &Context{Vector: []float32{1, 0, 0}, Read: []*Read{nil, readBy(s, 1, "stones", "sails")}}
	find := func(query string, mode Mode, c *Context) *Found {
		t.Helper()
		found, err := s.Search(ctx, Query{Text: query, K: 9, Mode: mode, Context: c}, hooks)
		if err != nil || found.Asked != query {
			t.Fatalf("%+v, %v", found, err)
		}
		return found
	}
	for _, mode := range []Mode{index.Hybrid, index.Dense} {
		h := find("qzxv", mode, read).Hits
		if len(h) == 0 || h[0].Source != 1 {
			t.Fatalf("%s: %+v", mode, h)
		}
		c := results[1].Chunks[h[0].Chunk].Of(results[1].Text.Text)
		if mode == index.Hybrid && !strings.Contains(h[0].Passage.Of(c), "stones") {
			t.Errorf("%s: the passage is %q", mode, h[0].Passage.Of(c))
		}
	}
	if h := find("qzxv", index.Keyword, read).Hits; len(h) != 0 {
		t.Errorf("by words: %+v", h)
	}
	if h := find("heddle eye", index.Hybrid, read).Hits; len(h) == 0 || h[0].Source != 0 {
		t.Errorf("what words cover is lost: %+v", h)
	}
	of := func(query string) float64 { return s.words.Coverage(s.words.Parse(query, true, nil)) }
	if all, some, none := of("heddle eye"), of("heddle qzxv wvut"), of("qzxv"); !(all > some && some > none && none == 0 && all <= 1) {
		t.Errorf("covered: %v, %v, %v", all, some, none)
	}
	other := &Context{Vector: []float32{1, 0}, Read: read.Read} // from another encoder
	if a, b := find("corn", index.Hybrid, other), find("corn", index.Hybrid, nil); len(a.Hits) != len(b.Hits) || a.Hits[0].Score != b.Hits[0].Score {
		t.Errorf("%+v, without it %+v", a, b)
	}
	if texts, _ := s.ReadingTexts(0, "de"); texts != nil {
		t.Errorf("%q is read as German", texts)
	}
}

// The similarity of a chunk is the mean of its own and its best sentence's. A chunk without
// sentences keeps its own.
func TestReadCompare(t *testing.T) {
	r := &Read{vector.Matrix{Rows: 4, Dim: 1, Data: []float32{.5, .25, .1, .9}}, []int{0, 1, 0, 0}}
	out := make([]float64, 2)
	if r.compare(out, []float32{1}); math.Abs(out[0]-.7) > 1e-6 || math.Abs(out[1]-.25) > 1e-6 {
		t.Errorf("%v", out)
	}
}
