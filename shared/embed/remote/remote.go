// Package remote is the embedder of a hosted model behind a proxy. It caches vectors
// (embed.Cached), so that none is requested or paid for twice.
package remote

import (
	"context"
	"strconv"

	"seam/shared/embed"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/shared/token"
)

// Prefix is the prefix of the embedder's name, followed by the model's name.
const Prefix = "openai:"

// Client is the part of client.Client that an embedder needs.
type Client interface {
	// Embed calls got with the vector of each text, in any order, as they arrive. If got
	// returns an error, the work stops. dims is the length of the vectors, 0 for the
	// model's own.
	Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (protocol.Usage, error)
	// Calls returns the number of requests that Embed would make. It returns an error
	// before the first connection, or if the proxy would not accept one of the texts.
	Calls(model string, texts []string, dims int) (int, error)
}

var _ Client = (*client.Client)(nil)

// Embedder is the embed.Embedder of a hosted model. Make one with New. It is safe for
// concurrent use.
type Embedder struct {
	*embed.Cached
	source *source
}

var _ embed.Embedder = (*Embedder)(nil)

// Options configures an Embedder. The zero value requests the model's own vectors and
// caches them in memory.
type Options struct {
	Dimensions int         // for vectors shorter than the model's own, if it supports that
	Proxy      string      // the proxy's address, because another proxy's model may differ
	Store      embed.Store // stores vectors between runs
}

// New returns an embedder for a model.
func New(c Client, model protocol.Model, o Options) *Embedder {
	s := &source{c, model, o.Dimensions}
	return &Embedder{embed.NewCached(s, o.Proxy, o.Store), s}
}

// source is the model as a Source for embed.Cached.
type source struct {
	client Client
	model  protocol.Model
	dims   int
}

// ID returns "openai:MODEL", followed by "@DIMS" if dimensions were requested.
func (s *source) ID() string {
	if s.dims == 0 {
		return Prefix + s.model.ID
	}
	return Prefix + s.model.ID + "@" + strconv.Itoa(s.dims)
}

// Counter returns token.Estimate, because the model's vocabulary is not available.
func (s *source) Counter() token.Counter { return token.Estimate }

func (s *source) Dimensions() int { return s.dims }

func (s *source) EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error {
	_, err := s.client.Embed(ctx, s.model.ID, texts, s.dims, got)
	return err
}

// Quote is the cost of embedding texts.
type Quote struct {
	Texts   int
	Missing int      // texts that would be sent
	Tokens  int      // estimated tokens of those
	Calls   int      // requests to the proxy
	Dollars *float64 // at the model's price; nil if unknown
}

// Quote returns the cost of embedding texts without sending any. It returns an error if the
// proxy would not accept them.
func (e *Embedder) Quote(ctx context.Context, texts []string) (Quote, error) {
	missing := e.Missing(ctx, texts)
	calls, err := e.source.client.Calls(e.source.model.ID, missing, e.source.dims)
	if err != nil {
		return Quote{}, err
	}
	q := Quote{Texts: len(texts), Missing: len(missing), Calls: calls}
	for _, t := range missing {
		q.Tokens += token.Estimate.Count(t)
	}
	if price := e.source.model.Price; price != nil {
		dollars := float64(q.Tokens) * *price / 1e6
		q.Dollars = &dollars
	}
	return q, nil
}
