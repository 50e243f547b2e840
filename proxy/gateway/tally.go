package gateway

import (
	"log/slog"
	"sync"
	"time"

	"seam/shared/protocol"
)

// tally keeps the log short: of the refusals of an address with one code, it logs the first
// of a minute, and the number of the others at its end.
type tally struct {
	mu   sync.Mutex
	left map[refused]int
	log  *slog.Logger
	end  *time.Timer // of the minute; nil if there was no refusal yet
}

// refused is a kind of refusals that are counted together.
type refused struct {
	address string
	code    protocol.Code
}

// mostTallied is the number of kinds of a minute. The others are counted together.
const mostTallied = 10_000

// first counts a refusal, and reports whether it is the first of its kind in this minute.
func (t *tally) first(r refused, log *slog.Logger) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log = log
	if t.end == nil {
		t.left = map[refused]int{}
		t.end = time.AfterFunc(time.Minute, t.flush)
	}
	n, known := t.left[r]
	if !known && len(t.left) >= mostTallied {
		r = refused{"others", r.code}
		n, known = t.left[r]
	}
	t.left[r] = n
	if known {
		t.left[r]++
	}
	return !known
}

// flush logs the counts, and ends the minute.
func (t *tally) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.end == nil {
		return
	}
	t.end.Stop()
	t.end = nil
	for r, n := range t.left {
		if n > 0 {
			t.log.Info("requests refused", "address", r.address, "code", r.code, "more", n)
		}
	}
}

// ours reports whether an error is a refusal of the proxy itself, which costs a client
// nothing to repeat.
func ours(e *protocol.Error) bool {
	switch e.Code {
	case protocol.BadRequest, protocol.UnknownModel, protocol.PromptsOnly, protocol.TooLarge, protocol.RateLimited, protocol.BudgetSpent, protocol.Busy,
		protocol.Unauthorized, protocol.Forbidden, protocol.NotFound, protocol.ShuttingDown:
		return whose(e) == protocol.Proxy
	}
	return false
}
