// Package linktest runs a complete proxy for tests: real sockets, gateway, relay, cache and
// budget, with a scripted provider.
package linktest

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"seam/proxy/admission"
	"seam/proxy/cache"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/relay"
	"seam/proxy/upstream"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/answer"
	"seam/shared/protocol"
)

// Token is the token of the tests' client.
const Token = "a-token-of-the-testers-own-0123456789"

// Limits are the initial limits of a Line.
var Limits = protocol.Limits{Texts: 300, TextBytes: 1000, InFlight: 4, Answer: 100, Context: 10_000, Credits: 4}

// Line is a proxy with the models e, for embeddings, and c, for chats.
type Line struct {
	Provider *upstreamtest.Server
	URL      string
	Sockets  atomic.Int64 // number of websockets requested

	t       *testing.T
	handler atomic.Pointer[http.Handler]
	relay   *relay.Relay
}

// Start starts a Line until the test ends. budget limits its spending; prices are a dollar
// per million tokens.
func Start(t *testing.T, budget limit.Limits, scripts ...upstreamtest.Script) *Line {
	t.Helper()
	l := &Line{t: t, Provider: upstreamtest.Start(scripts...)}
	t.Cleanup(l.Provider.Close)
	config := upstream.Provider{Name: "test", BaseURL: l.Provider.BaseURL, Key: func() string { return "sk-test" }, Retry: upstream.Retry{Wait: time.Millisecond}}
	for _, m := range models() {
		config.Models = append(config.Models, upstream.Model{Model: m})
	}
	up, err := upstream.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(up.Close)
	book, err := limit.OpenBook(filepath.Join(t.TempDir(), "budget.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	vectors, err := cache.New([]byte("secret"), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.relay, err = relay.New([]relay.Provider{{Client: up, Name: "test", Models: models(), Texts: 2048}}, vectors, limit.NewLedger(budget, book, time.Now),
		relay.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/seam"+protocol.PathSocket {
			l.Sockets.Add(1)
		}
		l.Handler().ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	l.URL = server.URL + "/seam"
	l.Open(Limits)
	return l
}

func models() []protocol.Model {
	dollar := 1.0
	return []protocol.Model{{ID: "e", Kind: protocol.Embedding, Price: &dollar}, {ID: "free", Kind: protocol.Embedding}, {ID: "c", Kind: protocol.Chatting, Price: &dollar}}
}

// Open replaces the gateway with a new one on the same port.
func (l *Line) Open(limits protocol.Limits) *gateway.Gateway {
	l.t.Helper()
	known, err := admission.NewKnown("tester", Token)
	if err != nil {
		l.t.Fatal(err)
	}
	var n atomic.Int64
	marked := answer.Templates[answer.Marked]
	g := gateway.New(gateway.Config{
		Door: admission.Door{Known: []admission.KnownCaller{known}}, Prompts: protocol.ByClient, Marked: &marked, Messages: 1000, Models: models(), Limits: limits,
		Log: slog.New(slog.DiscardHandler), Now: time.Now, NewID: func() string { return fmt.Sprint("s", n.Add(1)) },
	}, l.relay)
	l.Handle(http.StripPrefix("/seam", g.Handler()))
	return g
}

// Handler returns the current handler.
func (l *Line) Handler() http.Handler { return *l.handler.Load() }

// Handle replaces the handler.
func (l *Line) Handle(h http.Handler) { l.handler.Store(&h) }
