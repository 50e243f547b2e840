package upstream

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

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
		g.left(enters(t, g), awayError())
		g.left(enters(t, g), nil)
		for range brokenAfter {
			g.left(enters(t, g), awayError())
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
			g.left(one, awayError())
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
		g.left(one, nil)
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
				g.left(enters(t, g), failed)
				limit.left(enters(t, limit), failed)
			}
		}
		// If the probing request is cancelled, the next one probes.
		for range brokenAfter {
			g.left(enters(t, g), awayError())
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
		g.left(enters(t, g), limitedError("7"))
		limit.left(enters(t, limit), limitedError("7"))
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
		c.transport.away.left(false, awayError())
	}
	c.transport.away.until = time.Now() // the closed time is over
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := c.Embed(ctx, "vec", texts, 0); code(t, err) != protocol.UpstreamTimeout {
		t.Error(err)
	}
	count(t, s, 1)
	if one, failed := c.transport.away.enter(context.Background(), 0); failed != nil || !one {
		t.Errorf("all are let through: %v, %v", one, failed)
	}
}

func TestGateOfALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(true, time.Second)
		early := enters(t, g)
		g.left(enters(t, g), limitedError("7"))
		g.left(early, nil) // was sent before
		began := time.Now()
		if _, failed := g.enter(context.Background(), 6*time.Second); failed == nil || failed.public.Code != protocol.UpstreamLimited || failed.public.RetryAfter != 7*time.Second {
			t.Errorf("%v", failed)
		}
		one, failed := g.enter(context.Background(), 10*time.Second)
		if failed != nil || !one || time.Since(began) != 7*time.Second {
			t.Errorf("%v after %v", failed, time.Since(began))
		}
		g.left(one, limitedError("86400")) // a wait this long is capped
		if g.wait() != closedMost {
			t.Errorf("closed for %v", g.wait())
		}
		time.Sleep(closedMost)
		g.left(enters(t, g), nil)
		if enters(t, g) {
			t.Error("still half open")
		}
		g.quit(false)
		g.left(enters(t, g), rejected(http.StatusTooManyRequests, nil, "")) // it does not say
		if g.wait() != time.Second {
			t.Errorf("closed for %v", g.wait())
		}
	})
}

// One embedding for a provider that is away makes three calls, and the next makes none.
func TestAProviderThatIsAwayIsLeftAlone(t *testing.T) {
	s := start(t)
	s.Always(upstreamtest.Script{Status: 503})
	c := connect(t, s)
	_, _, err := c.Embed(context.Background(), "vec", texts, 0)
	var public *protocol.Error
	if code(t, err); !errors.As(err, &public) || public.RetryAfter <= 0 || public.RetryAfter > coolFirst {
		t.Errorf("told to come again in %v", public.RetryAfter)
	}
	count(t, s, 3)
	for range 10 {
		if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamFailed {
			t.Error(err)
		}
	}
	count(t, s, 3)
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
