package remote

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Hosts are those of an address, any of which can be asked.
type Hosts struct {
	turns bool           // they take turns; or else the one that answered last is asked
	next  atomic.Uint32  // who is asked first
	away  []atomic.Int64 // until when one is asked last, which did not answer
}

// NewHosts are n hosts.
func NewHosts(n int, turns bool) *Hosts { return &Hosts{turns: turns, away: make([]atomic.Int64, n)} }

// awayFor is how long a host that did not answer is asked after the others.
const awayFor = 10 * time.Second

// Ask asks one host, and the next one where that is not available, each within a time.
func (h *Hosts) Ask(ctx context.Context, within time.Duration, ask func(ctx context.Context, host int) error) (err error) {
	from := int(h.next.Load())
	if h.turns {
		from = int(h.next.Add(1))
	}
	for _, host := range h.order(from, time.Now()) {
		one, cancel := context.WithTimeout(ctx, within)
		err = ask(one, host)
		cancel()
		switch {
		case err == nil:
			h.away[host].Store(0)
			if !h.turns {
				h.next.Store(uint32(host))
			}
			return nil
		case ctx.Err() != nil || !errors.Is(err, ErrUnavailable):
			return err
		}
		h.away[host].Store(time.Now().Add(awayFor).UnixNano())
	}
	return err
}

// order is in which hosts are asked: those that are away last.
func (h *Hosts) order(from int, now time.Time) []int {
	var first, last []int
	for i := range h.away {
		host := (from + i) % len(h.away)
		if h.away[host].Load() > now.UnixNano() {
			last = append(last, host)
		} else {
			first = append(first, host)
		}
	}
	return append(first, last...)
}
