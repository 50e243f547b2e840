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

// writtenOf is what was written of a result.
func (s *Searcher) writtenOf(result int) []Written {
	if s.written == nil {
		return nil
	}
	return s.written[result]
}

// place gives what was written of a result in a language, whose first chunk of all is given, to
// its chunks: the one with most of its words, of those that have something of the part.
func (s *Searcher) place(first, result int, language string) {
	r := s.results[result]
	little := stemsOf(strings.Join(index.FunctionWords(language), " "), language)
	var of text.Span // the part that was looked at last, and the words of it in each chunk
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

// expand returns the words that what was written of a source's texts adds to them. The first of
// the texts is the chunk of all that is given; they are in a language.
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

// embedWritten makes the vectors of what was written of the chunks of a space.
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

// textsOf are the texts of what was written.
func textsOf(list []Written) (texts []string) {
	for _, w := range list {
		texts = append(texts, w.Text)
	}
	return texts
}

// scores are the similarities of the chunks to a query: their own, or that of the most similar
// text which was written of them, which by has then. Of a title it is the mean of its own and
// the chunk's.
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

// stemsOf are what the words of a text have in common with their other forms.
func stemsOf(t, language string) map[string]bool {
	stems := map[string]bool{}
	index.EachWord(t, func(form []byte, _ bool) { stems[index.Stem(string(form), language)] = true })
	return stems
}
