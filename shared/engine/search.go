package engine

import (
	"context"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/index"
	"seam/shared/text"
)

// Source is a document with its chunks, to be searched together with others.
type Source struct {
	Text   *text.View
	Chunks []chunk.Chunk
}

// Searcher finds chunks of several documents.
type Searcher struct {
	places []place
	index  *index.Index
	model  embed.Embedder // fitted to all chunks together
}

type place struct{ source, chunk int }

// Found is a chunk that a search found.
type Found struct {
	Source int // index of its source
	Chunk  int // index of its chunk there
	Score  float64
	Why    string
}

// NewSearcher indexes the chunks of sources: keywords, and vectors of the
// lexical embedder fitted to all of them.
func NewSearcher(ctx context.Context, sources []Source, hooks Hooks) (*Searcher, error) {
	s := &Searcher{}
	var texts []string
	for i, src := range sources {
		for j, c := range src.Chunks {
			s.places = append(s.places, place{i, j})
			texts = append(texts, c.Of(src.Text.Text))
		}
	}
	progress := hooks.stage("index")
	fitted, err := new(lexical.Embedder).Fit(ctx, texts, progress)
	if err != nil {
		return nil, err
	}
	vectors, err := fitted.Embed(ctx, texts, progress)
	if err != nil {
		return nil, err
	}
	if s.index, err = index.New(texts, vectors, progress); err != nil {
		return nil, err
	}
	s.model = fitted
	return s, nil
}

// Search returns the k best chunks, best first.
func (s *Searcher) Search(ctx context.Context, query string, k int, mode index.Mode) ([]Found, error) {
	q, err := s.model.Embed(ctx, []string{query}, nil)
	if err != nil {
		return nil, err
	}
	var found []Found
	for _, h := range s.index.Search(query, q.Row(0), k, mode) {
		p := s.places[h.Text]
		found = append(found, Found{p.source, p.chunk, h.Score, h.Why})
	}
	return found, nil
}
