package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"seam/shared/protocol"
)

// overHTTP makes p a proxy that no websocket can reach. It follows protocol's http.go and
// answers in pieces of random length.
func overHTTP(p *proxy) *proxy {
	p.dial = func() error { return errors.New("no websocket here") }
	ack := protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 10, InFlight: 3, Credits: 2}}
	sessions := map[string]bool{}
	p.post = func(path string, header map[string]string, body []byte) (*Response, error) {
		switch path {
		case protocol.PathSession:
			return answer(200, "{}"), nil
		case protocol.PathInit:
			p.mu.Lock()
			name := fmt.Sprint("s", len(sessions))
			sessions[name] = true
			p.mu.Unlock()
			r := answer(200, string(text(&ack).data))
			r.Header = func(h string) string { return map[string]string{protocol.SessionHeader: name}[h] }
			return r, nil
		}
		p.mu.Lock()
		known := sessions[header[protocol.SessionHeader]]
		p.mu.Unlock()
		if !known || p.fault(10) {
			p.mu.Lock()
			delete(sessions, header[protocol.SessionHeader])
			p.mu.Unlock()
			return answer(401, string(text(&protocol.Err{Code: protocol.Unauthorized, Message: "Over.", Whose: protocol.Proxy}).data)), nil
		}
		m, id, err := protocol.DecodeClient(body)
		if err != nil || path != protocol.PathRequest {
			p.t.Errorf("%s %s: %v", path, body, err)
		}
		l := &line{proxy: p, limits: ack.Limits, open: map[uint32]*asking{}}
		l.take(m)
		return p.stream(l.open[id]), nil
	}
	return p
}

// stream answers with the frames of a, until a fault cuts it off.
func (p *proxy) stream(a *asking) *Response {
	r, w := io.Pipe()
	go func() {
		var err error
		for _, f := range a.frames {
			data, event := f.data, ""
			if f.binary {
				data, event = []byte(base64.StdEncoding.EncodeToString(f.data)), "event: vectors\n"
			}
			for b := fmt.Appendf(nil, ": still here\n%sdata: %s\n\n", event, data); len(b) > 0 && err == nil; {
				n := 1 + p.intn(len(b))
				_, err = w.Write(b[:n])
				b = b[n:]
			}
			if err != nil || p.fault(5) {
				break
			}
		}
		w.Close()
	}()
	return &Response{Status: 200, Header: func(string) string { return "" }, Body: r}
}

// Over HTTP, too, every vector must arrive once despite all faults. When a session is over,
// its other streams end with their unread data, so this test does not count repeated
// requests.
func TestFallback(t *testing.T) {
	for seed := range uint64(80) {
		synctest.Test(t, func(t *testing.T) {
			p := overHTTP(newProxy(t, seed))
			p.faults = p.intn(maxTries)
			c := p.client("")
			defer c.Close()
			if _, err := embedded(t, c, words(60), p.dims); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			p.mu.Lock()
			p.faults = 0
			p.mu.Unlock()
			var answer strings.Builder
			if _, finish, err := c.Chat(context.Background(), hello, func(p protocol.Part) error { answer.WriteString(p.Text); return nil }); err != nil || answer.String() != "One word more" || finish != "stop" {
				t.Errorf("seed %d: %q %s %v", seed, answer.String(), finish, err)
			}
			if hits, err := c.Search(context.Background(), &protocol.Search{Text: "x"}); err != nil || len(hits) != 1 {
				t.Errorf("seed %d: %v %v", seed, hits, err)
			}
			if p.dials != 1 {
				t.Errorf("seed %d: %d tries of a websocket", seed, p.dials)
			}
		})
	}
}

// Cancelling closes the request and leaves the connection open.
func TestFallbackCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := overHTTP(newProxy(t, 1))
		good, closed := p.post, 0
		p.post = func(path string, header map[string]string, body []byte) (*Response, error) {
			if path != protocol.PathRequest || !bytes.Contains(body, []byte(`"slow"`)) {
				return good(path, header, body)
			}
			r, w := io.Pipe()
			go func() {
				_, err := w.Write([]byte("data: {\"type\":\"d\",\"id\":1,\"seq\":0,\"delta\":\"a\"}\n\n"))
				for err == nil {
					_, err = w.Write([]byte(": waiting\n"))
				}
				p.mu.Lock()
				closed++
				p.mu.Unlock()
			}()
			return &Response{Status: 200, Header: func(string) string { return "" }, Body: r}, nil
		}
		c := New(Options{Transport: endingWith{p}, Random: rand.Float64, Sleep: Sleep})
		ctx, cancel := context.WithCancel(context.Background())
		slow := &protocol.Chat{Model: "slow", Messages: hello.Messages}
		_, _, err := c.Chat(ctx, slow, func(protocol.Part) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) || code(t, err) != protocol.Cancelled {
			t.Errorf("%v", err)
		}
		if _, err := embedded(t, c, words(5), p.dims); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if closed != 1 {
			t.Error("the request was not closed")
		}
		c.Close()
	})
}

// endingWith ends a response's body with its context, as transports do.
type endingWith struct{ *proxy }

func (e endingWith) Post(ctx context.Context, path string, header map[string]string, body []byte) (*Response, error) {
	r, err := e.proxy.Post(ctx, path, header, body)
	if err == nil {
		context.AfterFunc(ctx, func() { r.Body.Close() })
	}
	return r, err
}

func TestEvents(t *testing.T) {
	stream := "\ufeffdata: one\n\n: comment\nevent: vectors\ndata:two\r\nid: 7\r\ndata\r\n\r\nevent: lost\n\nretry: 5\n\ndata: three\r\rdata: cut off"
	want := []string{"|one", "vectors|two\n", "|three"}
	for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream)), iotest.DataErrReader(strings.NewReader(stream))} {
		var got []string
		err := events(r, func(name string, data []byte) error { got = append(got, name+"|"+string(data)); return nil })
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q %v", got, err)
		}
	}
	for name, endless := range map[string]string{"a line": strings.Repeat("x", maxEvent+1), "an event": strings.Repeat("data: "+strings.Repeat("x", 1000)+"\n", maxEvent/1000+1)} {
		if err := events(strings.NewReader(endless), func(string, []byte) error { return nil }); err != errEvent {
			t.Errorf("%s without end: %v", name, err)
		}
	}
	broken := errors.New("broken")
	if err := events(iotest.ErrReader(broken), nil); err != broken {
		t.Errorf("%v", err)
	}
}

// Events that are written must be read back unchanged, and any stream may cause at most an
// error.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: {}\n\n"), byte(3))
	f.Add([]byte("event: vectors\r\ndata: AAAA\r\n\r\n: x\n"), byte(1))
	f.Fuzz(func(t *testing.T, b []byte, step byte) {
		_ = events(bytes.NewReader(b), func(string, []byte) error { return nil })
		line := strings.Map(func(r rune) rune {
			if r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(string(b), "?"))
		n := 0
		err := events(bytes.NewReader(fmt.Appendf(nil, "event: e\ndata: %s\n\n", line)), func(name string, data []byte) error {
			n++
			if name != "e" || string(data) != line {
				t.Errorf("%q is read as %s %q", line, name, data)
			}
			return nil
		})
		if n != 1 || err != nil {
			t.Errorf("%d events: %v", n, err)
		}
	})
}

// frameOf returns a binary frame for request id, with vectors starting at index first.
func frameOf(id uint32, first int, v ...[]float32) inbound {
	frames, err := protocol.Frames(id, v)
	if err != nil {
		panic(err)
	}
	for f := range frames {
		f[8] = byte(first)
		return inbound{binary: true, data: f}
	}
	panic("no frame")
}

// saying returns a client of a proxy that answers its first request with frames.
func saying(t *testing.T, frames []inbound) (*Client, *proxy) {
	p := newProxy(t, 1)
	p.script = func(l *line) {
		l.greet()
		l.next()
		for _, f := range frames {
			l.send(f)
		}
		<-l.ctx.Done()
	}
	return p.client(""), p
}

// A violation of the protocol must be reported to the proxy and to every waiting caller.
func TestViolations(t *testing.T) {
	v := []float32{1, 2}
	end := text(&protocol.End{ID: 1})
	for name, frames := range map[string][]inbound{
		"vectors missing":  {frameOf(1, 0, v, v), end},
		"twice":            {frameOf(1, 0, v, v), frameOf(1, 1, v)},
		"too many":         {frameOf(1, 0, v, v, v, v)},
		"another length":   {frameOf(1, 0, v), frameOf(1, 1, []float32{1})},
		"a chat's answer":  {text(&protocol.Delta{ID: 1, Delta: "x"})},
		"unknown request":  {frameOf(9, 0, v)},
		"no message":       {{data: []byte("hello")}},
		"no vectors":       {{binary: true, data: []byte("hello")}},
		"a client's words": {text(&protocol.Cancel{ID: 1})},
		"a second ack":     {text(&protocol.Ack{Prompts: protocol.ByClient})},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, p := saying(t, frames)
			defer c.Close()
			_, err := c.Embed(context.Background(), "e", []string{"a", "b", "c"}, 0, func(int, []float32) error { return nil })
			if code(t, err) != protocol.Internal || !strings.Contains(err.Error(), "protocol") || p.dials != 1 {
				t.Errorf("%s: %v after %d connections", name, err, p.dials)
			}
		})
	}
	for name, frames := range map[string][]inbound{
		"a gap":           {text(&protocol.Delta{ID: 1, Seq: 0, Delta: "x"}), text(&protocol.Delta{ID: 1, Seq: 2, Delta: "x"})},
		"vectors of chat": {frameOf(1, 0, v)},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := saying(t, frames)
			defer c.Close()
			if _, _, err := c.Chat(context.Background(), hello, func(protocol.Part) error { return nil }); code(t, err) != protocol.Internal {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// A frame after the end of its request ends the connection.
func TestFrameAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := []float32{1, 2}
		c, p := saying(t, []inbound{frameOf(1, 0, v), text(&protocol.End{ID: 1}), frameOf(1, 0, v)})
		defer c.Close()
		_, err := c.Embed(context.Background(), "e", []string{"a"}, 0, func(int, []float32) error { return nil })
		if synctest.Wait(); p.dials != 1 || err != nil || c.current != nil {
			t.Errorf("%v, the connection is still there: %v", err, c.current != nil)
		}
	})
}

// For any input from a proxy, a client must end with an error or with the right number of
// vectors.
func FuzzClient(f *testing.F) {
	for _, s := range []string{"", `{"type":"end","id":1,"usage":{"tokens":1}}`, `{"type":"err","id":1,"code":"busy","message":"x","whose":"proxy"}`, `{"type":"d","id":2,"seq":0,"delta":"x"}`,
		`{"type":"err","code":"shutting_down","message":"x","whose":"proxy"}`, `{"type":"ping"}`, `{"type":"pong"}`, "\x01\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x80\x3f"} {
		f.Add([]byte(s), uint8(len(s)%2), uint8(1), int8(3))
		f.Add([]byte(s+"\x00"+s), uint8(3), uint8(2), int8(-1))
	}
	f.Fuzz(func(t *testing.T, b []byte, binary, inFlight uint8, credits int8) {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, 1)
			p.script = func(l *line) {
				l.say(&protocol.Ack{Prompts: protocol.ByServer, Limits: protocol.Limits{Texts: int(credits), InFlight: int(inFlight), Credits: int(credits)}})
				for i, part := range bytes.Split(b, []byte{0, 0xff}) {
					l.next()
					if !l.send(inbound{binary: binary>>(i%8)&1 != 0, data: slices.Clone(part)}) {
						return
					}
				}
				l.hangUp(closeAway)
			}
			c := p.client("mine")
			defer c.Close()
			var both sync.WaitGroup
			both.Go(func() {
				n := 0
				_, err := c.Embed(context.Background(), "e", []string{"a", "b"}, 0, func(int, []float32) error { n++; return nil })
				if err == nil && n != 2 {
					t.Errorf("%d vectors", n)
				}
				if err != nil {
					code(t, err)
				}
			})
			both.Go(func() {
				if _, _, err := c.Chat(context.Background(), hello, func(protocol.Part) error { return nil }); err != nil {
					code(t, err)
				}
			})
			both.Wait()
		})
	})
}
