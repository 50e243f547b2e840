package engine

import (
	"context"
	"fmt"
	"slices"

	"seam/shared/answer"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

func (e *Engine) forSearch() []message { return []message{{"search", handle(e.search)}} }

type searchParams struct {
	Query     string       `json:"query"`
	K         *int         `json:"k"` // defaults to 10
	Mode      string       `json:"mode"`
	Docs      []int        `json:"docs"` // absent: all
	Filter    searchFilter `json:"filter"`
	Diversity float64      `json:"diversity"` // 0 to 1
	forModel  bool         // see search.Query
	unnamed   bool         // the hits need no Source
	Encoder   string       `json:"encoder"` // ID of the encoder of the query's vector in blob 0; "" if there is none
}

// searchFilter is search.Filter with document numbers.
type searchFilter struct {
	From    int               `json:"from"` // the first page; 0 for no bound
	To      int               `json:"to"`
	Section string            `json:"section"`
	Formats []string          `json:"formats"`
	Meta    map[string]string `json:"meta"`
}

type searchReply struct {
	Hits        []hitJSON           `json:"hits"`
	Unknown     []string            `json:"unknown"`
	Corrections []search.Correction `json:"corrections"`
	Aside       []asideJSON         `json:"aside"`
	Missing     []missingJSON       `json:"missing"`
	Asked       string              `json:"asked"` // the corrected query, for an encoder to read
	Lists       int                 `json:"lists"` // hits in lists that the question does not name; see search.Query.ForModel
	Lost        []int               `json:"lost"`  // stored documents whose files could not be read; they are dropped
}

// asideJSON is a word of Unknown or Corrections that occurs outside the chunks, for example
// in a running head.
type asideJSON struct {
	Word   string `json:"word"`
	Docs   []int  `json:"docs"`
	Hidden bool   `json:"hidden,omitempty"`
}

// missingJSON is an embedder that could not be asked.
type missingJSON struct {
	Embedder string `json:"embedder"`
	Reason   string `json:"reason"` // a sentence, perhaps without a full stop
}

type hitJSON struct {
	Doc   int    `json:"doc"`
	Name  string `json:"name"`
	Chunk int    `json:"chunk"`
	text.Span
	Page    int           `json:"page"`
	Pages   []int         `json:"pages"`
	Labels  []string      `json:"labels,omitempty"` // printed numbers of Pages, unless they are the same
	Section string        `json:"section"`
	Score   float64       `json:"score"`
	Parts   []search.Part `json:"parts"`
	Words   []string      `json:"words"` // words of the query in the chunk
	Why     string        `json:"why"`
	Text    string        `json:"text"`
	Marks   [][2]int      `json:"marks"`
	Passage *[2]int       `json:"passage"` // the sentence that answers best, in text
	Written string        `json:"written"` // the written text by which it was found; "" if its own text matches better
	// PassagePage is the page on which Passage begins, or 0.
	PassagePage int `json:"passagePage,omitempty"`
	// Source is the line above the passage in a question to a model; see answer.Source.
	Source string `json:"source,omitempty"`
	// Sent is the passage in a question to a model if it is not Text: Text with text of its
	// section around it.
	Sent string `json:"sent,omitempty"`
	wide answer.Wide
}

// search finds chunks of the documents as they are cut now.
func (e *Engine) search(ctx context.Context, call *rpc.Call, p *searchParams) (*searchReply, error) {
	return e.find(ctx, call, *p, 10, p.Query)
}

// find searches for the parts of a query. k is the default number of hits.
func (e *Engine) find(ctx context.Context, call *rpc.Call, p searchParams, k int, parts ...string) (*searchReply, error) {
	mode, err := search.ParseMode(p.Mode)
	if err != nil {
		return nil, err
	}
	if p.K != nil {
		k = *p.K
	}
	switch {
	case k < 0:
		return nil, badRequest("invalid number of hits: %d", k)
	case !(p.Diversity >= 0 && p.Diversity <= 1):
		return nil, badRequest("invalid diversity %v: use 0 to 1", p.Diversity)
	case p.Filter.From < 0 || p.Filter.To < 0 || p.Filter.To > 0 && p.Filter.To < p.Filter.From:
		return nil, badRequest("no pages from %d to %d", p.Filter.From, p.Filter.To)
	}
	if p.Docs == nil {
		p.Docs = e.all()
	}
	hooks := e.hooks(call)
	s, err := e.prepare(ctx, p.Docs, hooks)
	if err != nil {
		return nil, err
	}
	queries := make([]search.Query, len(parts))
	for i, part := range parts {
		context, err := e.reading.context(call, p.Encoder, i, s.results)
		if err != nil {
			return nil, err
		}
		queries[i] = search.Query{Text: part, Mode: mode, Diversity: p.Diversity, Filter: s.filter(p), Typing: !p.forModel, ForModel: p.forModel, Context: context, Load: s.loader(ctx, e, call)}
	}
	found, err := s.SearchEach(ctx, queries, k, hooks)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := noHits()
	out.Hits, out.Unknown, out.Corrections = make([]hitJSON, len(found.Hits)), append(out.Unknown, found.Unknown...), append(out.Corrections, found.Corrections...)
	out.Asked, out.Lists, out.Lost = found.Asked, found.Lists, e.lose(s, found.Lost)
	for _, a := range found.Aside {
		docs := make([]int, len(a.Sources))
		for i, source := range a.Sources {
			docs[i] = s.ids[source]
		}
		out.Aside = append(out.Aside, asideJSON{a.Word, docs, a.Hidden})
	}
	for _, m := range found.Missing {
		out.Missing = append(out.Missing, missingJSON{m.Embedder, reason(m.Err)})
	}
	for i, h := range found.Hits {
		out.Hits[i] = s.hit(h)
		if p.forModel {
			s.forModel(h, &out.Hits[i], !p.unnamed)
		}
	}
	return out, nil
}

// noHits returns a reply without hits.
func noHits() *searchReply {
	return &searchReply{Hits: []hitJSON{}, Unknown: []string{}, Corrections: []search.Correction{}, Aside: []asideJSON{}, Missing: []missingJSON{}, Lost: []int{}}
}

// prepare returns the searcher for docs and all documents that have been cut. It reuses the
// existing one if possible. Documents in docs without chunks are first cut with the default
// settings.
func (e *Engine) prepare(ctx context.Context, docs []int, hooks pipeline.Hooks) (*searching, error) {
	for _, id := range docs {
		if e.shelves[id] != nil {
			continue
		}
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
	}
	s := &searching{}
	for _, id := range e.order {
		if d := e.open[id]; d.current != nil {
			s.ids, s.docs, s.shelves, s.results = append(s.ids, id), append(s.docs, d), append(s.shelves, nil), append(s.results, d.current)
		}
	}
	for _, id := range e.shelved {
		shelf := e.shelves[id]
		s.ids, s.docs, s.shelves, s.results = append(s.ids, id), append(s.docs, nil), append(s.shelves, shelf), append(s.results, shelf.Result)
	}
	var before *search.Searcher
	if e.searcher != nil {
		if !e.searcher.stale && slices.Equal(e.searcher.results, s.results) {
			return e.searcher, nil
		}
		before = e.searcher.Searcher
	}
	o := search.Options{Before: before, Written: make([][]search.Written, len(s.docs)), Shelved: make([]*search.Shelved, len(s.docs))}
	for i, d := range s.docs {
		if d != nil {
			o.Written[i] = d.writtenOf(s.results[i])
		} else {
			o.Shelved[i] = s.shelves[i].Shelved
		}
	}
	var err error
	if s.Searcher, err = search.NewSearcher(s.results, o, hooks); err != nil {
		return nil, err
	}
	e.searcher = s
	return s, nil
}

// filter returns the filter of a search.
func (s *searching) filter(p searchParams) search.Filter {
	f := search.Filter{Pages: [2]int{p.Filter.From, p.Filter.To}, Section: p.Filter.Section, Formats: p.Filter.Formats, Meta: p.Filter.Meta}
	if len(p.Docs) < len(s.ids) {
		f.Sources = []int{}
		for i, id := range s.ids {
			if slices.Contains(p.Docs, id) {
				f.Sources = append(f.Sources, i)
			}
		}
	}
	return f
}

func (s *searching) hit(h search.Hit) hitJSON {
	r := s.results[h.Source]
	out := hitJSON{Doc: s.ids[h.Source], Name: r.Document.Name, Chunk: h.Chunk, Span: s.utf16(h), Pages: r.Pages(h.Chunk), Labels: r.Labels(h.Chunk),
		Section: r.Section(h.Chunk), Score: h.Score, Parts: h.Parts, Words: append([]string{}, h.Words...), Why: h.Why, Text: h.Text, Written: h.Written}
	out.Marks, out.Passage = inUTF16(h.Text, h.Marks, h.Passage)
	if len(out.Pages) > 0 {
		out.Page = out.Pages[0]
	}
	if out.Passage != nil {
		out.PassagePage = r.PageAt(r.Chunks[h.Chunk].Start + h.Passage.Start)
	}
	return out
}

// forModel adds to a hit the text around it and, if it is named, the line above its passage.
func (s *searching) forModel(h search.Hit, hit *hitJSON, named bool) {
	r := s.results[h.Source]
	if h.Before+h.After != "" {
		hit.wide.Passage = h.Before + h.Text + h.After
	}
	if named {
		hit.Source = s.source(h, hit.Section, hit.Pages, hit.Labels)
		pages, labels := r.PagesIn(h.Wide)
		hit.wide.Source = s.source(h, hit.Section, pages, labels)
	}
}

// source returns the line above a hit's passage.
func (s *searching) source(h search.Hit, section string, pages []int, labels []string) string {
	d, saved := s.results[h.Source].Document, ""
	if shelf := s.shelves[h.Source]; shelf != nil {
		saved = shelf.saved
	} else {
		saved = s.docs[h.Source].saved
	}
	return answer.Source{Name: d.Name, Title: d.Title, Section: section, Pages: pipeline.Printed(d, pages, labels), Date: answer.DateOf(d.Meta), Saved: saved}.Line()
}

// utf16 returns the span of a hit in UTF-16 units.
func (s *searching) utf16(h search.Hit) text.Span {
	if shelf := s.shelves[h.Source]; shelf != nil {
		return shelf.UTF16[h.Chunk]
	}
	r := s.results[h.Source]
	return s.docs[h.Source].utf16(r.Plan.View).Span(r.Chunks[h.Chunk].Span)
}

// all returns the ids of all documents that a search can cover: open ones, then stored ones.
func (e *Engine) all() []int { return slices.Concat(e.order, e.shelved) }

// inUTF16 converts marks and a passage of a text to UTF-16 units. best is nil if there is
// no passage.
func inUTF16(t string, marks []text.Span, passage text.Span) (of [][2]int, best *[2]int) {
	units := text.NewUTF16(t)
	of = [][2]int{}
	for _, m := range marks {
		m = units.Span(m)
		of = append(of, [2]int{m.Start, m.End})
	}
	if passage.End > 0 {
		p := units.Span(passage)
		best = &[2]int{p.Start, p.End}
	}
	return of, best
}
