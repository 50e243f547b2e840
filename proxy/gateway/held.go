package gateway

import (
	"context"
	"errors"
	"time"
)

// This file counts the bytes that wait for a writer's client. If a client does not take
// them, its new requests are delayed and waiting bytes may be dropped (see account).

// errSlow reports that the client does not take its answers.
var errSlow = errors.New("the client is too slow")

// hold adds n waiting bytes; n < 0 removes them. All waiting bytes of a request are counted
// here and nowhere else. If the account has no room beyond s.allow, it counts nothing and
// returns false.
func (w *writer) hold(s *stream, n int) bool {
	more := max(s.allow, s.held+n) - max(s.allow, s.held)
	if more > 0 && !w.tab.take(more) {
		return false
	}
	s.held += n
	w.held += n
	if more < 0 {
		w.tab.give(-more)
	}
	if n < 0 && w.waiting > 0 {
		for _, each := range w.streams {
			each.signal()
		}
	}
	return true
}

// allowed sets how many of a request's waiting bytes are reserved in the account.
func (w *writer) allowed(s *stream, n int) {
	before := max(s.allow, s.held)
	s.allow = n
	w.tab.give(before - max(s.allow, s.held))
}

// forget drops the waiting frames of a request, except the one being sent.
func (w *writer) forget(s *stream) {
	sent := 0
	if w.flier == s {
		sent = w.flying
	}
	s.frames, s.delta = nil, nil
	w.hold(s, sent-s.held)
}

// fly records the frame being sent, and landed that it has been sent.
func (w *writer) fly(s *stream, n int, at time.Time) { w.flier, w.flying, w.flewAt = s, n, at }

func (w *writer) landed() {
	if s := w.flier; s != nil {
		w.hold(s, -w.flying)
		w.flier, w.flying = nil, 0
		s.signal()
	}
}

// ready waits until the client takes its answers. Nothing new is requested from a provider
// while too many bytes wait, or while the client gives no credit.
func (w *writer) ready(ctx context.Context, id uint32) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting++
	defer func() { w.waiting-- }()
	for {
		s := w.streams[id]
		switch {
		case s == nil || s.slow:
			return w.reason(s)
		case s.credits > 0 && w.held <= untaken:
			return nil
		}
		w.mu.Unlock()
		select {
		case <-s.room:
		case <-ctx.Done():
		}
		w.mu.Lock()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// reserved records that n more of a request's future bytes are reserved in the account. It
// returns false if the request is over; the bytes then remain the caller's.
func (w *writer) reserved(id uint32, n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.streams[id]
	if s != nil {
		before := max(s.allow, s.held)
		s.allow += n
		w.tab.give(before + n - max(s.allow, s.held)) // counted twice
	}
	return s != nil
}

// reason returns why a request takes no more frames; s is nil if it is over.
func (w *writer) reason(s *stream) error {
	if s != nil && s.slow || errors.Is(w.why, errSlow) {
		return errSlow
	}
	return context.Canceled
}

// waits returns how many bytes the client has not taken, and the age of the oldest frame.
func (w *writer) waits(now time.Time) (bytes int, age time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.streams {
		if at := w.oldest(s); !at.IsZero() {
			age = max(age, now.Sub(at))
		}
	}
	return w.held, age
}

// oldest returns when the oldest frame of a request was queued, or zero if there is none.
func (w *writer) oldest(s *stream) time.Time {
	switch {
	case w.flier == s:
		return w.flewAt
	case len(s.frames) > 0:
		return s.frames[0].at
	case len(s.delta) > 0:
		return s.deltaAt
	}
	return time.Time{}
}

// cut drops frames that the client has not taken for long. If a frame is stuck in a send,
// it closes the session; otherwise it ends the requests without credit.
func (w *writer) cut(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state == closed {
		return
	}
	if w.flier != nil && now.Sub(w.flewAt) >= slowAfter {
		w.why = errSlow
		w.shut()
		w.to.cut()
		return
	}
	for id, s := range w.streams {
		if at := w.oldest(s); at.IsZero() || now.Sub(at) < slowAfter {
			continue
		}
		w.forget(s)
		s.slow = true
		if s.last != nil { // the answer was complete
			s.last = errFrame(id, errSlow)
		} else if s.cut != nil {
			s.cut(errSlow)
		}
		s.signal()
		w.start()
	}
}
