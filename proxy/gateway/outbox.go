package gateway

import (
	"context"
	"errors"
	"sync"

	"seam/shared/protocol"
)

// maxHeld is how many bytes a request may have waiting for credit before it is
// given up: some answers, not a film.
const maxHeld = 1 << 20

// errSlow says that the client does not take what it asked for.
var errSlow = errors.New("the client is too slow")

// frame is one message to the client.
type frame struct {
	binary bool
	data   []byte
}

// outbox holds what is to be sent. Frames of the session go first, then those of
// its requests in turn, one each, so that a chat goes on beside a large reply. It
// is safe for concurrent use; one goroutine takes.
type outbox struct {
	mu      sync.Mutex
	session []frame
	streams map[uint32]*stream
	turn    []uint32      // whose turn it is
	ready   chan struct{} // for take

	// send, where it is set, sends what there is: it is called in a goroutine of its
	// own when there may be something and none is under way.
	send    func()
	sending bool
	senders sync.WaitGroup
}

// stream is one request's part. Deltas that wait are joined to one.
type stream struct {
	credits int
	frames  []frame
	held    int
	seq     int
	delta   []byte // text that waits to become a d
	last    []byte // end or err; costs no credit
	over    bool   // last has been taken
	room    chan struct{}
}

func newOutbox() *outbox {
	return &outbox{streams: map[uint32]*stream{}, ready: make(chan struct{}, 1)}
}

// wake is called with the lock held. Whoever may wait sends what there is itself,
// when the lock is free, if it gets true: a goroutine less for each reply.
func (o *outbox) wake(mayWait bool) (send bool) {
	if o.send != nil && !o.sending {
		o.sending = true
		if mayWait {
			return true
		}
		o.senders.Go(o.send)
	}
	select {
	case o.ready <- struct{}{}:
	default:
	}
	return false
}

// open makes room for a request. False where its id is in use.
func (o *outbox) open(id uint32, credits int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.streams[id] != nil {
		return false
	}
	o.streams[id] = &stream{credits: credits, room: make(chan struct{}, 1)}
	o.turn = append(o.turn, id)
	return true
}

// post queues a frame of the session's own.
func (o *outbox) post(data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.session = append(o.session, frame{data: data})
	o.wake(false)
}

// vectors queues a binary frame of a request. It waits while too much is held:
// what comes from a cache or is all there can wait. The frame is the outbox's
// from then on.
func (o *outbox) vectors(ctx context.Context, id uint32, data []byte) error {
	return o.wait(ctx, id, frame{true, data})
}

// text queues a text frame of a request, and waits in the same way.
func (o *outbox) text(ctx context.Context, id uint32, data []byte) error {
	return o.wait(ctx, id, frame{false, data})
}

func (o *outbox) wait(ctx context.Context, id uint32, f frame) error {
	for {
		o.mu.Lock()
		s := o.streams[id]
		if s == nil {
			o.mu.Unlock()
			return context.Canceled
		}
		if s.held == 0 || s.held+len(f.data) <= maxHeld {
			s.frames = append(s.frames, f)
			s.held += len(f.data)
			send := s.held > corkKeeps && o.wake(true) // little waits for its end, which comes at once
			o.mu.Unlock()
			if send {
				o.send()
			}
			return nil
		}
		o.mu.Unlock()
		select {
		case <-s.room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// delta queues the next part of an answer. A model does not wait: a client that
// lets too much of it pile up is too slow.
func (o *outbox) delta(id uint32, text string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.streams[id]
	if s == nil {
		return context.Canceled
	}
	if s.held+len(text) > maxHeld {
		return errSlow
	}
	s.delta = append(s.delta, text...)
	s.held += len(text)
	o.wake(false)
	return nil
}

// finish queues the end or err of a request; what it has queued before goes
// first, unless dropped. The id is free once that has been sent.
func (o *outbox) finish(id uint32, data []byte, drop bool) {
	o.mu.Lock()
	if s := o.streams[id]; s != nil {
		if drop {
			s.frames, s.delta, s.held = nil, nil, 0
		}
		s.last = data
	}
	send := o.wake(true)
	o.mu.Unlock()
	if send {
		o.send()
	}
}

// credit lets a request send n more frames.
func (o *outbox) credit(id uint32, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.streams[id]; s != nil {
		s.credits = min(s.credits+n, 1<<20)
	}
	o.wake(false)
}

// take waits for the next frame to send.
func (o *outbox) take(ctx context.Context) (frame, error) {
	for {
		o.mu.Lock()
		f, ok, err := o.next()
		o.mu.Unlock()
		if ok || err != nil {
			return f, err
		}
		select {
		case <-o.ready:
		case <-ctx.Done():
			return frame{}, ctx.Err()
		}
	}
}

// more returns the next frame to a sender. Where there is none, rest sends it to
// rest.
func (o *outbox) more(rest bool) (frame, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, ok, err := o.next()
	if !ok || err != nil {
		o.sending = o.sending && !rest
		return frame{}, false
	}
	return f, true
}

func (o *outbox) next() (f frame, ok bool, err error) {
	if len(o.session) > 0 {
		f, o.session = o.session[0], o.session[1:]
		return f, true, nil
	}
	for range len(o.turn) {
		id := o.turn[0]
		o.turn = append(o.turn[1:], id)
		s := o.streams[id]
		f, ok, err = s.next(id)
		if s.over {
			delete(o.streams, id)
			o.turn = o.turn[:len(o.turn)-1]
		}
		if ok || err != nil {
			return f, ok, err
		}
	}
	return frame{}, false, nil
}

// next takes the next frame of a request, if it may send one.
func (s *stream) next(id uint32) (f frame, ok bool, err error) {
	switch {
	case len(s.frames) > 0 && s.credits > 0:
		f, s.frames = s.frames[0], s.frames[1:]
		s.credits--
		s.held -= len(f.data)
		select {
		case s.room <- struct{}{}:
		default:
		}
		return f, true, nil
	case len(s.delta) > 0 && s.credits > 0:
		data, err := protocol.Encode(&protocol.Delta{ID: id, Seq: s.seq, Delta: string(s.delta)})
		s.credits--
		s.held -= len(s.delta)
		s.seq++
		s.delta = nil
		return frame{data: data}, true, err
	case len(s.frames) == 0 && len(s.delta) == 0 && s.last != nil:
		s.over = true
		return frame{data: s.last}, true, nil
	}
	return frame{}, false, nil
}

// count is the number of requests whose end has not been sent.
func (o *outbox) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.streams)
}

// idle reports whether everything has been sent.
func (o *outbox) idle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.streams) == 0 && len(o.session) == 0 && !o.sending
}
