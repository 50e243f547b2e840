package search

import (
	"context"
	"slices"
	"strings"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// SearchEach searches for the parts of a question and returns at most k chunks, each once.
// The first hits of all parts come before the second hits of any part. The other fields of
// Found cover all parts.
func (s *Searcher) SearchEach(ctx context.Context, parts []Query, k int, hooks pipeline.Hooks) (*Found, error) {
	all := &Found{}
	var lists [][]Hit
	var queries, asked []string
	for _, q := range parts {
		q.K = k
		if q.ForModel {
			q.K += spare
		}
		found, err := s.Search(ctx, q, hooks)
		if err != nil {
			return nil, err
		}
		if q.ForModel {
			all.Lists += s.leaveOut(found, q.Text, k)
		}
		lists, queries, asked = append(lists, found.Hits), append(queries, q.Text), append(asked, found.Asked)
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
	if len(parts) > 0 && parts[0].ForModel {
		(&reading{s, parts[0].Load, map[int]string{}, nil}).around(strings.Join(queries, "\n"), all.Hits, k)
	}
	return all, nil
}

// spare is the number of further hits to search for, in place of those that are left out.
const spare = 16

// leaveOut removes the hits in parts of documents that the query does not name. It returns
// the number of those among the first k.
func (s *Searcher) leaveOut(found *Found, query string, k int) (n int) {
	kept := found.Hits[:0]
	for i, h := range found.Hits {
		if p := s.results[h.Source].PartOf(h.Chunk, h.Text); p == "" || text.NamesPart(query, p) {
			kept = append(kept, h)
		} else if i < k {
			n++
		}
	}
	found.Hits = kept
	return n
}
