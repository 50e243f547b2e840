package search

import (
	"math"

	"seam/shared/index"
	"seam/shared/text"
	"seam/shared/vector"
)

// ReadingTexts are the texts of a result that an encoder reads: its chunks, then the
// sentences of each; of says of which chunk each is. There are none of a result in a
// language other than the one given.
func (s *Searcher) ReadingTexts(result int, language string) (texts []string, of []int) {
	r := s.results[result]
	if s.docs[result].Language() != language {
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
	return texts, of
}

// Numbers of what an encoder says. It is worth as much as what an embedder says where the
// words of a query cover a text as well as can be, and more the less they do.
const (
	ofContext    = 4.0 // more, where they cover nothing
	contextNoise = .3  // see pipeline.EmbedderKind
)

// inContext is m with what an encoder says in the place of what embedders say.
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
	if m == nil {
		m = &meaning{make([]float64, n), make([]float64, n), make([]bool, n)}
	}
	sum, squares := 0.0, 0.0
	for _, i := range chunks {
		x := similar[i]
		m.similar[i], m.near[i] = x, x > contextNoise
		sum += x
		squares += float64(x * x)
	}
	if q.Mode == index.Dense && len(chunks) == n {
		return &meaning{m.similar, m.similar, m.near}
	}
	mean := sum / float64(len(chunks))
	deviation := math.Sqrt(max(0, squares/float64(len(chunks))-float64(mean*mean)))
	weight := 1 + float64(ofContext*(1-s.words.Coverage(asked)))
	for _, i := range chunks {
		m.of[i] = 0
		if deviation > flattest {
			m.of[i] = weight * (m.similar[i] - mean) / deviation
		}
	}
	return m
}

// compare sets out to how similar each chunk is to a query: the mean of its own similarity
// and that of its best sentence.
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

// passage is the sentence of a chunk that answers best by what an encoder says; empty
// where it has not read it.
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
