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
	source  *source
	queries *Embedder // nil if a query has the vector of any text
}

var _ embed.Roled = (*Embedder)(nil)

// Options configures an Embedder. The zero value requests the model's own vectors and
// caches them in memory.
type Options struct {
	Dimensions int         // for vectors shorter than the model's own, if it supports that
	Proxy      string      // the proxy's address, because another proxy's model may differ
	Store      embed.Store // stores vectors between runs
}

// New returns an embedder for a model.
func New(c Client, model protocol.Model, o Options) *Embedder {
	s := &source{c, model, o.Dimensions, model.Passage}
	e := &Embedder{embed.NewCached(s, o.Proxy, o.Store), s, nil}
	if model.Query != model.Passage {
		q := *s
		q.prefix = model.Query
		e.queries = &Embedder{embed.NewCached(&q, o.Proxy+"\x00queries", o.Store), &q, nil}
	}
	return e
}

// Queries returns the embedder of queries.
func (e *Embedder) Queries() *Embedder {
	if e.queries != nil {
		return e.queries
	}
	return e
}

// As implements embed.Roled.
func (e *Embedder) As(r embed.Role) embed.Embedder {
	if r == embed.Queries {
		return e.Queries()
	}
	return e
}

// source is the model as a Source for embed.Cached.
type source struct {
	client Client
	model  protocol.Model
	dims   int
	prefix string // before each text
}

// ID returns "openai:MODEL", followed by "@DIMS" if dimensions were requested, and by the
// model's prefixes.
func (s *source) ID() string {
	id := Prefix + s.model.ID
	if s.dims > 0 {
		id += "@" + strconv.Itoa(s.dims)
	}
	return id + s.model.Prefixes()
}

// sent returns texts with the prefix.
func (s *source) sent(texts []string) []string {
	if s.prefix == "" {
		return texts
	}
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = s.prefix + t
	}
	return all
}

// Counter returns token.Estimate, because the model's vocabulary is not available.
func (s *source) Counter() token.Counter { return token.Estimate }

func (s *source) Dimensions() int { return s.dims }

func (s *source) EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error {
	_, err := s.client.Embed(ctx, s.model.ID, s.sent(texts), s.dims, got)
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
	missing := e.source.sent(e.Missing(ctx, texts))
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
