package remote

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

// FuseDepth is the least number of hits by words, and of hits by vectors, that are fused.
const FuseDepth = 50

// Fuse merges hits by words and hits by vectors, for engines that do not merge them. Scores
// of each list are scaled to 0 for the last hit and 1 for the first, and averaged, like
// relativeScoreFusion of Weaviate and min_max of OpenSearch.
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
