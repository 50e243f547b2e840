// Package remote is the embedder of a hosted model, asked through a proxy. What
// it was given it keeps (embed.Cached), so that nothing is asked for, or paid, twice.
package remote

import (
	"context"
	"strconv"

	"seam/shared/embed"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/shared/token"
)

// Prefix stands before a model's name in an embedder's.
const Prefix = "openai:"

// Client is what an embedder needs of client.Client.
type Client interface {
	// Embed calls got with the vector of each text, in any order, as they come; an
	// error of got ends the work. dims is their length, 0 for the model's own.
	Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (protocol.Usage, error)
	// Calls is how many requests Embed would make. It is an error where there was no
	// connection yet, or where the proxy would not take one of the texts.
	Calls(model string, texts []string, dims int) (int, error)
}

var _ Client = (*client.Client)(nil)

// Embedder is an embed.Embedder. Make one with New. It is safe for concurrent use.
type Embedder struct {
	*embed.Cached
	source *source
}

var _ embed.Embedder = (*Embedder)(nil)

// Options are what New may be told; the zero value is the model's own vectors,
// kept in memory.
type Options struct {
	Dimensions int         // of shorter vectors than the model's own, where it can
	Proxy      string      // the proxy's address: another one's model may be another
	Store      embed.Store // keeps vectors between runs
}

// New makes an embedder of a model.
func New(c Client, model protocol.Model, o Options) *Embedder {
	s := &source{c, model, o.Dimensions}
	return &Embedder{embed.NewCached(s, o.Proxy, o.Store), s}
}

// source is the model as embed.Cached asks it.
type source struct {
	client Client
	model  protocol.Model
	dims   int
}

// ID is "openai:MODEL", with "@DIMS" where dimensions were asked for.
func (s *source) ID() string {
	if s.dims == 0 {
		return Prefix + s.model.ID
	}
	return Prefix + s.model.ID + "@" + strconv.Itoa(s.dims)
}

// Counter is token.Estimate: the model's own vocabulary is not here.
func (s *source) Counter() token.Counter { return token.Estimate }

func (s *source) Dimensions() int { return s.dims }

func (s *source) EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error {
	_, err := s.client.Embed(ctx, s.model.ID, texts, s.dims, got)
	return err
}

// Quote says what it would take to embed texts.
type Quote struct {
	Texts   int
	Missing int      // texts that would be sent
	Tokens  int      // of those, estimated
	Calls   int      // to the proxy
	Dollars *float64 // at the model's price; nil where that is not known
}

// Quote sends nothing. An error means that the proxy would not take the texts.
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
