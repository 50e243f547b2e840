package shards

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"seam/shared/text"
)

func TestAskedAreWordsThatAChunkHasNot(t *testing.T) {
	p := &Page{URL: "a.html", Title: "Mending nets", Keywords: []string{"twine"}, Chunks: []Chunk{
		{Text: "Tie the knots anew: os.path.join holds."}, {Text: "Needles are of bone."}},
		Headings: []Heading{{Title: "Knots", Chunks: text.Span{Start: 0, End: 1}}, {Title: "Tools", Chunks: text.Span{Start: 1, End: 2}}}}
	for name, tt := range map[string]struct {
		chunk   int
		phrases []string
		want    map[string]float64
	}{
		"words, titles above and keywords are known, in any form": {0, []string{"How do I mend a net with twine and a knot?", "tying knots"}, nil},
		"titles of other sections are not":                        {0, []string{"what tools?"}, map[string]float64{"tools": .25}},
		"a word of several phrases counts more":                   {1, []string{"repair repair", "Repair fishing gear", "gear"}, map[string]float64{"repair": .5, "fishing": .25, "gear": .5}},
		"words are those of the index":                            {1, []string{"maxTokens, naïve; <b>"}, map[string]float64{"maxtokens": .25, "max": .25, "tokens": .25, "naïve": .25, "b": .25}},
		"nothing":                                                 {1, nil, nil},
	} {
		if got := Asked(p, tt.chunk, "en", tt.phrases); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, not %v", name, got, tt.want)
		}
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf("word%d %s", i, strings.Repeat("x", 1000)))
	}
	if got := Asked(p, 0, "en", many); len(got) != 24 || got["word0"] == 0 {
		t.Errorf("%d words of %v", len(got), got)
	}
	if got := Asked(p, 1, "und", []string{"What are bodkins, and how are they made?"}); !maps.Equal(got, map[string]float64{"bodkins": .25, "made": .25}) {
		t.Errorf("%v", got)
	}
	if got := Asked(p, 1, "ja", []string{"網を直す"}); got["網を"] == 0 || got["網"] != 0 {
		t.Errorf("%v", got)
	}
}

// Place must agree with the order of chunks in a search.
func TestPlace(t *testing.T) {
	var pages []Page
	for i := range 15 {
		pages = append(pages, Page{URL: fmt.Sprintf("p%02d.html", i), Title: fmt.Sprintf("Page %d", i), Chunks: []Chunk{{Text: strings.Repeat("loom ", i) + strings.Repeat("cloth ", 20)}, {Text: "none of it"}}})
	}
	entry, files, err := Build("en/", "en", pages)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(func(name string) ([]byte, error) { return files[name], nil }, entry)
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Search(Query{Text: "the loom", K: 20})
	if err != nil || len(found.Hits) != 14 {
		t.Fatalf("%+v, %v", found, err)
	}
	for i, h := range found.Hits {
		if n, err := x.Place("the loom", h.Chunks[0]); err != nil || n != i {
			t.Errorf("%d is at %d, %v", i, n, err)
		}
	}
	for query, chunk := range map[string]int{"loom": 1, "zzz": 0, "": 0} {
		if n, err := x.Place(query, chunk); err != nil || n != -1 {
			t.Errorf("%q: %d, %v", query, n, err)
		}
	}
}
