package gateway

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// This file lets requests over OpenAI's interface wait. An SDK may send a hundred at once,
// and most clients give up on a refusal that passes in a second.

// againIn is when a client may try again after a refusal for too many requests at a time.
const againIn = 2 * time.Second

// waiter is a request that waits for one of its address or token to end.
type waiter struct {
	peer    *peer
	decided chan *refusal // gets nil once the peer is admitted
}

// sessions are the open sessions, and the requests that wait to be one. Its lock also guards
// the gateway's sessions over HTTP.
type sessions struct {
	limits func() *Config

	mu     sync.Mutex
	open   map[*peer]struct{}
	per    map[admission.Caller]int
	closed bool
	wg     sync.WaitGroup

	lines   map[admission.Caller][]waiter // in order of arrival
	waiting int                           // number of all of them
}

func newSessions(limits func() *Config) *sessions {
	return &sessions{limits: limits, open: map[*peer]struct{}{}, per: map[admission.Caller]int{}, lines: map[admission.Caller][]waiter{}}
}

// admit registers a session, or returns why it is refused.
func (s *sessions) admit(p *peer) *refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	no := s.room(p)
	if no == nil {
		s.add(p)
	}
	return no
}

// leave unregisters a session, once.
func (s *sessions) leave(p *peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[p]; !ok {
		return
	}
	full := len(s.open) >= s.limits().Connections
	delete(s.open, p)
	if s.per[p.pays]--; s.per[p.pays] == 0 {
		delete(s.per, p.pays)
	}
	s.wg.Done()
	s.advance(p.pays)
	if full {
		s.advanceAll()
	}
}

// enter admits a request, in the order of arrival. If too many of its address or token are
// in progress, it waits for at most c.Wait.
func (s *sessions) enter(ctx context.Context, p *peer) *refusal {
	c := s.limits()
	w := waiter{p, make(chan *refusal, 1)}
	s.mu.Lock()
	no := s.room(p)
	switch {
	case no == nil:
		s.add(p)
	case no.why != tooManyOfAddress || len(s.lines[p.pays]) >= c.Waiting || len(s.open)+s.waiting >= c.Connections:
	default:
		s.lines[p.pays] = append(s.lines[p.pays], w)
		s.waiting++
		s.mu.Unlock()
		return s.await(ctx, w, c.Wait)
	}
	s.mu.Unlock()
	return no
}

// await waits for the turn of a request.
func (s *sessions) await(ctx context.Context, w waiter, most time.Duration) *refusal {
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case no := <-w.decided:
		return no
	case <-late.C:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line := s.lines[w.peer.pays]
	i := slices.Index(line, w)
	if i < 0 { // its turn has just come
		return <-w.decided
	}
	s.setLine(w.peer.pays, slices.Delete(line, i, i+1))
	return s.tooMany(w.peer)
}

// setLine replaces a line by a shorter one. The lock must be held, as for the functions below.
func (s *sessions) setLine(pays admission.Caller, line []waiter) {
	s.waiting -= len(s.lines[pays]) - len(line)
	if s.lines[pays] = line; len(line) == 0 {
		delete(s.lines, pays)
	}
}

// advance admits the first requests of a line while there is room for them.
func (s *sessions) advance(pays admission.Caller) {
	for line := s.lines[pays]; len(line) > 0; line = s.lines[pays] {
		w := line[0]
		no := s.room(w.peer)
		if no != nil && !s.closed {
			return
		}
		s.setLine(pays, slices.Delete(line, 0, 1))
		if no == nil {
			s.add(w.peer)
		}
		w.decided <- no
	}
}

// advanceAll is advance for every line.
func (s *sessions) advanceAll() {
	for pays := range s.lines {
		s.advance(pays)
	}
}

// room returns why a session is refused, or nil.
func (s *sessions) room(p *peer) *refusal {
	c := s.limits()
	switch {
	case s.closed:
		return &refusal{http.StatusServiceUnavailable, "draining", errDraining}
	case len(s.open) >= c.Connections:
		return &refusal{http.StatusServiceUnavailable, "full", protocol.Errorf(protocol.Busy, "The proxy is full. Try again later.")}
	case s.per[p.pays] >= c.PerCaller:
		return s.tooMany(p)
	}
	return nil
}

// tooMany returns the refusal of a session if its address, or its token, has too many.
func (s *sessions) tooMany(p *peer) *refusal {
	no := protocol.Errorf(protocol.RateLimited, "Too many connections from your address.")
	if p.pays != p.address {
		no.Message = "Too many requests at a time with this token."
	}
	return &refusal{http.StatusTooManyRequests, tooManyOfAddress, no}
}

// add registers a session.
func (s *sessions) add(p *peer) {
	s.open[p] = struct{}{}
	s.per[p.pays]++
	s.wg.Add(1)
}
