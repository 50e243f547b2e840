package gateway

import (
	"context"
	"errors"
	"sync"
	"time"

	"seam/shared/protocol"
)

const (
	// maxHeld is how many bytes a request may have waiting for credit before it is
	// given up: some answers, not a film.
	maxHeld = 1 << 20
	// gather is how many bytes wait for more, to go together.
	gather = 16 << 10
	// untaken is how many bytes of a session may wait before it gets nothing new
	// asked for.
	untaken = maxHeld / 2
	// maxSession is how many bytes of the session's own frames may wait.
	maxSession = 64 << 10
)

// frame is one message to the client.
type frame struct {
	kind frameKind
	data []byte
	at   time.Time // when it came to wait, for those of requests
}

type frameKind uint8

const (
	textFrame   frameKind = iota // JSON
	vectorFrame                  // binary
	aliveFrame                   // says nothing: the connection is not dead
)

// sink is where frames go: a socket, or the body of one response. One goroutine
// at a time calls send and flush, and each has to end in time: its deadline is
// the sink's own.
type sink interface {
	send(frame) error // it may keep the frame, which is its own now, until flush
	flush() error
	lost(why error) // one of them has failed: nothing more is sent
	cut()           // ends, at once, the send that is under way; called with the writer's lock held
}

// state is what a writer is doing:
//
//	idle     nobody sends: there is nothing that may go
//	writing  one goroutine sends what may go
//	closed   nothing is sent any more; what waited is gone, who waited is let go
//
// and what changes it, always with the lock held:
//
//	idle → writing          something may go                         turn
//	writing → idle          nothing may go                           settle
//	idle, writing → closed  no request is open, and it drains        settle
//	idle, writing → closed  the sink has failed, or nobody is there  shut
//
// Something may go when a frame of the session waits, or one of a request that has
// credit, or the end of a request with nothing before it. The goroutine is the one
// that had something to say, or a new one where that must not wait for the client.
// A writer that drains goes on as before until no request is open.
type state uint8

const (
	idle state = iota
	writing
	closed
)

// writer sends what there is to a client, in the one order that there is: frames
// of the session first, then those of its requests in turn, one each, so that a
// chat goes on beside a large reply. It is safe for concurrent use. An idle one has
// no goroutine.
type writer struct {
	to      sink
	senders sync.WaitGroup // the goroutines that the writer has started

	mu      sync.Mutex
	state   state
	drained chan struct{} // nil before drain; closed with the writer
	session []frame       // few and small: pongs, and err of requests that never began
	streams map[uint32]*stream
	turns   []uint32 // of the streams
	held    int      // bytes, of all streams
	mine    int      // bytes of the session's own frames
	waiting int      // requests that wait to be ready
	why     error    // it was closed; nil: nobody is there any more
	tab     tab

	flier  *stream // whose frame is being sent
	flying int     // bytes of it
	flewAt time.Time
}

// stream is one request's part. Deltas that wait are joined to one.
type stream struct {
	credits int
	frames  []frame
	held    int // bytes of frames and delta, and of the frame that is being sent
	allow   int // bytes that the account has taken for it already
	seq     int
	delta   []byte // text that waits to become a d
	deltaAt time.Time
	cut     func(cause error) // ends the request; nil in tests
	slow    bool              // it was given up
	last    []byte            // end or err; costs no credit
	over    bool              // last has been taken
	room    chan struct{}
}

func newWriter(to sink, tab tab) *writer {
	return &writer{to: to, tab: tab, streams: map[uint32]*stream{}}
}

// turn takes an idle writer to writing. Who gets true calls write, without the lock.
func (w *writer) turn() bool {
	if w.state != idle {
		return false
	}
	w.state = writing
	return true
}

// start is turn for those that must not wait for the client.
func (w *writer) start() {
	if w.turn() {
		w.senders.Go(w.write)
	}
}

// settle ends writing, as nothing may go.
func (w *writer) settle() {
	w.state = idle
	if w.drained != nil && len(w.streams) == 0 {
		w.shut()
	}
}

// shut closes the writer.
func (w *writer) shut() {
	if w.state == closed {
		return
	}
	w.state = closed
	w.session, w.turns = nil, nil
	for id, s := range w.streams {
		w.forget(s)
		w.allowed(s, 0)
		s.signal()
		delete(w.streams, id)
	}
	w.tab.joins(w, false)
	if w.drained != nil {
		close(w.drained)
	}
}

// write sends until nothing may go. What is ready together is flushed together.
func (w *writer) write() {
	unsent := false
	for {
		f, ok, err := w.next(!unsent)
		switch {
		case err != nil:
		case ok:
			err, unsent = w.to.send(f), true
		case unsent:
			err, unsent = w.to.flush(), false
		default:
			return
		}
		if err != nil {
			_ = w.to.flush() // what it holds may be the close frame that says why
			w.to.lost(w.fail(err))
			return
		}
	}
}

// next takes the next frame that may go. Where there is none, and all before it is
// flushed, the writer settles.
func (w *writer) next(flushed bool) (f frame, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.landed()
	if w.state == closed {
		return frame{}, false, nil
	}
	if f, ok, err = w.pop(); !ok && err == nil && flushed {
		w.settle()
	}
	return f, ok, err
}

func (w *writer) pop() (f frame, ok bool, err error) {
	if len(w.session) > 0 {
		f, w.session = w.session[0], w.session[1:]
		w.mine -= len(f.data)
		return f, true, nil
	}
	for range len(w.turns) {
		id := w.turns[0]
		w.turns = append(w.turns[1:], id)
		s := w.streams[id]
		f, ok, err = w.popOf(s, id)
		if s.over {
			delete(w.streams, id)
			w.turns = w.turns[:len(w.turns)-1]
			if len(w.streams) == 0 {
				w.tab.joins(w, false)
			}
		}
		if ok || err != nil {
			return f, ok, err
		}
	}
	return frame{}, false, nil
}

// popOf takes the next frame of a request, if it may go.
func (w *writer) popOf(s *stream, id uint32) (f frame, ok bool, err error) {
	switch {
	case len(s.frames) > 0 && s.credits > 0:
		f, s.frames = s.frames[0], s.frames[1:]
		s.credits--
		w.fly(s, len(f.data), f.at)
		return f, true, nil
	case len(s.delta) > 0 && s.credits > 0:
		data, err := protocol.Encode(&protocol.Delta{ID: id, Seq: s.seq, Delta: string(s.delta)})
		s.credits--
		w.fly(s, len(s.delta), s.deltaAt)
		s.seq++
		s.delta = nil
		return frame{kind: textFrame, data: data}, err == nil, err
	case len(s.frames) == 0 && len(s.delta) == 0 && s.last != nil:
		s.over = true
		return frame{kind: textFrame, data: s.last}, true, nil
	}
	return frame{}, false, nil
}

// signal tells who waits for room to look again.
func (s *stream) signal() {
	select {
	case s.room <- struct{}{}:
	default:
	}
}

// errClosed says that a writer takes no more requests.
var errClosed = errors.New("the session is over")

// open makes room for a request. It fails with errClosed, or a closeError where the
// id is in use: its end may still be waiting to be sent.
// cut ends the request where what it has waiting is given up; it may be nil.
func (w *writer) open(id uint32, credits int, cut func(cause error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.state == closed:
		return errClosed
	case w.streams[id] != nil:
		return closeError{protocol.CloseDuplicate, "an id that is in use"}
	}
	w.streams[id] = &stream{credits: credits, room: make(chan struct{}, 1), cut: cut}
	w.turns = append(w.turns, id)
	if len(w.streams) == 1 {
		w.tab.joins(w, true)
	}
	return nil
}

// post queues a frame of the session's own. A client that lets too many of them
// wait is too slow, and gone.
func (w *writer) post(f frame) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.state == closed:
	case w.mine+len(f.data) > maxSession:
		w.why = errSlow
		w.shut()
		w.to.cut()
	default:
		w.session = append(w.session, f)
		w.mine += len(f.data)
		w.start()
	}
}

// push queues a frame of a request. It waits while too much is held: what comes
// from a cache or is all there can wait. The frame is the writer's from then on.
func (w *writer) push(ctx context.Context, id uint32, f frame) error {
	for {
		w.mu.Lock()
		s := w.streams[id]
		if s == nil || s.slow {
			defer w.mu.Unlock()
			return w.reason(s)
		}
		if s.held == 0 || s.held+len(f.data) <= maxHeld {
			if !w.hold(s, len(f.data)) {
				w.mu.Unlock()
				return errSlow
			}
			f.at = time.Now()
			s.frames = append(s.frames, f)
			mine := s.held > gather && w.turn() // less waits for its end, which comes at once
			w.mu.Unlock()
			if mine {
				w.write()
			}
			return nil
		}
		w.mu.Unlock()
		select {
		case <-s.room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// delta queues the next part of an answer. A model does not wait: a client that
// lets too much of it pile up is too slow.
func (w *writer) delta(id uint32, part string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.streams[id]
	if s == nil || s.slow {
		return w.reason(s)
	}
	if s.held+len(part) > maxHeld || !w.hold(s, len(part)) {
		return errSlow
	}
	if len(s.delta) == 0 {
		s.deltaAt = time.Now()
	}
	s.delta = append(s.delta, part...)
	w.start()
	return nil
}

// finish queues the end or err of a request; what it has queued before goes
// first, unless dropped. The id is free once that has been sent.
func (w *writer) finish(id uint32, data []byte, drop bool) {
	w.mu.Lock()
	s := w.streams[id]
	if s != nil && drop {
		w.forget(s)
	}
	if s != nil {
		w.allowed(s, 0)
		s.last = data
	}
	mine := w.turn()
	w.mu.Unlock()
	if mine {
		w.write()
	}
}

// credit lets a request send n more frames.
func (w *writer) credit(id uint32, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.streams[id]; s != nil {
		s.credits = min(s.credits+n, 1<<20)
		s.signal()
		w.start()
	}
}

// drain closes the writer as soon as no request is open and all has been sent. The
// channel is closed when it is.
func (w *writer) drain() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drained == nil {
		w.drained = make(chan struct{})
		switch {
		case w.state == closed:
			close(w.drained)
		case w.state == idle:
			w.settle()
		}
	}
	return w.drained
}

// close closes the writer now.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut()
}

// fail closes the writer as a send has failed, and returns the reason of whoever
// was first.
func (w *writer) fail(why error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state != closed {
		w.why = why
	}
	w.landed()
	w.shut()
	return w.why
}

// count is the number of requests whose end has not been sent.
func (w *writer) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.streams)
}
