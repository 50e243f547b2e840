package relay

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/admission"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// These tests use the whole stack: real sockets, gateway, relay, cache, budget and client,
// with the scripted provider.

const site = "https://docs.example.org"

func (r rig) listen(t *testing.T) string {
	t.Helper()
	origins, err := admission.NewOrigins([]string{site})
	if err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	g := gateway.New(gateway.Config{
		Door: admission.Door{Origins: origins}, Prompts: protocol.ByClient, PerCaller: 1000, Models: []protocol.Model{{ID: "e", Kind: protocol.Embedding}, {ID: "c", Kind: protocol.Chatting}},
		Limits: protocol.Limits{Texts: 4096, TextBytes: 1000, InFlight: 8, Answer: 100, Context: 10_000, Credits: 20},
		Log:    slog.New(slog.NewJSONHandler(r.log, nil)), Now: time.Now, NewID: func() string { return fmt.Sprint("s", n.Add(1)) },
	}, r)
	s := httptest.NewServer(g.Handler())
	t.Cleanup(s.Close)
	return s.URL
}

type socket struct {
	t   *testing.T
	ws  *websocket.Conn
	ctx context.Context
}

func connect(t *testing.T, url string) socket {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	t.Cleanup(cancel)
	ws, _, err := websocket.Dial(ctx, url+protocol.PathSocket, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {site}}, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(1 << 20)
	c := socket{t, ws, ctx}
	c.send(&protocol.Init{Client: "test"})
	if m, _ := c.next(); protocol.TypeOf(m) != protocol.TypeAck {
		t.Fatalf("%+v instead of ack", m)
	}
	return c
}

func (c socket) send(m protocol.Message) {
	data, err := protocol.Encode(m)
	if err == nil {
		err = c.ws.Write(c.ctx, websocket.MessageText, data)
	}
	if err != nil {
		c.t.Error(err)
	}
}

// next reads a message, or a frame of vectors.
func (c socket) next() (protocol.Message, []byte) {
	kind, data, err := c.ws.Read(c.ctx)
	if err != nil {
		c.t.Error(err)
		return &protocol.Err{Code: "none"}, nil
	}
	if kind == websocket.MessageBinary {
		return nil, data
	}
	m, _, err := protocol.DecodeServer(data)
	if err != nil {
		c.t.Error(err)
		return &protocol.Err{Code: "none"}, nil
	}
	return m, nil
}

// embedded reads the vectors of a request to their end.
func (c socket) embedded(id uint32, count int) *protocol.Rows {
	rows := protocol.NewRows(count)
	for {
		m, frame := c.next()
		if frame != nil {
			h, numbers, err := protocol.ParseFrame(frame)
			if err == nil {
				err = rows.Add(h, numbers)
			}
			if err != nil {
				c.t.Error(err)
				return rows
			}
			continue
		}
		if end, ok := m.(*protocol.End); !ok || end.ID != id || !rows.Complete() {
			c.t.Errorf("%+v instead of the end of %d", m, id)
		}
		return rows
	}
}

// The same text from a hundred sockets at once makes one call to the provider, and a socket
// that disconnects does not cancel it.
func TestHundredSocketsOneCall(t *testing.T) {
	hold := make(chan struct{})
	r := newRig(t, limit.Limits{}, nil, upstreamtest.Script{Hold: hold})
	url := r.listen(t)
	var wg sync.WaitGroup
	first := connect(t, url)
	first.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"the same"}})
	for range 99 {
		c := connect(t, url)
		wg.Go(func() {
			c.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"the same"}})
			if rows := c.embedded(1, 1); !reflect.DeepEqual(rows.Data, upstreamtest.Vector("the same", 16)) {
				t.Error("another vector")
			}
		})
	}
	waiting := func(n int) {
		until(t, fmt.Sprintf("%d callers wait", n), func() bool { return r.cache.Waiting() == n })
	}
	waiting(100)
	first.ws.CloseNow()
	waiting(99)
	close(hold)
	wg.Wait()
	if n := len(r.server.Requests()); n != 1 {
		t.Errorf("%d calls upstream", n)
	}
}

// A cancelled stream ends at the provider, too.
func TestCancelReachesTheProvider(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	r := newRig(t, limit.Limits{}, nil, upstreamtest.Script{Hold: hold})
	c := connect(t, r.listen(t))
	c.send(&protocol.Chat{ID: 5, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}})
	if m, _ := c.next(); m == nil || protocol.TypeOf(m) != protocol.TypeDelta {
		t.Fatalf("%+v", m)
	}
	c.send(&protocol.Cancel{ID: 5})
	select {
	case <-r.server.Requests()[0].Gone():
	case <-time.After(hang):
		t.Fatal("the provider was not told")
	}
	for {
		m, _ := c.next()
		if e, ok := m.(*protocol.Err); ok {
			if e.Code != protocol.Cancelled || e.ID != 5 {
				t.Errorf("%+v", e)
			}
			return
		}
	}
}

// A reply of 25 MB comes in frames, and a chat continues meanwhile, even while the reply
// waits for credit.
func TestLargeReply(t *testing.T) {
	const count, dims = 2048, 3072
	r := newRig(t, limit.Limits{}, func(p *Provider) { p.Texts = count })
	r.server.Dims = dims
	c := connect(t, r.listen(t))
	texts := make([]string, count)
	for i := range texts {
		texts[i] = fmt.Sprint(i)
	}
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: texts})
	rows := protocol.NewRows(count)
	frames, largest := 0, 0
	var answer strings.Builder
	for ended := 0; ended < 2; {
		m, frame := c.next()
		switch m := m.(type) {
		case nil:
			largest = max(largest, len(frame))
			h, numbers, err := protocol.ParseFrame(frame)
			if err == nil {
				err = rows.Add(h, numbers)
			}
			if err != nil {
				t.Fatal(err)
			}
			if frames++; frames == 1 {
				c.send(&protocol.Chat{ID: 2, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}})
			}
		case *protocol.Delta:
			answer.WriteString(m.Delta)
		case *protocol.End:
			if ended++; m.ID == 2 && frames > 20 {
				t.Errorf("%d frames with a credit of 20", frames)
			}
			c.send(&protocol.Credit{ID: 1, N: 1000})
		default:
			t.Fatalf("%+v", m)
		}
	}
	if !rows.Complete() || !reflect.DeepEqual(rows.Data[2047*dims:], upstreamtest.Vector("2047", dims)) || largest > protocol.MaxBinary {
		t.Errorf("complete %v, frames of up to %d bytes", rows.Complete(), largest)
	}
	if answer.String() != strings.Join(upstreamtest.Words, "") || frames < 98 {
		t.Errorf("the answer is %q, beside %d frames", answer.String(), frames)
	}
}

// A truncated stream is reported, and no frame or log line contains the key or the
// provider's words.
func TestCutShort(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil, upstreamtest.Script{Fault: upstreamtest.CutStream},
		upstreamtest.Script{Status: 500, Body: `{"error":{"message":"` + canary + ` exploded"}}`})
	c := connect(t, r.listen(t))
	c.send(&protocol.Chat{ID: 1, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}})
	c.fails(1, protocol.UpstreamCutShort)
	c.send(&protocol.Embed{ID: 2, Model: "e", Texts: []string{"x"}})
	c.fails(2, protocol.UpstreamFailed)
	if log := r.log.String(); strings.Contains(log, canary) || strings.Contains(log, "exploded") || strings.Contains(log, canary[10:]) {
		t.Errorf("the log says too much: %s", log)
	}
}

// fails reads up to the err of a request.
func (c socket) fails(id uint32, code protocol.Code) {
	for {
		m, _ := c.next()
		e, ok := m.(*protocol.Err)
		if !ok {
			continue
		}
		if e.ID != id || e.Code != code || e.Whose != protocol.Upstream || strings.Contains(e.Message, canary) || strings.Contains(e.Message, "exploded") {
			c.t.Errorf("%+v, want %s", e, code)
		}
		return
	}
}
