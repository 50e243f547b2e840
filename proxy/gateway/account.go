package gateway

import (
	"context"
	"sync"
	"time"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

const (
	// defaultHeld is the default limit in bytes for all sessions.
	defaultHeld = 96 << 20
	// slowAfter is how long a frame may wait before its client counts as slow. A slow
	// client may lose it if others need the room.
	slowAfter = time.Second
	// roomWithin is how long a request waits for room if its address holds no more than its
	// share. Otherwise it waits busyWithin, enough for bytes that are currently being released.
	roomWithin, busyWithin = 3 * time.Second, 100 * time.Millisecond
	// little is an amount that every address may always hold.
	little = 4 * protocol.MaxText
)

// account counts the bytes that the proxy holds for all its clients: the texts and vectors
// of requests in progress, and the frames waiting to be sent. They never exceed most. If
// there is no room, addresses above their share are refused, and the account drops the
// longest-waiting answers of the addresses that hold the most. It is safe for concurrent
// use.
type account struct {
	mu      sync.Mutex
	most    int
	used    int
	highest int // the highest value of used
	callers map[admission.Caller]int
	writers map[*writer]struct{} // with open requests
	waiting int                  // requests entitled to room that wait for it
	freed   chan struct{}        // closed when bytes are released; nil if no request waits

	cutting sync.Mutex
}

func newAccount() *account {
	return &account{most: defaultHeld, callers: map[admission.Caller]int{}, writers: map[*writer]struct{}{}}
}

// tab is one address's part of the account. The zero value counts nothing.
type tab struct {
	account *account
	caller  admission.Caller
}

// limit sets the limit in bytes.
func (a *account) limit(most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.most = most
}

// take adds n bytes, or returns false if there is no room.
func (t tab) take(n int) bool {
	if t.account == nil {
		return true
	}
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	return t.account.add(t.caller, n)
}

// add is take for callers that hold the lock.
func (a *account) add(c admission.Caller, n int) bool {
	if a.used+n > a.most {
		return false
	}
	a.used += n
	a.highest = max(a.highest, a.used)
	if n > 0 {
		a.callers[c] += n
	}
	return true
}

// give releases n bytes.
func (t tab) give(n int) {
	a := t.account
	if a == nil || n == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used -= n
	if a.callers[t.caller] -= n; a.callers[t.caller] == 0 {
		delete(a.callers, t.caller)
	}
	if a.freed != nil {
		close(a.freed)
		a.freed = nil
	}
}

// entitled reports whether an address with n more bytes holds no more than its share. The
// caller must hold the lock.
func (a *account) entitled(c admission.Caller, n int) bool {
	mine, share := a.callers[c], a.most/max(1, len(a.callers))
	return mine <= little || mine+n <= share
}

// reserve adds n bytes in advance. If there is no room, it cuts slow clients and waits a
// while. Its error can be sent to the client.
func (t tab) reserve(ctx context.Context, n int) error {
	a := t.account
	if a == nil {
		return nil
	}
	var late <-chan time.Time
	waits := false
	defer func() {
		if waits {
			a.mu.Lock()
			a.waiting--
			a.mu.Unlock()
		}
	}()
	for {
		a.mu.Lock()
		entitled := a.entitled(t.caller, n)
		switch {
		case n > a.most:
			a.mu.Unlock()
			return protocol.Errorf(protocol.TooLarge, "The answer would be %d bytes, but this proxy holds at most %d for all clients: ask for less at once.", n, a.most)
		case (entitled || a.waiting == 0) && a.add(t.caller, n):
			a.mu.Unlock()
			return nil
		}
		if late == nil {
			within := busyWithin
			if entitled {
				within, waits = roomWithin, true
				a.waiting++
			}
			late = time.After(within)
		}
		if a.freed == nil {
			a.freed = make(chan struct{})
		}
		freed := a.freed
		a.mu.Unlock()
		a.cut(time.Now())
		select {
		case <-freed:
		case <-time.After(busyWithin): // another client may have become slow
		case <-late:
			return &protocol.Error{Code: protocol.Busy, Message: "The proxy's buffers for slow clients are full. Try again in a moment.", Whose: protocol.Proxy, RetryAfter: slowAfter}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// cut drops the unsent answers of one slow client. It chooses by the bytes waiting, their
// age, and the bytes held for the client's address.
func (a *account) cut(now time.Time) {
	if !a.cutting.TryLock() {
		return // another goroutine does
	}
	defer a.cutting.Unlock()
	a.mu.Lock()
	held := make(map[*writer]float64, len(a.writers))
	for w := range a.writers {
		held[w] = float64(a.callers[w.tab.caller])
	}
	a.mu.Unlock()
	var slowest *writer
	worst := 0.0
	for w, byAddress := range held {
		bytes, age := w.waits(now)
		if score := byAddress * float64(bytes) * age.Seconds(); age >= slowAfter && score > worst {
			slowest, worst = w, score
		}
	}
	if slowest != nil {
		slowest.cut(now)
	}
}

// joins registers a writer with open requests, or removes it.
func (t tab) joins(w *writer, has bool) {
	if t.account == nil {
		return
	}
	t.account.mu.Lock()
	defer t.account.mu.Unlock()
	if has {
		t.account.writers[w] = struct{}{}
	} else {
		delete(t.account.writers, w)
	}
}
