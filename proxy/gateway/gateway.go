// Package gateway is the proxy's side towards browsers: sessions of seam.v1 over
// websockets, which relay requests for embeddings and answers to a Backend. It
// knows no documents and no engine.
package gateway

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/session"
	"seam/shared/protocol"
)

// Backend is where requests go. Errors that are no *protocol.Error are told to
// the client as internal, without their text.
type Backend interface {
	// Embed returns one vector a text, in order.
	Embed(ctx context.Context, who Who, model string, texts []string, dimensions int) ([][]float32, protocol.Usage, error)
	// Chat calls emit with every part of the answer, and returns why it ended.
	Chat(ctx context.Context, who Who, c *protocol.Chat, emit func(delta string) error) (protocol.Usage, string, error)
}

// Who asks.
type Who struct {
	Session string
	Caller  session.Caller
}

// Config is what a gateway needs to know.
type Config struct {
	Origins session.Origins
	Proxies session.Proxies
	// Signer checks the tokens of Init; nil where none are asked for, as on
	// loopback.
	Signer  *session.Signer
	Models  []protocol.Model
	Limits  protocol.Limits
	Prompts protocol.Prompts

	InitWithin  time.Duration // 0: 5 seconds
	WriteWithin time.Duration // one frame; 0: 10 seconds
	Messages    int           // a second, of one connection; four times as many at once; 0: 50
	Connections int           // at a time; 0: 10,000
	PerCaller   int           // connections of one address at a time; 0: 20
	Log         *slog.Logger
	Now         func() time.Time
	NewID       func() string // of a session, for logs
}

// A client that answers no ping for so long is gone. Pings are more frequent than
// the idle time of any proxy in between.
const idleAfter, pingEvery = 60 * time.Second, 25 * time.Second

// Gateway serves websockets. Make one with New.
type Gateway struct {
	config  Config
	backend Backend

	mu     sync.Mutex
	open   map[*conn]struct{}
	per    map[session.Caller]int
	closed bool
	wg     sync.WaitGroup
}

// New makes a gateway.
func New(config Config, backend Backend) *Gateway {
	config.InitWithin = cmp.Or(config.InitWithin, 5*time.Second)
	config.WriteWithin = cmp.Or(config.WriteWithin, 10*time.Second)
	config.Messages = cmp.Or(config.Messages, 50)
	config.Connections = cmp.Or(config.Connections, 10_000)
	config.PerCaller = cmp.Or(config.PerCaller, 20)
	return &Gateway{config: config, backend: backend, open: map[*conn]struct{}{}, per: map[session.Caller]int{}}
}

// ServeHTTP takes a websocket. Everything that can be refused is refused before
// the upgrade, with a status and a line of text.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	missing := len(r.Header.Values("Origin")) == 0
	if err := g.config.Origins.Check(r); err != nil && (!missing || g.config.Signer == nil) {
		http.Error(w, "This proxy does not serve that site.", http.StatusForbidden)
		return
	}
	if !slices.Contains(websocketProtocols(r), protocol.Subprotocol) {
		http.Error(w, "This is a websocket of the subprotocol "+protocol.Subprotocol+".", http.StatusUpgradeRequired)
		return
	}
	c := &conn{gateway: g, who: Who{Session: g.config.NewID(), Caller: g.config.Proxies.Caller(r)}, origin: r.Header.Get("Origin"), out: newOutbox(), cancels: map[uint32]context.CancelFunc{}}
	if status, says := g.admit(c); status != 0 {
		w.Header().Set("Retry-After", "10")
		http.Error(w, says, status)
		return
	}
	defer g.leave(c)
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol.Subprotocol}, InsecureSkipVerify: true, // checked above, more strictly
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return // Accept has answered
	}
	if c.opened(ws) {
		c.run()
	}
}

// websocketProtocols returns the subprotocols that a client offers.
func websocketProtocols(r *http.Request) (out []string) {
	for _, v := range r.Header.Values("Sec-WebSocket-Protocol") {
		for part := range strings.SplitSeq(v, ",") {
			out = append(out, strings.TrimSpace(part))
		}
	}
	return out
}

// admit counts a connection in, or says why not.
func (g *Gateway) admit(c *conn) (status int, says string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return http.StatusServiceUnavailable, "The proxy restarts. Try again in a moment."
	case len(g.open) >= g.config.Connections:
		return http.StatusServiceUnavailable, "The proxy is full. Try again later."
	case g.per[c.who.Caller] >= g.config.PerCaller:
		return http.StatusTooManyRequests, "There are too many connections from your address."
	}
	g.open[c] = struct{}{}
	g.per[c.who.Caller]++
	g.wg.Add(1)
	return 0, ""
}

func (g *Gateway) leave(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.open, c)
	if g.per[c.who.Caller]--; g.per[c.who.Caller] == 0 {
		delete(g.per, c.who.Caller)
	}
	g.wg.Done()
}

// Shutdown takes no more connections, lets requests under way end until ctx
// does, and closes every socket with 1012: the client comes back.
func (g *Gateway) Shutdown(ctx context.Context) error {
	g.mu.Lock()
	g.closed = true
	open := make([]*conn, 0, len(g.open))
	for c := range g.open {
		open = append(open, c)
	}
	g.mu.Unlock()
	for _, c := range open {
		go c.drain(ctx)
	}
	done := make(chan struct{})
	go func() { g.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	for _, c := range open {
		go c.end(websocket.StatusServiceRestart, "the proxy restarts")
	}
	<-done
	return ctx.Err()
}

// tell turns an error into what the client is told of it.
func tell(err error) *protocol.Error {
	var e *protocol.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, errSlow):
		return protocol.Errorf(protocol.SlowConsumer, "The answer came faster than it was taken.")
	case errors.Is(err, context.Canceled):
		return protocol.Errorf(protocol.Cancelled, "The request was cancelled.")
	}
	return protocol.Errorf(protocol.Internal, "Something went wrong in the proxy.")
}
