package relay

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"seam/proxy/cache"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/shared/protocol"
)

// deployment is a model at one provider.
type deployment struct {
	provider Provider
	model    protocol.Model
	weight   float64
}

// route lists the providers for a model: one, or several that return the same results.
type route []deployment

// routesOf returns the routes of all models. A model that several providers have under one
// name must have one kind and one length of vectors.
func routesOf(providers []Provider) (map[string]route, error) {
	routes := map[string]route{}
	for _, p := range providers {
		if p.Texts <= 0 {
			p.Texts = 256
		}
		if p.Tokens <= 0 {
			p.Tokens = 100_000
		}
		for _, m := range p.Models {
			d := deployment{p, m, 1}
			if w, ok := p.Weights[m.ID]; ok {
				d.weight = w
			}
			for _, other := range routes[m.ID] {
				if other.provider.Name == p.Name || other.model.Kind != m.Kind || other.model.Dimensions != m.Dimensions {
					return nil, fmt.Errorf("model %q of %s and %s: use the same kind and dimensions, once per provider", m.ID, other.provider.Name, p.Name)
				}
			}
			routes[m.ID] = append(routes[m.ID], d)
		}
	}
	return routes, nil
}

// id returns the model's id.
func (r route) id() string { return r[0].model.ID }

// texts and tokens return the limits of a call that every provider accepts.
func (r route) texts() int { return r.least(func(p Provider) int { return p.Texts }) }

func (r route) tokens() int { return r.least(func(p Provider) int { return p.Tokens }) }

// context returns the smallest context of the model at any provider, or 0 if none is known.
func (r route) context(ctx context.Context) (least int) {
	for _, d := range r {
		if n := d.provider.Client.Context(ctx, r.id()); n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

func (r route) least(of func(Provider) int) int {
	n := math.MaxInt
	for _, d := range r {
		n = min(n, of(d.provider))
	}
	return n
}

// cost returns the highest cost of a usage at any of the providers.
func (r route) cost(u protocol.Usage) (most limit.Amount) {
	for _, d := range r {
		c := cost(d.model, u)
		most.Tokens, most.Micros = max(most.Tokens, c.Tokens), max(most.Micros, c.Micros)
	}
	return most
}

// scope returns the cache scope for vectors of the model. All of its providers share it,
// but it changes if a provider is added or removed.
func (r route) scope(dimensions int) cache.Scope {
	s := cache.Scope{Model: r.id(), Dimensions: dimensions, Length: dimensions}
	if s.Length == 0 {
		s.Length = r[0].model.Dimensions
	}
	var providers, names []string
	for _, d := range slices.SortedFunc(slices.Values(r), func(a, b deployment) int { return strings.Compare(a.provider.Name, b.provider.Name) }) {
		providers, names = append(providers, d.provider.Name), append(names, d.provider.Client.NameOf(r.id()))
	}
	s.Provider, s.Name = strings.Join(providers, "\x00"), strings.Join(names, "\x00")
	return s
}

// order returns the order in which to try the providers: random by weight (P. Efraimidis
// and P. Spirakis, Weighted random sampling with a reservoir, 2006), and those that must
// wait last.
func (r route) order() []deployment {
	if len(r) == 1 {
		return r
	}
	type ranked struct {
		deployment
		wait time.Duration
		key  float64
	}
	all := make([]ranked, len(r))
	for i, d := range r {
		all[i] = ranked{d, d.provider.Client.Wait(r.id()), math.Log(1-rand.Float64()) / d.weight} // weight 0: minus infinity
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		switch {
		case a.wait != b.wait:
			return int(max(-1, min(1, a.wait-b.wait)))
		case a.key > b.key:
			return -1
		case a.key < b.key:
			return 1
		}
		return 0
	})
	order := make([]deployment, len(r))
	for i, a := range all {
		order[i] = a.deployment
	}
	return order
}

// try makes a call at one provider, and at the next if that one fails. The usage and cost
// of all tries are charged to the grant. The last provider gets retries; those before it
// are tried once.
func (r *Relay) try(ctx context.Context, who gateway.Who, to route, g *grant, call func(context.Context, deployment) (protocol.Usage, error)) (err error) {
	defer func() {
		if err := g.Settle(g.spent); err != nil {
			r.log.Error("budget not written", "error", err) // the next reservation fails, too, and is refused
		}
	}()
	order := to.order()
	for i, d := range order {
		at := upstream.By(ctx, string(who.Caller))
		if i < len(order)-1 {
			at = upstream.Once(at)
		}
		began := time.Now()
		at, span := r.tracer.Start(at, "call", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
			attribute.String("seam.provider", d.provider.Name), attribute.String("gen_ai.request.model", d.model.ID)))
		var usage protocol.Usage
		usage, err = call(at, d)
		usage = believed(usage, g.most)
		r.used(who, g, d, usage)
		code := codeOfCall(err)
		r.observer.Call(d.provider.Name, d.model.ID, code, time.Since(began))
		span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", usage.Tokens), attribute.Int("gen_ai.usage.output_tokens", usage.TokensOut))
		if code != "" {
			span.SetStatus(codes.Error, string(code))
		}
		span.End()
		if err == nil {
			return nil
		}
		r.failed(who, d, err)
		var e *upstream.Error
		if !errors.As(err, &e) || !e.Failover() || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// used records the usage of a call.
func (r *Relay) used(who gateway.Who, g *grant, d deployment, usage protocol.Usage) {
	spent := cost(d.model, usage)
	r.observer.Spent(d.model.ID, usage, spent)
	if usage.Tokens > 0 || usage.TokensOut > 0 {
		r.ledger.Count(string(who.Group), d.model.ID, limit.Use{In: int64(usage.Tokens), Out: int64(usage.TokensOut), Micros: spent.Micros})
	}
	g.usage.Tokens += usage.Tokens
	g.usage.TokensOut += usage.TokensOut
	g.usage.Estimated = g.usage.Estimated || usage.Estimated
	g.usage.Read, g.usage.Sent, g.usage.Context = usage.Read, usage.Sent, usage.Context // of the last try
	g.spent.Tokens += spent.Tokens
	g.spent.Micros += spent.Micros
}

// codeOfCall returns the code of a call's error, or "" for success.
func codeOfCall(err error) protocol.Code {
	var failed *protocol.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &failed):
		return failed.Code
	}
	return protocol.Internal
}

// failed logs an error for operators, without any text that was sent.
func (r *Relay) failed(who gateway.Who, d deployment, err error) {
	var e *upstream.Error
	if errors.As(err, &e) && !errors.Is(err, context.Canceled) {
		r.log.Warn("provider failed", "session", who.Session, "request", who.Request, "provider", d.provider.Name, "model", d.model.ID, "status", e.Status(), "message", e.Error(), "detail", e.Detail())
	}
}
