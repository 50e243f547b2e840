package engine

import (
	"context"
	"fmt"
	"strings"

	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

func (e *Engine) forProxy() []message {
	return []message{
		{"connect", handle(e.connect)},
		{"cache", handle(e.cache)},
		{"clear", handle(e.clear)},
	}
}

type connectParams struct {
	URL   string `json:"url"`
	Token string `json:"token"`
	// Known are the proxy's embedding models on an earlier visit. With them, connect does not
	// contact the proxy: stored vectors can be used, and the proxy is contacted only when it
	// is needed.
	Known []protocol.Model `json:"known"`
}

type modelJSON struct {
	Name       string        `json:"name"`
	ID         string        `json:"id"`
	Kind       protocol.Kind `json:"kind"`
	Label      string        `json:"label"`
	Dimensions int           `json:"dimensions"`
	Input      int           `json:"input"`
	Price      *float64      `json:"price"`
	PriceOut   *float64      `json:"priceOut"`
	Here       bool          `json:"here"`  // it runs on the proxy's machine
	Query      string        `json:"query"` // prefixes, see protocol.Model
	Passage    string        `json:"passage"`
}

// collectionJSON is a collection in a search engine behind a proxy.
type collectionJSON struct {
	Name     string `json:"name"`
	Hits     int    `json:"hits"`     // maximum for one search
	Embedder string `json:"embedder"` // ID of the embedder of its vectors; "" if unknown
}

type connectReply struct {
	Models  []modelJSON      `json:"models"`
	Prompts protocol.Prompts `json:"prompts"`
	Turns   int              `json:"turns"` // accepted turns of a history and their bytes; 0 for none
	History int              `json:"history"`
	System  string           `json:"system"` // the proxy's prompt for answers; "" if unknown

	Collection *collectionJSON `json:"collection"` // null for none
}

// connect connects to a proxy, or asks the connected one for its models again. When a new
// proxy has answered, the previous one is dropped with everything that came from it.
func (e *Engine) connect(ctx context.Context, call *rpc.Call, p *connectParams) (*connectReply, error) {
	if e.host.Dial == nil {
		return nil, &rpc.Error{Code: rpc.Offline, Message: "no network available here"}
	}
	to := e.proxy
	if to == nil || to.url != p.URL || to.token != p.Token {
		c, err := e.host.Dial(p.URL, p.Token)
		if err != nil {
			return nil, &rpc.Error{Code: rpc.BadRequest, Message: err.Error(), Hint: "Write the address like https://seam.example.org."}
		}
		to = &connection{p.URL, p.Token, c, map[string]*remote.Embedder{}, nil}
	}
	ack := &protocol.Ack{}
	if p.Known != nil {
		to.known = p.Known
	} else if err := call.Await(func() (err error) { ack, err = to.client.Hello(ctx); return err }); err != nil {
		if to != e.proxy {
			go to.client.Close() // Close waits for the other side
		}
		return nil, err
	} else if to.known != nil {
		to.known = nil
		clear(to.embedders) // the old ones did not know the prices
	}
	if old := e.proxy; to != old {
		e.proxy, e.searcher = to, nil
		for _, d := range e.open {
			d.ForgetHosted()
		}
		if old != nil {
			go old.client.Close()
		}
	}
	r := &connectReply{Models: make([]modelJSON, len(ack.Models)), Prompts: ack.Prompts, Turns: ack.Limits.Turns, History: ack.Limits.History}
	switch {
	case ack.Marked != nil:
		r.System = ack.Marked.System
	case ack.Answer != nil:
		r.System = ack.Answer.System
	}
	if c := ack.Collection; c != nil {
		r.Collection = &collectionJSON{c.Name, c.Hits, c.Embedder}
	}
	for i, m := range ack.Models {
		r.Models[i] = modelJSON{remote.Prefix + m.ID, m.ID, m.Kind, m.Label, m.Dimensions, m.Input, m.Price, m.PriceOut, m.Here, m.Query, m.Passage}
		if m.Label == "" {
			r.Models[i].Label = m.ID
		}
	}
	return r, nil
}

// models returns the models that the proxy announced, now or on an earlier visit.
func (c *connection) models() []protocol.Model {
	if ack := c.client.Ack(); ack != nil {
		return ack.Models
	}
	return c.known
}

// hosted returns a model of the proxy by its name with the prefix.
func (e *Engine) hosted(name string, kind protocol.Kind) (protocol.Model, error) {
	if e.proxy == nil {
		return protocol.Model{}, &rpc.Error{Code: rpc.BadRequest, Message: fmt.Sprintf("the model %s needs a proxy, and none is connected", name), Hint: "Connect to a proxy first."}
	}
	id := strings.TrimPrefix(name, remote.Prefix)
	var names []string
	for _, m := range e.proxy.models() {
		if m.Kind != kind {
			continue
		}
		if m.ID == id && name != id {
			return m, nil
		}
		names = append(names, remote.Prefix+m.ID)
	}
	if len(names) == 0 {
		return protocol.Model{}, badRequest("the proxy has no model for this")
	}
	return protocol.Model{}, badRequest("the proxy has no model %.60q: choose one of %s", name, strings.Join(names, ", "))
}

type cacheReply struct {
	Vectors int   `json:"vectors"`
	Bytes   int64 `json:"bytes"`
}

// cache returns the number of stored vectors of hosted models.
func (e *Engine) cache(ctx context.Context, call *rpc.Call, _ *none) (*cacheReply, error) {
	r := &cacheReply{}
	if e.host.Vectors == nil {
		return r, nil
	}
	err := call.Await(func() (err error) { r.Vectors, r.Bytes, err = e.host.Vectors.Size(ctx); return err })
	if err != nil {
		err = fmt.Errorf("check the stored vectors: %w", err)
	}
	return r, err
}

// clear deletes all vectors of hosted models and of the encoder, in memory and in the
// stores.
func (e *Engine) clear(ctx context.Context, call *rpc.Call, _ *none) (*none, error) {
	if e.proxy != nil {
		clear(e.proxy.embedders)
	}
	for _, d := range e.open {
		d.ForgetHosted()
	}
	e.reading = nil
	for _, store := range []VectorStore{e.host.Vectors, e.host.Read} {
		if store == nil {
			continue
		}
		if err := call.Await(func() error { return store.Clear(ctx) }); err != nil {
			return nil, fmt.Errorf("delete the stored vectors: %w", err)
		}
	}
	return &none{}, nil
}
