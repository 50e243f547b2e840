package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"seam/shared/index"
	"seam/shared/pipeline"
)

// NewSearcher indexes the words of the chunks of results.
//
// The first search that does not use words alone makes vectors of the chunks, each with the
// embedder of its result. If those vectors were paid for or made elsewhere, a chunk's
// vector is the mean of its sentences' vectors, and nothing is sent. The lexical embedder
// is fitted to all its chunks together. It also compares results of a hosted embedder that
// has no vectors of sentences.
func NewSearcher(results []*pipeline.Result, o Options, hooks pipeline.Hooks) (*Searcher, error) {
	s := unread(results)
	s.written = o.Written
	if o.Made != nil && copy(s.made, o.Made) != len(results) || len(o.Made) > len(results) || s.written != nil && len(s.written) != len(results) {
		return nil, fmt.Errorf("vectors of %d results and written texts of %d, for %d results", len(o.Made), len(s.written), len(results))
	}
	for i, shelf := range o.Shelved {
		if shelf != nil {
			s.shelved[i], s.made[i] = shelf, shelf.Made
		}
	}
	progress, at := hooks.Stage(pipeline.StageIndex), 0
	for i, r := range results {
		first := at
		at += len(r.Chunks)
		if s.shelved[i] != nil {
			s.docs[i] = s.made[i].Words
			continue
		}
		source := sourceOf(r)
		written, language := len(s.writtenOf(i)) > 0, ""
		if written {
			language = index.LanguageOf(source.Texts)
			s.place(first, i, language)
		}
		if before := o.Before.known(r, s.writtenOf(i)); before != nil {
			s.docs[i] = before.Words
			if s.made[i].Vectors.Rows == 0 {
				s.made[i] = *before
			}
		} else if !written {
			s.docs[i] = s.made[i].Words
		}
		if s.docs[i] != nil {
			continue
		}
		if written {
			source.Expansions = s.expand(first, source, language)
		}
		var err error
		if s.docs[i], err = index.Analyse(source, progress); err != nil {
			return nil, err
		}
	}
	s.words = index.NewCorpus(s.docs...)
	return s, nil
}

// known returns the index and the vectors that s has of a result with the texts written
// about it, or nil if it has none.
func (s *Searcher) known(r *pipeline.Result, written []Written) *Made {
	if s != nil {
		for i, known := range s.results {
			if known == r && unsafe.SliceData(s.writtenOf(i)) == unsafe.SliceData(written) {
				return &Made{s.docs[i], s.made[i].Embedder, s.made[i].Vectors}
			}
		}
	}
	return nil
}

// Search returns the best chunks. It uses hooks.Embedder unless the mode is Keyword. With a
// hosted embedder the query is sent. If a hosted embedder cannot be asked, the search
// continues without it if possible, and reports it in Found.Missing.
func (s *Searcher) Search(ctx context.Context, q Query, hooks pipeline.Hooks) (*Found, error) {
	read := &reading{s, q.Load, map[int]string{}, nil}
	ask := index.Query{K: q.K, Mode: q.Mode, Texts: read.text, Ahead: read.ahead, Sentences: s.sentences, Allowed: s.allowed(q.Filter)}
	var related func(string) []index.Related
	if q.Mode != index.Keyword {
		err := s.prepare(ctx, hooks)
		if err == nil {
			related, err = s.related(ctx, hooks)
		}
		if err != nil {
			return nil, err
		}
	}
	ask.Asked = s.words.Parse(q.Text, q.Typing, related)
	var m *meaning
	var missing []Missing
	if q.Mode != index.Keyword {
		var err error
		if m, missing, err = s.meaning(ctx, ask.Asked, q, ask.Allowed, hooks); err != nil {
			return nil, err
		}
		if m = s.inContext(ask.Asked, q, m); m != nil {
			ask.Meaning, ask.Near = m.of, m.isNear
		}
		if allowed := ask.Allowed; q.Mode == index.Dense && len(missing) > 0 { // chunks without a similarity cannot be found by it
			ask.Allowed = func(i int) bool { return !lacks(missing, i) && (allowed == nil || allowed(i)) }
		}
	}
	if q.Diversity > 0 {
		ask.K = max(q.K, pool)
	}
	hits := s.words.Search(ask)
	if q.Diversity > 0 {
		hits = read.diverse(hits, q)
	}
	hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return slices.Contains(read.lost, s.places[h.Text].source) })
	out := &Found{Asked: ask.Corrected, Unknown: ask.Unknown, Corrections: ask.Corrections, Missing: missing, Lost: read.lost, Hits: make([]Hit, len(hits))}
	lacking := slices.Clone(ask.Unknown)
	for _, c := range ask.Corrections {
		lacking = append(lacking, c.Word)
	}
	out.Aside = s.asideOf(lacking)
	for i, h := range hits {
		if lacks(missing, h.Text) {
			h.Parts = slices.DeleteFunc(h.Parts, func(p index.Part) bool { return p.Name == index.OfMeaning })
		}
		if q.Mode != index.Keyword && len(h.Found) == 0 {
			h.Passage = s.passage(q, h.Text)
		}
		p := s.places[h.Text]
		out.Hits[i] = Hit{p.source, p.chunk, h.Score, h.Parts, h.Found, why(h, m), h.Marks, h.Passage, read.foundBy(h, ask.Asked, m), read.text(h.Text), Around{}}
	}
	return out, nil
}

// foundBy returns the written text by which a hit was found. That is a text more similar
// than the hit itself, or the text with most of the query's words that the hit lacks.
func (s *reading) foundBy(h index.Hit, asked *index.Asked, m *meaning) string {
	if m != nil && m.by[h.Text] != "" {
		return m.by[h.Text]
	}
	written := s.added[h.Text]
	if len(written) == 0 {
		return ""
	}
	language := s.docs[s.places[h.Text].source].Language()
	own, best, most := stemsOf(s.text(h.Text), language), "", 0
	for _, w := range written {
		n, said := 0, stemsOf(w.Text, language)
		for _, word := range asked.Words {
			if word = index.Stem(word, language); said[word] && !own[word] {
				n++
			}
		}
		if n > most {
			best, most = w.Text, n
		}
	}
	return best
}

// lacks reports whether a chunk belongs to a missing embedder.
func lacks(missing []Missing, chunk int) bool {
	return slices.ContainsFunc(missing, func(m Missing) bool {
		_, found := slices.BinarySearch(m.chunks, chunk)
		return found
	})
}

// why explains the score of a hit to users by its shares.
func why(h index.Hit, m *meaning) string {
	parts := make([]string, len(h.Parts))
	for i, p := range h.Parts {
		parts[i] = fmt.Sprintf("%s %.2f", p.Name, p.Score)
		switch {
		case p.Name == index.OfWords && len(h.Found) > 0:
			parts[i] = fmt.Sprintf("words %.2f (%s)", p.Score, strings.Join(h.Found, ", "))
		case p.Name == index.OfMeaning:
			parts[i] = fmt.Sprintf("meaning %.2f (similarity %.2f)", p.Score, m.similar[h.Text])
		}
	}
	return strings.Join(parts, " + ")
}
