package engine

import (
	"context"
	"fmt"
	"strings"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/meaning"
	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/token"
	"seam/shared/token/bpe"
	"seam/shared/vector"
)

func (e *Engine) forModels() []message { return []message{{"model", handle(e.model)}} }

type modelParams struct {
	Name  string   `json:"name"`  // of the folder
	Files []string `json:"files"` // names, one blob each
}

// model opens a model of the user's own.
func (e *Engine) model(_ context.Context, call *rpc.Call, p *modelParams) (*embedderJSON, error) {
	if e.host.OpenModel == nil {
		return nil, badRequest("models cannot be opened here")
	}
	files := map[string][]byte{}
	for i, name := range p.Files {
		b, err := call.Blob(i)
		if err != nil {
			return nil, err
		}
		files[name] = b
	}
	if p.Name = strings.TrimSpace(p.Name); p.Name == "" {
		p.Name = "model"
	}
	m, err := e.host.OpenModel(p.Name, files)
	if err != nil {
		return nil, &rpc.Error{Code: rpc.BadModel, Message: "this model cannot be used: " + err.Error(),
			Hint: "Choose the folder of a Model2Vec model or a BERT sentence encoder, with model.safetensors, tokenizer.json and config.json."}
	}
	name := pipeline.Static + p.Name
	if strings.HasPrefix(m.ID(), pipeline.Encoder) {
		name = pipeline.Encoder + p.Name
	}
	e.models[name], e.searcher = m, nil
	kind, _ := pipeline.EmbedderOf(name)
	return &embedderJSON{name, p.Name + " · your model · offline", kind.Help}, nil
}

// embedder returns the pipeline.Hooks.Embedder for a call. If call is nil, it fetches and
// sends nothing.
func (e *Engine) embedder(call *rpc.Call) func(name string) (embed.Embedder, error) {
	return func(name string) (embed.Embedder, error) {
		kind, _ := pipeline.EmbedderOf(name)
		switch kind.Name {
		case builtin.Name:
			return e.builtinModel(call)
		case meaning.Name:
			return e.meaningModel(call)
		case pipeline.Static, pipeline.Encoder:
			if m := e.models[name]; m != nil {
				return m, nil
			}
			return nil, &rpc.Error{Code: rpc.BadModel, Message: fmt.Sprintf("the model %s is not open", strings.TrimPrefix(name, kind.Name)), Hint: "Choose its folder again."}
		case remote.Prefix:
			return e.remote(call, name)
		}
		return nil, badRequest("the embedder %s is not available", name)
	}
}

// builtinModel returns Seam's built-in model. It is fetched once.
func (e *Engine) builtinModel(call *rpc.Call) (embed.Embedder, error) {
	if e.builtin != nil {
		return e.builtin, nil
	}
	if e.host.Builtin == nil || call == nil {
		return nil, badRequest("the embedder %s is not available", builtin.Name)
	}
	var m embed.Embedder
	err := call.Await(func() (err error) { m, err = e.host.Builtin(call.Context()); return err })
	switch {
	case call.Context().Err() != nil:
		return nil, call.Context().Err()
	case err != nil:
		return nil, &rpc.Error{Code: rpc.Offline, Message: fmt.Sprintf("the built-in model could not be loaded: %v", err),
			Hint: "Check your connection, or choose the lexical embedder, which needs none."}
	}
	if e.builtin == nil { // otherwise another call was faster
		e.builtin = m
	}
	return e.builtin, nil
}

// meaningModel returns Seam's own encoder. It is fetched once.
func (e *Engine) meaningModel(call *rpc.Call) (embed.Embedder, error) {
	if e.meaning != nil {
		return e.meaning, nil
	}
	if e.host.Meaning == nil || call == nil {
		return nil, badRequest("the embedder %s is not available", meaning.Name)
	}
	var m embed.Embedder
	err := call.Await(func() (err error) { m, err = e.host.Meaning(call.Context()); return err })
	switch {
	case call.Context().Err() != nil:
		return nil, call.Context().Err()
	case err != nil:
		return nil, &rpc.Error{Code: rpc.Offline, Message: fmt.Sprintf("the model for search by meaning could not be loaded: %v", err),
			Hint: "Check your connection and try again; searching by words works without it."}
	}
	if e.meaning == nil { // otherwise another call was faster
		e.meaning = m
	}
	return e.meaning, nil
}

// remote returns an embedder of the proxy.
func (e *Engine) remote(call *rpc.Call, name string) (embed.Embedder, error) {
	m, err := e.hosted(name, protocol.Embedding)
	if err != nil {
		return nil, err
	}
	known := e.proxy.embedders[m.ID]
	if known == nil {
		options := remote.Options{Proxy: e.proxy.url}
		if e.host.Vectors != nil {
			options.Store = e.host.Vectors
		}
		known = remote.New(e.proxy.client, m, options)
		e.proxy.embedders[m.ID] = known
	}
	return awaiting{known, call}, nil
}

// awaiting is a hosted embedder that lets other calls run while it waits.
type awaiting struct {
	*remote.Embedder
	call *rpc.Call
}

// As implements embed.Roled.
func (a awaiting) As(r embed.Role) embed.Embedder {
	if r == embed.Queries {
		a.Embedder = a.Embedder.Queries()
	}
	return a
}

// Embed implements embed.Embedder.
func (a awaiting) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	m, _, err := a.EmbedCounted(ctx, texts, progress)
	return m, err
}

// EmbedCounted implements embed.Counted.
func (a awaiting) EmbedCounted(ctx context.Context, texts []string, progress embed.Progress) (m vector.Matrix, made int, err error) {
	if a.call == nil {
		return m, 0, badRequest("the vectors of %s are not available", a.ID())
	}
	err = a.call.Await(func() (err error) { m, made, err = a.Embedder.EmbedCounted(ctx, texts, progress); return err })
	return m, made, err
}

// Quote waits for the store of vectors.
func (a awaiting) Quote(ctx context.Context, texts []string) (q remote.Quote, err error) {
	err = a.call.Await(func() (err error) { q, err = a.Embedder.Quote(ctx, texts); return err })
	return q, err
}

// counter returns the pipeline.Hooks.Counter for a call. If call is nil, it fetches
// nothing.
func (e *Engine) counter(call *rpc.Call) func(unit string) (token.Counter, error) {
	return func(unit string) (token.Counter, error) {
		if c := e.counters[unit]; c != nil {
			return c, nil
		}
		if e.host.Ranks == nil || call == nil || strings.HasPrefix(unit, token.Tokenizer) {
			return nil, badRequest("lengths in %s cannot be counted here", unit)
		}
		var b []byte
		if err := call.Await(func() (err error) { b, err = e.host.Ranks(unit); return err }); err != nil {
			// The settings cannot be applied, and the document stays unchanged.
			return nil, badRequest("tokens of %s cannot be counted now: their table could not be fetched (%v)", unit, err)
		}
		c, err := bpe.Read(unit, b)
		if err != nil {
			return nil, err
		}
		e.counters[unit] = c
		return c, nil
	}
}

// hooks returns the hooks of a call. If call is nil, they fetch and send nothing.
func (e *Engine) hooks(call *rpc.Call) pipeline.Hooks {
	h := pipeline.Hooks{Embedder: e.embedder(call), Counter: e.counter(call)}
	if call != nil {
		h.Progress, h.Now = call.Progress, e.host.Now
	}
	return h
}
