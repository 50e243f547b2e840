package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/read"
)

// handbook returns a Markdown text with sections of random length.
func handbook(rnd *rand.Rand) string {
	words := []string{"gate", "weir", "mill", "wheel", "water", "stone", "corn", "sack", "river", "flour"}
	var b strings.Builder
	for section := range 1 + rnd.IntN(6) {
		fmt.Fprintf(&b, "%s Section %d\n\n", strings.Repeat("#", 1+rnd.IntN(2)), section)
		for range rnd.IntN(12) {
			for range 1 + rnd.IntN(9) {
				b.WriteString(words[rnd.IntN(len(words))] + " ")
			}
			b.WriteString([]string{"ends.\n\n", "stops. ", "rests.\n"}[rnd.IntN(3)])
		}
	}
	return b.String()
}

// The text around a hit is next to it, in the section of its passage, in no other hit, and
// short. It is the same for an open and a stored document.
func TestAround(t *testing.T) {
	ctx, rnd, wide := context.Background(), rand.New(rand.NewPCG(3, 9)), 0
	for range 300 {
		doc, err := read.All().Read("a.md", []byte(handbook(rnd)), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pipeline.NewPlan(pipeline.Settings{Method: []string{"sentences", "recursive"}[rnd.IntN(2)], Embedder: "lexical", MaxTokens: 4 + rnd.IntN(40), Overlap: rnd.IntN(3)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := pipeline.NewSession(doc).Run(ctx, plan, pipeline.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		k := 1 + rnd.IntN(5)
		query := Query{Text: "the gate of the mill", Mode: Keyword, ForModel: true}
		open, err := NewSearcher([]*pipeline.Result{r}, Options{}, pipeline.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := open.SearchEach(ctx, []Query{query}, k, pipeline.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		all := r.Text.Text
		bare, sum, longest := 0, 0, 0
		for _, c := range r.Chunks {
			longest = max(longest, c.Len())
		}
		for i, h := range found.Hits {
			bare, sum = bare+len(h.Text), sum+h.Wide.Len()
			c := r.Chunks[h.Chunk]
			if h.Wide.Start > c.Start || h.Wide.End < c.End || strings.Join(strings.Fields(h.Before+h.Text+h.After), " ") != strings.Join(strings.Fields(h.Wide.Of(all)), " ") {
				t.Fatalf("%q + %q + %q is not %q", h.Before, h.Text, h.After, h.Wide.Of(all))
			}
			for j, other := range found.Hits {
				if o := r.Chunks[other.Chunk]; j != i && plan.Limits.Overlap == 0 && o.Start < h.Wide.End && o.End > h.Wide.Start {
					t.Errorf("%v has a part of the hit %v", h.Wide, o.Span)
				}
			}
			if h.Before+h.After == "" {
				continue
			}
			wide++
			section := sectionAt(r, c.Start+h.Passage.Start)
			if h.Before != "" && h.Wide.Start < section.Start || h.After != "" && h.Wide.End > section.End {
				t.Errorf("%v of %q is outside the section %v", h.Wide, all, section)
			}
		}
		if most := max(bare, len(found.Hits)*leastEach, min(mostTimes*bare, max(k*longest, leastAll))); sum > most {
			t.Errorf("%d bytes with the text around %d of %d hits", sum, bare, k)
		}
		searchStored(t, r, query, k, found)
	}
	if wide < 100 {
		t.Errorf("%d hits with text around them", wide)
	}
}

// searchStored searches the same document as a stored one.
func searchStored(t *testing.T, r *pipeline.Result, query Query, k int, want *Found) {
	t.Helper()
	file, shelf := shelvedFile(t, r)
	s, err := NewSearcher([]*pipeline.Result{shelf.Result}, Options{Shelved: []*Shelved{shelf}}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	query.Load = func(parts []FilePart) (out [][]byte) {
		for _, p := range parts {
			out = append(out, file[p.From:p.From+p.Size])
		}
		return out
	}
	found, err := s.SearchEach(t.Context(), []Query{query}, k, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range found.Hits {
		if h.Around != want.Hits[i].Around {
			t.Errorf("stored: %+v, open: %+v", h.Around, want.Hits[i].Around)
		}
	}
}
