package engine

import (
	"context"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/index"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Searcher finds chunks of several documents.
type Searcher struct {
	results []*Result
	places  []place
	index   *index.Index
	fitted  embed.Embedder // to all chunks together; nil: hosted
	hosted  string         // the embedder that made the vectors of all results
}

type place struct{ source, chunk int }

// Found is a chunk that a search found.
type Found struct {
	Source int // index of its result
	Chunk  int // index of its chunk there
	Score  float64
	Why    string
}

// NewSearcher indexes the chunks of results: keywords, and vectors. Where one
// hosted embedder has made the vectors of all their sentences, a chunk's vector
// is the mean of those, and nothing is sent; else it is that of the lexical
// embedder, fitted to all chunks together.
func NewSearcher(ctx context.Context, results []*Result, hooks Hooks) (*Searcher, error) {
	s := &Searcher{results: results}
	var texts []string
	for i, r := range results {
		for j, c := range r.Chunks {
			s.places = append(s.places, place{i, j})
			texts = append(texts, c.Of(r.Text.Text))
		}
	}
	progress := hooks.stage("index")
	vectors, ok := hostedVectors(results)
	if ok {
		s.hosted = results[0].Embedder
	} else {
		var err error
		if s.fitted, err = new(lexical.Embedder).Fit(ctx, texts, progress); err != nil {
			return nil, err
		}
		if vectors, err = s.fitted.Embed(ctx, texts, progress); err != nil {
			return nil, err
		}
	}
	var err error
	s.index, err = index.New(texts, vectors, progress)
	return s, err
}

// Search returns the k best chunks, best first. Of hooks it needs the Embedder,
// where a hosted one has made the vectors: the query is sent to it, unless mode
// looks at keywords alone.
func (s *Searcher) Search(ctx context.Context, query string, k int, mode index.Mode, hooks Hooks) ([]Found, error) {
	var vec []float32
	if mode != index.Keyword {
		model := s.fitted
		if model == nil {
			var err error
			if model, err = hooks.embedder(Settings{Embedder: s.hosted}); err != nil {
				return nil, err
			}
		}
		q, err := model.Embed(ctx, []string{query}, nil)
		if err != nil {
			return nil, err
		}
		vec = q.Row(0)
	}
	var found []Found
	for _, h := range s.index.Search(query, vec, k, mode) {
		p := s.places[h.Text]
		found = append(found, Found{p.source, p.chunk, h.Score, h.Why})
	}
	return found, nil
}

// hostedVectors returns a vector of length 1 a chunk, if all results have vectors
// of one hosted embedder.
func hostedVectors(results []*Result) (vector.Matrix, bool) {
	rows, dim := 0, 0
	for _, r := range results {
		if r.Vectors.Rows == 0 || r.Embedder != results[0].Embedder || r.Vectors.Dim != results[0].Vectors.Dim {
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
func mean(row []float32, r *Result, c chunk.Chunk, first int) {
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
