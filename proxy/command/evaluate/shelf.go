package evaluate

import (
	"fmt"

	"seam/proxy/command/cut"
	"seam/shared/eval"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
)

// shelf holds all chunks that one variant made of an exam's texts, and searches them.
type shelf struct {
	m        measurement
	x        *exam
	v        variant
	results  []*pipeline.Result
	chunks   []eval.FoundChunk
	texts    []string
	progress func(stage string, done, total int) error

	bm25     *eval.Ranker
	prepared bool // the questions' vectors are computed
	searcher *search.Searcher
	first    []int // index of each text's first chunk
}

// shelf returns a shelf with the chunks of the results, one result per text.
func (x *exam) shelf(m measurement, v variant, results []*pipeline.Result) (*shelf, error) {
	s := &shelf{m: m, x: x, v: v, results: results}
	for i, r := range results {
		l, err := x.locate(i, r)
		if err != nil {
			return nil, err
		}
		s.first = append(s.first, len(s.chunks))
		for _, chunk := range r.Chunks {
			span, err := l.chars.Range(chunk.Span)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", x.sources[i].name, err)
			}
			s.chunks, s.texts = append(s.chunks, eval.FoundChunk{Passage: eval.Passage{Text: i, Range: span}, Tokens: chunk.Tokens}), append(s.texts, chunk.Of(r.Text.Text))
		}
	}
	return s, nil
}

func (s *shelf) passages() []eval.Passage {
	out := make([]eval.Passage, len(s.chunks))
	for i, c := range s.chunks {
		out[i] = c.Passage
	}
	return out
}

// top returns the indexes of the n best chunks by a ranker: bm25 or a mode of the search.
func (s *shelf) top(ranker, query string, n int) ([]int, error) {
	if ranker == plainRanker {
		if s.bm25 == nil {
			s.bm25 = eval.NewRanker(s.texts)
		}
		return s.bm25.Top(query, n), nil
	}
	hooks := s.m.models.Hooks()
	hooks.Progress = s.progress
	if s.searcher == nil {
		docs := make([]cut.Document, len(s.results))
		for i, r := range s.results {
			docs[i].Result = r
		}
		var err error
		if s.searcher, err = search.NewSearcher(s.results, search.Options{Written: cut.WrittenOf(s.m.std, docs, s.x.enriched)}, hooks); err != nil {
			return nil, err
		}
	}
	if !s.prepared && index.Mode(ranker) != index.Keyword {
		s.prepared = true
		if s.v.Hosted() && !s.v.Embeds() {
			fmt.Fprintf(s.m.std.Err, "seam: %s computes no vectors, so its chunks have none of %s: they are compared by the model in this program, and no question is sent for them\n", s.v.name, s.v.Embedder)
			return s.search(ranker, query, n, hooks)
		}
		all := s.x.asked()
		queries := make([]cut.QueryLine, len(all))
		for i, q := range all {
			queries[i].Query = q.Question
		}
		if err := s.m.models.PrepareQueries(s.m.ctx, s.v.Embedder, queries); err != nil {
			return nil, err
		}
	}
	return s.search(ranker, query, n, hooks)
}

func (s *shelf) search(ranker, query string, n int, hooks pipeline.Hooks) ([]int, error) {
	found, err := s.searcher.Search(s.m.ctx, search.Query{Text: query, K: n, Mode: index.Mode(ranker)}, hooks)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = s.first[h.Source] + h.Chunk
	}
	return out, nil
}

// plainRanker names the measurement's own ranker, eval.Ranker.
const plainRanker = "bm25"
