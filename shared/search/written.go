package search

import (
	"context"
	"slices"
	"sort"
	"strings"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/text"
	"seam/shared/vector"
)

// writtenOf returns the texts written about a result.
func (s *Searcher) writtenOf(result int) []Written {
	if s.written == nil {
		return nil
	}
	return s.written[result]
}

// place assigns the texts written about a result to its chunks. Among the chunks that
// overlap the part, it takes the one with most of the text's words. first is the result's
// first chunk among all chunks.
func (s *Searcher) place(first, result int, language string) {
	r := s.results[result]
	little := stemsOf(strings.Join(index.FunctionWords(language), " "), language)
	var of text.Span // the last part examined, and the words of it in each chunk
	var words []map[string]bool
	from := 0
	for _, w := range s.writtenOf(result) {
		if w.Part != of || words == nil {
			of, words = w.Part, words[:0]
			from = sort.Search(len(r.Chunks), func(i int) bool { return r.Chunks[i].End > of.Start })
			for i := from; i < len(r.Chunks) && r.Chunks[i].Start < of.End && of.Start <= of.End; i++ {
				part := text.Span{Start: max(r.Chunks[i].Start, of.Start), End: min(r.Chunks[i].End, of.End)}
				words = append(words, stemsOf(part.Of(r.Text.Text), language))
			}
		}
		said, best, most := stemsOf(w.Text, language), -1, -1
		for i, known := range words {
			n := 0
			for word := range said {
				if known[word] && !little[word] {
					n++
				}
			}
			if n > most {
				best, most = first+from+i, n
			}
		}
		if best >= 0 {
			s.added[best] = append(s.added[best], w)
		}
	}
}

// expand returns the words that written texts add to the texts of a source. first is the
// number of the first text among all chunks, and language is the language of the texts.
func (s *Searcher) expand(first int, source index.Source, language string) []map[string]float64 {
	all, adder := make([]map[string]float64, len(source.Texts)), index.NewAdder(language)
	for i, t := range source.Texts {
		if len(s.added[first+i]) == 0 {
			continue
		}
		all[i] = adder.Added(textsOf(s.added[first+i]), []string{t})
	}
	return all
}

// embedWritten makes the vectors of the texts written about the chunks of a space.
func (s *Searcher) embedWritten(ctx context.Context, sp *space, model embed.Embedder, progress embed.Progress) (err error) {
	for row, chunk := range sp.chunks {
		for _, w := range s.added[chunk] {
			sp.texts, sp.of = append(sp.texts, w), append(sp.of, row)
		}
	}
	if len(sp.texts) > 0 {
		sp.written, err = model.Embed(ctx, textsOf(sp.texts), progress)
	}
	return err
}

// textsOf returns the text of each entry.
func textsOf(list []Written) (texts []string) {
	for _, w := range list {
		texts = append(texts, w.Text)
	}
	return texts
}

// scores returns the similarities of the chunks to a query. A chunk's similarity is its
// own, or the higher one of a text written about it, which is then stored in by. A title
// contributes the mean of its own and the chunk's similarity.
func (s *space) scores(query []float32, by map[int]string) []float32 {
	out := vector.Scores(s.vectors, query, nil)
	if len(s.texts) == 0 {
		return out
	}
	own := slices.Clone(out)
	for i, x := range vector.Scores(s.written, query, nil) {
		row := s.of[i]
		if x == 0 { // the embedder knows no word of it
			continue
		}
		if s.texts[i].Title {
			x = (own[row] + x) / 2
		}
		if x > out[row] {
			out[row], by[s.chunks[row]] = x, s.texts[i].Text
		}
	}
	return out
}

// stemsOf returns the stems of the words in a text.
func stemsOf(t, language string) map[string]bool {
	stems := map[string]bool{}
	index.EachWord(t, func(form []byte, _ bool) { stems[index.Stem(string(form), language)] = true })
	return stems
}
