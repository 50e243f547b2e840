package link

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

func newRig(t *testing.T, scripts ...upstreamtest.Script) *linktest.Line {
	t.Helper()
	return linktest.Start(t, limit.Limits{}, scripts...)
}

func connect(t *testing.T, l *linktest.Line) *client.Client {
	t.Helper()
	c, err := Client(l.URL, linktest.Token, "test 1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("text ", i)
	}
	return out
}

// embed embeds texts and compares the results with the provider's vectors.
func embed(t *testing.T, c *client.Client, texts []string, dims int, each func()) {
	t.Helper()
	seen := make([]int, len(texts))
	_, err := c.Embed(context.Background(), "e", texts, dims, func(i int, v []float32) error {
		seen[i]++
		if !slices.Equal(v, upstreamtest.Vector(texts[i], len(v))) || dims > 0 && len(v) != dims {
			t.Errorf("the vector of %q is another's", texts[i])
		}
		each()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
		t.Error("a vector is missing, or came twice")
	}
}

func TestEmbed(t *testing.T) {
	r := newRig(t)
	c := connect(t, r)
	embed(t, c, texts(500), 0, func() {})
	embed(t, c, texts(2048), 64, func() {})
	for _, q := range r.Provider.Requests() {
		if len(q.Texts) > linktest.Limits.Texts {
			t.Errorf("%d texts at once", len(q.Texts))
		}
	}
	if n := r.Sockets.Load(); n != 1 {
		t.Errorf("%d websockets", n)
	}
	_, err := c.Embed(context.Background(), "e", []string{"x", strings.Repeat("x", linktest.Limits.TextBytes+1)}, 0, nil)
	if codeOf(err) != protocol.TooLarge || !strings.Contains(err.Error(), "Text 1 ") {
		t.Errorf("%v", err)
	}
	if _, err = c.Embed(context.Background(), "nobody", texts(1), 0, nil); codeOf(err) != protocol.UnknownModel {
		t.Errorf("%v", err)
	}
}

func codeOf(err error) protocol.Code {
	var e *protocol.Error
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// If a proxy restarts in the middle, the rest goes to the next one on the same port, within
// its limits.
func TestReconnect(t *testing.T) {
	r := newRig(t)
	old := r.Open(linktest.Limits)
	var once sync.Once
	embed(t, connect(t, r), texts(1500), 0, func() {
		once.Do(func() {
			now, cancel := context.WithCancel(context.Background())
			cancel()
			smaller := linktest.Limits
			smaller.Texts = 100
			r.Open(smaller)
			_ = old.Shutdown(now) // at once
		})
	})
	if n := r.Sockets.Load(); n != 2 {
		t.Errorf("%d websockets", n)
	}
	requests := r.Provider.Requests()
	if n := len(requests[len(requests)-1].Texts); n > 100 {
		t.Errorf("%d texts after the new proxy said 100", n)
	}
}

func chat(c *client.Client, ctx context.Context, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	return c.Chat(ctx, &protocol.Chat{Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}}, emit)
}

func TestChat(t *testing.T) {
	hold := make(chan struct{})
	r := newRig(t, upstreamtest.Script{}, upstreamtest.Script{Hold: hold})
	defer close(hold)
	c := connect(t, r)
	var answer strings.Builder
	usage, finish, err := chat(c, context.Background(), func(p protocol.Part) error { answer.WriteString(p.Text); return nil })
	if err != nil || answer.String() != strings.Join(upstreamtest.Words, "") || finish != "stop" || usage.TokensOut == 0 {
		t.Errorf("%q %s %+v %v", answer.String(), finish, usage, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, _, err = chat(c, ctx, func(protocol.Part) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	<-r.Provider.Requests()[1].Gone()
}

// If websockets are blocked, the same requests go over HTTP.
func TestFallback(t *testing.T) {
	hold := make(chan struct{})
	r := newRig(t)
	defer close(hold)
	whole := r.Handler()
	r.Handle(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasSuffix(q.URL.Path, protocol.PathSocket) {
			http.Error(w, "no upgrade through this box", http.StatusBadRequest)
			return
		}
		whole.ServeHTTP(w, q)
	}))
	c := connect(t, r)
	embed(t, c, texts(900), 128, func() {})
	var answer strings.Builder
	if _, finish, err := chat(c, context.Background(), func(p protocol.Part) error { answer.WriteString(p.Text); return nil }); err != nil || answer.String() != strings.Join(upstreamtest.Words, "") || finish != "stop" {
		t.Errorf("%q %s %v", answer.String(), finish, err)
	}
	r.Provider.Play(upstreamtest.Script{Hold: hold})
	ctx, cancel := context.WithCancel(context.Background())
	if _, _, err := chat(c, ctx, func(protocol.Part) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	requests := r.Provider.Requests()
	<-requests[len(requests)-1].Gone()
	if n := r.Sockets.Load(); n != 1 {
		t.Errorf("%d tries of a websocket", n)
	}
}

// A refusal is reported in the proxy's words, at once, and never with the token.
func TestRefused(t *testing.T) {
	r := newRig(t)
	for name, tt := range map[string]struct {
		url, token string
		handler    http.Handler
		code       protocol.Code
	}{
		"another token": {r.URL, linktest.Token + "x", nil, protocol.Unauthorized},
		"no token":      {r.URL, "", nil, protocol.Unauthorized},
		"no proxy":      {r.URL + "/else", linktest.Token, nil, client.Offline},
		"nobody":        {"http://127.0.0.1:1", linktest.Token, nil, client.Offline},
		"a redirect":    {r.URL, linktest.Token, http.RedirectHandler("https://example.org/", http.StatusTemporaryRedirect), protocol.Internal},
		"forbidden": {r.URL, linktest.Token, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no", http.StatusForbidden)
		}), protocol.Forbidden},
	} {
		before := r.Handler()
		if tt.handler != nil {
			r.Handle(tt.handler)
		}
		c, err := Client(tt.url, tt.token, "test 1")
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Hello(context.Background())
		if codeOf(err) != tt.code || strings.Contains(err.Error(), linktest.Token) {
			t.Errorf("%s: %v", name, err)
		}
		c.Close()
		r.Handle(before)
	}
}

func TestAddresses(t *testing.T) {
	for address, says := range map[string]string{
		"https://seam.example.org": "", "https://seam.example.org:8443/below/": "", "http://127.0.0.1:8787": "", "http://localhost": "", "http://[::1]:80": "",
		"": "invalid proxy address", "seam.example.org": "invalid proxy address", "ftp://seam.example.org": "invalid proxy address", "https://": "invalid proxy address", ":": "invalid proxy address",
		"http://seam.example.org": "https", "http://10.0.0.1": "https",
		"https://user:secret@seam.example.org": "separately", "https://seam.example.org/?token=secret": "separately", "ftp://user:secret@host": "invalid proxy address",
	} {
		_, err := New(address)
		if (err == nil) != (says == "") || err != nil && (!strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// A failing provider is called as often as the proxy retries, and once after each wait that
// the proxy names. Unusable answers are paid for only once.
func TestCallsOfAFailingProvider(t *testing.T) {
	for name, tt := range map[string]struct {
		script upstreamtest.Script
		calls  int
	}{
		"away": {upstreamtest.Script{Status: 503}, 5},
		"500":  {upstreamtest.Script{Status: 500}, 3},
		"NaN":  {upstreamtest.Script{Fault: upstreamtest.NaN}, 1},
		"few":  {upstreamtest.Script{Fault: upstreamtest.WrongCount}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			line := linktest.Start(t, limit.Limits{})
			line.Provider.Always(tt.script)
			c := connect(t, line)
			_, err := c.Embed(context.Background(), "e", []string{"One.", "Two.", "Three."}, 0, func(int, []float32) error { return nil })
			var e *protocol.Error
			if !errors.As(err, &e) || e.Code != protocol.UpstreamFailed {
				t.Errorf("error %v", err)
			}
			if n := len(line.Provider.Requests()); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
		})
	}
}

// A client gets reasoning apart over the websocket and over HTTP, and learns that earlier
// parts of the answer were reasoning, too.
func TestReasoning(t *testing.T) {
	const thought, said = "Hm. Why?", "Because."
	script := upstreamtest.Script{Words: []string{thought, "</think>", said}}
	r := newRig(t, script, script)
	c := connect(t, r)
	for range 2 { // the second time, it is held until the mark
		answer, reasoning := "", ""
		_, _, err := chat(c, context.Background(), func(p protocol.Part) error {
			if p.Moved {
				reasoning += answer
			}
			if answer = p.Add(answer); p.Reasoning {
				reasoning += p.Text
			}
			return nil
		})
		if err != nil || answer != said || reasoning != thought {
			t.Errorf("%q and %q, %v", answer, reasoning, err)
		}
	}
}
