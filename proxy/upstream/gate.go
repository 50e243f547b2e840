package upstream

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"sync"
	"time"

	"seam/shared/protocol"
)

const (
	// brokenAfter is the number of consecutive tries that must fail to reach the provider
	// before it is left alone for a while. If the provider got the request, and may have
	// failed because of it, as many callers must have failed, each with another request.
	brokenAfter = 3
	// witnessFor is how long the failure of one of these callers counts.
	witnessFor = time.Minute
	// coolFirst is that while. It doubles with each further failed try, up to coolMost.
	coolFirst, coolMost = 2 * time.Second, time.Minute
	// closedMost bounds how long a provider's Retry-After is respected: after that, one
	// request tries.
	closedMost = 5 * time.Minute
)

// gate is the shared knowledge of all callers about a model: whether it may be asked now.
// While the gate is closed, no request is sent. Then one request is let through, and the
// others wait for its result (a circuit breaker, see M. Nygard, Release It!, 2007). A gate
// has three states: open (until is zero), closed (until is in the future), and half open
// (until has passed).
type gate struct {
	limited bool          // for a rate limit; otherwise for a server that is away
	first   time.Duration // how long it closes at first, if the provider does not say

	mu      sync.Mutex
	until   time.Time
	away    int           // consecutive tries that reached no server, and closings after them
	seen    []witness     // failures of requests that the server got, since the last success
	prober  string        // caller whose request last closed the half-open gate again
	trying  bool          // half open, and one request is in flight
	last    string        // the error message of the last of those tries
	changed chan struct{} // closed when any of these changes
}

// witness is a request that failed at the server, which may be the request's fault.
type witness struct {
	caller  string
	request [sha256.Size]byte
	at      time.Time
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
// nil error means success. by is only used for a failure.
func (g *gate) left(one bool, failed *Error, by witness) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case failed != nil && g.concerns(failed):
		g.fell(one, failed, by)
	case one || !g.limited || !time.Now().Before(g.until): // a request sent before the limit proves nothing about it
		g.until, g.away, g.seen, g.prober = time.Time{}, 0, nil, ""
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
func (g *gate) fell(one bool, failed *Error, by witness) {
	g.last = failed.public.Message
	wait, known := retryAfter(failed.header, time.Now())
	switch {
	case g.limited:
		g.away++
	case failed.unsent || one && by.caller != g.prober:
		g.away++
		if one && !failed.unsent {
			g.prober = by.caller
		}
	case one || !g.testify(by): // one caller is not to keep it closed, or to close it
		return
	default:
		g.away = max(g.away, brokenAfter)
	}
	if !g.limited && !one && g.away < brokenAfter {
		return
	}
	if before := brokenAfter; !known {
		if g.limited {
			before = 1
		}
		wait = min(g.first<<min(max(0, g.away-before), 10), coolMost)
	}
	if until := time.Now().Add(min(wait, closedMost)); until.After(g.until) {
		g.until = until
	}
}

// testify adds a failure, and reports whether enough callers have failed, each with another
// request.
func (g *gate) testify(by witness) bool {
	by.at = time.Now()
	g.seen = slices.DeleteFunc(g.seen, func(w witness) bool { return by.at.Sub(w.at) > witnessFor })
	if len(g.seen) >= brokenAfter {
		g.seen = g.seen[1:]
	}
	if slices.ContainsFunc(g.seen, func(w witness) bool { return w.caller == by.caller || w.request == by.request }) {
		return false
	}
	g.seen = append(g.seen, by)
	return len(g.seen) >= brokenAfter
}

// suspects reports whether a request has failed before, so that it may be at fault.
func (g *gate) suspects(req *http.Request) bool {
	g.mu.Lock()
	none := len(g.seen) == 0
	g.mu.Unlock()
	if none {
		return false
	}
	by := witnessOf(req)
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.seen, func(w witness) bool { return w.request == by.request })
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
		return e.unsent || e.public.Code == protocol.UpstreamFailed && !e.worked || e.public.Code == protocol.UpstreamTimeout
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return !e.busy()
	}
	return false
}
