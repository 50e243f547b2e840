// Package search finds chunks of several documents that were cut up.
package search

import (
	"context"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Searcher finds chunks of several documents.
type Searcher struct {
	results []*pipeline.Result
	places  []place
	index   *index.Index
	dim     int            // of its vectors
	fitted  embed.Embedder // lexical, fitted to all chunks together; nil: another
	name    string         // of that other one
	kind    pipeline.EmbedderKind
}

// Mode is how texts are found: index.Hybrid, index.Dense or index.Keyword.
type Mode = index.Mode

// ParseMode reads the name of a Mode, Hybrid for none. An unknown one is a
// pipeline.SettingsError.
func ParseMode(name string) (Mode, error) {
	mode, err := index.ParseMode(name)
	if err != nil {
		return mode, &pipeline.SettingsError{Reason: err.Error()}
	}
	return mode, nil
}

type place struct{ source, chunk int }

// Hit is a chunk that a search found.
type Hit struct {
	Source int // index of its result
	Chunk  int // index of its chunk there
	Score  float64
	Why    string
}

// NewSearcher indexes the chunks of results: keywords, and vectors by the embedder
// that all results share. Where that one's vectors were paid for or made elsewhere,
// a chunk's is the mean of those of its sentences, and nothing is sent. Results of
// several embedders, or of a hosted one that has no vectors of sentences, are
// searched with the lexical one, fitted to all chunks together.
func NewSearcher(ctx context.Context, results []*pipeline.Result, hooks pipeline.Hooks) (*Searcher, error) {
	s := &Searcher{results: results}
	var texts []string
	for i, r := range results {
		for j := range r.Chunks {
			s.places = append(s.places, place{i, j})
			texts = append(texts, r.Headed(j))
		}
	}
	progress := hooks.Stage(pipeline.StageIndex)
	vectors, err := s.embed(ctx, texts, hooks)
	if err != nil {
		return nil, err
	}
	s.dim = vectors.Dim
	if s.index, err = index.New(texts, vectors, progress); err == nil && s.kind.Noise > 0 {
		s.index.SetFloor(s.kind.Noise)
	}
	return s, err
}

// use makes an embedder the one of the vectors, also of queries.
func (s *Searcher) use(name string) {
	s.name = name
	s.kind, _ = pipeline.EmbedderOf(name)
}

// embed makes a vector of each chunk.
func (s *Searcher) embed(ctx context.Context, texts []string, hooks pipeline.Hooks) (vector.Matrix, error) {
	progress, name := hooks.Stage(pipeline.StageIndex), common(s.results)
	if kind, _ := pipeline.EmbedderOf(name); kind.Dear {
		model, err := hooks.Open(name)
		if err != nil {
			return vector.Matrix{}, err
		}
		if roled, ok := model.(embed.Roled); ok && roled.As(embed.Chunks) != nil {
			s.use(name)
			vectors, err := roled.As(embed.Chunks).Embed(ctx, texts, progress)
			if !errors.Is(err, embed.ErrNone) {
				return vectors, err
			}
		}
		if vectors, ok := means(s.results); ok {
			s.use(name)
			return vectors, nil
		}
		name = lexical.Name
	}
	model, err := hooks.Open(name)
	if err != nil {
		return vector.Matrix{}, err
	}
	if f, ok := model.(embed.Fitter); ok {
		if s.fitted, err = f.Fit(ctx, texts, progress); err != nil {
			return vector.Matrix{}, err
		}
		model = s.fitted
	} else {
		s.use(name)
	}
	return model.Embed(ctx, texts, progress)
}

// common is the embedder of all results, lexical where they differ.
func common(results []*pipeline.Result) string {
	for _, r := range results {
		if r.Plan.Embedder != results[0].Plan.Embedder {
			return lexical.Name
		}
	}
	if len(results) == 0 {
		return lexical.Name
	}
	return results[0].Plan.Embedder
}

// Search returns the k best chunks, best first. Of hooks it needs the Embedder,
// unless mode looks at keywords alone: with a hosted one the query is sent.
func (s *Searcher) Search(ctx context.Context, query string, k int, mode Mode, hooks pipeline.Hooks) ([]Hit, error) {
	var vec []float32
	if mode != index.Keyword {
		model := s.fitted
		if model == nil {
			all, err := hooks.Open(s.name)
			if err != nil {
				return nil, err
			}
			if model = embed.For(all, embed.Queries); model == nil {
				return nil, &pipeline.SettingsError{Reason: s.name + " has no vectors of queries: give them, or search by keyword"}
			}
		}
		q, err := model.Embed(ctx, []string{query}, nil)
		if err != nil {
			return nil, err
		}
		switch vec = q.Row(0); {
		case s.kind.Pieces && !understood(model.Counter(), query):
			vec = nil // that it is near to something would be chance
		case s.dim > 0 && len(vec) != s.dim:
			return nil, fmt.Errorf("the vector of the query has %d numbers, those of the chunks have %d", len(vec), s.dim)
		}
	}
	var hits []Hit
	for _, h := range s.index.Search(query, vec, k, mode) {
		p := s.places[h.Text]
		hits = append(hits, Hit{p.source, p.chunk, h.Score, h.Why})
	}
	return hits, nil
}

// Marks are the words of a query in a text, in its bytes.
func Marks(t, query string) []text.Span { return index.Marks(t, query) }

// understood reports whether a model of word pieces knows a word of a query: has it whole,
// or a piece of it of three letters. Of other words it sees the letters only.
func understood(pieces token.Counter, query string) bool {
	letter := func(r rune, _ int) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for _, s := range pieces.Spans(query) {
		piece, before, after := s.Of(query), query[:s.Start], query[s.End:]
		whole := !letter(utf8.DecodeLastRuneInString(before)) && !letter(utf8.DecodeRuneInString(after))
		if letter(utf8.DecodeRuneInString(piece)) && (whole || utf8.RuneCountInString(piece) > 2) {
			return true
		}
	}
	return false
}

// means returns a vector of length 1 a chunk, the mean of those of its sentences;
// false where they are not there.
func means(results []*pipeline.Result) (vector.Matrix, bool) {
	rows, dim := 0, 0
	for _, r := range results {
		if r.Vectors.Rows == 0 || r.Vectors.Dim != results[0].Vectors.Dim {
			return vector.Matrix{}, false
		}
		rows, dim = rows+len(r.Chunks), r.Vectors.Dim
	}
	if rows == 0 {
		return vector.Matrix{}, false
	}
	m, at := vector.New(rows, dim), 0
	for _, r := range results {
		first := 0
		for _, c := range r.Chunks {
			for first < len(r.Sentences) && r.Sentences[first].End <= c.Start {
				first++
			}
			mean(m.Row(at), r, c, first)
			at++
		}
	}
	vector.Normalize(m)
	return m, true
}

// mean sets row to the sum of the vectors of c's sentences, from first on, each as
// heavy as the tokens of it that stand in c. A chunk within one sentence gets that
// sentence's vector.
func mean(row []float32, r *pipeline.Result, c chunk.Chunk, first int) {
	sum := make([]float64, len(row))
	for i := first; i < len(r.Sentences) && r.Sentences[i].Start < c.End; i++ {
		s := r.Sentences[i]
		part := text.Span{Start: max(s.Start, c.Start), End: min(s.End, c.End)}
		weight := float64(token.Estimate.Count(part.Of(r.Text.Text)))
		for k, x := range r.Vectors.Row(i) {
			sum[k] += float64(weight * float64(x))
		}
	}
	for k, x := range sum {
		row[k] = float32(x)
	}
}
