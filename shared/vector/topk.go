package vector

import (
	"cmp"
	"math"
	"slices"
)

// Hit is a row and how similar it is.
type Hit struct {
	Row   int
	Score float64
}

// Scores returns the inner product of each row of m and q, in float32: cosines where all
// have length 1. They are written to out if it has room for them. Without q's length
// being m.Dim there are none.
func Scores(m Matrix, q, out []float32) []float32 {
	if len(q) != m.Dim {
		return nil
	}
	out = slices.Grow(out[:0], m.Rows)[:m.Rows]
	Divide(m.Rows, block, func(from, to int) { scores(out[from:to], m.part(from, to), q) })
	return out
}

// mostKept is the largest k of TopK for which the best rows are kept in order while the
// others are looked at; for more of them all rows are sorted.
const mostKept = 64

// TopK returns the k rows of m most similar to q by cosine, best first; of
// equal ones the lower row comes first. Fewer rows give fewer hits.
func TopK(m Matrix, q []float32, k int) []Hit {
	if k <= 0 || len(q) != m.Dim {
		return nil
	}
	if k > mostKept {
		all := make([]float32, m.Rows)
		Divide(m.Rows, block, func(from, to int) { similar(all[from:to], m.part(from, to), q) })
		hits := make([]Hit, m.Rows)
		for i, x := range all {
			hits[i] = Hit{i, float64(x)}
		}
		return Best(hits, k)
	}
	b, part := newKept(min(k, m.Rows)), make([]float32, min(block, m.Rows))
	for from := 0; from < m.Rows; from += block {
		to := min(from+block, m.Rows)
		similar(part[:to-from], m.part(from, to), q)
		best(b.scores, b.rows, part[:to-from], from)
	}
	return b.hits()
}

// similar sets out to the cosine of each row of m and q.
func similar(out []float32, m Matrix, q []float32) {
	if cosines(out, m, q, dot32(q, q)) == 0 {
		return
	}
	for i, x := range out {
		if x != x {
			out[i] = float32(Cosine(m.Row(i), q))
		}
	}
}

// kept is the best rows so far, as the kernel wants them.
type kept struct {
	scores []float32 // largest first
	rows   []int32
}

func newKept(k int) kept {
	b := kept{make([]float32, k), make([]int32, k)}
	for i := range b.scores {
		b.scores[i] = float32(math.Inf(-1))
	}
	return b
}

func (b kept) hits() []Hit {
	hits := make([]Hit, len(b.scores))
	for i, x := range b.scores {
		hits[i] = Hit{int(b.rows[i]), float64(x)}
	}
	return hits
}

// Best sorts hits, best first, lower rows first among equals, and keeps k.
func Best(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Row, b.Row))
	})
	return hits[:min(k, len(hits))]
}
