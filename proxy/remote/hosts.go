package remote

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// Hosts chooses among the equivalent hosts of an address.
type Hosts struct {
	turns bool           // take turns; otherwise ask the host that answered last
	next  atomic.Uint32  // the host to ask first
	away  []atomic.Int64 // for each host, until when it is asked last because it did not answer
}

// NewHosts returns a Hosts for n hosts.
func NewHosts(n int, turns bool) *Hosts { return &Hosts{turns: turns, away: make([]atomic.Int64, n)} }

// awayFor is how long a host that did not answer is asked after the others.
const awayFor = 10 * time.Second

// Ask calls ask for one host, and for the next if that one is unavailable, each with the
// given time limit.
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

// order returns the order in which to ask hosts: those that are away come last.
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
