package search

import (
	"math"
	"slices"

	ours "seam/shared/embed/meaning"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// ReadingTexts returns the texts of a result for an encoder to read: its chunks, followed
// by the sentences of each, followed by the texts written about it. of holds the chunk of
// each text. It returns nothing if the result is shelved, or in another language than the given one.
func (s *Searcher) ReadingTexts(result int, language string) (texts []string, of []int) {
	r := s.results[result]
	if s.docs[result].Language() != language || s.shelved[result] != nil {
		return nil, nil
	}
	for i := range r.Chunks {
		texts, of = append(texts, r.Headed(i)), append(of, i)
	}
	for i, c := range r.Chunks {
		t := c.Of(r.Text.Text)
		for _, span := range spansOf(r, i) {
			texts, of = append(texts, span.Of(t)), append(of, i)
		}
	}
	first := 0
	for first < len(s.places) && s.places[first].source < result {
		first++
	}
	for i := range r.Chunks {
		for _, w := range s.added[first+i] {
			texts, of = append(texts, w.Text), append(of, i)
		}
	}
	return texts, of
}

// ofContext is the extra weight of an encoder, compared with an embedder, if the words of a
// query do not cover a text at all. If they cover it fully, the extra weight is zero.
//
// It was chosen among eight weights, with Seam's own encoder, chunks of 800 characters and
// their sentences. On Chroma's questions, which use the words of the answers, recall at
// five chunks is .886 (words .874, words and table .876). Of 20 questions to Python's
// documentation in other words than the answer's, 9 find it among five pages (words 7, the
// encoder alone 14). Squares and up to 12 times the weight find no more of these, and fewer
// of the former.
const ofContext = 2.0

// inContext returns m with the encoder's similarities in place of the embedders'.
func (s *Searcher) inContext(asked *index.Asked, q Query, m *meaning) *meaning {
	if q.Context == nil {
		return m
	}
	n := len(s.places)
	similar, chunks := make([]float64, n), []int{}
	first := 0
	for i, r := range s.results {
		if read := q.Context.Read[i]; read != nil && read.Vectors.Dim == len(q.Context.Vector) {
			read.compare(similar[first:][:len(r.Chunks)], q.Context.Vector)
			for j := range r.Chunks {
				chunks = append(chunks, first+j)
			}
		}
		first += len(r.Chunks)
	}
	if len(chunks) == 0 {
		return m
	}
	out := &meaning{make([]float64, n), make([]float64, n), make([]bool, n), nil}
	if m != nil {
		out.by = m.by
		copy(out.of, m.of)
		copy(out.similar, m.similar)
		copy(out.near, m.near)
	}
	kind, _ := pipeline.EmbedderOf(ours.Name)
	for _, i := range chunks {
		out.similar[i], out.near[i] = similar[i], similar[i] > kind.Noise
	}
	switch {
	case q.Mode != index.Dense:
		uncovered := 1 - s.words.Coverage(asked)
		standardize(out.of, similar, chunks, 1+float64(ofContext*uncovered))
	case len(chunks) == n:
		out.of = out.similar
	default: // similarities of two models are not comparable
		var others []int
		for i := range n {
			if _, read := slices.BinarySearch(chunks, i); !read {
				others = append(others, i)
			}
		}
		standardize(out.of, out.similar, chunks, 1)
		standardize(out.of, out.similar, others, 1)
	}
	return out
}

// standardize sets out, for the given chunks, to the distance of their similarity from the
// mean, in standard deviations, times a weight.
func standardize(out, similar []float64, chunks []int, weight float64) {
	sum, squares := 0.0, 0.0
	for _, i := range chunks {
		x := similar[i]
		sum += x
		squares += float64(x * x)
	}
	n := float64(len(chunks))
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-float64(mean*mean)))
	for _, i := range chunks {
		out[i] = 0
		if deviation > flattest {
			out[i] = weight * (similar[i] - mean) / deviation
		}
	}
}

// compare sets out to the similarity of each chunk to a query. It is the mean of the
// chunk's own similarity and the best one among its sentences and the texts written about
// it.
func (r *Read) compare(out []float64, query []float32) {
	best := make([]float64, len(out))
	for row, x := range vector.Scores(r.Vectors, query, nil) {
		i, x := r.Of[row], min(1, max(-1, float64(x)))
		if row < len(out) {
			out[i], best[i] = x, math.Inf(-1)
			continue
		}
		best[i] = max(best[i], x)
	}
	for i, x := range best {
		if !math.IsInf(x, -1) {
			out[i] = (out[i] + x) / 2
		}
	}
}

// passage returns the sentence of a chunk that best answers the query according to the
// encoder. It is empty if the encoder has not read the chunk.
func (s *Searcher) passage(q Query, chunk int) (best text.Span) {
	p := s.places[chunk]
	if q.Context == nil || q.Context.Read[p.source] == nil || q.Context.Read[p.source].Vectors.Dim != len(q.Context.Vector) {
		return best
	}
	read := q.Context.Read[p.source]
	spans, most, at := s.sentences(chunk), math.Inf(-1), 0
	for row := len(s.results[p.source].Chunks); row < len(read.Of) && at < len(spans); row++ {
		if read.Of[row] != p.chunk {
			continue
		}
		if x := vector.Dot(read.Vectors.Row(row), q.Context.Vector); x > most {
			most, best = x, spans[at]
		}
		at++
	}
	return best
}
