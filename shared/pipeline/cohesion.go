package pipeline

import (
	"context"
	"math"

	"seam/shared/vector"
)

// Cohesion measures how similar sentences are, as the mean cosine of pairs of their
// vectors, from -1 to 1. Good cuts give a high Inside and a low Between. Both are means
// over pairs, so chunks of one sentence gain nothing. A field is nil if there is no pair.
type Cohesion struct {
	Inside  *float64 `json:"inside"`  // pairs of sentences in the same chunk
	Between *float64 `json:"between"` // pairs of a sentence and one in the next chunk
}

// Cohesion returns the Cohesion of each of several ways to cut the document. A way is the
// ascending indexes of the sentences where chunks begin; sentences before the first index
// form a chunk, too. The vectors are those of the Plan's embedder, which computes any that
// are missing. Nothing is sent to a proxy: a missing vector of a hosted embedder is an
// error. So is an index of a sentence that does not exist. Other errors are those of Run.
func (s *Session) Cohesion(ctx context.Context, p Plan, ways [][]int, hooks Hooks) ([]Cohesion, error) {
	hooks.Vectors = true
	quote, err := s.Quote(ctx, p, hooks)
	if err != nil {
		return nil, err
	}
	if quote.Missing > 0 {
		return nil, badf("%s has no vectors of %d sentences, and comparing sends nothing", p.Embedder, quote.Missing)
	}
	r, err := s.Run(ctx, p, hooks)
	if err != nil {
		return nil, err
	}
	out := make([]Cohesion, len(ways))
	for i, starts := range ways {
		for j, at := range starts {
			if at < 0 || at >= len(r.Sentences) || j > 0 && at <= starts[j-1] {
				return nil, badf("a chunk cannot begin with sentence %d of %d", at, len(r.Sentences))
			}
		}
		out[i] = cohesion(r.Vectors, starts)
	}
	return out, nil
}

// cohesion adds up directions. For n unit vectors with the sum v, the cosines of all pairs
// add up to (v·v - n)/2. For two groups with sums v and w, the cosines between them add up
// to v·w.
func cohesion(m vector.Matrix, starts []int) Cohesion {
	var inside, between, pairs, across float64
	var sum, before []float64
	last := 0.0
	for from := 0; from < m.Rows; {
		end := m.Rows
		for len(starts) > 0 && starts[0] <= from {
			starts = starts[1:]
		}
		if len(starts) > 0 {
			end = starts[0]
		}
		sum = make([]float64, m.Dim)
		n := 0.0
		for ; from < end; from++ {
			n += add(sum, m.Row(from))
		}
		if n > 0 {
			inside, pairs = inside+dot(sum, sum)-n, pairs+n*(n-1)
			between, across = between+dot(sum, before), across+n*last
			before, last = sum, n
		}
	}
	return Cohesion{mean(inside, pairs), mean(between, across)}
}

func mean(sum, n float64) *float64 {
	if n == 0 {
		return nil
	}
	sum /= n
	return &sum
}

// add adds the direction of a vector and returns 1. A vector of zeros has no direction, and
// add returns 0. Each product is rounded separately, because some processors would fuse it
// with the sum.
func add(sum []float64, v []float32) float64 {
	square := 0.0
	for _, x := range v {
		square += float64(float64(x) * float64(x))
	}
	if square == 0 {
		return 0
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range v {
		sum[i] += float64(float64(x) * scale)
	}
	return 1
}

// dot returns the dot product, or 0 if b is empty.
func dot(a, b []float64) (sum float64) {
	for i, y := range b {
		sum += float64(a[i] * y)
	}
	return sum
}
