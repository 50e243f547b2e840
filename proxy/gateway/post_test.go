package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seam/shared/protocol"
)

// ask sends a message like a page of the site.
func ask(t *testing.T, ctx context.Context, url, secret, origin string, m protocol.Message) *http.Response {
	t.Helper()
	b, err := protocol.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", origin)
	if secret != "" {
		r.Header.Set(protocol.SessionHeader, secret)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// begin opens a session over HTTP.
func begin(t *testing.T, url string) string {
	t.Helper()
	resp := ask(t, context.Background(), url+protocol.PathInit, "", site, &protocol.Init{Client: "test"})
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := protocol.DecodeServer(body)
	if ack, ok := m.(*protocol.Ack); err != nil || !ok || len(ack.Models) != 2 || resp.Header.Get(protocol.SessionHeader) == "" {
		t.Fatalf("%s: %v", body, err)
	}
	return resp.Header.Get(protocol.SessionHeader)
}

// codeOf reads an err that came before a stream.
func codeOf(t *testing.T, resp *http.Response) protocol.Code {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := protocol.DecodeServer(body)
	if e, ok := m.(*protocol.Err); ok && err == nil {
		return e.Code
	}
	t.Errorf("status %d: %s", resp.StatusCode, body)
	return ""
}

// frames reads a stream to its end.
func frames(t *testing.T, r io.Reader) (text []protocol.Message, binary [][]byte) {
	t.Helper()
	kind := ""
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch {
		case name == "":
			kind = ""
		case name == "event":
			kind = value
		case name == "data" && kind == protocol.VectorsEvent:
			b, err := base64.StdEncoding.DecodeString(value)
			if err != nil {
				t.Fatal(err)
			}
			binary = append(binary, b)
		case name == "data":
			m, _, err := protocol.DecodeServer([]byte(value))
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, m)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return text, binary
}

// A request returns the same frames over HTTP as over a socket.
func TestPostEmbed(t *testing.T) {
	_, url := serve(t, config(t), script{embed: ofLength(1536)})
	secret := begin(t, url)
	texts := make([]string, 300)
	for i := range texts {
		texts[i] = strings.Repeat("x", i%90+1)
	}
	resp := ask(t, context.Background(), url+protocol.PathRequest, secret, site, &protocol.Embed{ID: 7, Model: "e", Texts: texts})
	if ct := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || ct != "text/event-stream" {
		t.Fatalf("%d %s", resp.StatusCode, ct)
	}
	text, binary := frames(t, resp.Body)
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 7, Model: "e", Texts: texts})
	for i, want := range binary {
		if _, got, err := c.ws.Read(c.ctx); err != nil || !slices.Equal(got, want) {
			t.Fatalf("frame %d differs: %v", i, err)
		}
	}
	if end, ok := c.next().(*protocol.End); !ok || len(text) != 1 || *text[0].(*protocol.End) != *end {
		t.Errorf("%+v and %+v", text, end)
	}
}

// An answer arrives while it is written, and closing the request cancels it.
func TestPostChat(t *testing.T) {
	gone := make(chan struct{})
	_, url := serve(t, config(t), script{chat: func(ctx context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		if err := emit("first"); err != nil {
			return "", err
		}
		<-ctx.Done()
		close(gone)
		return "", ctx.Err()
	}})
	secret := begin(t, url)
	ctx, cancel := context.WithCancel(context.Background())
	resp := ask(t, ctx, url+protocol.PathRequest, secret, site, &protocol.Chat{ID: 1, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}})
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	if err != nil || !strings.Contains(line, `"delta":"first"`) {
		t.Fatalf("%q, %v", line, err)
	}
	cancel()
	<-gone
}

// While a model computes, the stream sends comments to keep the connection alive.
func TestPostAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(config(t), script{chat: func(_ context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
			time.Sleep(2*aliveEvery + time.Second)
			err := emit("first")
			time.Sleep(aliveEvery - time.Second)
			return "stop", errors.Join(err, emit(" last"))
		}})
		p := &post{peer: g.newPeer("http", site, "192.0.2.1")}
		w := httptest.NewRecorder()
		p.stream(t.Context(), w, &protocol.Chat{Model: "c", Template: "t"}, 1)
		var kinds []string
		for event := range strings.SplitSeq(strings.TrimSpace(w.Body.String()), "\n\n") {
			m, _, _ := protocol.DecodeServer([]byte(strings.TrimPrefix(event, "data: ")))
			if event != ":" && m != nil {
				event = string(protocol.TypeOf(m))
			}
			kinds = append(kinds, event)
		}
		if want := []string{":", ":", "d", "d", "end"}; !slices.Equal(kinds, want) || !w.Flushed {
			t.Errorf("%q, want %q", kinds, want)
		}
	})
}

func TestPostRefused(t *testing.T) {
	hold, began := make(chan struct{}), make(chan struct{})
	c := config(t)
	c.Limits.InFlight, c.Messages = 1, 2
	_, url := serve(t, c, script{embed: func(ctx context.Context, texts []string) ([][]float32, error) {
		if texts[0] == "hold" {
			close(began)
			<-hold
		}
		return ofLength(2)(ctx, texts)
	}})
	secret := begin(t, url)
	refused := func(secret, origin string, m protocol.Message) protocol.Code {
		t.Helper()
		return codeOf(t, ask(t, context.Background(), url+protocol.PathRequest, secret, origin, m))
	}
	embed := func(id uint32, text string) protocol.Message {
		return &protocol.Embed{ID: id, Model: "e", Texts: []string{text}}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		resp := ask(t, context.Background(), url+protocol.PathRequest, secret, site, embed(1, "hold"))
		io.Copy(io.Discard, resp.Body)
	})
	<-began
	for name, tt := range map[string]struct {
		got, want protocol.Code
	}{
		"in flight":     {refused(secret, site, embed(2, "x")), protocol.Busy},
		"no session":    {refused("", site, embed(2, "x")), protocol.Unauthorized},
		"another site":  {refused(secret, "https://evil.example", embed(2, "x")), protocol.Forbidden},
		"not a request": {refused(secret, site, &protocol.Ping{}), protocol.BadRequest},
		"too long":      {refused(secret, site, embed(2, strings.Repeat("x", protocol.MaxText))), protocol.TooLarge},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.got, tt.want)
		}
	}
	close(hold)
	wg.Wait()
	var limited atomic.Bool
	for id := range uint32(20) { // two a second, eight in a burst
		wg.Go(func() {
			resp := ask(t, context.Background(), url+protocol.PathRequest, secret, site, embed(id+1, "x"))
			if resp.StatusCode == http.StatusTooManyRequests && resp.Header.Get("Retry-After") != "" {
				limited.Store(true)
			}
			io.Copy(io.Discard, resp.Body)
		})
	}
	wg.Wait()
	if !limited.Load() {
		t.Error("a flood is let through")
	}
}

// Sessions over HTTP count like sockets, end when they are idle, and notify the backend.
func TestPostSessions(t *testing.T) {
	c := config(t)
	c.PerCaller = 2
	var mu sync.Mutex
	var ended []string
	g, url := serve(t, c, script{embed: ofLength(2), ended: func(s string) { mu.Lock(); defer mu.Unlock(); ended = append(ended, s) }})
	first := begin(t, url)
	begin(t, url)
	if g.Sessions() != 2 {
		t.Errorf("%d sessions", g.Sessions())
	}
	begin(t, url) // the first is idle and is evicted
	if code := codeOf(t, ask(t, context.Background(), url+protocol.PathRequest, first, site, &protocol.Embed{ID: 1, Model: "e", Texts: []string{"x"}})); code != protocol.Unauthorized {
		t.Errorf("a session that was ended: %q", code)
	}
	for _, p := range g.posts {
		p.tire() // as its timer does
	}
	mu.Lock()
	defer mu.Unlock()
	if g.Sessions() != 0 || len(ended) != 3 || len(g.per) != 0 {
		t.Errorf("%d sessions, %d ended, %d addresses", g.Sessions(), len(ended), len(g.per))
	}
}

func TestSearch(t *testing.T) {
	_, url := serve(t, config(t), script{search: func(q *protocol.Search) ([]protocol.Hit, error) {
		v, err := q.Query()
		return []protocol.Hit{{ID: "1", Text: q.Text, Score: float64(len(v))}}, err
	}})
	c := connect(t, url)
	c.send(&protocol.Search{ID: 1, Text: "why", Vector: "AACAPwAAAAA="})
	if hits, ok := c.next().(*protocol.Hits); !ok || hits.ID != 1 || hits.Hits[0].Score != 2 || hits.Hits[0].Text != "why" {
		t.Errorf("%+v", hits)
	}
	if _, ok := c.next().(*protocol.End); !ok {
		t.Error("no end")
	}
}

func TestReloadKeepsSessions(t *testing.T) {
	cfg := config(t)
	g, url := serve(t, cfg, script{embed: ofLength(2)})
	c := connect(t, url)
	cfg.Models = []protocol.Model{{ID: "new", Kind: protocol.Embedding}}
	g.Reload(cfg)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"x"}})
	c.failed(1, protocol.UnknownModel)
	c.send(&protocol.Embed{ID: 2, Model: "new", Texts: []string{"x"}})
	if kind, _, err := c.ws.Read(c.ctx); err != nil || kind.String() != "MessageBinary" {
		t.Errorf("%v: %v", kind, err)
	}
}

// A client that disconnects cancels its request, even long after the time limit for its
// body.
func TestPostCancel(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	cfg := config(t)
	cfg.ReadWithin = 500 * time.Millisecond // a complete message arrives by then, even on a busy machine
	_, url := serve(t, cfg, script{chat: func(ctx context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		if err := emit("begun"); err != nil {
			return "", err
		}
		close(began)
		<-ctx.Done()
		close(ended)
		return "", ctx.Err()
	}})
	secret := begin(t, url)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ask(t, ctx, url+protocol.PathRequest, secret, site, &protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	select {
	case <-ended:
		t.Fatal("it ends by itself")
	case <-time.After(2 * cfg.ReadWithin):
	}
	cancel()
	select {
	case <-ended:
	case <-time.After(aliveEvery / 3): // the next comment would notice it
		t.Error("nobody hears that the client has gone")
	}
}
