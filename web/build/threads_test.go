package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/read/html"
	pdfreader "seam/shared/read/pdf"
	"seam/shared/search"
)

// sentPassages is the number of passages sent with a question.
const sentPassages = 6

// turn is a question after another one, with a phrase from the passage that answers it.
type turn struct {
	Kind     string `json:"kind"` // follows: unclear without the previous one; turns: a new subject
	Before   string `json:"before"`
	Question string `json:"question"`
	Says     string `json:"says"`
}

// The rule for follow-up questions must find more than the question alone if it follows
// another, and more than both joined if it turns to a new subject.
func TestThreads(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "threads.json"))
	if err != nil {
		t.Fatal(err)
	}
	var turns []turn
	if err := json.Unmarshal(b, &turns); err != nil {
		t.Fatal(err)
	}
	s, find := threaded(t)
	rules := map[string]func(turn) string{
		"alone":  func(q turn) string { return q.Question },
		"joined": func(q turn) string { return q.Before + " " + q.Question },
		"rule":   func(q turn) string { return s.FollowUp([]string{q.Before}, q.Question) },
	}
	found := map[string]map[string]int{}
	for name, rule := range rules {
		found[name] = map[string]int{}
		for _, q := range turns {
			if rank := find(rule(q), q.Says); rank > 0 && rank <= sentPassages {
				found[name][q.Kind]++
			} else if rank == 0 && name == "rule" {
				t.Logf("not found at all: %s", q.Question)
			}
		}
		t.Logf("%s: among the first %d of those that follow %d, of those that turn %d", name, sentPassages, found[name]["follows"], found[name]["turns"])
	}
	if found["rule"]["follows"] <= found["alone"]["follows"] || found["rule"]["turns"] <= found["joined"]["turns"] {
		t.Errorf("the rule is worth nothing: %v", found)
	}
	for _, tt := range []struct {
		earlier []string
		q, want string
	}{
		{nil, "And in winter?", "And in winter?"},
		{[]string{"Where should a rain gauge stand?"}, "Why?", "Where should a rain gauge stand? Why?"},
		{[]string{"How is glue warmed?", "Where should a rain gauge stand?", "And how high?"}, "Why?", "Where should a rain gauge stand? And how high? Why?"},
		{[]string{"Where should a rain gauge stand?"}, "How does a coin set the church clock right?", "How does a coin set the church clock right?"},
	} {
		if got := s.FollowUp(tt.earlier, tt.q); got != tt.want {
			t.Errorf("%q after %q is searched for as %q, want %q", tt.q, tt.earlier, got, tt.want)
		}
	}
}

// threaded returns a search of the whole gallery in small chunks, so many that six are few.
// It also returns a function for the rank of a passage among the hits, from 1, or 0 if it
// is not found.
func threaded(t *testing.T) (*search.Searcher, func(query, says string) int) {
	examples, bodies, err := readGallery("..")
	if err != nil {
		t.Fatal(err)
	}
	hooks, err := modelHooks("..")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pipeline.NewPlan(pipeline.Settings{Embedder: pipeline.Auto, MaxTokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	var results []*pipeline.Result
	for i, e := range examples {
		d, err := read.All().With(pdfreader.Name, pdfreader.Read).With(html.Name, html.Read).Read(e.File, bodies[i], read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.NewSession(d).Run(t.Context(), plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	s, err := search.NewSearcher(results, search.Options{}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	return s, func(query, says string) int {
		found, err := s.Search(t.Context(), search.Query{Text: query, K: 100, Mode: index.Hybrid}, hooks)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range found.Hits {
			r := results[h.Source]
			if strings.Contains(unwrapped(r.Chunks[h.Chunk].Of(r.Text.Text)), says) {
				return i + 1
			}
		}
		return 0
	}
}
