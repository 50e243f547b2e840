package gateway

import (
	"context"
	"errors"
	"time"
)

// How a writer counts what waits for its client, and what it does about one that does
// not take it: nothing new is asked for, and what waits may be given up (see account).

// errSlow says that the client does not take what it asked for.
var errSlow = errors.New("the client is too slow")

// hold counts bytes that wait, or wait no more for n < 0. All that a request has
// waiting is counted here and nowhere else. It is false, and nothing is counted,
// where the account of all sessions has no room for more than was allowed.
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

// allowed changes how much of what a request has waiting is in the account already.
func (w *writer) allowed(s *stream, n int) {
	before := max(s.allow, s.held)
	s.allow = n
	w.tab.give(before - max(s.allow, s.held))
}

// forget drops what a request has waiting, but for what is being sent.
func (w *writer) forget(s *stream) {
	sent := 0
	if w.flier == s {
		sent = w.flying
	}
	s.frames, s.delta = nil, nil
	w.hold(s, sent-s.held)
}

// fly notes what is being sent, and landed that it has gone.
func (w *writer) fly(s *stream, n int, at time.Time) { w.flier, w.flying, w.flewAt = s, n, at }

func (w *writer) landed() {
	if s := w.flier; s != nil {
		w.hold(s, -w.flying)
		w.flier, w.flying = nil, 0
		s.signal()
	}
}

// ready waits until the client takes what it has asked for: nothing new is asked
// from anybody while more than a part of its answers waits, or while it gives no
// credit.
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

// reserved tells the writer that n bytes more of what a request will have waiting
// are in the account already. It is false where the request is over: the bytes stay
// the caller's.
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

// reason is why a request takes no more frames; s is nil where it is not there.
func (w *writer) reason(s *stream) error {
	if s != nil && s.slow || errors.Is(w.why, errSlow) {
		return errSlow
	}
	return context.Canceled
}

// waits is how many bytes the client has not taken, and since when the oldest
// frame of them waits.
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

// oldest is when the oldest frame of a request came to wait; zero for none.
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

// cut gives up what the client has not taken for long: the session where a frame
// does not go out, and else the requests that it gives no credit.
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
		if s.last != nil { // all of it had come
			s.last = errFrame(id, errSlow)
		} else if s.cut != nil {
			s.cut(errSlow)
		}
		s.signal()
		w.start()
	}
}
