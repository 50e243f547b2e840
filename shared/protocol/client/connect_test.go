package client

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seam/shared/protocol"
)

// A close code decides whether to reconnect.
func TestCloseCodes(t *testing.T) {
	for closeCode, want := range map[int]protocol.Code{
		protocol.CloseBadMessage: protocol.BadRequest, protocol.CloseDuplicate: protocol.BadRequest, protocol.CloseForbidden: protocol.Forbidden,
		protocol.CloseSubprotocol: protocol.Forbidden, closeRestart: Offline, closeAway: Offline, protocol.CloseTooMany: Offline, 1011: Offline,
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, 1)
			p.script = func(l *line) { l.greet(); l.next(); l.hangUp(closeCode) }
			c := p.client("")
			defer c.Close()
			_, err := embedded(t, c, words(3), p.dims)
			dials := 1
			if want == Offline {
				dials = maxTries
			}
			if code(t, err) != want || p.dials != dials {
				t.Errorf("%d: %v after %d connections", closeCode, err, p.dials)
			}
		})
	}
}

// A rejected token is replaced once, unless it is the user's own.
func TestUnauthorized(t *testing.T) {
	for _, tt := range []struct {
		token        string
		refused      int // number of refused connections
		dials, asked int
		code         protocol.Code
	}{{"", 1, 2, 2, ""}, {"", 9, 2, 2, protocol.Unauthorized}, {"mine", 9, 1, 0, protocol.Unauthorized}} {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, 1)
			asked := 0
			p.post = func(path string, _ map[string]string, _ []byte) (*Response, error) {
				asked++
				return answer(200, `{"token":"given"}`), nil
			}
			p.script = func(l *line) {
				if l.nth <= tt.refused {
					if m, ok := l.next().(*protocol.Init); !ok || m.Token != map[string]string{"": "given"}[tt.token]+tt.token {
						t.Errorf("%+v", m)
					}
					l.hangUp(protocol.CloseUnauthorized)
					return
				}
				l.serve()
			}
			c := p.client(tt.token)
			defer c.Close()
			_, err := embedded(t, c, words(3), p.dims)
			if tt.code == "" && err != nil || tt.code != "" && code(t, err) != tt.code || p.dials != tt.dials || asked != tt.asked {
				t.Errorf("%+v: %v, %d connections, %d tokens", tt, err, p.dials, asked)
			}
		})
	}
}

// A proxy that shuts down finishes the requests in progress. New requests go to the next
// connection.
func TestShuttingDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		p.script = func(l *line) {
			if l.nth > 1 {
				l.serve()
				return
			}
			l.greet()
			m := l.next().(*protocol.Chat)
			l.say(&protocol.Delta{ID: m.ID, Seq: 0, Delta: "still "})
			l.say(&protocol.Err{Code: protocol.ShuttingDown, Message: "It restarts.", Whose: protocol.Proxy})
			time.Sleep(20 * time.Second)
			l.say(&protocol.Delta{ID: m.ID, Seq: 1, Delta: "here"})
			l.say(&protocol.End{ID: m.ID, Finish: "stop"})
			if m := l.next(); m != nil && protocol.TypeOf(m) != protocol.TypePing && protocol.TypeOf(m) != protocol.TypeCredit {
				t.Errorf("%+v after it said that it goes", m)
			}
		}
		c := p.client("")
		defer c.Close()
		var chat sync.WaitGroup
		chat.Go(func() {
			got := ""
			if _, _, err := c.Chat(context.Background(), hello, func(p protocol.Part) error { got += p.Text; return nil }); err != nil || got != "still here" {
				t.Errorf("%q %v", got, err)
			}
		})
		time.Sleep(time.Second)
		if _, err := embedded(t, c, words(5), p.dims); err != nil || p.dials != 2 {
			t.Errorf("%v after %d connections", err, p.dials)
		}
		chat.Wait()
	})
}

// A connection is dropped if it answers no ping, but kept if it is only silent. An idle
// connection is not pinged.
func TestPing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		dead := false
		p.script = func(l *line) {
			l.greet()
			if m := l.next(); l.nth == 1 && m != nil {
				dead = true
				<-l.ctx.Done()
				return
			} else if m != nil {
				time.Sleep(5 * time.Second)
				l.take(m)
				for range 3 { // a slow model
					l.take(l.next())
				}
				l.serveOpen()
			}
		}
		c := p.client("")
		defer c.Close()
		if _, err := c.Hello(context.Background()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if p.pings != 0 || dead {
			t.Error("an idle connection was asked")
		}
		began := time.Now()
		_, err := embedded(t, c, words(5), p.dims)
		if took := time.Since(began); err != nil || p.dials != 2 || p.pings != 3 || took < pongWithin+3*pingEvery {
			t.Errorf("%v after %v, %d connections, %d pings", err, took, p.dials, p.pings)
		}
	})
}

// serveOpen sends all frames of all open requests.
func (l *line) serveOpen() {
	for _, a := range l.open {
		for _, f := range a.frames {
			l.send(f)
		}
	}
}

func TestClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		p.script = func(l *line) { l.greet(); <-l.ctx.Done() }
		c := p.client("")
		var call sync.WaitGroup
		call.Go(func() {
			_, err := embedded(t, c, words(3), p.dims)
			if code(t, err) != protocol.Cancelled {
				t.Errorf("%v", err)
			}
		})
		synctest.Wait()
		c.Close()
		call.Wait()
		if _, err := c.Hello(context.Background()); code(t, err) != protocol.Cancelled {
			t.Errorf("%v", err)
		}
	})
}

// The first connection fails at once if the proxy does not answer. No call may wait
// forever.
func TestNobodyThere(t *testing.T) {
	silence := func(l *line) { <-l.ctx.Done() }
	for name, tt := range map[string]struct {
		post   func(string, map[string]string, []byte) (*Response, error)
		script func(*line)
		code   protocol.Code
		within time.Duration
	}{
		"nobody":      {func(string, map[string]string, []byte) (*Response, error) { return nil, errors.New("refused") }, nil, Offline, 0},
		"a web page":  {func(string, map[string]string, []byte) (*Response, error) { return answer(200, "<html>"), nil }, nil, Offline, 0},
		"not found":   {func(string, map[string]string, []byte) (*Response, error) { return answer(404, "no"), nil }, nil, Offline, 0},
		"not allowed": {func(string, map[string]string, []byte) (*Response, error) { return answer(403, "no"), nil }, nil, protocol.Forbidden, 0},
		"full":        {func(string, map[string]string, []byte) (*Response, error) { return answer(503, "no"), nil }, nil, protocol.ShuttingDown, time.Minute},
		"an err": {func(string, map[string]string, []byte) (*Response, error) {
			return answer(429, `{"type":"err","code":"budget_spent","message":"Spent.","whose":"proxy"}`), nil
		}, nil, protocol.BudgetSpent, 0},
		"silence": {func(path string, _ map[string]string, _ []byte) (*Response, error) {
			if path == protocol.PathSession {
				return answer(200, "{}"), nil
			}
			return answer(404, ""), nil
		}, silence, Offline, answerWithin},
		"no ack": {nil, func(l *line) { l.next(); l.say(&protocol.Pong{}); <-l.ctx.Done() }, protocol.Internal, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, 1)
			p.post, p.script = tt.post, tt.script
			c := p.client("")
			defer c.Close()
			began := time.Now()
			_, err := c.Hello(context.Background())
			if took := time.Since(began); code(t, err) != tt.code || took > tt.within {
				t.Errorf("%s: %v after %v", name, err, took)
			}
		})
	}
}

// The proof of work must finish or end with its caller. An endless one is refused.
func TestWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		bits := 10
		p.post = func(_ string, _ map[string]string, body []byte) (*Response, error) {
			var q protocol.SessionRequest
			if err := json.Unmarshal(body, &q); err != nil {
				t.Error(err)
			}
			if q.Challenge == "" {
				b, _ := json.Marshal(protocol.SessionReply{Puzzle: &protocol.Puzzle{Challenge: "c", Bits: bits}})
				return answer(200, string(b)), nil
			}
			if !protocol.Solves("c", bits, q.N) || q.Challenge != "c" {
				t.Errorf("%+v is no solution", q)
			}
			return answer(200, `{"token":"earned"}`), nil
		}
		p.script = func(l *line) {
			if m, ok := l.next().(*protocol.Init); !ok || m.Token != "earned" {
				t.Errorf("%+v", m)
			}
			l.say(&protocol.Ack{Prompts: protocol.ByClient})
			<-l.ctx.Done()
		}
		c := p.client("")
		defer c.Close()
		if _, err := c.Hello(context.Background()); err != nil {
			t.Error(err)
		}
		bits = 60
		if _, err := p.client("").Hello(context.Background()); code(t, err) != protocol.Busy {
			t.Errorf("%v", err)
		}
		bits = hardest
		ctx, cancel := context.WithCancel(context.Background())
		yields := 0
		slow := New(Options{Transport: p, Sleep: Sleep, Random: rand.Float64, Yield: func() {
			if yields++; yields == 3 {
				cancel()
			}
			synctest.Wait()
		}})
		if _, err := slow.Hello(ctx); !errors.Is(err, context.Canceled) || yields != 3 {
			t.Errorf("%v after %d yields", err, yields)
		}
		slow.Close()
	})
}

// A connection attempt ends when its last waiting caller gives up.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		gone := false
		p.script = func(l *line) { <-l.ctx.Done(); gone = true }
		c := p.client("")
		defer c.Close()
		var cancels []context.CancelFunc
		for range 2 {
			ctx, cancel := context.WithCancel(context.Background())
			cancels = append(cancels, cancel)
			go func() {
				if _, err := c.Hello(ctx); !errors.Is(err, context.Canceled) || code(t, err) != protocol.Cancelled {
					t.Errorf("%v", err)
				}
			}()
		}
		for i, cancel := range cancels {
			synctest.Wait()
			if gone {
				t.Errorf("given up when %d of 2 had left", i)
			}
			cancel()
		}
		if synctest.Wait(); !gone || p.dials != 1 {
			t.Errorf("given up: %v, %d connections", gone, p.dials)
		}
	})
}

// After a reconnect the new limits apply, even to texts that the old connection would have
// accepted.
func TestLimitsAfterReconnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		p.ack = func() protocol.Ack {
			return protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 2, InFlight: 1, Credits: 5, TextBytes: map[bool]int{true: 100, false: 5}[p.dials == 1]}}
		}
		p.script = func(l *line) {
			l.greet()
			if l.nth == 1 {
				l.next()
				l.hangUp(closeRestart)
			}
			<-l.ctx.Done()
		}
		c := p.client("")
		defer c.Close()
		if _, err := embedded(t, c, []string{"a", "b", "longer"}, p.dims); code(t, err) != protocol.TooLarge || !strings.Contains(err.Error(), "Text 2 ") {
			t.Errorf("%v", err)
		}
	})
}
