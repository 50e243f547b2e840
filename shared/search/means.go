package search

import (
	"errors"

	"seam/shared/chunk"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

var errNoMeans = errors.New("the vectors of the sentences differ in length or are missing: search by keyword")

// means returns one vector of length 1 per chunk: the mean of its sentences' vectors.
func means(results []*pipeline.Result) (vector.Matrix, error) {
	rows, dim := 0, 0
	for _, r := range results {
		if r.Vectors.Rows == 0 || r.Vectors.Dim != results[0].Vectors.Dim {
			return vector.Matrix{}, errNoMeans
		}
		rows, dim = rows+len(r.Chunks), r.Vectors.Dim
	}
	if rows == 0 {
		return vector.Matrix{}, errNoMeans
	}
	m, at := vector.New(rows, dim), 0
	for _, r := range results {
		first := 0
		for _, c := range r.Chunks {
			for first < len(r.Sentences) && r.Sentences[first].End <= c.Start {
				first++
			}
			mean(m.Row(at), r, c, first)
			at++
		}
	}
	vector.Normalize(m)
	return m, nil
}

// mean sets row to the weighted sum of the vectors of c's sentences, starting at sentence
// first. The weight is the number of the sentence's tokens inside c. A chunk within one
// sentence gets that sentence's vector.
func mean(row []float32, r *pipeline.Result, c chunk.Chunk, first int) {
	sum := make([]float64, len(row))
	for i := first; i < len(r.Sentences) && r.Sentences[i].Start < c.End; i++ {
		s := r.Sentences[i]
		part := text.Span{Start: max(s.Start, c.Start), End: min(s.End, c.End)}
		weight := float64(token.Estimate.Count(part.Of(r.Text.Text)))
		for k, x := range r.Vectors.Row(i) {
			sum[k] += float64(weight * float64(x))
		}
	}
	for k, x := range sum {
		row[k] = float32(x)
	}
}
