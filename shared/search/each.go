package search

import (
	"context"
	"slices"
	"strings"

	"seam/shared/pipeline"
)

// SearchEach searches for the parts of a question and returns at most k chunks, each once.
// The first hits of all parts come before the second hits of any part. The other fields of
// Found cover all parts.
func (s *Searcher) SearchEach(ctx context.Context, parts []Query, k int, hooks pipeline.Hooks) (*Found, error) {
	all := &Found{}
	var lists [][]Hit
	var asked []string
	for _, q := range parts {
		q.K = k
		found, err := s.Search(ctx, q, hooks)
		if err != nil {
			return nil, err
		}
		lists, asked = append(lists, found.Hits), append(asked, found.Asked)
		all.Unknown, all.Corrections = append(all.Unknown, found.Unknown...), append(all.Corrections, found.Corrections...)
		all.Aside = append(all.Aside, found.Aside...)
		for _, source := range found.Lost {
			if !slices.Contains(all.Lost, source) {
				all.Lost = append(all.Lost, source)
			}
		}
		for _, m := range found.Missing {
			if !slices.ContainsFunc(all.Missing, func(other Missing) bool { return other.Embedder == m.Embedder }) {
				all.Missing = append(all.Missing, m)
			}
		}
	}
	all.Asked = strings.Join(asked, " ")
	for rank := range k {
		for _, list := range lists {
			if rank >= len(list) || len(all.Hits) == k {
				continue
			}
			hit := list[rank]
			if !slices.ContainsFunc(all.Hits, func(h Hit) bool { return h.Source == hit.Source && h.Chunk == hit.Chunk }) {
				all.Hits = append(all.Hits, hit)
			}
		}
	}
	return all, nil
}
