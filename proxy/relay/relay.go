// Package relay sends the gateway's requests to providers. It embeds texts that are not
// cached, within budgets, in calls of a size that the provider accepts. It sends chats,
// with the proxy's own prompts if requested.
package relay

import (
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"seam/proxy/cache"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/shared/answer"
	"seam/shared/protocol"
)

// Provider is a client with the limits of its calls.
type Provider struct {
	Client *upstream.Client
	Name   string
	Models []protocol.Model
	Texts  int // texts per embeddings call; 0: 256, which all known providers accept
	Tokens int // estimated tokens per embeddings call; 0: 100,000

	// Weights sets by model id how often this provider is asked, relative to other
	// providers of the model. The default is 1. With 0 it is asked only if none of the
	// others can answer.
	Weights map[string]float64
}

// Observer receives events of calls to providers, for metrics. Its methods must not block.
type Observer interface {
	// Texts is called with the numbers of sent and cached texts of a request.
	Texts(model string, sent, cached int)
	// Call is called at the end of a call; code is "" for success.
	Call(provider, model string, code protocol.Code, took time.Duration)
	// Spent is called with the cost of a call.
	Spent(model string, usage protocol.Usage, cost limit.Amount)
	// Searched is called at the end of a search of a collection; code is "" for success.
	Searched(collection string, code protocol.Code, took time.Duration)
}

// Options are optional parts of a relay.
type Options struct {
	Observer Observer
	Log      *slog.Logger // nil: none
	Tracer   trace.Tracer // of calls; nil: none

	Answers *cache.Answers // nil: no answer is kept
}

// Relay is the gateway's Backend. It is safe for concurrent use.
type Relay struct {
	now      atomic.Pointer[setting]
	off      atomic.Bool
	cache    *cache.Cache
	answers  *cache.Answers // may be nil
	ledger   *limit.Ledger
	rates    limit.Rates // tokens per minute of groups
	observer Observer
	log      *slog.Logger
	tracer   trace.Tracer

	chatWithin time.Duration // the longest that an answer may take from its first part
}

// setting is the part that Reload changes.
type setting struct {
	routes      map[string]route
	templates   map[string]protocol.Template
	collections *Collections
}

// New returns a Relay. Two providers may have a model with the same name if it is the same
// model.
func New(providers []Provider, c *cache.Cache, l *limit.Ledger, o Options) (*Relay, error) {
	r := &Relay{cache: c, answers: o.Answers, ledger: l, observer: o.Observer, log: o.Log, tracer: o.Tracer, chatWithin: 5 * time.Minute}
	if r.observer == nil {
		r.observer = noObserver{}
	}
	if r.tracer == nil {
		r.tracer = noop.Tracer{}
	}
	if r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	return r, r.Reload(providers, nil, nil)
}

// Reload changes the destinations of future requests; those in progress are not affected.
// Templates are added to the built-in ones, or replace them. c may be nil. If Reload
// returns an error, nothing changes.
func (r *Relay) Reload(providers []Provider, templates map[string]protocol.Template, c *Collections) error {
	routes, err := routesOf(providers)
	if err != nil {
		return err
	}
	next := &setting{routes, maps.Clone(answer.Templates), c}
	maps.Copy(next.templates, templates)
	r.now.Store(next)
	return nil
}

// Off sets the kill switch: while it is on, every request is refused, and nothing is sent
// to any provider.
func (r *Relay) Off(off bool) { r.off.Store(off) }

// IsOff reports whether the relay is switched off.
func (r *Relay) IsOff() bool { return r.off.Load() }

// route returns a model's providers.
func (r *Relay) route(model string) (route, error) {
	if r.off.Load() {
		return nil, protocol.Errorf(protocol.ShuttingDown, "The operator of this proxy has switched it off.")
	}
	to, ok := r.now.Load().routes[model]
	if !ok {
		return nil, protocol.Errorf(protocol.UnknownModel, "This proxy has no model %.60q.", model)
	}
	return to, nil
}

// Models implements gateway.Backend. Only servers on this machine or its network are asked.
func (r *Relay) Models(ctx context.Context, models []protocol.Model) []protocol.Model {
	routes := r.now.Load().routes
	all := slices.Clone(models)
	var asking sync.WaitGroup
	for i := range all {
		if all[i].Kind == protocol.Chatting {
			asking.Go(func() { all[i].Context = routes[all[i].ID].context(ctx) })
		}
	}
	asking.Wait()
	return all
}

// Ended implements gateway.Backend.
func (r *Relay) Ended(session string) { r.ledger.EndSession(session) }

// cost returns the cost of a usage at a model's prices, rounded up. Without a known price
// it has only tokens.
func cost(m protocol.Model, u protocol.Usage) limit.Amount {
	dollars := 0.0
	if m.Price != nil {
		dollars += float64(u.Tokens) * *m.Price
	}
	if m.PriceOut != nil {
		dollars += float64(u.TokensOut) * *m.PriceOut
	}
	// A dollar per million tokens is a millionth of a dollar per token.
	return limit.Amount{Tokens: int64(u.Tokens) + int64(u.TokensOut), Micros: int64(math.Ceil(dollars))}
}

// Embed implements gateway.Backend. Usage.Tokens counts only the calls made for this
// request: it is 0 if everything came from the cache or from another request's call.
func (r *Relay) Embed(ctx context.Context, who gateway.Who, modelID string, texts []string, dimensions int) ([][]float32, protocol.Usage, error) {
	to, err := r.route(modelID)
	if err != nil {
		return nil, protocol.Usage{}, err
	}
	scope := to.scope(dimensions)
	var sent, spent atomic.Int64
	var mine atomic.Bool // this request was refused
	early := 0           // texts sent in unsuccessful rounds, which are cached by now
	for {
		vectors, cached, err := r.cache.Vectors(ctx, scope, texts, func(ctx context.Context, missing []string) ([][]float32, error) {
			v, tokens, err := r.fetch(ctx, who, to, missing, dimensions)
			spent.Add(int64(tokens))
			if err == nil {
				sent.Add(int64(len(missing)))
			} else if refused(err) {
				mine.Store(true)
			}
			return v, err
		})
		if refused(err) && !mine.Load() {
			early = int(sent.Load())
			continue // the refusal was for another caller that had asked for some of the texts first
		}
		cached = max(0, cached-early)
		if err == nil {
			r.observer.Texts(modelID, len(texts)-cached, cached)
			if err = even(vectors); err != nil {
				r.cache.Forget(scope, texts) // otherwise they would be mixed again
				r.log.Warn("vectors of two lengths", "provider", to[0].provider.Name, "model", modelID, "error", err)
				vectors = nil
			}
		}
		usage := protocol.Usage{Tokens: int(spent.Load()), Cached: cached}
		r.count(who, modelID, usage, err)
		return vectors, usage, err
	}
}

// even returns an error if vectors differ in length or are empty.
func even(vectors [][]float32) error {
	for _, v := range vectors {
		if len(v) != len(vectors[0]) || len(v) == 0 {
			return protocol.Errorf(protocol.UpstreamFailed, "The provider gave vectors of %d numbers and of %d for this model. The cached ones are deleted: try again.", len(vectors[0]), len(v))
		}
	}
	return nil
}

// fetch requests vectors from the provider in as many calls as necessary, each within the
// budget. If a call fails, the caller gets no vectors from earlier calls, but pays for
// them.
func (r *Relay) fetch(ctx context.Context, who gateway.Who, to route, texts []string, dimensions int) (vectors [][]float32, tokens int, err error) {
	rate, err := r.rate(who, upstream.Estimate(texts...))
	if err != nil {
		return nil, 0, err
	}
	defer func() { rate.Settle(int64(tokens)) }()
	for batch, granted := range r.grants(ctx, who, to, texts) {
		if granted.refused != nil {
			return nil, tokens, granted.refused
		}
		var got [][]float32
		err := r.try(ctx, who, to, &granted, func(ctx context.Context, d deployment) (usage protocol.Usage, err error) {
			got, usage, err = d.provider.Client.Embed(upstream.ForUser(ctx, who.User), d.model.ID, batch, dimensions)
			return usage, err
		})
		tokens += granted.usage.Tokens
		if err != nil {
			return nil, tokens, err
		}
		if vectors = append(vectors, got...); len(got[0]) != len(vectors[0]) {
			return nil, tokens, even(vectors)
		}
	}
	return vectors, tokens, nil
}

// batches splits texts, in order, into calls of at most that many texts and tokens. A
// longer text gets its own call.
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
func (r *Relay) Chat(ctx context.Context, who gateway.Who, c *protocol.Chat, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	to, err := r.route(c.Model)
	if err != nil {
		return protocol.Usage{}, "", err
	}
	messages, params := c.Messages, c.Params
	if c.Template != "" {
		t, ok := r.now.Load().templates[c.Template]
		if !ok {
			return protocol.Usage{}, "", protocol.Errorf(protocol.BadRequest, "This proxy has no template %.60q.", c.Template)
		}
		messages = answer.Messages(t, c.Question, c.Passages, c.History)
		params.JSON = params.JSON || t.JSON
	}
	if r.answers == nil {
		return r.chat(ctx, who, c.Model, to, messages, params, emit)
	}
	key, err := r.answers.KeyOf(to.scope(0), messages, params)
	if err != nil {
		return protocol.Usage{}, "", err
	}
	if known, ok := r.answers.Get(key); ok {
		for _, p := range known.Parts {
			if err := emit(p); err != nil {
				return protocol.Usage{}, "", err
			}
		}
		usage := protocol.Usage{Cached: 1}
		r.count(who, c.Model, usage, nil)
		return usage, known.Finish, nil
	}
	var parts []protocol.Part
	usage, finish, err := r.chat(ctx, who, c.Model, to, messages, params, func(p protocol.Part) error {
		parts = append(parts, p)
		return emit(p)
	})
	if err == nil && finish == "stop" && usage.Sent <= usage.Read { // complete, and to all that was sent
		r.answers.Put(key, cache.Answer{Parts: joined(parts), Finish: finish})
	}
	return usage, finish, err
}

// joined returns parts with neighbours of one kind put together.
func joined(parts []protocol.Part) (all []protocol.Part) {
	for _, p := range parts {
		if n := len(all); n > 0 && p.Text != "" && !p.Moved && p.Calls == "" && all[n-1].Calls == "" && all[n-1].Text != "" && all[n-1].Reasoning == p.Reasoning {
			all[n-1].Text += p.Text
			continue
		}
		all = append(all, p)
	}
	return all
}

// chat asks a provider.
func (r *Relay) chat(ctx context.Context, who gateway.Who, model string, to route, messages []protocol.ChatMessage, params protocol.Params, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	rate, err := r.rate(who, upstream.EstimateChat(messages)+upstream.More(params)/3+params.MaxTokens)
	if err != nil {
		return protocol.Usage{}, "", err
	}
	var g grant
	defer func() { rate.Settle(int64(g.usage.Tokens) + int64(g.usage.TokensOut)) }()
	g.most = protocol.Usage{Tokens: upstream.WorstChat(messages) + upstream.More(params), TokensOut: params.MaxTokens}
	g.Reservation, err = r.ledger.Reserve(ctx, payer(who), to.cost(g.most))
	if err != nil {
		return protocol.Usage{}, "", err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var late *time.Timer // from the first part; the wait for that has its own limit, because a model may have to be loaded
	first := func(p protocol.Part) error {
		if late == nil {
			late = time.AfterFunc(r.chatWithin, func() { cancel(context.DeadlineExceeded) })
		}
		return emit(p)
	}
	defer func() {
		if late != nil {
			late.Stop()
		}
	}()
	finish := ""
	err = r.try(ctx, who, to, &g, func(ctx context.Context, d deployment) (usage protocol.Usage, err error) {
		usage, finish, err = d.provider.Client.Chat(ctx, d.model.ID, messages, params, first)
		return usage, err
	})
	r.count(who, model, g.usage, err)
	return g.usage, finish, err
}

type noObserver struct{}

func (noObserver) Texts(string, int, int)                            {}
func (noObserver) Call(string, string, protocol.Code, time.Duration) {}
func (noObserver) Spent(string, protocol.Usage, limit.Amount)        {}
func (noObserver) Searched(string, protocol.Code, time.Duration)     {}
