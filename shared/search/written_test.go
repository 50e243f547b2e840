package search

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
)

const loom = "A heddle has an eye. The warp goes through it. The miller went home."

// of returns a text written about a part of the loom's text.
func of(part, written string) Written {
	start := strings.Index(loom, part)
	return Written{Part: text.Span{Start: start, End: start + len(part)}, Text: written}
}

// Written texts must help to find their chunk, by words and by meaning, and change nothing
// else.
func TestWrittenIsFound(t *testing.T) {
	ctx := context.Background()
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}
	results := sentencesOf(t, hooks, loom, loom)
	written := [][]Written{{of("The warp goes through it.", "Weaving: a physician"), of("The warp goes through it.", "Weaving: Lifting is easy.")}, nil}
	find := func(query string, mode index.Mode, o Options) *Found {
		t.Helper()
		s, err := NewSearcher(results, o, hooks)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Search(ctx, Query{Text: query, K: 9, Mode: mode}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for _, tt := range []struct {
		query string
		mode  index.Mode
		by    string
	}{
		{"weave", index.Keyword, "Weaving: a physician"},
		{"lifted warp", index.Keyword, "Weaving: Lifting is easy."},
		{"a physician who weaves", index.Dense, "Weaving: a physician"},
		{"easy lifting", index.Hybrid, "Weaving: Lifting is easy."},
	} {
		found := find(tt.query, tt.mode, Options{Written: written})
		if len(found.Hits) == 0 {
			t.Errorf("%s, %s: nothing", tt.query, tt.mode)
			continue
		}
		hit := found.Hits[0]
		if hit.Source != 0 || hit.Chunk != 1 || hit.Written != tt.by {
			t.Errorf("%s, %s: %+v", tt.query, tt.mode, hit)
		}
	}
	if found := find("weave", index.Keyword, Options{}); len(found.Hits) != 0 {
		t.Errorf("%+v", found)
	}
	own := find("warp", index.Keyword, Options{Written: written})
	if len(own.Hits) != 2 || own.Hits[0].Written != "" {
		t.Errorf("by its own words: %+v", own)
	}
	for _, mode := range []index.Mode{index.Keyword, index.Dense, index.Hybrid} {
		if with, without := find("the miller", mode, Options{Written: [][]Written{nil, {}}}), find("the miller", mode, Options{}); !reflect.DeepEqual(with, without) {
			t.Errorf("%s: %+v where nothing is written, else %+v", mode, with, without)
		}
	}
}

// A statement about a part in several chunks goes to the chunk with most of its words. A
// statement about a part in no chunk is dropped.
func TestWrittenHasItsPlace(t *testing.T) {
	results := sentencesOf(t, pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}, loom)
	written := []Written{of(loom, "A miller went away"), of(loom, "Through it the warps run"), of("heddle has an eye. The", "warp"), {Part: text.Span{Start: 500, End: 900}, Text: "beyond"}, {Part: text.Span{Start: 9, End: 3}, Text: "backward"}, {Part: text.Span{Start: -9, End: -3}, Text: "before"}, {Text: "nowhere"}}
	s, err := NewSearcher(results, Options{Written: [][]Written{written}}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int][]string{0: {"warp"}, 1: {"Through it the warps run"}, 2: {"A miller went away"}}
	got := map[int][]string{}
	for chunk, list := range s.added {
		got[chunk] = textsOf(list)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", s.added)
	}
	texts, chunks := s.ReadingTexts(0, "en")
	if !reflect.DeepEqual(texts[len(texts)-3:], []string{"warp", "Through it the warps run", "A miller went away"}) || !reflect.DeepEqual(chunks[len(chunks)-3:], []int{0, 1, 2}) {
		t.Errorf("%q of %v are read", texts, chunks)
	}
	none := sentencesOf(t, pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}, "Rain. ", "")
	if s, err = NewSearcher(none, Options{Written: [][]Written{nil, written}}, pipeline.Hooks{}); err != nil || len(s.added) != 0 {
		t.Errorf("%v of no chunk, %v", s.added, err)
	} else if texts, _ := s.ReadingTexts(1, s.docs[1].Language()); len(texts) != 0 {
		t.Errorf("%q are read of nothing", texts)
	}
	if _, err := NewSearcher(results, Options{Written: [][]Written{nil, nil}}, pipeline.Hooks{}); err == nil {
		t.Error("lists of two results for one")
	}
}

// A result is indexed again only if its list of written texts is another one.
func TestWrittenBefore(t *testing.T) {
	results := sentencesOf(t, pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}, loom)
	list := []Written{of("warp", "weaving")}
	before, err := NewSearcher(results, Options{Written: [][]Written{list}}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for i, written := range [][][]Written{{list}, {{of("warp", "spinning")}}, nil} {
		s, err := NewSearcher(results, Options{Before: before, Written: written}, pipeline.Hooks{})
		if same := i == 0; err != nil || (s.docs[0] == before.docs[0]) != same {
			t.Errorf("%v: the same is %v, %v", written, !same, err)
		}
	}
}

// A title adds half of its lead over its chunk, a statement all of it.
func TestTitlesCountHalf(t *testing.T) {
	ctx := context.Background()
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}
	results := sentencesOf(t, hooks, loom)
	similar := func(list ...Written) (float64, string) {
		t.Helper()
		s, err := NewSearcher(results, Options{Written: [][]Written{list}}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Search(ctx, Query{Text: "weaving threads through a heddle", K: 9, Mode: index.Dense}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			if h.Chunk == 1 {
				return h.Score, h.Written
			}
		}
		t.Fatalf("%+v", found)
		return 0, ""
	}
	statement, title := of("The warp goes through it.", "Weaving threads through"), of("The warp goes through it.", "Weaving threads through")
	title.Title = true
	own, by := similar()
	whole, byStatement := similar(statement)
	half, byTitle := similar(title)
	if by != "" || byStatement != statement.Text || byTitle != title.Text || math.Abs(half-(own+whole)/2) > 1e-6 || whole < own+.05 {
		t.Errorf("%v by itself, %v by a statement, %v by a title", own, whole, half)
	}
	if both, by := similar(title, statement); both != whole || by == "" {
		t.Errorf("%v by both, by %q", both, by)
	}
	if other, by := similar(of("The warp goes through it.", "Quarterly revenue")); other != own || by != "" {
		t.Errorf("%v by one that is further away, by %q", other, by)
	}
}

// With paid vectors, written texts must not be sent for comparison; they are found by
// words.
func TestWrittenIsNotSent(t *testing.T) {
	ctx, asked := context.Background(), 0
	model := counting{builtinModel(t), &asked}
	hooks := pipeline.Hooks{Vectors: true, Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "openai:x"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.NewSession(text.NewPlain(loom)).Run(ctx, plan, hooks)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSearcher([]*pipeline.Result{r}, Options{Written: [][]Written{{of("warp", "weaving")}}}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	asked = 0
	found, err := s.Search(ctx, Query{Text: "weaving", K: 3, Mode: index.Hybrid}, hooks)
	if err != nil || asked != 1 || len(found.Hits) == 0 || found.Hits[0].Chunk != 1 {
		t.Errorf("%d texts were sent: %+v, %v", asked, found, err)
	}
}

// BenchmarkWritten measures indexing with three statements for each of 2,000 sentences,
// compared with the sentences alone.
func BenchmarkWritten(b *testing.B) {
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return nil, fmt.Errorf("not needed") }}
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "lexical"})
	if err != nil {
		b.Fatal(err)
	}
	var t strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&t, "The weaver of house number %d likes a shuttle of boxwood and oak best of all its tools. ", i)
	}
	r, err := pipeline.NewSession(text.NewPlain(t.String())).Run(context.Background(), plan, hooks)
	if err != nil {
		b.Fatal(err)
	}
	var list []Written
	for _, s := range r.Sentences {
		for range 3 {
			list = append(list, Written{Part: s, Text: "Loomworker: the craftsman favours a tool of a hard wood."})
		}
	}
	for name, o := range map[string]Options{"alone": {}, "written": {Written: [][]Written{list}}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := NewSearcher([]*pipeline.Result{r}, o, hooks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
