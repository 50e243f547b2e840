package client

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/shared/protocol"
)

// proxy is an in-memory proxy: a Transport that serves its connections with script. It
// checks that the client follows the rules.
type proxy struct {
	t      *testing.T
	script func(*line)                                                                 // serves one connection; nil means (*line).serve
	post   func(path string, header map[string]string, body []byte) (*Response, error) // nil if no token is needed
	dial   func() error                                                                // nil to connect
	ack    func() protocol.Ack                                                         // nil for some default limits

	mu      sync.Mutex
	rand    *rand.Rand
	dims    int
	dials   int
	faults  int             // number of faults left to cause
	asked   map[string]int  // number of requests for each text
	arrived map[string]bool // texts whose vector the client has read
	pings   int
	cancels int
	embeds  []int // number of texts in each request
}

func newProxy(t *testing.T, seed uint64) *proxy {
	return &proxy{t: t, rand: rand.New(rand.NewPCG(seed, 1)), dims: 3, asked: map[string]int{}, arrived: map[string]bool{}}
}

func (p *proxy) client(token string) *Client {
	return New(Options{Transport: p, Token: token, Name: "test", Random: rand.Float64, Sleep: Sleep})
}

func (p *proxy) intn(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rand.IntN(n)
}

// fault reports whether to cause a fault now, one time in n.
func (p *proxy) fault(n int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.faults == 0 || p.rand.IntN(n) > 0 {
		return false
	}
	p.faults--
	return true
}

func (p *proxy) Post(_ context.Context, path string, header map[string]string, body []byte) (*Response, error) {
	if p.post != nil {
		return p.post(path, header, body)
	}
	return answer(200, "{}"), nil
}

func answer(status int, body string) *Response {
	return &Response{Status: status, Header: func(string) string { return "" }, Body: io.NopCloser(strings.NewReader(body))}
}

func (p *proxy) Dial(context.Context) (Conn, error) {
	p.mu.Lock()
	p.dials++
	nth := p.dials
	p.mu.Unlock()
	if p.dial != nil {
		if err := p.dial(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &line{proxy: p, nth: nth, ctx: ctx, cancel: cancel, in: make(chan []byte, 1000), out: make(chan inbound), open: map[uint32]*asking{}}
	script := p.script
	if script == nil {
		script = (*line).serve
	}
	go func() { defer cancel(); script(l) }()
	return l, nil
}

// line is one connection. The client's end is a Conn; the other methods are the proxy's.
type line struct {
	*proxy
	nth    int // counted from 1
	ctx    context.Context
	cancel context.CancelFunc
	in     chan []byte
	out    chan inbound
	limits protocol.Limits
	open   map[uint32]*asking
}

// asking is a request on the proxy's side.
type asking struct {
	embed   bool
	frames  []inbound
	texts   [][]string // of each frame
	credits int
}

func (l *line) Read(ctx context.Context) (bool, []byte, error) {
	select {
	case in := <-l.out:
		return in.binary, in.data, in.err
	case <-ctx.Done():
		return false, nil, ctx.Err()
	case <-l.ctx.Done():
		return false, nil, errors.New("closed")
	}
}

func (l *line) Write(ctx context.Context, text []byte) error {
	if len(text) > protocol.MaxText {
		l.t.Errorf("a frame of %d bytes", len(text))
	}
	select {
	case l.in <- text:
		return nil
	case <-l.ctx.Done():
		return errors.New("closed")
	}
}

func (l *line) Close(int, string) { l.cancel() }

// send sends the client a frame. It returns false if the client has closed.
func (l *line) send(in inbound) bool {
	select {
	case l.out <- in:
		return true
	case <-l.ctx.Done():
		return false
	}
}

func (l *line) say(m protocol.Message) bool { return l.send(text(m)) }

func text(m protocol.Message) inbound {
	data, err := protocol.Encode(m)
	return inbound{data: data, err: err}
}

func (l *line) hangUp(code int) { l.send(inbound{err: &CloseError{Code: code}}) }

// next reads a message from the client. It returns nil if the client has closed.
func (l *line) next() protocol.Message {
	select {
	case data := <-l.in:
		m, _, err := protocol.DecodeClient(data)
		if err != nil {
			l.t.Errorf("%s: %v", data, err)
		}
		return m
	case <-l.ctx.Done():
		return nil
	}
}

// greet answers init.
func (l *line) greet() {
	if m := l.next(); m != nil && protocol.TypeOf(m) != protocol.TypeInit {
		l.t.Errorf("%+v instead of init", m)
	}
	ack := protocol.Ack{Session: "s", Models: []protocol.Model{}, Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 10, TextBytes: 1000, InFlight: 4, Credits: 3}}
	if l.ack != nil {
		ack = l.ack()
	}
	l.limits = ack.Limits
	l.say(&ack)
}

// serve is a well-behaved proxy that mixes the frames of different requests in any order.
// While it has faults left, it may cut the connection or refuse a request.
func (l *line) serve() {
	l.greet()
	for {
		var can []uint32
		for id, a := range l.open {
			if len(a.frames) == 1 || a.credits > 0 { // the last frame costs no credit
				can = append(can, id)
			}
		}
		slices.Sort(can)
		var data []byte
		if len(can) == 0 {
			select {
			case data = <-l.in:
			case <-l.ctx.Done():
				return
			}
		} else {
			select {
			case data = <-l.in:
			default:
			}
		}
		if data != nil {
			m, _, err := protocol.DecodeClient(data)
			if err != nil {
				l.t.Errorf("%s: %v", data, err)
				return
			}
			l.take(m)
			continue
		}
		if l.fault(4) {
			codes := []int{closeRestart, closeAway, closeAbnormal, protocol.CloseTooMany}
			l.hangUp(codes[l.intn(len(codes))])
			return
		}
		id := can[l.intn(len(can))]
		a := l.open[id]
		f := a.frames[0]
		a.frames = a.frames[1:]
		a.credits--
		if len(a.frames) == 0 {
			delete(l.open, id)
		}
		if !l.send(f) {
			return
		}
		l.mu.Lock()
		for _, t := range a.texts[0] {
			l.arrived[t] = true
		}
		l.mu.Unlock()
		a.texts = a.texts[1:]
	}
}

func (l *line) take(m protocol.Message) {
	switch m := m.(type) {
	case *protocol.Embed:
		l.checkEmbed(m)
		l.open[m.ID] = l.embed(m)
	case *protocol.Chat:
		a := &asking{credits: l.limits.Credits}
		for i, word := range []string{"One ", "word ", "more"} {
			a.frames = append(a.frames, text(&protocol.Delta{ID: m.ID, Seq: i, Delta: word}))
		}
		a.frames = append(a.frames, text(&protocol.End{ID: m.ID, Finish: "stop", Usage: protocol.Usage{Tokens: 7, TokensOut: 3}}))
		a.texts = make([][]string, len(a.frames))
		l.open[m.ID] = a
	case *protocol.Search:
		l.open[m.ID] = &asking{credits: 1, texts: make([][]string, 2), frames: []inbound{text(&protocol.Hits{ID: m.ID, Hits: []protocol.Hit{{ID: "c", Text: m.Text}}}), text(&protocol.End{ID: m.ID})}}
	case *protocol.Credit:
		if a := l.open[m.ID]; a != nil {
			a.credits += m.N
		}
	case *protocol.Cancel:
		l.mu.Lock()
		l.cancels++
		l.mu.Unlock()
		if l.open[m.ID] != nil {
			l.open[m.ID] = refusing(m.ID, protocol.Errorf(protocol.Cancelled, "cancelled"))
		}
	case *protocol.Ping:
		l.mu.Lock()
		l.pings++
		l.mu.Unlock()
		l.say(&protocol.Pong{})
	}
}

func refusing(id uint32, e *protocol.Error) *asking {
	return &asking{texts: make([][]string, 1), frames: []inbound{text(&protocol.Err{ID: id, Code: e.Code, Message: e.Message, RetryAfterMS: e.RetryAfter.Milliseconds(), Whose: protocol.Proxy})}}
}

// checkEmbed fails the test if the client breaks a rule.
func (l *line) checkEmbed(m *protocol.Embed) {
	batches := 1
	for _, a := range l.open {
		if a.embed {
			batches++
		}
	}
	tokens := 0
	l.mu.Lock()
	defer l.mu.Unlock()
	l.embeds = append(l.embeds, len(m.Texts))
	for _, t := range m.Texts {
		tokens += (len(t) + 2) / 3
		l.asked[t]++
		if l.arrived[t] {
			l.t.Errorf("%.20q is asked for again", t)
		}
	}
	if batches > max(1, l.limits.InFlight-1) || len(m.Texts) > l.limits.Texts || l.limits.Tokens > 0 && len(m.Texts) > 1 && tokens > l.limits.Tokens {
		l.t.Errorf("%d batches, %d texts, %d tokens: the limits are %+v", batches, len(m.Texts), tokens, l.limits)
	}
}

// embed returns the answer to a batch: vectors in frames of random length and order.
func (l *line) embed(m *protocol.Embed) *asking {
	if l.fault(8) {
		refusals := []*protocol.Error{protocol.Errorf(protocol.Busy, "busy"), {Code: protocol.RateLimited, Message: "slowly", RetryAfter: time.Second},
			protocol.Errorf(protocol.ShuttingDown, "draining"), protocol.Errorf(protocol.TooLarge, "too large")}
		if len(m.Texts) == 1 {
			refusals = refusals[:3]
		}
		return refusing(m.ID, refusals[l.intn(len(refusals))])
	}
	a := &asking{embed: true, credits: l.limits.Credits}
	for from := 0; from < len(m.Texts); {
		n := 1 + l.intn(len(m.Texts)-from)
		var vectors [][]float32
		for _, t := range m.Texts[from : from+n] {
			vectors = append(vectors, vector(t, l.dims))
		}
		frames, err := protocol.Frames(m.ID, vectors)
		if err != nil {
			panic(err)
		}
		for f := range frames { // one at a time, because there are few
			data := slices.Clone(f)
			binary.LittleEndian.PutUint32(data[8:], uint32(from))
			at := l.intn(len(a.frames) + 1)
			a.frames = slices.Insert(a.frames, at, inbound{binary: true, data: data})
			a.texts = slices.Insert(a.texts, at, m.Texts[from:from+n])
		}
		from += n
	}
	a.frames = append(a.frames, text(&protocol.End{ID: m.ID, Usage: protocol.Usage{Tokens: len(m.Texts)}}))
	a.texts = append(a.texts, nil)
	return a
}
