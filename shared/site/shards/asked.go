package shards

import (
	"slices"
	"sort"

	"seam/shared/index"
)

// What a word weighs that only questions and headers of a chunk have, beside one that its
// text has once: a little in one of them, twice that in several. The most that a chunk gets
// are mostAsked words: what a model writes at length is not more of what it is about.
const (
	ofAsked    = .25
	ofAskedFor = .5
	mostAsked  = 24
)

// Asked are the words that phrases, which are not of a page, have and one of its chunks has
// not, with weights, as Chunk.Expansions takes them; nil where there are none. They are those
// of the index: function words of the language are none, and neither is another form of a word
// that the chunk or a title above it has.
func Asked(p *Page, chunk int, language string, phrases []string) map[string]float64 {
	known := map[string]bool{}
	know := func(form []byte, _ bool) { known[index.Stem(string(form), language)] = true }
	for _, t := range titlesOf(p, chunk) {
		index.EachWord(t, know)
	}
	index.EachWord(p.Chunks[chunk].Text, know)
	for _, w := range littleOf(language) {
		known[index.Stem(w, language)] = true
	}
	var out map[string]float64
	for _, phrase := range phrases {
		seen := map[string]bool{}
		index.EachWord(phrase, func(form []byte, single bool) {
			w := string(form)
			if single || seen[w] || known[index.Stem(w, language)] {
				return
			}
			seen[w] = true
			if out[w] > 0 {
				out[w] = ofAskedFor
			} else if len(out) < mostAsked {
				if out == nil {
					out = map[string]float64{}
				}
				out[w] = ofAsked
			}
		})
	}
	return out
}

// littleOf are the function words of a language, and the English ones where it is not known.
func littleOf(language string) []string {
	if words := index.FunctionWords(language); len(words) > 0 {
		return words
	}
	return index.FunctionWords("en")
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
