package shards

import (
	"slices"
	"sort"

	"seam/shared/index"
)

// Asked are the words that phrases, which are not of a page, have and one of its chunks has
// not, nor a title above it, as Chunk.Expansions takes them: see index.Adder.
func Asked(p *Page, chunk int, language string, phrases []string) map[string]float64 {
	return index.NewAdder(language).Added(phrases, append(titlesOf(p, chunk), p.Chunks[chunk].Text))
}

// titlesOf are the titles that a search counts with a chunk.
func titlesOf(p *Page, chunk int) []string {
	out := slices.Concat([]string{p.Title}, p.Keywords)
	for _, h := range p.Headings {
		if h.Chunks.Start <= chunk && chunk < h.Chunks.End {
			out = append(out, h.Title)
		}
	}
	return out
}

// Place is how many chunks of the index stand before one, by their scores, in a search by
// words; -1 where that does not find it.
func (x *Index) Place(query string, chunk int) (int, error) {
	q, found := Query{Text: query}, &Found{}
	s, err := x.byWords(q, found)
	if err != nil {
		return 0, err
	}
	if !slices.Contains(s.chunk.touched, chunk) {
		return -1, nil
	}
	score, pageOf := x.scorer(q, s, nil, found), func(c int) int { return sort.SearchInts(x.first, c+1) - 1 }
	own, before := score(chunk, pageOf(chunk)), 0
	for _, c := range s.chunk.touched {
		if v := score(c, pageOf(c)); v > own || v == own && c < chunk {
			before++
		}
	}
	return before, nil
}
