package upstream

import (
	"context"
	"errors"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

const (
	canary   = "sk-canary-0123456789abcdefghijKLMN"
	org      = "org-Canary42"
	generous = 2 * time.Minute // how long a test waits for expected events
)

func start(t *testing.T, scripts ...upstreamtest.Script) *upstreamtest.Server {
	t.Helper()
	s := upstreamtest.Start(scripts...)
	t.Cleanup(s.Close)
	return s
}

// connect makes a client of s with a model of each kind, "vec" and "talk", and short waits
// between tries.
func connect(t *testing.T, s *upstreamtest.Server, change ...func(*Provider)) *Client {
	t.Helper()
	p := Provider{
		Name: "test", BaseURL: s.BaseURL, Key: func() string { return canary }, Organization: org,
		Models: []Model{
			{Model: protocol.Model{ID: "vec", Kind: protocol.Embedding}, Name: "provider-vec"},
			{Model: protocol.Model{ID: "talk", Kind: protocol.Chatting}, Name: "provider-talk"},
		},
		Timeouts: Timeouts{Connect: generous, FirstByte: generous, Idle: generous, Embed: generous},
		Retry:    Retry{Wait: time.Millisecond},
	}
	for _, f := range change {
		f(&p)
	}
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

var question = []protocol.ChatMessage{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Where does a text come apart?"}}

// ask collects an answer.
func ask(c *Client) (text string, usage protocol.Usage, finish string, err error) {
	usage, finish, err = c.Chat(context.Background(), "talk", question, protocol.Params{}, func(p protocol.Part) error {
		text = p.Add(text)
		return nil
	})
	return text, usage, finish, err
}

// code checks properties common to all errors, and returns the error's code.
func code(t *testing.T, err error) protocol.Code {
	t.Helper()
	var public *protocol.Error
	var own *Error
	if !errors.As(err, &public) || !errors.As(err, &own) {
		t.Fatalf("error %v (%T) has no *protocol.Error or no *Error", err, err)
	}
	if public.Whose != protocol.Upstream || public.Message == "" || err.Error() != public.Message {
		t.Errorf("error %+v, said as %q", public, err)
	}
	return public.Code
}

// wait waits for an event that must happen.
func wait(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(generous):
		t.Fatalf("%s: not within %v", what, generous)
	}
}

// missed is a timeout that must expire in the test, but only after a request has arrived,
// even on a busy machine.
const missed = 2 * time.Second

func count(t *testing.T, s *upstreamtest.Server, want int) {
	t.Helper()
	if got := len(s.Requests()); got != want {
		t.Errorf("%d requests arrived, want %d", got, want)
	}
}

func repeat(s upstreamtest.Script, n int) []upstreamtest.Script {
	all := make([]upstreamtest.Script, n)
	for i := range all {
		all[i] = s
	}
	return all
}

func script(f upstreamtest.Fault) upstreamtest.Script { return upstreamtest.Script{Fault: f} }
