package engine

import (
	"context"
	"fmt"
	"slices"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

type searchParams struct {
	Query string `json:"query"`
	K     *int   `json:"k"` // by default 10
	Mode  string `json:"mode"`
	Docs  []int  `json:"docs"` // absent: all
}

type searchReply struct {
	Hits []hitJSON `json:"hits"`
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

// search finds chunks of the documents as they are cut now.
func (e *Engine) search(ctx context.Context, call *rpc.Call, p *searchParams) (*searchReply, error) {
	hits, err := e.find(ctx, call, *p, 10)
	return &searchReply{hits}, err
}

// find returns the hits of a query, best first: k of them where it does not say.
func (e *Engine) find(ctx context.Context, call *rpc.Call, p searchParams, k int) ([]hitJSON, error) {
	mode, err := search.ParseMode(p.Mode)
	if err != nil {
		return nil, err
	}
	if p.K != nil {
		k = *p.K
	}
	if k < 0 {
		return nil, badRequest("%d hits are not possible", k)
	}
	if p.Docs == nil {
		p.Docs = e.order
	}
	hooks := e.hooks(call)
	s, err := e.prepare(ctx, p.Docs, hooks)
	if err != nil {
		return nil, err
	}
	found, err := s.Search(ctx, p.Query, k, mode, hooks)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	hits := make([]hitJSON, len(found))
	for i, h := range found {
		hits[i] = s.hit(h, p.Query)
	}
	return hits, nil
}

// prepare makes the searcher for docs, unless it is there already. Documents
// that have no chunks yet are cut with the default settings.
func (e *Engine) prepare(ctx context.Context, docs []int, hooks pipeline.Hooks) (*searching, error) {
	if e.searcher != nil && slices.Equal(e.searcher.ids, docs) {
		return e.searcher, nil
	}
	s := &searching{ids: slices.Clone(docs)}
	for _, id := range docs {
		d, err := e.document(id)
		if err != nil {
			return nil, err
		}
		if d.current == nil {
			plan, err := pipeline.NewPlan(pipeline.Settings{})
			if err != nil {
				return nil, err
			}
			if d.current, err = d.Run(ctx, plan, hooks); err != nil {
				return nil, err
			}
		}
		s.docs, s.results = append(s.docs, d), append(s.results, d.current)
	}
	var err error
	if s.Searcher, err = search.NewSearcher(ctx, s.results, hooks); err != nil {
		return nil, err
	}
	e.searcher = s
	return s, nil
}

func (s *searching) hit(h search.Hit, query string) hitJSON {
	d, r := s.docs[h.Source], s.results[h.Source]
	c := r.Chunks[h.Chunk]
	t := c.Of(r.Text.Text)
	out := hitJSON{Doc: s.ids[h.Source], Name: d.Document.Name, Chunk: h.Chunk, Span: d.utf16(r.Plan.View).Span(c.Span),
		Pages: r.Pages(h.Chunk), Score: h.Score, Why: h.Why, Text: t, Marks: [][2]int{}}
	if len(out.Pages) > 0 {
		out.Page = out.Pages[0]
	}
	units := text.NewUTF16(t)
	for _, m := range search.Marks(t, query) {
		m = units.Span(m)
		out.Marks = append(out.Marks, [2]int{m.Start, m.End})
	}
	return out
}
