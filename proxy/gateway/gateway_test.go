package gateway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/session"
	"seam/shared/protocol"
)

const site = "https://docs.example.org"

// script is a Backend that does what a test says.
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

func (s script) Chat(ctx context.Context, _ Who, c *protocol.Chat, emit func(string) error) (protocol.Usage, string, error) {
	finish, err := s.chat(ctx, c, emit)
	return protocol.Usage{Tokens: 1, TokensOut: 2}, finish, err
}

func (s script) Collection(session.Group, []protocol.Model) *protocol.Collection { return nil }

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

// ofLength gives texts vectors of dims numbers: their length.
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
	origins, err := session.NewOrigins([]string{site})
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Door: session.Door{Origins: origins}, Prompts: protocol.ByClient,
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

// hang is how long a test waits for what has to come.
const hang = 2 * time.Minute

// client is a websocket that speaks seam.v1.
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

// closed reads until the socket closes, and returns with which code.
func (c *client) closed() websocket.StatusCode {
	for {
		if _, _, err := c.ws.Read(c.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func TestBeforeTheUpgrade(t *testing.T) {
	c := config(t)
	c.PerCaller = 1
	_, url := serve(t, c, script{})
	for name, tt := range map[string]struct {
		origin []string
		status int
	}{
		"missing": {nil, 403}, "null": {[]string{"null"}, 403}, "http": {[]string{"http://docs.example.org"}, 403}, "port": {[]string{site + ":8443"}, 403},
		"suffix": {[]string{site + ".evil.com"}, 403}, "allowed": {[]string{site}, 101},
	} {
		_, r, err := dial(t, url, http.Header{"Origin": tt.origin})
		if r == nil || r.StatusCode != tt.status {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, r, _ := dial(t, url, http.Header{"Origin": {site}}); r == nil || r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the second connection of an address that may have one: %+v", r)
	}
	ws, r, err := websocket.Dial(context.Background(), url+protocol.PathSocket, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {site}}})
	if err == nil {
		ws.CloseNow()
	}
	if r == nil || r.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("without a subprotocol: %+v", r)
	}
}

func TestTokens(t *testing.T) {
	c := config(t)
	signer, err := session.NewSigner([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.Door.Signer, c.Door.Required = signer, true
	_, url := serve(t, c, script{})
	token, err := signer.Mint(session.Claims{Origin: site}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	open, err := signer.Mint(session.Claims{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, token, origin string
		ok                  bool
	}{
		{"a token", token, site, true}, {"the same again", token, site, false}, {"none", "", site, false}, {"rubbish", "s1.x.y", site, false},
		{"no origin, but a token for any", open, "", true}, {"no origin and no token", "", "", false},
	} {
		h := http.Header{}
		if tt.origin != "" {
			h.Set("Origin", tt.origin)
		}
		client, _, err := dial(t, url, h)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		client.send(&protocol.Init{Token: tt.token, Client: "test"})
		if tt.ok {
			if _, ok := client.next().(*protocol.Ack); !ok {
				t.Errorf("%s: no ack", tt.name)
			}
		} else if code := client.closed(); code != protocol.CloseUnauthorized {
			t.Errorf("%s: closed with %d", tt.name, code)
		}
	}
}

func TestEmbed(t *testing.T) {
	_, url := serve(t, config(t), script{embed: ofLength(1536)})
	c := connect(t, url)
	texts := make([]string, 300) // 1.8 MB of vectors: eight frames
	for i := range texts {
		texts[i] = strings.Repeat("x", i%90+1)
	}
	c.send(&protocol.Embed{ID: 7, Model: "e", Texts: texts})
	rows := protocol.NewRows(len(texts))
	for !rows.Complete() {
		kind, data, err := c.ws.Read(c.ctx)
		if err != nil || kind != websocket.MessageBinary {
			t.Fatalf("%v frame: %v", kind, err)
		}
		h, numbers, err := protocol.ParseFrame(data)
		if err != nil || h.ID != 7 || len(data) > protocol.MaxBinary {
			t.Fatalf("%+v of %d bytes: %v", h, len(data), err)
		}
		if err := rows.Add(h, numbers); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range texts {
		if rows.Data[i*1536] != float32(len(text)) {
			t.Fatalf("vector %d is another's", i)
		}
	}
	if end, ok := c.next().(*protocol.End); !ok || end.ID != 7 || end.Usage.Tokens != 300 {
		t.Errorf("%+v", end)
	}
}

func TestRefusedRequests(t *testing.T) {
	cfg := config(t)
	cfg.Prompts = protocol.ByServer
	leaks := errors.New("sk-canary: organisation org-9 has no quota")
	_, url := serve(t, cfg, script{embed: func(context.Context, []string) ([][]float32, error) { return nil, leaks }})
	c := connect(t, url)
	user := []protocol.ChatMessage{{Role: "user", Content: "x"}}
	for i, tt := range []struct {
		m    protocol.Message
		code protocol.Code
	}{
		{&protocol.Embed{ID: 1, Model: "other", Texts: []string{"x"}}, protocol.UnknownModel},
		{&protocol.Embed{ID: 2, Model: "c", Texts: []string{"x"}}, protocol.UnknownModel},
		{&protocol.Embed{ID: 3, Model: "e", Texts: make([]string, 5000)}, protocol.TooLarge},
		{&protocol.Embed{ID: 4, Model: "e", Texts: []string{strings.Repeat("x", 101)}}, protocol.TooLarge},
		{&protocol.Embed{ID: 5, Model: "e", Texts: []string{"x"}}, protocol.Internal},
		{&protocol.Embed{ID: 6, Model: "e"}, protocol.BadRequest},
		{&protocol.Chat{ID: 7, Model: "c", Messages: user}, protocol.PromptsOnly},
		{&protocol.Chat{ID: 8, Model: "c", Template: "answer", Passages: []string{strings.Repeat("x", 1001)}}, protocol.TooLarge},
		{&protocol.Search{ID: 9, Text: "x"}, protocol.NotFound},
	} {
		c.send(tt.m)
		m, ok := c.next().(*protocol.Err)
		if !ok || m.ID != uint32(i+1) || m.Code != tt.code || strings.Contains(m.Message, "canary") || strings.Contains(m.Message, "org-9") {
			t.Errorf("%+v, want %s", m, tt.code)
		}
	}
}

func TestProtocolErrors(t *testing.T) {
	cfg := config(t)
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	held := script{embed: func(ctx context.Context, _ []string) ([][]float32, error) {
		select {
		case <-hold:
		case <-ctx.Done():
		}
		return nil, context.Canceled
	}}
	_, patient := serve(t, cfg, held)
	cfg.InitWithin = 50 * time.Millisecond
	_, impatient := serve(t, cfg, held)
	embed := `{"type":"embed","id":1,"model":"e","texts":["x"]}`
	for name, tt := range map[string]struct {
		init   bool
		frames []string
		binary bool
		code   websocket.StatusCode
	}{
		"silence":       {false, nil, false, protocol.CloseInitTimeout},
		"no init":       {false, []string{embed}, false, protocol.CloseBadMessage},
		"rubbish first": {false, []string{"GET / HTTP/1.1"}, false, protocol.CloseBadMessage},
		"rubbish":       {true, []string{"rubbish"}, false, protocol.CloseBadMessage},
		"binary":        {true, []string{"xx"}, true, protocol.CloseBadMessage},
		"second init":   {true, []string{`{"type":"init","client":"x"}`}, false, protocol.CloseDuplicate},
		"id in use":     {true, []string{embed, embed}, false, protocol.CloseDuplicate},
		"too long":      {true, []string{`{"type":"embed","id":1,"model":"e","texts":["` + strings.Repeat("x", protocol.MaxText) + `"]}`}, false, websocket.StatusMessageTooBig},
	} {
		url := patient
		if tt.code == protocol.CloseInitTimeout {
			url = impatient
		}
		c, _, err := dial(t, url, http.Header{"Origin": {site}})
		if err != nil {
			t.Fatal(err)
		}
		if tt.init {
			c.send(&protocol.Init{Client: "test"})
			c.next()
		}
		for _, f := range tt.frames {
			kind := websocket.MessageText
			if tt.binary {
				kind = websocket.MessageBinary
			}
			if err := c.ws.Write(c.ctx, kind, []byte(f)); err != nil {
				t.Fatal(err)
			}
		}
		if code := c.closed(); code != tt.code {
			t.Errorf("%s: closed with %d, want %d", name, code, tt.code)
		}
	}
}

// Deltas come in order; what waits is joined, and a chat goes on beside a large
// reply that has no credit left.
func TestChat(t *testing.T) {
	cfg := config(t)
	cfg.Limits.Credits = 3
	asked := make(chan int, 1)
	_, url := serve(t, cfg, script{
		embed: ofLength(4096),
		chat: func(_ context.Context, c *protocol.Chat, emit func(string) error) (string, error) {
			asked <- c.Params.MaxTokens
			for i := range 500 {
				if err := emit(fmt.Sprint(i, " ")); err != nil {
					return "", err
				}
			}
			return "stop", nil
		},
	})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: make([]string, 200)}) // 14 frames, credit for 3
	c.send(&protocol.Chat{ID: 2, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}, Params: protocol.Params{MaxTokens: 9999}})
	if n := <-asked; n != cfg.Limits.Answer {
		t.Errorf("%d tokens were asked for, want the limit", n)
	}
	var answer strings.Builder
	seq, frames, binary := 0, 0, 0
	for ended := 0; ended < 2; {
		kind, data, err := c.ws.Read(c.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			if binary++; binary > 3 && binary%2 == 0 {
				c.send(&protocol.Credit{ID: 1, N: 2})
			}
			continue
		}
		m, _, err := protocol.DecodeServer(data)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *protocol.Delta:
			if m.Seq != seq {
				t.Errorf("delta %d after %d", m.Seq, seq-1)
			}
			seq++
			frames++
			answer.WriteString(m.Delta)
			c.send(&protocol.Credit{ID: 2, N: 1})
		case *protocol.End:
			if ended++; m.ID == 2 {
				if m.Finish != "stop" || binary > 3 {
					t.Errorf("%+v after %d vector frames", m, binary)
				}
				c.send(&protocol.Credit{ID: 1, N: 2})
			}
		default:
			t.Fatalf("%+v", m)
		}
	}
	if want := strings.Join(strings.Fields(answer.String()), " "); !strings.HasPrefix(want, "0 1 2 ") || !strings.HasSuffix(want, " 499") || len(strings.Fields(want)) != 500 {
		t.Errorf("the answer is %.60q … of %d words", want, len(strings.Fields(want)))
	}
	if binary != 14 || frames >= 500 {
		t.Errorf("%d vector frames, %d deltas for 500", binary, frames)
	}
}

// A message that has begun has to arrive; a session without one may be as quiet as it
// likes.
func TestHalfAMessage(t *testing.T) {
	cfg := config(t)
	cfg.ReadWithin = 500 * time.Millisecond // on a busy machine, too, what is sent whole arrives by then
	_, url := serve(t, cfg, script{embed: ofLength(4)})
	quiet := connect(t, url)
	c := connect(t, url)
	w, err := c.ws.Writer(c.ctx, websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte(" "), 20_000)); err != nil { // more than is kept for the next write
		t.Fatal(err)
	}
	if code := c.closed(); code != protocol.CloseBadMessage {
		t.Errorf("closed with %d", code)
	}
	quiet.send(&protocol.Ping{})
	if _, ok := quiet.next().(*protocol.Pong); !ok {
		t.Error("no pong for a session that was quiet for longer")
	}
}

// A client that does not take its answer loses it, and nothing else.
func TestSlowConsumer(t *testing.T) {
	cfg := config(t)
	cfg.Limits.Credits = 1
	_, url := serve(t, cfg, script{embed: ofLength(4), chat: func(_ context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		for {
			if err := emit(strings.Repeat("x", 10_000)); err != nil {
				return "", err
			}
		}
	}})
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	m := c.next()
	if _, ok := m.(*protocol.Delta); ok { // what was on its way
		m = c.next()
	}
	if e, ok := m.(*protocol.Err); !ok || e.Code != protocol.SlowConsumer {
		t.Errorf("%+v", m)
	}
	c.send(&protocol.Ping{})
	if _, ok := c.next().(*protocol.Pong); !ok {
		t.Error("no pong")
	}
}

func TestCancel(t *testing.T) {
	began, ended := make(chan struct{}, 2), make(chan struct{}, 2)
	_, url := serve(t, config(t), script{chat: func(ctx context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return "", ctx.Err()
	}})
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	c.send(&protocol.Cancel{ID: 1})
	c.failed(1, protocol.Cancelled)
	<-ended
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"}) // the id is free again
	<-began
	c.ws.CloseNow() // whoever leaves has cancelled
	<-ended
}

func TestFlood(t *testing.T) {
	cfg := config(t)
	cfg.Messages = 5
	_, url := serve(t, cfg, script{})
	c := connect(t, url)
	go func() {
		for c.ws.Write(c.ctx, websocket.MessageText, []byte(`{"type":"pong"}`)) == nil {
		}
	}()
	if code := c.closed(); code != protocol.CloseTooMany {
		t.Errorf("closed with %d", code)
	}
}

func TestInFlight(t *testing.T) {
	cfg := config(t)
	cfg.Limits.InFlight = 2
	_, url := serve(t, cfg, script{chat: func(ctx context.Context, _ *protocol.Chat, _ func(string) error) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}})
	c := connect(t, url)
	for id := range uint32(3) {
		c.send(&protocol.Chat{ID: id + 1, Model: "c", Template: "t"})
	}
	c.failed(3, protocol.Busy)
}

// A restart lets answers end, and tells every client to come back.
func TestShutdown(t *testing.T) {
	release := make(chan struct{})
	began := make(chan struct{}, 1)
	g, url := serve(t, config(t), script{chat: func(_ context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		began <- struct{}{}
		<-release
		return "stop", emit("the end")
	}})
	busy, idle := connect(t, url), connect(t, url)
	busy.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	done := make(chan error, 1)
	go func() { done <- g.Shutdown(context.Background()) }()
	if code := idle.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the idle one was closed with %d", code)
	}
	if _, r, _ := dial(t, url, http.Header{"Origin": {site}}); r == nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new one: %+v", r)
	}
	close(release)
	if d, ok := busy.next().(*protocol.Delta); !ok || d.Delta != "the end" {
		t.Errorf("%+v", d)
	}
	if _, ok := busy.next().(*protocol.End); !ok {
		t.Error("the answer has no end")
	}
	if code := busy.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the busy one was closed with %d", code)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	stuck, url := serve(t, config(t), script{chat: func(ctx context.Context, _ *protocol.Chat, _ func(string) error) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}})
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	code := make(chan websocket.StatusCode, 1)
	go func() { code <- c.closed() }()
	if err := stuck.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a request that does not end: %v", err)
	}
	if code := <-code; code != websocket.StatusServiceRestart {
		t.Errorf("closed with %d", code)
	}
}

// The numbers of a frame are little-endian float32, whatever the machine.
func TestFrameBytes(t *testing.T) {
	_, url := serve(t, config(t), script{embed: func(context.Context, []string) ([][]float32, error) { return [][]float32{{1.5, -2}}, nil }})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 258, Model: "e", Texts: []string{"x"}})
	_, data, err := c.ws.Read(c.ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{2, 1, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0}
	want = binary.LittleEndian.AppendUint32(want, math.Float32bits(1.5))
	want = binary.LittleEndian.AppendUint32(want, math.Float32bits(-2))
	if !reflect.DeepEqual(data, want) {
		t.Errorf("%x, want %x", data, want)
	}
}

// A panic in one request is that request's error: the session goes on, and others.
func TestPanicOfARequest(t *testing.T) {
	_, url := serve(t, config(t), script{
		embed: func(_ context.Context, texts []string) ([][]float32, error) {
			if texts[0] == "panic" {
				return [][]float32{{1, 2}}[:cap(texts)+7], nil
			}
			return ofLength(4)(t.Context(), texts)
		},
	})
	other, c := connect(t, url), connect(t, url)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"panic"}})
	c.failed(1, protocol.Internal)
	for _, each := range []*client{c, other} {
		each.send(&protocol.Embed{ID: 2, Model: "e", Texts: []string{"text"}})
		if kind, _, err := each.ws.Read(each.ctx); err != nil || kind != websocket.MessageBinary {
			t.Errorf("%v frame: %v", kind, err)
		}
		if end, ok := each.next().(*protocol.End); !ok || end.ID != 2 {
			t.Errorf("%+v instead of end", end)
		}
	}
}

// Vectors that do not fit together are an error, also where a backend lets them pass.
func TestUnevenVectors(t *testing.T) {
	for _, lengths := range [][]int{{8, 16}, {8, 4}} {
		_, url := serve(t, config(t), script{embed: func(context.Context, []string) ([][]float32, error) {
			return [][]float32{make([]float32, lengths[0]), make([]float32, lengths[1])}, nil
		}})
		c := connect(t, url)
		c.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"a", "b"}})
		c.failed(1, protocol.Internal)
	}
}

// Control frames are messages: a flood of pings or pongs ends the session, also one
// that has not begun.
func TestFloodOfControlFrames(t *testing.T) {
	cfg := config(t)
	cfg.Messages = 5
	_, url := serve(t, cfg, script{})
	for name, opcode := range map[string]byte{"pings": 0x89, "pongs": 0x8a} {
		for _, greeted := range []bool{false, true} {
			c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nOrigin: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
				"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", protocol.PathSocket, site, protocol.Subprotocol)
			masked := func(opcode byte, data string) []byte {
				return append([]byte{opcode, 0x80 | byte(len(data)), 0, 0, 0, 0}, data...)
			}
			if greeted {
				c.Write(masked(0x81, `{"type":"init","client":"x"}`))
			}
			go func() {
				flood := bytes.Repeat(masked(opcode, strings.Repeat("x", 125)), 100)
				for {
					if _, err := c.Write(flood); err != nil {
						return
					}
				}
			}()
			c.SetReadDeadline(time.Now().Add(hang / 4))
			said, err := io.ReadAll(c)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%s, greeted %v: the session goes on", name, greeted)
			}
			if pongs := bytes.Count(said, []byte("\x8a\x7d")); pongs > 100 {
				t.Errorf("%d pongs", pongs)
			}
		}
	}
}
