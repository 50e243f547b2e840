package gateway

import (
	"context"
	"errors"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/time/rate"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

const closeRestart = websocket.StatusServiceRestart

// peer is a session: its identity and its requests in progress.
type peer struct {
	gateway   *Gateway
	transport string // websocket or http
	who       Who
	address   admission.Caller
	pays      admission.Caller // whose sessions it counts among: the address, or a token's caller
	origin    string
	link      link
	flood     *rate.Limiter
	since     time.Time

	mu      sync.Mutex
	cancels map[uint32]context.CancelCauseFunc
}

// link is the part of a session that depends on its transport.
type link interface {
	// count returns the number of other requests without a complete answer.
	count() int
	// drained returns a channel that is closed once no request is in progress and
	// everything has been sent.
	drained() <-chan struct{}
	// end ends the session.
	end(code websocket.StatusCode, says string)
}

func (g *Gateway) newPeer(transport, origin string, at admission.Caller) *peer {
	c := g.config()
	return &peer{
		gateway: g, transport: transport, address: at, pays: at,
		since:  c.Now(),
		origin: strings.Clone(origin), // a copy, so that it does not keep all headers in memory
		who:    Who{Session: c.NewID(), Caller: at},
		flood:  rate.NewLimiter(rate.Limit(c.Messages), 4*c.Messages), cancels: map[uint32]context.CancelCauseFunc{},
	}
}

// tab returns the account that counts the session's bytes.
func (p *peer) tab() tab { return tab{p.gateway.account, p.address} }

// modelsWithin limits the time for questions about models before an ack.
const modelsWithin = 700 * time.Millisecond

// greet checks init and returns ack, or an error with Unauthorized.
func (p *peer) greet(init *protocol.Init) (*protocol.Ack, error) {
	c := p.gateway.config()
	pays, as, err := c.Door.Enter(init.Token, p.origin, p.address)
	if err != nil {
		return nil, protocol.Errorf(protocol.Unauthorized, "The token is not valid.")
	}
	p.who.Caller, p.who.Group = pays, as
	c.Observer.Session(p.transport, 1)
	c.Log.Info("session opened", "session", p.who.Session, "transport", p.transport, "address", c.Addresses.of(pays), "origin", p.origin, "client", init.Client)
	ctx, cancel := context.WithTimeout(context.Background(), modelsWithin)
	defer cancel()
	models := p.gateway.backend.Models(ctx, c.modelsOf(as))
	limits := c.Limits // of which a frame has room for
	limits.TextBytes, limits.Context = min(limits.TextBytes, protocol.MaxText-1024), min(limits.Context, protocol.MaxText-1024)
	return &protocol.Ack{Session: p.who.Session, Limits: limits, Models: models, Prompts: c.promptsOf(as, p.origin), Collection: p.gateway.backend.Collection(as, models), Answer: c.Answer, Marked: c.Marked, Reasoning: true, Time: c.Now().UnixMilli()}, nil
}

// gone is called once for each session that was greeted.
func (p *peer) gone() {
	c := p.gateway.config()
	c.Observer.Session(p.transport, -1)
	c.Log.Info("session closed", "session", p.who.Session, "seconds", int(c.Now().Sub(p.since).Seconds()))
	p.gateway.backend.Ended(p.who.Session)
}

// caught is deferred, so that a panic ends only this session.
func (p *peer) caught() {
	if recover() != nil {
		p.gateway.config().Log.Error("panic", "session", p.who.Session, "stack", string(debug.Stack()))
	}
}

// take registers a request, or returns an error if there is no room. The caller must call
// drop to cancel its context.
func (p *peer) take(ctx context.Context, id uint32) (context.Context, error) {
	if most := p.gateway.config().Limits.InFlight; p.link.count() >= most {
		return nil, protocol.Errorf(protocol.Busy, "More than %d requests at a time.", most)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancels[id] != nil {
		return nil, closeError{protocol.CloseDuplicate, "an id that is in use"}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p.cancels[id] = cancel
	return ctx, nil
}

func (p *peer) drop(id uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.cancels[id]; cancel != nil {
		cancel(nil)
		delete(p.cancels, id)
	}
}

// cancel cancels the request with this id, or all if id is 0. The cause may be nil.
func (p *peer) cancel(id uint32, cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for one, cancel := range p.cancels {
		if id == 0 || id == one {
			cancel(cause)
		}
	}
}

// drain waits until no request is in progress or ctx ends, then ends the session.
func (p *peer) drain(ctx context.Context, says string) {
	select {
	case <-p.link.drained():
	case <-ctx.Done():
	}
	p.link.end(closeRestart, says)
}

// perform performs a request and writes the results to out: frames, then end or err.
func (p *peer) perform(ctx context.Context, m protocol.Message, id uint32, out *writer) {
	c := p.gateway.config()
	began := c.Now()
	r := &running{peer: p, config: c, out: out, id: id, began: began}
	traced, span := c.Tracer.Start(ctx, string(protocol.TypeOf(m)), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("seam.session", p.who.Session), attribute.String("seam.transport", p.transport)))
	end, err := r.safely(traced, m)
	p.tab().give(r.kept)
	if err != nil && errors.Is(context.Cause(ctx), errSlow) {
		err = errSlow // rather than the result
	}
	p.drop(id)
	var code protocol.Code
	data := errFrame(id, err)
	if err == nil {
		end.ID = id
		if data, err = protocol.Encode(end); err != nil {
			data = errFrame(id, err)
		}
	}
	if err != nil {
		code = clientError(err).Code
	}
	r.traced(span, end, code)
	took := c.Now().Sub(began)
	c.Observer.Request(protocol.TypeOf(m), r.model, code, took, r.first)
	address := c.Addresses.of(p.who.Caller)
	if c.Log.Enabled(ctx, levelOf(code)) && (err == nil || !ours(clientError(err)) || p.gateway.tally.first(refused{address, code}, c.Log)) {
		attrs := []any{"session", p.who.Session, "request", id, "kind", protocol.TypeOf(m), "model", r.model, "ms", took.Milliseconds(), "address", address}
		if err != nil {
			attrs = append(attrs, "code", code)
		} else {
			attrs = append(attrs, "tokens", end.Usage.Tokens, "tokens_out", end.Usage.TokensOut, "cached", end.Usage.Cached)
		}
		c.Log.Log(ctx, levelOf(code), "request", attrs...)
	}
	out.finish(id, data, err != nil)
}

// errFrame returns the err message of a request, or nil if err is nil.
func errFrame(id uint32, err error) []byte {
	if err == nil {
		return nil
	}
	e := clientError(err)
	data, encodeErr := protocol.Encode(&protocol.Err{ID: id, Code: e.Code, Message: e.Message, RetryAfterMS: e.RetryAfter.Milliseconds(), Whose: whose(e), Reason: e.Reason})
	if encodeErr != nil {
		return nil
	}
	return data
}

func whose(e *protocol.Error) protocol.Whose {
	if e.Whose == "" {
		return protocol.Proxy
	}
	return e.Whose
}
