package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

// fakeProxy is an in-memory proxy with known vectors and answers.
type fakeProxy struct {
	t      *testing.T
	limits protocol.Limits
	models []protocol.Model

	mu     sync.Mutex
	sent   []string // texts in order of arrival
	chats  []*protocol.Chat
	words  []string        // words of the next answers
	err    *protocol.Error // replaces every answer
	down   bool
	of     *protocol.Collection // nil for none
	asked  []*protocol.Search
	found  []protocol.Hit // hits of the next searches
	holdAt int            // after this many texts of a request …
	hold   chan struct{}  // … wait for this channel; nil to never wait
	held   chan struct{}  // closed when it waits
}

func ptr[T any](v T) *T { return &v }

func newFakeProxy(t *testing.T) *fakeProxy {
	return &fakeProxy{t: t, words: []string{"Because ", "of the ", "wind [1]."},
		limits: protocol.Limits{Texts: 20, TextBytes: 4000, InFlight: 3, Answer: 100, Context: 3000, Credits: 8, Turns: 2, History: 600},
		models: []protocol.Model{
			{ID: "e", Kind: protocol.Embedding, Label: "Embedding", Dimensions: dims, Input: 512, Price: ptr(0.02)},
			{ID: "free", Kind: protocol.Embedding}, {ID: "c", Kind: protocol.Chatting, Price: ptr(0.1), PriceOut: ptr(0.4)}}}
}

// connected returns a page with an engine connected to p.
func connected(t *testing.T, p *fakeProxy) *page {
	t.Helper()
	page := newPage(t)
	page.engine.host.Dial = p.dialer()
	page.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, nil)
	return page
}

// dialer returns a function that makes clients, closed at the end of the test.
func (p *fakeProxy) dialer() func(url, token string) (*client.Client, error) {
	return func(url, _ string) (*client.Client, error) {
		if !strings.HasPrefix(url, "https://") {
			return nil, errors.New("this is no address")
		}
		c := client.New(client.Options{Transport: p, Name: "test", Random: rand.Float64, Sleep: func(ctx context.Context, d time.Duration) error {
			if d >= 10*time.Second { // pings and deadlines never end here; retries happen at once
				<-ctx.Done()
			}
			return ctx.Err()
		}})
		p.t.Cleanup(c.Close)
		return c, nil
	}
}

// fail makes the proxy unreachable, or makes it answer with an error. With false and nil it
// works normally.
func (p *fakeProxy) fail(down bool, err *protocol.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down, p.err = down, err
}

func (p *fakeProxy) texts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.sent)
}

func (p *fakeProxy) Post(_ context.Context, path string, _ map[string]string, _ []byte) (*client.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down || path != protocol.PathSession {
		return nil, errors.New("connection refused")
	}
	return &client.Response{Status: 200, Header: func(string) string { return "" }, Body: io.NopCloser(bytes.NewReader([]byte("{}")))}, nil
}

func (p *fakeProxy) Dial(context.Context) (client.Conn, error) {
	ctx, cancel := context.WithCancel(context.Background())
	return &fakeConn{proxy: p, ctx: ctx, cancel: cancel, out: make(chan reply, 1000)}, nil
}

type fakeConn struct {
	proxy  *fakeProxy
	ctx    context.Context
	cancel context.CancelFunc
	out    chan reply
}

type reply struct {
	binary bool
	data   []byte
}

func (c *fakeConn) Close(int, string) { c.cancel() }

func (c *fakeConn) Read(ctx context.Context) (bool, []byte, error) {
	select {
	case r := <-c.out:
		return r.binary, r.data, nil
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return false, nil, errors.New("closed")
}

func (c *fakeConn) say(m protocol.Message) {
	data, err := protocol.Encode(m)
	if err != nil {
		c.proxy.t.Error(err)
	}
	c.give(reply{data: data})
}

func (c *fakeConn) give(r reply) {
	select {
	case c.out <- r:
	case <-c.ctx.Done():
	}
}

// Write answers each message immediately.
func (c *fakeConn) Write(_ context.Context, text []byte) error {
	m, id, err := protocol.DecodeClient(text)
	if err != nil {
		c.proxy.t.Errorf("%s: %v", text, err)
		return err
	}
	p := c.proxy
	p.mu.Lock()
	told := p.err
	p.mu.Unlock()
	switch m := m.(type) {
	case *protocol.Init:
		c.say(&protocol.Ack{Session: "s", Limits: p.limits, Models: p.models, Prompts: protocol.ByServer, Answer: &protocol.Template{System: "Answer from the passages.", Ask: "Question:"}, Collection: p.of})
	case *protocol.Cancel:
		c.say(&protocol.Err{ID: m.ID, Code: protocol.Cancelled, Message: "Cancelled.", Whose: protocol.Proxy})
	case *protocol.Embed, *protocol.Chat, *protocol.Search:
		if told != nil {
			c.say(&protocol.Err{ID: id, Code: told.Code, Message: told.Message, RetryAfterMS: told.RetryAfter.Milliseconds(), Whose: protocol.Proxy})
			break
		}
		go c.answer(m)
	}
	return nil
}

func (c *fakeConn) answer(m protocol.Message) {
	p := c.proxy
	switch m := m.(type) {
	case *protocol.Embed:
		p.mu.Lock()
		hold := p.hold
		p.sent = append(p.sent, m.Texts...)
		p.mu.Unlock()
		n := len(m.Texts)
		if hold != nil {
			n = min(p.holdAt, n)
		}
		c.vectors(m.ID, 0, m.Texts[:n])
		if hold != nil {
			if p.held != nil {
				close(p.held)
			}
			select {
			case <-hold:
			case <-c.ctx.Done():
				return
			}
			c.vectors(m.ID, n, m.Texts[n:])
		}
		c.say(&protocol.End{ID: m.ID, Usage: protocol.Usage{Tokens: len(m.Texts)}})
	case *protocol.Search:
		p.mu.Lock()
		p.asked = append(p.asked, m)
		hits := p.found
		p.mu.Unlock()
		c.say(&protocol.Hits{ID: m.ID, Hits: hits})
		c.say(&protocol.End{ID: m.ID})
	case *protocol.Chat:
		p.mu.Lock()
		p.chats = append(p.chats, m)
		words := p.words
		p.mu.Unlock()
		for i, w := range words {
			c.say(&protocol.Delta{ID: m.ID, Seq: i, Delta: w})
		}
		if p.hold != nil {
			return // until it is cancelled
		}
		c.say(&protocol.End{ID: m.ID, Finish: "stop", Usage: protocol.Usage{Tokens: 30, TokensOut: len(words)}})
	}
}

func (c *fakeConn) vectors(id uint32, first int, texts []string) {
	for i, t := range texts {
		frames, err := protocol.Frames(id, [][]float32{fakeVector(t)})
		if err != nil {
			panic(err)
		}
		for f := range frames {
			f[8] = byte(first + i) // fewer than 256, so one byte is enough
			c.give(reply{true, f})
		}
	}
}

const dims = 26

// fakeVector returns the letter counts of a text.
func fakeVector(t string) []float32 {
	v := make([]float32, dims)
	for _, r := range strings.ToLower(t) {
		if r >= 'a' && r <= 'z' {
			v[r-'a']++
		}
	}
	v[0] += 0.5 // avoids a zero vector
	return v
}
