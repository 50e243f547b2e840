package gateway

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

const site = "https://docs.example.org"

// script is a Backend with the behaviour a test sets.
type script struct {
	embed func(ctx context.Context, texts []string) ([][]float32, error)
	chat  func(ctx context.Context, c *protocol.Chat, emit func(string) error) (string, error)

	search func(*protocol.Search) ([]protocol.Hit, error)
	ended  func(session string)
}

func (s script) Embed(ctx context.Context, _ Who, _ string, texts []string, _ int) ([][]float32, protocol.Usage, error) {
	v, err := s.embed(ctx, texts)
	return v, protocol.Usage{Tokens: len(texts)}, err
}

func (s script) Chat(ctx context.Context, _ Who, c *protocol.Chat, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	finish, err := s.chat(ctx, c, func(text string) error { return emit(protocol.Part{Text: text}) })
	return protocol.Usage{Tokens: 1, TokensOut: 2}, finish, err
}

func (s script) Models(_ context.Context, models []protocol.Model) []protocol.Model { return models }

func (s script) Collection(admission.Group, []protocol.Model) *protocol.Collection { return nil }

func (s script) Search(_ context.Context, _ Who, q *protocol.Search) ([]protocol.Hit, protocol.Usage, error) {
	if s.search == nil {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.NotFound, "nothing to search")
	}
	hits, err := s.search(q)
	return hits, protocol.Usage{}, err
}

func (s script) Ended(session string) {
	if s.ended != nil {
		s.ended(session)
	}
}

// ofLength returns an embedder that gives each text a vector of dims numbers derived from
// its length.
func ofLength(dims int) func(context.Context, []string) ([][]float32, error) {
	return func(_ context.Context, texts []string) ([][]float32, error) {
		var out [][]float32
		for _, t := range texts {
			v := make([]float32, dims)
			for i := range v {
				v[i] = float32(len(t))
			}
			out = append(out, v)
		}
		return out, nil
	}
}

var ids atomic.Int64

func config(t *testing.T) Config {
	t.Helper()
	origins, err := admission.NewOrigins([]string{site})
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Door: admission.Door{Origins: origins}, Prompts: protocol.ByClient,
		Models:     []protocol.Model{{ID: "e", Kind: protocol.Embedding}, {ID: "c", Kind: protocol.Chatting}},
		Limits:     protocol.Limits{Texts: 4096, TextBytes: 100, InFlight: 4, Answer: 50, Context: 1000, Credits: 1000},
		InitWithin: hang, WriteWithin: hang, Log: slog.New(slog.DiscardHandler), Now: time.Now, NewID: func() string { return fmt.Sprint("s", ids.Add(1)) },
	}
}

func serve(t *testing.T, c Config, b Backend) (*Gateway, string) {
	t.Helper()
	g := New(c, b)
	s := httptest.NewServer(g.Handler())
	t.Cleanup(s.Close)
	return g, s.URL
}

// hang is how long a test waits for expected events.
const hang = 2 * time.Minute

// client is a websocket client of seam.v1.
type client struct {
	t   *testing.T
	ws  *websocket.Conn
	ctx context.Context
}

func dial(t *testing.T, url string, header http.Header) (*client, *http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	t.Cleanup(cancel)
	ws, response, err := websocket.Dial(ctx, url+protocol.PathSocket, &websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		return nil, response, err
	}
	t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(4 << 20)
	return &client{t, ws, ctx}, response, nil
}

func connect(t *testing.T, url string) *client {
	t.Helper()
	c, _, err := dial(t, url, http.Header{"Origin": {site}})
	if err != nil {
		t.Fatal(err)
	}
	c.send(&protocol.Init{Client: "test"})
	if ack, ok := c.next().(*protocol.Ack); !ok || len(ack.Models) != 2 {
		t.Fatalf("%+v instead of ack", ack)
	}
	return c
}

func (c *client) send(m protocol.Message) {
	c.t.Helper()
	data, err := protocol.Encode(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := c.ws.Write(c.ctx, websocket.MessageText, data); err != nil {
		c.t.Fatal(err)
	}
}

// next reads a text frame.
func (c *client) next() protocol.Message {
	c.t.Helper()
	kind, data, err := c.ws.Read(c.ctx)
	if err != nil || kind != websocket.MessageText {
		c.t.Fatalf("%v frame: %v", kind, err)
	}
	m, _, err := protocol.DecodeServer(data)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// failed reads an err.
func (c *client) failed(id uint32, code protocol.Code) {
	c.t.Helper()
	if m, ok := c.next().(*protocol.Err); !ok || m.ID != id || m.Code != code {
		c.t.Errorf("%+v, want err %s of request %d", m, code, id)
	}
}

// closed reads until the socket closes, and returns the close code.
func (c *client) closed() websocket.StatusCode {
	for {
		if _, _, err := c.ws.Read(c.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}
