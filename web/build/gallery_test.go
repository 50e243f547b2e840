package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/index"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/read"
	pdfreader "seam/shared/read/pdf"
	"seam/shared/search"
	"seam/shared/text"
)

// answers has a phrase from the first passage that should be found for each question about
// a document.
var answers = map[string][3]string{
	"paper.pdf":   {"One tenth is less than half of that step", "needs four additions for each term", "fast math"},
	"statutes.md": {"For each day of delay", "If a tool breaks in proper use", "after thirty days"},
	"manual.html": {"628 ml", "The post shakes in the wind", "as far from any fence"},
	"talk.txt":    {"If I put one coin on it", "two weeks at thirty below", "the rod grows longer"},
	"watt.md":     {"fünfundzwanzig Kilogramm", "Bei Sturmflut gehen die Wiesen unter", "zwei bis drei Stunden vor Niedrigwasser"},
}

// The four subjects of the first sight must be further apart than any two sentences of one.
func TestFirstSight(t *testing.T) {
	b, err := measureFirst("..")
	if err != nil {
		t.Fatal(err)
	}
	var f firstSight
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Sentences) != 12 || len(f.Distances) != 11 {
		t.Fatalf("%d sentences, %d distances", len(f.Sentences), len(f.Distances))
	}
	within, between := 0.0, 1.0
	for i, d := range f.Distances {
		if i%3 == 2 {
			between = min(between, d)
		} else {
			within = max(within, d)
		}
	}
	if between < within+.2 {
		t.Errorf("at least %v between subjects, up to %v within one", between, within)
	}
}

// Each document must be cut into some chunks by the default settings, and the default
// search must find the answer to each question first.
func TestGallery(t *testing.T) {
	examples, bodies, err := readGallery("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) != len(answers) {
		t.Errorf("%d documents, answers for %d", len(examples), len(answers))
	}
	hooks, err := modelHooks("..")
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range examples {
		t.Run(e.File, func(t *testing.T) {
			r, err := cutExample(e.File, bodies[i], hooks)
			if err != nil {
				t.Fatal(err)
			}
			curve := sketch(r)
			if cuts := len(strings.Trim(curve, "0123456789")); len(curve) != sketchBars || cuts == 0 || !strings.ContainsAny(curve, "9j") {
				t.Errorf("the curve %s", curve)
			}
			t.Logf("%d words, %d pages, %d chunks by %v", e.Words, e.Pages, len(r.Chunks), r.Plan)
			if len(r.Chunks) < 3 {
				t.Errorf("%d chunks", len(r.Chunks))
			}
			for j, question := range e.Questions {
				if first := firstFound(t, r, question, hooks); !strings.Contains(unwrapped(first), answers[e.File][j]) {
					t.Errorf("%s is answered by\n%s", question, first)
				}
			}
		})
	}
}

// The paper must be read in the order it was written, despite its two columns.
func TestPaperOrder(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "gallery", "paper.txt"))
	if err != nil {
		t.Fatal(err)
	}
	doc := setPaper(string(source))
	if len(doc.Pages) < 3 {
		t.Errorf("%d pages", len(doc.Pages))
	}
	d, err := pdfreader.Read(pdftest.Write(doc), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := unwrapped(strings.NewReplacer("#", "", "|", " ").Replace(string(source)))
	if got := unwrapped(d.View(text.Reading).Text); got != want {
		t.Errorf("read as\n%s", got)
	}
}

func firstFound(t *testing.T, r *pipeline.Result, question string, hooks pipeline.Hooks) string {
	s, err := search.NewSearcher([]*pipeline.Result{r}, search.Options{}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(t.Context(), search.Query{Text: question, K: 1, Mode: index.Hybrid}, hooks)
	if err != nil || len(found.Hits) == 0 {
		t.Fatalf("%s: %d hits, %v", question, len(found.Hits), err)
	}
	return r.Chunks[found.Hits[0].Chunk].Of(r.Text.Text)
}

// unwrapped joins the lines of s, because a PDF's lines end with the column.
func unwrapped(s string) string { return strings.Join(strings.Fields(s), " ") }
