// Package relay carries the gateway's requests to providers: texts that the cache
// does not have, within budgets, in calls of the size that a provider takes; and
// chats, with the proxy's own prompts where those are asked for.
package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync/atomic"

	"seam/proxy/cache"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/shared/protocol"
)

// Provider is a client and what one of its calls may hold.
type Provider struct {
	Client *upstream.Client
	Name   string
	Models []protocol.Model
	Texts  int // texts of one embeddings call; 0: 256, which all known providers take
	Tokens int // of one embeddings call, estimated; 0: 100,000
}

// Relay is the gateway's Backend. It is safe for concurrent use.
type Relay struct {
	routes    map[string]route
	cache     *cache.Cache
	ledger    *limit.Ledger
	templates map[string]Template
	log       *slog.Logger
}

type route struct {
	provider Provider
	model    protocol.Model
}

// New makes a relay; templates nil are Templates. Two providers with a model of
// one name are an error.
func New(providers []Provider, c *cache.Cache, l *limit.Ledger, templates map[string]Template, log *slog.Logger) (*Relay, error) {
	r := &Relay{routes: map[string]route{}, cache: c, ledger: l, templates: templates, log: log}
	if templates == nil {
		r.templates = Templates
	}
	for _, p := range providers {
		if p.Texts <= 0 {
			p.Texts = 256
		}
		if p.Tokens <= 0 {
			p.Tokens = 100_000
		}
		for _, m := range p.Models {
			if other, ok := r.routes[m.ID]; ok {
				return nil, fmt.Errorf("model %q: both %s and %s have it", m.ID, other.provider.Name, p.Name)
			}
			r.routes[m.ID] = route{p, m}
		}
	}
	return r, nil
}

// cost is what a usage costs at a model's prices, in money rounded up; without a
// known price it costs tokens only.
func cost(m protocol.Model, u protocol.Usage) limit.Amount {
	dollars := 0.0
	if m.Price != nil {
		dollars += float64(u.Tokens) * *m.Price
	}
	if m.PriceOut != nil {
		dollars += float64(u.TokensOut) * *m.PriceOut
	}
	// A dollar for a million tokens is a millionth of a dollar for one.
	return limit.Amount{Tokens: int64(u.Tokens + u.TokensOut), Micros: int64(math.Ceil(dollars))}
}

// Embed implements gateway.Backend. Usage.Tokens is what this request has caused
// upstream: 0 where all came from the cache or with another's call.
func (r *Relay) Embed(ctx context.Context, who gateway.Who, modelID string, texts []string, dimensions int) ([][]float32, protocol.Usage, error) {
	to, ok := r.routes[modelID]
	if !ok {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.UnknownModel, "This proxy has no model %.60q.", modelID)
	}
	scope := cache.Scope{Provider: to.provider.Name, Model: modelID, Dimensions: dimensions}
	for {
		var spent atomic.Int64
		var mine atomic.Bool
		vectors, cached, err := r.cache.Vectors(ctx, scope, texts, func(ctx context.Context, missing []string) ([][]float32, error) {
			mine.Store(true)
			v, tokens, err := r.fetch(ctx, who, to, missing, dimensions)
			spent.Store(int64(tokens))
			return v, err
		})
		if budget := (*protocol.Error)(nil); errors.As(err, &budget) && budget.Code == protocol.BudgetSpent && !mine.Load() {
			continue // that was the budget of the one who asked first
		}
		return vectors, protocol.Usage{Tokens: int(spent.Load()), Cached: cached}, err
	}
}

// fetch gets vectors from the provider in as many calls as it takes, each within
// the budget. What was paid for before a call fails is lost to the caller, and
// counted.
func (r *Relay) fetch(ctx context.Context, who gateway.Who, to route, texts []string, dimensions int) (vectors [][]float32, tokens int, err error) {
	for batch := range batches(texts, to.provider.Texts, to.provider.Tokens) {
		estimate := protocol.Usage{Tokens: upstream.Estimate(batch...)}
		reservation, err := r.ledger.Reserve(who.Session, string(who.Caller), cost(to.model, estimate))
		if err != nil {
			return nil, tokens, err
		}
		got, usage, err := to.provider.Client.Embed(ctx, to.model.ID, batch, dimensions)
		r.settle(reservation, cost(to.model, usage))
		tokens += usage.Tokens
		if err != nil {
			return nil, tokens, r.failed(who, to, err)
		}
		for row := range slices.Chunk(got.Data, got.Dims) {
			vectors = append(vectors, row)
		}
	}
	return vectors, tokens, nil
}

// batches divides texts, in order, into calls of at most so many texts and so
// many tokens. A text that is longer is a call of its own.
func batches(texts []string, most, tokens int) func(func([]string) bool) {
	return func(yield func([]string) bool) {
		from, sum := 0, 0
		for i, t := range texts {
			n := upstream.Estimate(t)
			if i > from && (i-from == most || sum+n > tokens) {
				if !yield(texts[from:i]) {
					return
				}
				from, sum = i, 0
			}
			sum += n
		}
		if from < len(texts) {
			yield(texts[from:])
		}
	}
}

// Chat implements gateway.Backend.
func (r *Relay) Chat(ctx context.Context, who gateway.Who, c *protocol.Chat, emit func(delta string) error) (protocol.Usage, string, error) {
	to, ok := r.routes[c.Model]
	if !ok {
		return protocol.Usage{}, "", protocol.Errorf(protocol.UnknownModel, "This proxy has no model %.60q.", c.Model)
	}
	messages := c.Messages
	if c.Template != "" {
		t, ok := r.templates[c.Template]
		if !ok {
			return protocol.Usage{}, "", protocol.Errorf(protocol.BadRequest, "This proxy has no template %.60q.", c.Template)
		}
		messages = t.Messages(c.Question, c.Passages)
	}
	estimate := protocol.Usage{Tokens: upstream.EstimateChat(messages), TokensOut: c.Params.MaxTokens}
	reservation, err := r.ledger.Reserve(who.Session, string(who.Caller), cost(to.model, estimate))
	if err != nil {
		return protocol.Usage{}, "", err
	}
	usage, finish, err := to.provider.Client.Chat(ctx, to.model.ID, messages, c.Params, emit)
	r.settle(reservation, cost(to.model, usage))
	if err != nil {
		return usage, "", r.failed(who, to, err)
	}
	return usage, finish, nil
}

func (r *Relay) settle(reservation *limit.Reservation, spent limit.Amount) {
	if err := reservation.Settle(spent); err != nil {
		r.log.Error("budget not written", "error", err) // the next reservation will fail, too, and be refused
	}
}

// failed logs what operators need of an error, and nothing that was sent.
func (r *Relay) failed(who gateway.Who, to route, err error) error {
	var e *upstream.Error
	if errors.As(err, &e) {
		r.log.Warn("provider failed", "session", who.Session, "provider", to.provider.Name, "model", to.model.ID, "status", e.Status(), "message", e.Error())
	}
	return err
}
