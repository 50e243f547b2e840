package vector

import (
	"cmp"
	"slices"
)

// Hit is a row and how similar it is.
type Hit struct {
	Row   int
	Score float64
}

// TopK returns the k rows of m most similar to q by cosine, best first; of
// equal ones the lower row comes first. Fewer rows give fewer hits.
func TopK(m Matrix, q []float32, k int) []Hit {
	if k <= 0 || len(q) != m.Dim {
		return nil
	}
	qq := Dot(q, q)
	hits := make([]Hit, m.Rows)
	for i := range hits {
		row := m.Row(i)
		hits[i] = Hit{i, cosine(Dot(q, row), qq, Dot(row, row))}
	}
	return Best(hits, k)
}

// Best sorts hits, best first, lower rows first among equals, and keeps k.
func Best(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	return hits[:min(k, len(hits))]
}
