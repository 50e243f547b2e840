package client

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seam/shared/protocol"
)

// Every test runs in a testing/synctest bubble with its own time. A leaked goroutine fails
// the test.

// Connections break and batches are refused at random. Every vector must still arrive once,
// at its place, and not be requested again. The limits of the latest ack apply, and a
// concurrent chat gets a slot.
func TestEmbedWhateverHappens(t *testing.T) {
	for seed := range uint64(150) {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, seed)
			p.faults = p.intn(maxTries)
			faults := p.faults
			p.ack = func() protocol.Ack {
				return protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 1 + p.intn(20), Tokens: []int{0, 40}[p.intn(2)], InFlight: 1 + p.intn(4), Credits: p.intn(5)}}
			}
			c := p.client("")
			defer c.Close()
			texts := words(1 + p.intn(120))
			var chat sync.WaitGroup
			chat.Go(func() {
				var answer strings.Builder
				_, finish, err := c.Chat(context.Background(), hello, func(p protocol.Part) error { answer.WriteString(p.Text); return nil })
				if err == nil && (answer.String() != "One word more" || finish != "stop") {
					t.Errorf("seed %d: the answer is %q, %s", seed, answer.String(), finish)
				}
				if err != nil && !strings.Contains(err.Error(), "broke off") {
					t.Errorf("seed %d: %v", seed, err)
				}
			})
			if _, err := embedded(t, c, texts, p.dims); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			chat.Wait()
			for text, n := range p.asked {
				if n > faults+1 {
					t.Errorf("seed %d: %q was asked for %d times with %d faults", seed, text, n, faults)
				}
			}
		})
	}
}

var hello = &protocol.Chat{Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "hello"}}}

func TestUsageAndSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		c := p.client("mine")
		defer c.Close()
		if usage, err := embedded(t, c, words(57), p.dims); err != nil || usage.Tokens != 57 {
			t.Errorf("%+v %v", usage, err)
		}
		hits, err := c.Search(context.Background(), &protocol.Search{Text: "why"})
		if err != nil || len(hits) != 1 || hits[0].Text != "why" {
			t.Errorf("%+v %v", hits, err)
		}
		if usage, err := c.Embed(context.Background(), "e", nil, 0, nil); usage != (protocol.Usage{}) || err != nil {
			t.Errorf("no texts: %+v %v", usage, err)
		}
		n, err := c.Calls("e", words(57), 0)
		if len(p.embeds) != n || n != 6 || err != nil {
			t.Errorf("%d requests, %d foreseen: %v", len(p.embeds), n, err)
		}
		if ack, err := c.Hello(context.Background()); err != nil || ack != c.Ack() || p.dials != 1 {
			t.Errorf("%+v %v, %d connections", ack, err, p.dials)
		}
	})
}

// Many callers must share one connection.
func TestOneConnectionForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		c := p.client("")
		defer c.Close()
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				texts := words(200)[10*i : 10*i+10]
				if _, err := embedded(t, c, texts, p.dims); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if p.dials != 1 {
			t.Errorf("%d connections", p.dials)
		}
	})
}

// Frame size is the size of the JSON, where quotes and control characters grow.
func TestBatchesFitIntoAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		p.ack = func() protocol.Ack {
			return protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 1000, TextBytes: 12_000, InFlight: 2, Credits: 9}}
		}
		c := p.client("")
		defer c.Close()
		texts := []string{}
		for i := range 40 {
			texts = append(texts, strings.Repeat("\x01<\u2028\"", 50*i)+"end "+strings.Repeat("y", i))
		}
		if _, err := embedded(t, c, texts, p.dims); err != nil {
			t.Error(err)
		}
		for i, bad := range []string{strings.Repeat("x", 12_001), strings.Repeat("\x01", 11_000)} {
			before := len(p.embeds)
			_, err := embedded(t, c, []string{"good", "good, too", bad}, p.dims)
			if code(t, err) != protocol.TooLarge || !strings.Contains(err.Error(), "Text 2 ") || len(p.embeds) != before {
				t.Errorf("%d: %v", i, err)
			}
		}
	})
}

// A batch that is too large is halved until it fits. Later batches start at that size.
func TestTooLargeIsHalved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProxy(t, 1)
		p.ack = func() protocol.Ack {
			return protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 64, InFlight: 1, Credits: 9}}
		}
		p.script = func(l *line) {
			l.greet()
			for m := l.next(); m != nil; m = l.next() {
				e, ok := m.(*protocol.Embed)
				switch {
				case ok && (len(e.Texts) > 10 || e.Texts[0] == "never"):
					p.embeds = append(p.embeds, len(e.Texts))
					l.say(&protocol.Err{ID: e.ID, Code: protocol.TooLarge, Message: "No.", Whose: protocol.Upstream})
				case ok:
					l.take(m)
					for _, f := range l.open[e.ID].frames {
						l.send(f)
					}
					delete(l.open, e.ID)
				}
			}
		}
		c := p.client("")
		defer c.Close()
		if _, err := embedded(t, c, words(100), p.dims); err != nil {
			t.Error(err)
		}
		refused := 0
		for _, n := range p.embeds {
			if n > 10 {
				refused++
			}
		}
		if refused > 6 || len(p.embeds) > 25 {
			t.Errorf("batches of %v", p.embeds)
		}
		if _, err := embedded(t, c, []string{"never"}, p.dims); code(t, err) != protocol.TooLarge || !strings.Contains(err.Error(), "Text 0 ") {
			t.Errorf("%v", err)
		}
	})
}

// refuses returns a proxy that answers every request with the same error.
func refuses(e *protocol.Error) func(*line) {
	return func(l *line) {
		l.greet()
		for m := l.next(); m != nil; m = l.next() {
			var id uint32
			switch m := m.(type) {
			case *protocol.Embed:
				id = m.ID
			case *protocol.Chat:
				id = m.ID
			default:
				continue
			}
			l.mu.Lock()
			l.embeds = append(l.embeds, 1)
			l.mu.Unlock()
			l.send(refusing(id, e).frames[0])
		}
	}
}

// Temporary errors are retried after a delay and a limited number of times. Other errors
// are not.
func TestTries(t *testing.T) {
	for _, tt := range []struct {
		err      protocol.Error
		tries    int
		from, to time.Duration
	}{
		{protocol.Error{Code: protocol.Busy}, maxTries, 12800 * time.Millisecond, 36 * time.Second}, // half of all pauses for a chat, all pauses for an embed
		{protocol.Error{Code: protocol.UpstreamLimited, RetryAfter: 20 * time.Second}, maxTries, 140 * time.Second, 160 * time.Second},
		{protocol.Error{Code: protocol.UpstreamFailed}, 1, 0, 0},
		{protocol.Error{Code: protocol.UpstreamTimeout}, 1, 0, 0},
		{protocol.Error{Code: protocol.UpstreamCutShort}, 1, 0, 0},
		{protocol.Error{Code: protocol.UpstreamFailed, RetryAfter: 2 * time.Second}, maxFailed, 4 * time.Second, 5 * time.Second},
		{protocol.Error{Code: protocol.RateLimited, RetryAfter: time.Hour}, 1, 0, 0},
		{protocol.Error{Code: protocol.BudgetSpent}, 1, 0, 0},
		{protocol.Error{Code: protocol.Unauthorized}, 1, 0, 0},
		{protocol.Error{Code: protocol.UnknownModel}, 1, 0, 0},
		{protocol.Error{Code: protocol.UpstreamRefused}, 1, 0, 0},
		{protocol.Error{Code: protocol.SlowConsumer}, 1, 0, 0},
		{protocol.Error{Code: "of tomorrow"}, 1, 0, 0},
	} {
		for name, call := range map[string]func(*Client) error{
			"embed": func(c *Client) error {
				_, err := c.Embed(context.Background(), "e", []string{"x"}, 0, func(int, []float32) error { return nil })
				return err
			},
			"chat": func(c *Client) error {
				_, _, err := c.Chat(context.Background(), hello, func(protocol.Part) error { return nil })
				return err
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				p := newProxy(t, 1)
				tt.err.Message = "No."
				p.script = refuses(&tt.err)
				c := p.client("")
				defer c.Close()
				began := time.Now()
				err := call(c)
				tries, from, to := tt.tries, tt.from, tt.to
				if name == "chat" && tt.err.Code == protocol.UpstreamFailed { // a user waits for it
					tries, from, to = 1, 0, 0
				}
				if took := time.Since(began); code(t, err) != tt.err.Code || len(p.embeds) != tries || took < from || took > to {
					t.Errorf("%s, %s: %v after %d tries and %v", name, tt.err.Code, err, len(p.embeds), took)
				}
			})
		}
	}
}

// A refusal halves the window, which then grows slowly.
func TestWindow(t *testing.T) {
	c := New(Options{})
	if c.batches() < 100 {
		t.Errorf("it begins at %d", c.batches())
	}
	c.narrow(8)
	if c.batches() != 4 {
		t.Errorf("half of 8 is %d", c.batches())
	}
	for range 4 {
		c.widen()
	}
	if n := c.batches(); n != 4 {
		t.Errorf("%d after a round of successes", n)
	}
	for range 2 {
		c.widen()
	}
	if n := c.batches(); n != 5 {
		t.Errorf("%d a little later", n)
	}
	for range 9 {
		c.narrow(1)
	}
	if c.batches() != 1 {
		t.Errorf("at least one, not %d", c.batches())
	}
}

// A chat is retried only if no part of its answer has arrived.
func TestChatBreaksOff(t *testing.T) {
	for _, parts := range []int{0, 2} {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, 1)
			p.script = func(l *line) {
				if l.nth > 1 {
					l.serve()
					return
				}
				l.greet()
				m := l.next().(*protocol.Chat)
				for i := range parts {
					l.say(&protocol.Delta{ID: m.ID, Seq: i, Delta: "a"})
				}
				l.hangUp(closeRestart)
			}
			c := p.client("")
			defer c.Close()
			got := ""
			usage, _, err := c.Chat(context.Background(), hello, func(p protocol.Part) error { got += p.Text; return nil })
			if parts == 0 && (err != nil || got != "One word more" || usage.TokensOut != 3) {
				t.Errorf("%q %v", got, err)
			}
			if parts > 0 && (code(t, err) != Offline || !strings.Contains(err.Error(), "broke off") || got != "aa" || p.dials != 1) {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}

// When a caller gives up, the proxy must be notified and the slot must be free for others.
func TestCancel(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			p := newProxy(t, seed)
			p.faults = p.intn(3)
			p.ack = func() protocol.Ack {
				return protocol.Ack{Prompts: protocol.ByClient, Limits: protocol.Limits{Texts: 7, InFlight: 1 + p.intn(3), Credits: 1}}
			}
			c := p.client("")
			defer c.Close()
			after := p.intn(50)
			ctx, cancel := context.WithCancel(context.Background())
			_, err := c.Embed(ctx, "e", words(100), 0, func(int, []float32) error {
				if after--; after == 0 {
					cancel()
				}
				return nil
			})
			cancel()
			if err != nil && (code(t, err) != protocol.Cancelled || !errors.Is(err, context.Canceled)) {
				t.Errorf("%v", err)
			}
			mine := errors.New("mine")
			if _, err := c.Embed(context.Background(), "e", []string{"other"}, 0, func(int, []float32) error { return mine }); err != mine {
				t.Errorf("%v", err)
			}
			p.mu.Lock()
			p.arrived = map[string]bool{}
			p.mu.Unlock()
			if _, err := embedded(t, c, words(20), p.dims); err != nil {
				t.Errorf("after that: %v", err)
			}
		})
	}
}
