package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// BenchmarkShelf measures opening the indexes of 100 documents of 400 sentences, and
// searching them.
func BenchmarkShelf(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprintf("w%sx%d", string(rune('a'+i%26)), i)
	}
	hooks := pipeline.Hooks{}
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Embedder: "lexical", MaxTokens: 120})
	if err != nil {
		b.Fatal(err)
	}
	var files [][]byte
	size := 0
	for range 100 {
		var t strings.Builder
		for range 400 {
			for range 12 {
				t.WriteString(words[int(rnd.ExpFloat64()*300)%len(words)] + " ")
			}
			t.WriteString("end. ")
		}
		r, err := pipeline.NewSession(text.NewPlain(t.String())).Run(context.Background(), plan, hooks)
		if err != nil {
			b.Fatal(err)
		}
		made, err := Make(context.Background(), r, false, hooks)
		if err != nil {
			b.Fatal(err)
		}
		file := Shelve(r, made)
		head, _ := ShelfHead(file)
		size += head
		files = append(files, file)
	}
	var results []*pipeline.Result
	var shelves []*Shelved
	b.Run("read", func(b *testing.B) {
		b.ReportMetric(float64(size)/100, "head-bytes")
		for b.Loop() {
			results, shelves = nil, nil
			for _, file := range files {
				head, _ := ShelfHead(file)
				s, err := ReadShelf(file[:head], "a")
				if err != nil {
					b.Fatal(err)
				}
				results, shelves = append(results, s.Result), append(shelves, s)
			}
		}
	})
	var s *Searcher
	b.Run("corpus", func(b *testing.B) {
		for b.Loop() {
			s, err = NewSearcher(results, Options{Shelved: shelves}, hooks)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		load := func(parts []FilePart) [][]byte {
			out := make([][]byte, len(parts))
			for i, p := range parts {
				out[i] = files[p.Source][p.From : p.From+p.Size]
			}
			return out
		}
		for b.Loop() {
			if _, err := s.Search(context.Background(), Query{Text: "wax52 wbx105", K: 20, Mode: "keyword", Load: load}, hooks); err != nil {
				b.Fatal(err)
			}
		}
	})
}
