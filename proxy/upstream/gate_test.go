package upstream

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

var others atomic.Int64

// other returns a request of a caller that has sent no other.
func other() (w witness) {
	w.caller = fmt.Sprint(others.Add(1))
	w.request = sha256.Sum256([]byte(w.caller))
	return w
}

func awayError() *Error { return rejected(http.StatusServiceUnavailable, nil, "") }

func limitedError(after string) *Error {
	return rejected(http.StatusTooManyRequests, http.Header{"Retry-After": {after}}, "")
}

// enters passes the gate, which must be immediate.
func enters(t *testing.T, g *gate) (one bool) {
	t.Helper()
	began := time.Now()
	one, failed := g.enter(context.Background(), time.Minute)
	if failed != nil || time.Since(began) > 0 {
		t.Fatalf("kept back for %v: %v", time.Since(began), failed)
	}
	return one
}

// A server that is away is not asked for a while, then by one request, and by all once that
// one succeeds.
func TestGateOfAServerThatIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(false, coolFirst)
		g.left(enters(t, g), awayError(), other())
		g.left(enters(t, g), nil, other())
		for range brokenAfter {
			g.left(enters(t, g), awayError(), other())
		}
		for cool := coolFirst; cool < 10*coolMost; cool *= 2 {
			want := min(cool, coolMost)
			_, failed := g.enter(context.Background(), time.Hour)
			if failed == nil || failed.public.Code != protocol.UpstreamFailed || failed.public.RetryAfter != want {
				t.Fatalf("%v, want to be told to come in %v", failed, want)
			}
			time.Sleep(want)
			one := enters(t, g)
			_, failed = g.enter(context.Background(), time.Second) // waits for the first request
			if !one || failed == nil {
				t.Fatalf("one %v, another %v", one, failed)
			}
			g.left(one, awayError(), other())
		}
		time.Sleep(coolMost)
		one := enters(t, g)
		var through atomic.Int32
		for range 10 {
			go func() {
				if other, failed := g.enter(context.Background(), time.Minute); failed == nil && !other {
					through.Add(1)
				}
			}()
		}
		synctest.Wait()
		if through.Load() != 0 {
			t.Errorf("%d did not wait for the first", through.Load())
		}
		g.left(one, nil, other())
		synctest.Wait()
		if through.Load() != 10 {
			t.Errorf("%d of 10 were let through", through.Load())
		}
	})
}

// A failure that a text or a caller can cause closes no gate.
func TestGateIsNotForOneCallerToClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, limit := newGate(false, coolFirst), newGate(true, time.Second)
		late, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		<-late.Done()
		for _, failed := range []*Error{rejected(500, nil, ""), rejected(400, nil, ""), rejected(413, nil, ""), badResponse("NaN"), interrupted(late)} {
			for range 10 {
				g.left(enters(t, g), failed, other())
				limit.left(enters(t, limit), failed, other())
			}
		}
		// If the probing request is cancelled, the next one probes.
		for range brokenAfter {
			g.left(enters(t, g), awayError(), other())
		}
		time.Sleep(coolFirst)
		if one := enters(t, g); !one {
			t.Fatal("nobody finds out")
		} else {
			g.quit(one)
		}
		if !enters(t, g) {
			t.Error("the next does not find out")
		}
		g.quit(true)
		ctx, stop := context.WithCancel(context.Background())
		g.left(enters(t, g), limitedError("7"), other())
		limit.left(enters(t, limit), limitedError("7"), other())
		stop()
		if _, failed := limit.enter(ctx, time.Minute); failed == nil || failed.public.Code != protocol.Cancelled {
			t.Errorf("cancelled: %v", failed)
		}
	})
}

// A probing request that times out by its own deadline proves nothing: a provider that
// hangs is still left alone.
func TestAProviderThatHangsForOneWithLittleTime(t *testing.T) {
	hold := make(chan struct{})
	s := start(t)
	s.Always(upstreamtest.Script{Hold: hold})
	defer close(hold)
	c := connect(t, s)
	for range brokenAfter {
		c.models["vec"].away.left(false, awayError(), other())
	}
	c.models["vec"].away.until = time.Now() // the closed time is over
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := c.Embed(ctx, "vec", texts, 0); code(t, err) != protocol.UpstreamTimeout {
		t.Error(err)
	}
	count(t, s, 1)
	if one, failed := c.models["vec"].away.enter(context.Background(), 0); failed != nil || !one {
		t.Errorf("all are let through: %v, %v", one, failed)
	}
}

func TestGateOfALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(true, time.Second)
		early := enters(t, g)
		g.left(enters(t, g), limitedError("7"), other())
		g.left(early, nil, other()) // was sent before
		began := time.Now()
		if _, failed := g.enter(context.Background(), 6*time.Second); failed == nil || failed.public.Code != protocol.UpstreamLimited || failed.public.RetryAfter != 7*time.Second {
			t.Errorf("%v", failed)
		}
		one, failed := g.enter(context.Background(), 10*time.Second)
		if failed != nil || !one || time.Since(began) != 7*time.Second {
			t.Errorf("%v after %v", failed, time.Since(began))
		}
		g.left(one, limitedError("86400"), other()) // a wait this long is capped
		if g.wait() != closedMost {
			t.Errorf("closed for %v", g.wait())
		}
		time.Sleep(closedMost)
		g.left(enters(t, g), nil, other())
		if enters(t, g) {
			t.Error("still half open")
		}
		g.quit(false)
		g.left(enters(t, g), rejected(http.StatusTooManyRequests, nil, ""), other()) // it does not say
		if g.wait() != time.Second {
			t.Errorf("closed for %v", g.wait())
		}
	})
}

// by returns the context of a caller.
func by(caller string) context.Context { return By(context.Background(), caller) }

// Three callers with different texts find a provider away. Then it gets no request, until
// one is let through. Each error says when to ask again.
func TestAProviderThatIsAwayIsLeftAlone(t *testing.T) {
	s := start(t)
	s.Always(upstreamtest.Script{Status: 503})
	c := connect(t, s)
	for i, caller := range []string{"alice", "bob", "carol"} {
		_, _, err := c.Embed(by(caller), "vec", []string{caller}, 0)
		var public *protocol.Error
		if code(t, err); !errors.As(err, &public) || public.RetryAfter <= 0 || public.RetryAfter > coolFirst {
			t.Errorf("told to come again in %v", public.RetryAfter)
		}
		if i == 2 {
			count(t, s, 7) // the third closes the gate with its first try
			break
		}
		count(t, s, 3*(i+1))
	}
	for range 10 {
		if _, _, err := c.Embed(by("dave"), "vec", texts, 0); code(t, err) != protocol.UpstreamFailed {
			t.Error(err)
		}
	}
	count(t, s, 7)
	if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamFailed {
		t.Error(err)
	}
	count(t, s, 10) // each model by itself
}

// One visitor, one text, and texts that only the provider's crash connects, close nothing
// for others.
func TestOneTextCutsOffNobody(t *testing.T) {
	s := start(t)
	s.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "crash") {
			return script(upstreamtest.HangUp)
		}
		return upstreamtest.Script{}
	})
	c := connect(t, s)
	for i := range 10 {
		_, _, err := c.Embed(by("mallory"), "vec", []string{fmt.Sprint("crash ", i)}, 0) // many texts of one caller
		if code(t, err) != protocol.UpstreamFailed {
			t.Error(err)
		}
	}
	for i := range 10 {
		_, _, err := c.Embed(by(fmt.Sprint(i)), "vec", []string{"crash"}, 0) // one text of many callers
		if code(t, err) != protocol.UpstreamFailed {
			t.Error(err)
		}
		if c.Wait("vec") != 0 {
			t.Fatal("the gate is closed")
		}
	}
	if _, _, err := c.Embed(by("bob"), "vec", texts, 0); err != nil {
		t.Error(err)
	}
	// A request that is sent again after its failure is tried once.
	before := len(s.Requests())
	for range 4 {
		_, _, _ = c.Embed(by("mallory"), "vec", []string{"crash again"}, 0)
	}
	count(t, s, before+3+1+1+1)
}

// The request that finds out whether the provider is back closes the gate again, but not
// twice for the same caller.
func TestOneCallerDoesNotKeepTheGateClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(false, coolFirst)
		for range brokenAfter {
			g.left(enters(t, g), awayError(), other())
		}
		mallory := other()
		time.Sleep(coolFirst)
		g.left(enters(t, g), awayError(), mallory)
		if g.wait() != 2*coolFirst {
			t.Errorf("closed for %v", g.wait())
		}
		time.Sleep(g.wait())
		for range 5 {
			if one := enters(t, g); !one {
				t.Fatal("nobody finds out")
			}
			g.left(true, awayError(), mallory)
		}
		g.left(enters(t, g), nil, other())
		if enters(t, g) {
			t.Error("still half open")
		}
	})
}

// A provider that cannot be reached at all has not read any text: the tries of one caller
// are enough.
func TestNobodyThere(t *testing.T) {
	s := start(t)
	c := connect(t, s)
	s.Close()
	if _, _, err := c.Embed(by("alice"), "vec", texts, 0); code(t, err) != protocol.UpstreamFailed {
		t.Error(err)
	}
	if c.Wait("vec") <= 0 || c.Wait("talk") != 0 {
		t.Errorf("left alone for %v and %v", c.Wait("vec"), c.Wait("talk"))
	}
}

// All callers wait for the Retry-After that one received.
func TestRetryAfterIsShared(t *testing.T) {
	s := start(t, upstreamtest.Script{Status: 429, RetryAfter: "1"})
	c := connect(t, s, func(p *Provider) { p.Retry.Tries, p.Retry.After = 1, generous })
	if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamLimited {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, _, _, err := ask(c); err != nil {
				t.Error(err)
			}
		})
	}
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err != nil { // each model has its own limit
		t.Error(err)
	}
	all.Wait()
	count(t, s, 22)
	first := s.Requests()[0]
	<-first.Done()
	for _, r := range s.Requests()[1:] {
		if gap := r.At.Sub(first.At); r.Model == first.Model && gap < time.Second {
			t.Errorf("asked again after %v", gap)
		}
	}
}

// An unusable response is paid for only once.
func TestABadAnswerIsPaidForOnce(t *testing.T) {
	for _, fault := range []upstreamtest.Fault{upstreamtest.NaN, upstreamtest.WrongCount, upstreamtest.Garbage, upstreamtest.WrongDims} {
		s := start(t)
		s.Always(script(fault))
		_, _, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
		var public *protocol.Error
		if code(t, err); !errors.As(err, &public) || public.RetryAfter != 0 {
			t.Errorf("%s: told to come again in %v", fault, public.RetryAfter)
		}
		count(t, s, 1)
	}
}
