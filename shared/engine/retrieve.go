package engine

import (
	"context"
	"fmt"

	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
)

func (e *Engine) forRetrieve() []message {
	return []message{
		{"retrieve", handle(e.retrieve)},
		{"cohesion", handle(e.cohesion)},
	}
}

type retrieveParams struct {
	Doc       int                `json:"doc"`
	Settings  *pipeline.Settings `json:"settings"` // null: as the document is cut now
	Questions []string           `json:"questions"`
	K         int                `json:"k"`
	Mode      string             `json:"mode"`
}

// retrieveReply holds the numbers of the chunks found for each question, best first.
type retrieveReply struct {
	Hits [][]int `json:"hits"`
}

// retrieve searches the chunks that settings make of one document, for several questions,
// like search. It does not change the result that is shown, moved, edited and searched.
func (e *Engine) retrieve(ctx context.Context, call *rpc.Call, p *retrieveParams) (*retrieveReply, error) {
	mode, err := search.ParseMode(p.Mode)
	if err != nil {
		return nil, err
	}
	if p.K < 0 {
		return nil, badRequest("invalid number of hits: %d", p.K)
	}
	r, err := e.cutBy(ctx, call, p)
	if err != nil {
		return nil, err
	}
	o := search.Options{Written: [][]search.Written{e.open[p.Doc].writtenOf(r)}}
	if e.searcher != nil {
		o.Before = e.searcher.Searcher
	}
	hooks := e.hooks(call)
	s, err := search.NewSearcher([]*pipeline.Result{r}, o, hooks)
	if err != nil {
		return nil, err
	}
	out := &retrieveReply{make([][]int, len(p.Questions))}
	for i, q := range p.Questions {
		if err := call.Progress(pipeline.StageIndex, i, len(p.Questions)); err != nil {
			return nil, err
		}
		found, err := s.Search(ctx, search.Query{Text: q, K: p.K, Mode: mode}, hooks)
		if err != nil {
			return nil, fmt.Errorf("search: %w", err)
		}
		out.Hits[i] = make([]int, len(found.Hits))
		for j, h := range found.Hits {
			out.Hits[i][j] = h.Chunk
		}
	}
	return out, nil
}

// cutBy cuts the document by the settings of p.
func (e *Engine) cutBy(ctx context.Context, call *rpc.Call, p *retrieveParams) (*pipeline.Result, error) {
	if p.Settings == nil {
		d, err := e.document(p.Doc)
		if err == nil && d.current == nil {
			err = badRequest("this document has no chunks yet")
		}
		if err != nil {
			return nil, err
		}
		return d.current, nil
	}
	d, plan, err := e.plan(&chunkParams{Doc: p.Doc, Settings: *p.Settings})
	if err != nil {
		return nil, err
	}
	return d.Run(ctx, plan, e.hooks(call))
}

type cohesionParams struct {
	Doc    int     `json:"doc"`
	Starts [][]int `json:"starts"` // for each way to cut, the sentences at the start of its chunks
}

type cohesionReply struct {
	Ways []pipeline.Cohesion `json:"ways"`
}

// cohesion returns the similarity of sentences inside and between chunks for several ways
// to cut a document, with the embedder of its last cut.
func (e *Engine) cohesion(ctx context.Context, call *rpc.Call, p *cohesionParams) (*cohesionReply, error) {
	d, err := e.document(p.Doc)
	if err == nil && d.current == nil {
		err = badRequest("this document has no chunks yet")
	}
	if err != nil {
		return nil, err
	}
	ways, err := d.Cohesion(ctx, d.current.Plan, p.Starts, e.hooks(call))
	return &cohesionReply{ways}, err
}
