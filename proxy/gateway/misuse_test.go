package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

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

// A message that has begun must arrive in time. A session may be silent between messages.
func TestHalfAMessage(t *testing.T) {
	cfg := config(t)
	cfg.ReadWithin = 500 * time.Millisecond // a complete message arrives by then, even on a busy machine
	_, url := serve(t, cfg, script{embed: ofLength(4)})
	quiet := connect(t, url)
	c := connect(t, url)
	w, err := c.ws.Writer(c.ctx, websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Repeat([]byte(" "), 20_000)); err != nil { // more than is buffered for the next write
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

// A client that does not take an answer loses only that answer.
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
	if _, ok := m.(*protocol.Delta); ok { // frames sent before the error
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

// A panic in one request becomes its error; the session and other sessions continue.
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

// Vectors of different lengths are an error, even if the backend returns them.
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

// Control frames count as messages: a flood of pings or pongs ends the session, even before
// its init.
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
