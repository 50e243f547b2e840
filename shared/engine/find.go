package engine

import (
	"context"
	"fmt"
	"slices"

	"seam/shared/engine/rpc"
	"seam/shared/index"
	"seam/shared/text"
)

// searching is a Searcher with the documents that it searches, as they were cut
// when it was made.
type searching struct {
	*Searcher
	ids  []int
	docs []*opened
}

type hitJSON struct {
	Doc   int    `json:"doc"`
	Name  string `json:"name"`
	Chunk int    `json:"chunk"`
	text.Span
	Page  int      `json:"page"`
	Pages []int    `json:"pages"`
	Score float64  `json:"score"`
	Why   string   `json:"why"`
	Text  string   `json:"text"`
	Marks [][2]int `json:"marks"`
}

// query is what search and ask look for, and where.
type query struct {
	text string
	k    int
	mode string
	docs []int // nil: all
}

// search finds chunks of the documents as they are cut now.
func (e *Engine) search(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	p := struct {
		Query string `json:"query"`
		K     int    `json:"k"`
		Mode  string `json:"mode"`
		Docs  []int  `json:"docs"`
	}{K: 10}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	hits, err := e.find(ctx, call, query{p.Query, p.K, p.Mode, p.Docs})
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	return rpc.Reply{Result: map[string]any{"hits": hits}}, nil
}

// find returns the hits of a query, best first.
func (e *Engine) find(ctx context.Context, call *rpc.Call, q query) ([]hitJSON, error) {
	mode, err := index.ParseMode(q.mode)
	if err != nil {
		return nil, badf("%v", err)
	}
	if q.k < 0 {
		return nil, badf("%d hits are not possible", q.k)
	}
	if q.docs == nil {
		q.docs = e.order
	}
	hooks := e.hooks(call)
	s, err := e.prepare(ctx, q.docs, hooks)
	if err != nil {
		return nil, err
	}
	found, err := s.Search(ctx, q.text, q.k, mode, hooks)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	hits := make([]hitJSON, len(found))
	for i, f := range found {
		hits[i] = s.hit(f, q.text)
	}
	return hits, nil
}

// prepare makes the searcher for docs, unless it is there already. Documents
// that have no chunks yet are cut with the default settings.
func (e *Engine) prepare(ctx context.Context, docs []int, hooks Hooks) (*searching, error) {
	if e.searcher != nil && slices.Equal(e.searcher.ids, docs) {
		return e.searcher, nil
	}
	s := &searching{ids: slices.Clone(docs)}
	results := make([]*Result, len(docs))
	for i, id := range docs {
		d, err := e.document(id)
		if err != nil {
			return nil, err
		}
		if d.current == nil {
			if d.current, err = d.Chunk(ctx, Settings{}, hooks); err != nil {
				return nil, err
			}
		}
		s.docs = append(s.docs, d)
		results[i] = d.current
	}
	var err error
	if s.Searcher, err = NewSearcher(ctx, results, hooks); err != nil {
		return nil, err
	}
	e.searcher = s
	return s, nil
}

func (s *searching) hit(f Found, query string) hitJSON {
	d, r := s.docs[f.Source], s.results[f.Source]
	c := r.Chunks[f.Chunk]
	t := c.Of(r.Text.Text)
	h := hitJSON{Doc: s.ids[f.Source], Name: d.Document.Name, Chunk: f.Chunk, Span: d.utf16(r.View).Span(c.Span),
		Pages: PageNumbers(d.Document, c), Score: f.Score, Why: f.Why, Text: t, Marks: [][2]int{}}
	if len(h.Pages) > 0 {
		h.Page = h.Pages[0]
	}
	units := text.NewUTF16(t)
	for _, m := range index.Marks(t, query) {
		m = units.Span(m)
		h.Marks = append(h.Marks, [2]int{m.Start, m.End})
	}
	return h
}
