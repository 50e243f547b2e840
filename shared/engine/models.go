package engine

import (
	"context"
	"fmt"
	"strings"

	"seam/shared/embed"
	"seam/shared/embed/lexical"
	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/language"
	"seam/shared/protocol"
	"seam/shared/token"
	"seam/shared/token/bpe"
	"seam/shared/vector"
)

// Loader fetches an embedder: the model that comes with Seam is no part of the
// program.
type Loader func(ctx context.Context) (embed.Embedder, error)

// SetBuiltin gives the engine its way to the model that comes with Seam, which is
// fetched when it is first needed. Without one there is none.
func (e *Engine) SetBuiltin(load Loader) { e.loadBuiltin = load }

// Opener opens a Model2Vec model: the bytes of its files by their names.
type Opener func(name string, files map[string][]byte) (embed.Embedder, error)

// SetOpener gives the engine its way to open models of the user's own.
func (e *Engine) SetOpener(open Opener) { e.openModel = open }

// SetRanks gives the engine its way to the ranks of an encoding (bpe.Read), which
// are fetched when lengths are first counted in them. Without one there are none.
func (e *Engine) SetRanks(load func(encoding string) ([]byte, error)) { e.loadRanks = load }

// counter is the Counter of Hooks for a call; nil where nothing may be fetched.
func (e *Engine) counter(call *rpc.Call) func(unit string) (token.Counter, error) {
	return func(unit string) (token.Counter, error) {
		if c := e.counters[unit]; c != nil {
			return c, nil
		}
		if e.loadRanks == nil || call == nil || strings.HasPrefix(unit, token.Tokenizer) {
			return nil, badf("lengths in %s cannot be counted here", unit)
		}
		var b []byte
		if err := call.Await(func() (err error) { b, err = e.loadRanks(unit); return err }); err != nil {
			return nil, &rpc.Error{Code: rpc.Offline, Message: fmt.Sprintf("the tokens of %s could not be fetched: %v", unit, err), Hint: "Try again, or count in another unit."}
		}
		c, err := bpe.Read(unit, b)
		if err != nil {
			return nil, err
		}
		if e.counters == nil {
			e.counters = map[string]token.Counter{}
		}
		e.counters[unit] = c
		return c, nil
	}
}

// builtinLanguage is the one that the model which comes with Seam knows.
const builtinLanguage = "en"

// Unknown is what an embedder does not know of a document.
type Unknown struct {
	Language string  `json:"language"` // of most of it: its English name
	Share    float64 `json:"share"`    // of the document's letters
}

// Unknown tells what the embedder of settings does not know of the document's
// language: nil where that is little, or where the embedder is of no language.
func (s *Session) Unknown(set Settings) *Unknown {
	if set.embedder() != Builtin {
		return nil
	}
	m, err := lookup(set.Method)
	if err != nil {
		return nil
	}
	view := set.viewOf(m)
	u, ok := s.unknown[view]
	if !ok {
		if code, share, much := language.Unknown(s.Document.View(view).Text, builtinLanguage); much {
			u = &Unknown{language.Name(code), share}
		}
		s.unknown[view] = u
	}
	return u
}

type embedderInfo struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Help  string `json:"help"`
}

// embedders are those that the page can choose without a proxy.
func (e *Engine) embedders() []embedderInfo {
	return []embedderInfo{
		{Builtin, "built in · offline · free", "Seam's own small model of English: it knows that a doctor is near to a hospital. Your text stays here."},
		{lexical.Name, "lexical · offline · free", "Compares the words of your document, without a language model: synonyms are strangers to it."},
	}
}

// model takes a model of the user's own: a blob a file, whose names are in the
// parameters.
func (e *Engine) model(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Name  string   `json:"name"` // of the folder
		Files []string `json:"files"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	if e.openModel == nil {
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "models cannot be opened here"}
	}
	files := map[string][]byte{}
	for i, name := range p.Files {
		b, err := call.Blob(i)
		if err != nil {
			return rpc.Reply{}, err
		}
		files[name] = b
	}
	if p.Name = strings.TrimSpace(p.Name); p.Name == "" {
		p.Name = "model"
	}
	m, err := e.openModel(p.Name, files)
	if err != nil {
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadModel, Message: "this model cannot be used: " + err.Error(),
			Hint: "Choose the folder of a Model2Vec model, with model.safetensors, tokenizer.json and config.json in it."}
	}
	name := Static + p.Name
	if e.models == nil {
		e.models = map[string]embed.Embedder{}
	}
	e.models[name], e.searcher = m, nil
	return rpc.Reply{Result: embedderInfo{name, p.Name + " · your model · offline", "A Model2Vec model from your disk. Your text stays here."}}, nil
}

// embedder is the Embedder of Hooks for a call; nil where nothing may be fetched
// or sent.
func (e *Engine) embedder(call *rpc.Call) func(name string) (embed.Embedder, error) {
	return func(name string) (embed.Embedder, error) {
		switch {
		case name == Builtin:
			return e.builtinModel(call)
		case strings.HasPrefix(name, Static):
			if m := e.models[name]; m != nil {
				return m, nil
			}
			return nil, &rpc.Error{Code: rpc.BadModel, Message: fmt.Sprintf("the model %s is not open", strings.TrimPrefix(name, Static)), Hint: "Choose its folder again."}
		case !strings.HasPrefix(name, remote.Prefix):
			return nil, badf("the embedder %s is not here", name)
		}
		m, err := e.hosted(name, protocol.Embedding)
		if err != nil {
			return nil, err
		}
		kept := e.proxy.embedders[m.ID]
		if kept == nil {
			options := remote.Options{Proxy: e.proxy.url}
			if e.store != nil {
				options.Store = e.store
			}
			kept = remote.New(e.proxy.client, m, options)
			e.proxy.embedders[m.ID] = kept
		}
		return awaiting{kept, call}, nil
	}
}

// builtinModel is the model that comes with Seam, fetched once.
func (e *Engine) builtinModel(call *rpc.Call) (embed.Embedder, error) {
	if e.builtin != nil {
		return e.builtin, nil
	}
	if e.loadBuiltin == nil || call == nil {
		return nil, badf("the embedder %s is not here", Builtin)
	}
	var m embed.Embedder
	err := call.Await(func() (err error) { m, err = e.loadBuiltin(call.Context()); return err })
	switch {
	case call.Context().Err() != nil:
		return nil, call.Context().Err()
	case err != nil:
		return nil, &rpc.Error{Code: rpc.Offline, Message: fmt.Sprintf("the built-in model could not be loaded: %v", err),
			Hint: "Check your connection, or choose the lexical embedder, which needs none."}
	}
	if e.builtin == nil { // else another call was faster
		e.builtin = m
	}
	return e.builtin, nil
}

// awaiting is a hosted embedder that lets other calls run while it waits.
type awaiting struct {
	*remote.Embedder
	call *rpc.Call
}

func (a awaiting) Embed(ctx context.Context, texts []string, progress embed.Progress) (m vector.Matrix, err error) {
	if a.call == nil {
		return m, badf("the vectors of %s are not here", a.ID())
	}
	err = a.call.Await(func() (err error) { m, err = a.Embedder.Embed(ctx, texts, progress); return err })
	return m, err
}

// Quote waits for the store of vectors.
func (a awaiting) Quote(ctx context.Context, texts []string) (q remote.Quote, err error) {
	err = a.call.Await(func() (err error) { q, err = a.Embedder.Quote(ctx, texts); return err })
	return q, err
}

// Keeper keeps vectors of hosted models where a later visit finds them.
type Keeper interface {
	embed.Store
	// Size is how many vectors there are, and about how many bytes they take.
	Size(ctx context.Context) (vectors int, bytes int64, err error)
	// Clear forgets all of them.
	Clear(ctx context.Context) error
}

// SetKeeper gives the engine a place to keep hosted vectors. Without one they last
// as long as the engine.
func (e *Engine) SetKeeper(k Keeper) { e.store = k }

// kept tells what is kept of hosted models.
func (e *Engine) kept(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var vectors int
	var size int64
	if e.store != nil {
		if err := call.Await(func() (err error) { vectors, size, err = e.store.Size(ctx); return err }); err != nil {
			return rpc.Reply{}, fmt.Errorf("look at what is kept: %w", err)
		}
	}
	return rpc.Reply{Result: map[string]any{"vectors": vectors, "bytes": size}}, nil
}

// forget lets go of all vectors of hosted models, here and where they are kept.
func (e *Engine) forget(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	if e.proxy != nil {
		clear(e.proxy.embedders)
	}
	for _, d := range e.open {
		d.forgetHosted()
	}
	if e.store == nil {
		return rpc.Reply{}, nil
	}
	if err := call.Await(func() error { return e.store.Clear(ctx) }); err != nil {
		return rpc.Reply{}, fmt.Errorf("forget what is kept: %w", err)
	}
	return rpc.Reply{}, nil
}
