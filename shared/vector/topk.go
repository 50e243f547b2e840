package vector

import (
	"math"
	"slices"
	"sort"
)

// Hit is a row with its similarity.
type Hit struct {
	Row   int
	Score float64
}

// Scores returns the inner product of each row of m and q in float32: cosines if all have
// length 1. It uses out if that has room. If q's length is not m.Dim it returns nil.
func Scores(m Matrix, q, out []float32) []float32 {
	if len(q) != m.Dim {
		return nil
	}
	out = slices.Grow(out[:0], m.Rows)[:m.Rows]
	Divide(m.Rows, block, func(from, to int) { scores(out[from:to], m.Part(from, to), q) })
	return out
}

// mostTop is the maximum number of hits kept in order while scanning. For more hits, all
// rows are sorted.
const mostTop = 256

// TopK returns the k rows of m most similar to q by cosine, best first. Among equal ones
// the lower row comes first. With fewer rows it returns fewer hits.
func TopK(m Matrix, q []float32, k int) []Hit {
	if k <= 0 || len(q) != m.Dim {
		return nil
	}
	square := dot32(q, q)
	return nearest(m.Rows, k, func(out []float32, from, to int) { similar(out, m.Part(from, to), q, square) })
}

// Nearest returns the k rows of m with the largest inner product with q. For rows and q of
// length 1 the result equals TopK's, at the speed of reading memory. Rows with a product of
// NaN or -Inf are not hits.
func Nearest(m Matrix, q []float32, k int) []Hit {
	if k <= 0 || len(q) != m.Dim {
		return nil
	}
	return nearest(m.Rows, k, func(out []float32, from, to int) { scores(out, m.Part(from, to), q) })
}

// nearest returns the k best of n rows. score sets out to the scores of the rows [from,
// to).
func nearest(n, k int, score func(out []float32, from, to int)) []Hit {
	if k > mostTop {
		all := make([]float32, n)
		Divide(n, block, func(from, to int) { score(all[from:to], from, to) })
		hits := make([]Hit, 0, n)
		for i, x := range all {
			if float64(x) > math.Inf(-1) {
				hits = append(hits, Hit{i, float64(x)})
			}
		}
		return Best(hits, k)
	}
	b, part := newTop(min(k, n)), make([]float32, min(block, n))
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		score(part[:to-from], from, to)
		best(b.scores, b.rows, part[:to-from], from)
	}
	return b.hits()
}

// similar sets out to the cosine of each row of m and q. square is the squared length of q.
func similar(out []float32, m Matrix, q []float32, square float32) {
	if cosines(out, m, q, square) == 0 {
		return
	}
	for i, x := range out {
		if x != x {
			out[i] = float32(Cosine(m.Row(i), q))
		}
	}
}

// top holds the best rows so far, in the form the kernel needs.
type top struct {
	scores []float32 // largest first
	rows   []int32
}

func newTop(k int) top {
	b := top{make([]float32, k), make([]int32, k)}
	for i := range b.scores {
		b.scores[i], b.rows[i] = float32(math.Inf(-1)), none
	}
	return b
}

// none marks an empty entry.
const none = -1

func (b top) hits() []Hit {
	hits := make([]Hit, 0, len(b.scores))
	for i, x := range b.scores {
		if b.rows[i] != none {
			hits = append(hits, Hit{int(b.rows[i]), float64(x)})
		}
	}
	return hits
}

// Best sorts hits, best first, lower rows first among equals, and keeps k.
func Best(hits []Hit, k int) []Hit {
	sort.Sort(byScore(hits))
	return hits[:min(k, len(hits))]
}

// byScore sorts hits for Best. slices.SortFunc would add some kilobytes for this type.
type byScore []Hit

func (h byScore) Len() int      { return len(h) }
func (h byScore) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h byScore) Less(i, j int) bool {
	return h[i].Score > h[j].Score || h[i].Score == h[j].Score && h[i].Row < h[j].Row
}
