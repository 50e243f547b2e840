package shards

import (
	"slices"
	"sort"

	"seam/shared/index"
)

// Asked returns the words of phrases that neither a chunk nor a title above it contains, in
// the form of Chunk.Expansions. The phrases are not part of the page. See index.Adder.
func Asked(p *Page, chunk int, language string, phrases []string) map[string]float64 {
	return index.NewAdder(language).Added(phrases, append(titlesOf(p, chunk), p.Chunks[chunk].Text))
}

// titlesOf returns the titles that a search counts as part of a chunk.
func titlesOf(p *Page, chunk int) []string {
	out := slices.Concat([]string{p.Title}, p.Keywords)
	for _, h := range p.Headings {
		if h.Chunks.Start <= chunk && chunk < h.Chunks.End {
			out = append(out, h.Title)
		}
	}
	return out
}

// Place returns the number of chunks with a higher rank than the given one in a search by
// words, or -1 if the search does not find the chunk.
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
