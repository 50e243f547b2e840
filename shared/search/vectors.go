package search

import (
	"context"

	"seam/shared/pipeline"
	"seam/shared/vector"
)

// Vectors returns a vector for each chunk of results, those that NewSearcher finds them
// by, and the name of their embedder; it is empty where they are lexical, made of the
// words of these chunks alone.
func Vectors(ctx context.Context, results []*pipeline.Result, hooks pipeline.Hooks) (vector.Matrix, string, error) {
	s := &Searcher{results: results}
	var texts []string
	for _, r := range results {
		for i := range r.Chunks {
			texts = append(texts, r.Headed(i))
		}
	}
	m, err := s.embed(ctx, texts, hooks)
	return m, s.name, err
}
