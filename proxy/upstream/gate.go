package upstream

import (
	"context"
	"net/http"
	"sync"
	"time"

	"seam/shared/protocol"
)

const (
	// brokenAfter is how many tries in a row find no provider until it is left
	// alone for a while.
	brokenAfter = 3
	// coolFirst is that while. It doubles with each try that finds it still away, to
	// coolMost.
	coolFirst, coolMost = 2 * time.Second, time.Minute
	// closedMost bounds for how long a provider's own word is taken: then one
	// request finds out.
	closedMost = 5 * time.Minute
)

// gate is what all callers of a server know of it together: whether it may be
// asked now. While it is closed nobody asks; then one does, and the others wait
// for what becomes of that (a circuit breaker, see M. Nygard, Release It!, 2007). A
// gate has three states: open (until is zero), closed (until is ahead), and half
// open (until is over).
type gate struct {
	limited bool          // it stands for a rate limit; else for a server that is away
	first   time.Duration // for how long it closes at first, where the provider does not say

	mu      sync.Mutex
	until   time.Time
	away    int           // tries in a row that found nobody
	trying  bool          // half open, and one request is on its way
	last    string        // what the last of those tries was told
	changed chan struct{} // closed when any of these changes
}

func newGate(limited bool, first time.Duration) *gate {
	return &gate{limited: limited, first: first, changed: make(chan struct{})}
}

// wake tells those who wait; the lock is held.
func (g *gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// enter waits until the gate is open, for at most so long. The *Error says when to
// come again. After nil, left must be called.
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
		// A server that is away is not waited for: that may be long.
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

// refusal is the error of those who were not let through: in the words of the try
// that closed the gate.
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

// wait is how long the gate is closed from now on, 0 where it is not.
func (g *gate) wait() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.until.IsZero() {
		return 0
	}
	return max(0, time.Until(g.until))
}

// left tells what became of a try that enter let through; one is enter's. A nil
// error is a success.
func (g *gate) left(one bool, failed *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case failed != nil && g.concerns(failed):
		g.fell(one, failed)
	case one || !g.limited || !time.Now().Before(g.until): // one that was on its way before says nothing of a limit
		g.until, g.away = time.Time{}, 0
	}
	g.settle(one)
}

// quit takes back an enter: nothing was tried, or nobody knows what came of it.
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

// fell closes the gate where it is time to.
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

// concerns reports whether a failure is of the kind that the gate stands for. A
// status of 500 is none: a text may bring it about, and one visitor is not to close
// the gate for all.
func (g *gate) concerns(e *Error) bool {
	if e.cause != nil { // the caller's own: its time was up
		return false
	}
	if g.limited {
		return e.public.Code == protocol.UpstreamLimited
	}
	switch e.status {
	case 0:
		return e.public.Code == protocol.UpstreamFailed && !e.worked || e.public.Code == protocol.UpstreamTimeout
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}
