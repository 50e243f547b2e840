package relay

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"seam/proxy/admission"
	"seam/proxy/cache"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// several is a relay with one model of each kind at several providers.
type several struct {
	*Relay
	servers []*upstreamtest.Server
	ledger  *limit.Ledger
}

func newSeveral(t *testing.T, weights ...float64) several {
	t.Helper()
	var s several
	var providers []Provider
	for i, weight := range weights {
		server := upstreamtest.Start()
		t.Cleanup(server.Close)
		price := float64(1 + i)
		models := []protocol.Model{{ID: "e", Kind: protocol.Embedding, Price: &price}, {ID: "c", Kind: protocol.Chatting, Price: &price}}
		config := upstream.Provider{Name: fmt.Sprint("p", i), BaseURL: server.BaseURL, Retry: upstream.Retry{Wait: time.Millisecond}}
		for _, m := range models {
			config.Models = append(config.Models, upstream.Model{Model: m})
		}
		client, err := upstream.New(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		providers = append(providers, Provider{Client: client, Name: config.Name, Models: models, Weights: map[string]float64{"e": weight, "c": weight}})
		s.servers = append(s.servers, server)
	}
	book, err := limit.OpenBook(filepath.Join(t.TempDir(), "budget.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	s.ledger = limit.NewLedger(limit.Limits{}, book, time.Now)
	vectors, err := cache.New([]byte("secret"), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Relay, err = New(providers, vectors, s.ledger, Options{Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	return s
}

// calls returns how many requests each provider has received.
func (s several) calls() (n []int) {
	for _, server := range s.servers {
		n = append(n, len(server.Requests()))
	}
	return n
}

func (s several) embed(text string) error {
	_, _, err := s.Embed(context.Background(), gateway.Who{Session: "a", Caller: admission.Caller(text)}, "e", []string{text}, 0)
	return err
}

// If a provider fails, the next one is asked at once. After failures for some callers the
// first is left alone.
func TestFallback(t *testing.T) {
	for name, script := range map[string]upstreamtest.Script{
		"away": {Status: 503}, "limited": {Status: 429, RetryAfter: "9"}, "no key": {Status: 401}, "no such model": {Status: 404}, "out of order": {Status: 500}, "hangs up": {Fault: upstreamtest.HangUp},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSeveral(t, 1, 0)
			s.servers[0].Always(script)
			for i := range 10 {
				if err := s.embed(fmt.Sprint(i)); err != nil {
					t.Fatal(err)
				}
			}
			n := s.calls()
			if left := name == "away" || name == "hangs up"; n[1] != 10 || left && n[0] != 3 || name == "limited" && n[0] != 1 || n[0] > 10 {
				t.Errorf("calls %v", n)
			}
			if spent, err := s.ledger.Spent(); err != nil || spent.Micros != 2*spent.Tokens || spent.Tokens != 10 {
				t.Errorf("%+v spent, at two dollars a million: %v", spent, err)
			}
			s.servers[1].Always(upstreamtest.Script{Status: 400})
			if err := s.embed("refused"); codeOf(err) != protocol.UpstreamRefused {
				t.Errorf("error %v", err)
			}
		})
	}
}

// A call that was paid for, or an invalid request, is not repeated elsewhere.
func TestNoFallback(t *testing.T) {
	for name, script := range map[string]upstreamtest.Script{
		"NaN": {Fault: upstreamtest.NaN}, "refused": {Status: 400}, "too long": {Status: 413},
	} {
		s := newSeveral(t, 1, 0)
		s.servers[0].Always(script)
		if err := s.embed("a"); err == nil {
			t.Errorf("%s: no error", name)
		}
		if n := s.calls(); n[1] != 0 {
			t.Errorf("%s: calls %v", name, n)
		}
	}
	s := newSeveral(t, 1, 0)
	s.servers[0].Always(upstreamtest.Script{Fault: upstreamtest.CutStream})
	said := ""
	_, _, err := s.Chat(context.Background(), alice, &protocol.Chat{Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "?"}}}, func(p protocol.Part) error { said += p.Text; return nil })
	if codeOf(err) != protocol.UpstreamCutShort || said == "" || s.calls()[1] != 0 {
		t.Errorf("%q, %v, calls %v", said, err, s.calls())
	}
}

// Weights distribute the calls, and vectors of one provider are cached for all.
func TestWeights(t *testing.T) {
	s := newSeveral(t, 3, 1, 0)
	for i := range 400 {
		if err := s.embed(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	n := s.calls()
	if n[0]+n[1] != 400 || n[2] != 0 || n[1] < 60 || n[1] > 140 { // 100 ± 4.6 standard deviations
		t.Errorf("calls %v", n)
	}
	for i := range 400 {
		if err := s.embed(fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if again := s.calls(); again[0]+again[1] != 400 {
		t.Errorf("%v calls of texts that are cached", again)
	}
}

func TestUnlikeModels(t *testing.T) {
	s := newSeveral(t, 1)
	one := s.now.Load().routes["e"][0].provider
	other := one
	other.Name = "other"
	for name, m := range map[string]protocol.Model{"kind": {ID: "e", Kind: protocol.Chatting}, "length": {ID: "e", Kind: protocol.Embedding, Dimensions: 3}} {
		other.Models = []protocol.Model{m}
		if err := s.Reload([]Provider{one, other}, nil, nil); err == nil {
			t.Errorf("another %s is no error", name)
		}
	}
	if err := s.Reload([]Provider{one, one}, nil, nil); err == nil {
		t.Error("one provider twice is no error")
	}
}
