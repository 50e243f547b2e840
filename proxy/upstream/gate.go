package upstream

import (
	"context"
	"net/http"
	"sync"
	"time"

	"seam/shared/protocol"
)

const (
	// brokenAfter is the number of consecutive tries that must fail to reach the provider
	// before it is left alone for a while.
	brokenAfter = 3
	// coolFirst is that while. It doubles with each further failed try, up to coolMost.
	coolFirst, coolMost = 2 * time.Second, time.Minute
	// closedMost bounds how long a provider's Retry-After is respected: after that, one
	// request tries.
	closedMost = 5 * time.Minute
)

// gate is the shared knowledge of all callers about a server: whether it may be asked now.
// While the gate is closed, no request is sent. Then one request is let through, and the
// others wait for its result (a circuit breaker, see M. Nygard, Release It!, 2007). A gate
// has three states: open (until is zero), closed (until is in the future), and half open
// (until has passed).
type gate struct {
	limited bool          // for a rate limit; otherwise for a server that is away
	first   time.Duration // how long it closes at first, if the provider does not say

	mu      sync.Mutex
	until   time.Time
	away    int           // consecutive tries that reached no server
	trying  bool          // half open, and one request is in flight
	last    string        // the error message of the last of those tries
	changed chan struct{} // closed when any of these changes
}

func newGate(limited bool, first time.Duration) *gate {
	return &gate{limited: limited, first: first, changed: make(chan struct{})}
}

// wake wakes the waiters. g.mu must be held.
func (g *gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// enter waits until the gate is open, for at most that time. one reports whether the caller
// is the one request of a half-open gate. The *Error says when to retry. If it is nil, the
// caller must call left or quit.
func (g *gate) enter(ctx context.Context, most time.Duration) (one bool, failed *Error) {
	late := time.NewTimer(most)
	defer late.Stop()
	deadline := time.Now().Add(most)
	for {
		g.mu.Lock()
		until, changed := g.until, g.changed
		wait := time.Until(until)
		if free := until.IsZero(); free || wait <= 0 && !g.trying {
			g.trying = g.trying || !free
			g.mu.Unlock()
			return !free, nil
		}
		g.mu.Unlock()
		// Do not wait for a server that is away: that may take long.
		if wait > 0 && (!g.limited || until.After(deadline)) {
			return false, g.refusal()
		}
		var over <-chan time.Time
		if wait > 0 {
			over = time.After(wait)
		}
		select {
		case <-over:
		case <-changed:
		case <-late.C:
			return false, g.refusal()
		case <-ctx.Done():
			return false, interrupted(ctx)
		}
	}
}

// refusal returns the error of a request that was not let through, with the message of the
// try that closed the gate.
func (g *gate) refusal() *Error {
	code := protocol.UpstreamFailed
	if g.limited {
		code = protocol.UpstreamLimited
	}
	wait := max(g.wait(), time.Second)
	g.mu.Lock()
	defer g.mu.Unlock()
	e := fail(code, g.last)
	e.note, e.public.RetryAfter = "not asked", wait
	return e
}

// wait returns how long the gate stays closed, or 0 if it is not.
func (g *gate) wait() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return 0
	}
	return max(0, time.Until(g.until))
}

// left reports the result of a try that enter let through; one is the value from enter. A
// nil error means success.
func (g *gate) left(one bool, failed *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case failed != nil && g.concerns(failed):
		g.fell(one, failed)
	case one || !g.limited || !time.Now().Before(g.until): // a request sent before the limit proves nothing about it
		g.until, g.away = time.Time{}, 0
	}
	g.settle(one)
}

// quit undoes an enter if nothing was tried or the result is unknown.
func (g *gate) quit(one bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.settle(one)
}

func (g *gate) settle(one bool) {
	if one {
		g.trying = false
	}
	g.wake()
}

// fell counts a failure, and closes the gate if necessary.
func (g *gate) fell(one bool, failed *Error) {
	g.away++
	g.last = failed.public.Message
	wait, told := retryAfter(failed.header, time.Now())
	if !told && !g.limited && !one && g.away < brokenAfter {
		return
	}
	if before := brokenAfter; !told {
		if g.limited {
			before = 1
		}
		wait = min(g.first<<min(max(0, g.away-before), 10), coolMost)
	}
	if until := time.Now().Add(min(wait, closedMost)); until.After(g.until) {
		g.until = until
	}
}

// concerns reports whether a failure is of the gate's kind. Status 500 is not, because a
// text may cause it, and one visitor must not close the gate for all.
func (g *gate) concerns(e *Error) bool {
	if e.cause != nil { // the caller's own, for example its deadline
		return false
	}
	if g.limited {
		return e.public.Code == protocol.UpstreamLimited
	}
	switch e.status {
	case 0:
		return e.public.Code == protocol.UpstreamFailed && !e.worked || e.public.Code == protocol.UpstreamTimeout
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !e.busy()
	}
	return false
}
