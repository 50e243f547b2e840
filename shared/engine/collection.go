package engine

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/engine/rpc"
	"seam/shared/protocol"
	"seam/shared/search"
	"seam/shared/text"
)

func (e *Engine) forCollection() []message { return []message{{"collection", handle(e.collection)}} }

type collectionParams struct {
	Query   string `json:"query"`
	K       int    `json:"k"` // 0: as many as the proxy returns
	Mode    string `json:"mode"`
	Encoder string `json:"encoder"` // as in a search
}

// collection finds passages in the proxy's collection. It sends the query, with its vector
// if the collection's embedder is available here.
func (e *Engine) collection(ctx context.Context, call *rpc.Call, p *collectionParams) (*searchReply, error) {
	mode, err := search.ParseMode(p.Mode)
	switch {
	case err != nil:
		return nil, err
	case strings.TrimSpace(p.Query) == "":
		return nil, badRequest("the query is empty")
	case e.proxy == nil:
		return nil, &rpc.Error{Code: rpc.BadRequest, Message: "searching a collection needs a proxy, and none is connected", Hint: "Connect to a proxy first."}
	}
	client := e.proxy.client
	var ack *protocol.Ack
	if err := call.Await(func() (err error) { ack, err = client.Hello(ctx); return err }); err != nil {
		return nil, err
	}
	if ack.Collection == nil {
		return nil, badRequest("the proxy has no collection for this page")
	}
	made := ack.Collection.Embedder
	var vector []float32
	if mode != search.Keyword {
		if vector, err = e.queryVector(ctx, call, p, made); err != nil {
			return nil, err
		}
	}
	ask := &protocol.Search{Text: p.Query, K: min(cmp.Or(p.K, protocol.MaxHits), ack.Collection.Hits), Vector: base64.StdEncoding.EncodeToString(bytesOf(vector))}
	if mode == search.Dense {
		if vector == nil {
			return nil, badRequest("the collection cannot be searched only by similarity from here: its vectors are from %.80q", made)
		}
		ask.Text = ""
	}
	var hits []protocol.Hit
	if err := call.Await(func() (err error) { hits, err = client.Search(ctx, ask); return err }); err != nil {
		return nil, err
	}
	reply, err := foundElsewhere(p.Query, hits)
	if err == nil && vector == nil && mode == search.Hybrid && made != "" && !ack.Collection.Embeds {
		reply.Missing = append(reply.Missing, missingJSON{made, "it is not in this page"})
	}
	return reply, err
}

// queryVector returns the vector of a query from the embedder of a collection, or nil if
// that embedder is not available here.
func (e *Engine) queryVector(ctx context.Context, call *rpc.Call, p *collectionParams, made string) ([]float32, error) {
	if p.Encoder != "" && p.Encoder == made {
		b, err := call.Blob(0)
		return floatsOf(b), err
	}
	if !strings.HasPrefix(made, builtin.Name+":") {
		return nil, nil
	}
	model, err := e.builtinModel(call)
	if err != nil || model.ID() != made {
		return nil, ctx.Err() // only words are searched
	}
	v, err := embed.For(model, embed.Queries).Embed(ctx, []string{p.Query}, nil)
	if err != nil {
		return nil, fmt.Errorf("embed the query: %w", err)
	}
	return v.Row(0), nil
}

// foundElsewhere converts the hits of a proxy and marks their words. They belong to no open
// document: Doc is 0, Chunk is -1, and the span counts in bytes of the text as it was
// pushed.
func foundElsewhere(query string, hits []protocol.Hit) (*searchReply, error) {
	texts := make([]string, len(hits))
	for i, h := range hits {
		texts[i] = h.Text
	}
	marked, err := search.Mark(query, texts)
	if err != nil {
		return nil, fmt.Errorf("mark the hits: %w", err)
	}
	reply := &searchReply{make([]hitJSON, len(hits)), []string{}, []search.Correction{}, []asideJSON{}, []missingJSON{}, query, 0, []int{}}
	for i, h := range hits {
		out := hitJSON{Name: cmp.Or(h.Source, h.Title, h.ID), Chunk: -1, Span: text.Span{Start: h.Start, End: h.End}, Page: h.Page, Pages: append([]int{}, h.Pages...), Section: h.Section,
			Score: h.Score, Parts: []search.Part{}, Words: append([]string{}, marked[i].Words...), Text: h.Text}
		out.Marks, out.Passage = inUTF16(h.Text, marked[i].Marks, marked[i].Passage)
		reply.Hits[i] = out
	}
	return reply, nil
}
