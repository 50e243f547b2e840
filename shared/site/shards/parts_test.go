package shards

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/token"
)

// Parts of a long chunk must begin and end at sentences, cover the chunk, and have similar
// lengths. Each is read below the titles.
func TestReadings(t *testing.T) {
	short := "One sentence."
	long := strings.TrimSpace(strings.Repeat("These seven words are one plain sentence. ", 99))
	endless := strings.TrimSpace(strings.Repeat("word ", 3*longestPart))
	pages := []Page{{Title: "Page", Chunks: []Chunk{{Text: short, Section: []string{"Page", "Part"}}, {Text: long}, {Text: endless}, {Text: ""}}}}
	texts, parts := Readings(pages, token.Words)
	if want := []int{1, 3, 1, 1}; !slices.Equal(parts, want) || len(texts) != 6 {
		t.Fatalf("%d texts, of chunks %v; want %v", len(texts), parts, want)
	}
	if texts[0] != "Page > Part\n"+short || texts[4] != "Page\n"+endless || texts[5] != "Page\n" {
		t.Errorf("what is not cut: %q, %q, %q", texts[0], texts[4], texts[5])
	}
	var held []string
	for _, s := range texts[1:4] {
		part, ok := strings.CutPrefix(s, "Page\n")
		if n := token.Words.Count(part); !ok || n < longestPart*3/4 || n > longestPart || !strings.HasPrefix(part, "These") || !strings.HasSuffix(part, ".") {
			t.Errorf("a part of %d tokens: %q", n, part)
		}
		held = append(held, part)
	}
	if strings.Join(held, " ") != long {
		t.Error("the parts are not the chunk")
	}
}

// If there are too many parts to store, every chunk must be a single part.
func TestReadingsOfMany(t *testing.T) {
	long := strings.Repeat("These seven words are one plain sentence. ", 99)
	for chunks, want := range map[int]int{10: 3, mostTold / (leastAxes/4 + 1): 1} {
		page := Page{Title: "Page"}
		for range chunks {
			page.Chunks = append(page.Chunks, Chunk{Text: long})
		}
		texts, parts := Readings([]Page{page}, token.Words)
		if len(texts) != want*chunks || len(parts) != chunks || parts[0] != want {
			t.Errorf("%d chunks have %d texts", chunks, len(texts))
		}
	}
}
