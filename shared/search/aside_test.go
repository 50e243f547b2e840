package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// headed returns a document whose reading view leaves out the first line of each page.
func headed(head string, pages ...string) *text.Document {
	var all []text.Page
	view := text.View{}
	for i, p := range pages {
		all = append(all, text.Page{Number: i + 1, Text: head + "\n" + p})
		view.Runs = append(view.Runs, text.Run{Start: len(view.Text), Page: i, From: len(head) + 1, Len: len(p)})
		view.Text += p + "\n\n"
	}
	view.Text = strings.TrimSuffix(view.Text, "\n\n")
	return text.NewPaged(all, view)
}

// A word that only a running head has must not be reported as a word that no document has.
func TestAside(t *testing.T) {
	docs := []*text.Document{
		headed("Grünwald Dairy · Confidential", "Milk is cooled at once. It keeps for days.", "Cheese ripens in a cellar. It is turned daily."),
		text.NewPlain("Looms are warped by hand. A shuttle carries the weft."),
		headed("Invoice Grünwald", "Whey is a drink."),
		text.NewPaged([]text.Page{{Number: 1, Text: "o\ufb03ce"}}, text.View{Text: "office", Runs: []text.Run{{Len: 1}, {Start: 4, From: 4, Len: 2}}}),
		text.NewPaged([]text.Page{{Number: 1, Text: "Salt Invoice xeno", Hidden: []text.Span{{Start: 5, End: 17}}}}, text.View{Text: "Salt", Runs: []text.Run{{Len: 4}}}),
	}
	var results []*pipeline.Result
	for _, d := range docs {
		plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "lexical"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.NewSession(d).Run(context.Background(), plan, pipeline.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	s, err := NewSearcher(results, Options{}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"grünwald":          "[{grünwald [0 2] false}]",
		"CONFIDENTIAL milk": "[{confidential [0] false}]",
		"xylophone":         "[]",
		"ffi":               "[]", // only a ligature, of which the view has the letters
		"invoice xylophone": "[{invoice [2 4] false}]",
		"milk":              "[]",
		"xeno":              "[{xeno [4] true}]",
		"xeno salt":         "[{xeno [4] true}]",
	} {
		for _, mode := range []Mode{"keyword", "hybrid"} {
			found, err := s.SearchEach(context.Background(), []Query{{Text: query, Mode: mode}}, 5, pipeline.Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(found.Aside); got != want {
				t.Errorf("%s %q: %s, want %s; unknown %q", mode, query, got, want, found.Unknown)
			}
			for _, a := range found.Aside {
				if !slices.Contains(found.Unknown, a.Word) && !slices.ContainsFunc(found.Corrections, func(c Correction) bool { return c.Word == a.Word }) {
					t.Errorf("%q is aside, but a chunk has it", a.Word)
				}
			}
		}
	}
}
