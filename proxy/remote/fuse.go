package remote

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// FuseDepth is how many hits by words, and by vectors, are fused at least.
const FuseDepth = 50

// Fuse puts hits by words and by vectors together for engines that do not do it: the scores
// of each list from 0, its last, to 1, its first, and half of each, as relativeScoreFusion
// of Weaviate and min_max of OpenSearch have it.
func Fuse(words, dense []Hit, k int) []Hit {
	sums := map[uuid.UUID]*Hit{}
	for _, list := range [][]Hit{words, dense} {
		if len(list) == 0 {
			continue
		}
		least, most := list[len(list)-1].Score, list[0].Score
		for _, h := range list {
			share := 1.0
			if most > least {
				share = (h.Score - least) / (most - least)
			}
			if sums[h.ID] == nil {
				first := h
				first.Score = 0
				sums[h.ID] = &first
			}
			sums[h.ID].Score += share / 2
		}
	}
	all := make([]Hit, 0, len(sums))
	for _, h := range sums {
		all = append(all, *h)
	}
	slices.SortFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), slices.Compare(a.ID[:], b.ID[:]))
	})
	return all[:min(k, len(all))]
}
