package gateway

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"seam/shared/protocol"
)

const (
	// maxHeld is the most bytes that a request may have waiting for credit before it is
	// dropped: several answers, but not a video.
	maxHeld = 1 << 20
	// gather is how many bytes are collected to be sent together.
	gather = 16 << 10
	// untaken is how many bytes of a session may wait before new requests are delayed.
	untaken = maxHeld / 2
	// maxSession is how many bytes of the session's own frames may wait.
	maxSession = 64 << 10
)

// state is the state of a writer:
//
//	idle     no goroutine sends, and no frame is ready
//	writing  one goroutine sends the ready frames
//	closed   nothing more is sent; waiting frames are dropped, waiting callers return
//
// These events change it, always with the lock held:
//
//	idle → writing          a frame is ready                         turn
//	writing → idle          no frame is ready                        settle
//	idle, writing → closed  no request is open, and it drains        settle
//	idle, writing → closed  the sink failed, or the session ended    shut
//
// A frame of the session is always ready, a frame of a request if the request has credit,
// and an end if no frame of its request is before it. The goroutine is the one that queued a
// frame, or a new one if that one must not wait for the client. A draining writer continues
// until no request is open.
type state uint8

const (
	idle state = iota
	writing
	closed
)

// writer sends the frames for a client, in a fixed order: first frames of the session, then
// one frame of each request in turn, so that a chat continues while a large reply is sent.
// It is safe for concurrent use. An idle writer has no goroutine.
type writer struct {
	to      sink
	senders sync.WaitGroup // goroutines started by the writer

	mu      sync.Mutex
	state   state
	drained chan struct{} // nil before drain; closed with the writer
	session []frame       // few and small: pongs, and err of requests that never began
	streams map[uint32]*stream
	turns   []uint32 // order of the streams
	held    int      // bytes, of all streams
	mine    int      // bytes of the session's own frames
	waiting int      // requests that wait to be ready
	why     error    // why it was closed; nil if the session ended
	tab     tab

	flier  *stream // the stream with the frame being sent
	flying int     // bytes of that frame
	flewAt time.Time
}

func newWriter(to sink, tab tab) *writer {
	return &writer{to: to, tab: tab, streams: map[uint32]*stream{}}
}

// turn starts writing if the writer is idle. If it returns true, the caller must call write
// without the lock.
func (w *writer) turn() bool {
	if w.state != idle {
		return false
	}
	w.state = writing
	return true
}

// start is turn for callers that must not wait for the client.
func (w *writer) start() {
	if w.turn() {
		w.senders.Go(w.write)
	}
}

// settle ends writing if no frame is ready.
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

// write sends frames until none is ready. Frames that are ready together are flushed
// together.
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
			_ = w.to.flush() // its buffer may have the close frame with the reason
			w.to.lost(w.fail(err))
			return
		}
	}
}

// next takes the next ready frame. If there is none and everything before is flushed, the
// writer settles.
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

// popOf takes the next frame of a request, if one is ready.
func (w *writer) popOf(s *stream, id uint32) (f frame, ok bool, err error) {
	switch {
	case len(s.frames) > 0 && s.credits > 0:
		f, s.frames = s.frames[0], s.frames[1:]
		s.credits--
		w.fly(s, len(f.data), f.at)
		return f, true, nil
	case len(s.delta) > 0 && s.credits > 0:
		w.fly(s, len(s.delta), s.deltaAt)
		data, err := s.encode(id)
		s.credits--
		return frame{kind: textFrame, data: data}, err == nil, err
	case len(s.frames) == 0 && len(s.delta) == 0 && s.last != nil:
		s.over = true
		return frame{kind: textFrame, data: s.last}, true, nil
	}
	return frame{}, false, nil
}

// open registers a request. It returns errClosed, or a closeError if the id is in use: its
// end may still be waiting. cut ends the request if its waiting frames are dropped; it may
// be nil.
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

// post queues a frame of the session. A client that lets too many of them wait is
// disconnected.
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

// push queues a frame of a request, and takes ownership of it. It waits while too much is
// queued: cached or complete results can wait.
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
			mine := s.held > gather && w.turn() // smaller amounts wait for the end, which comes at once
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

// part queues the next part of an answer. It does not wait, because the model does not. It
// returns errSlow if too much is waiting.
func (w *writer) part(id uint32, p protocol.Part) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.streams[id]
	if s == nil || s.slow {
		return w.reason(s)
	}
	apart := p.Moved || p.Text == "" // a frame of its own
	if len(s.delta) > 0 && (apart || p.Reasoning != s.thought) {
		n := len(s.delta)
		data, err := s.encode(id)
		if err != nil {
			return err
		}
		if !w.queue(s, frame{kind: textFrame, data: data, at: s.deltaAt}, n) {
			return errSlow
		}
	}
	if apart {
		data, err := protocol.Encode(&protocol.Reason{ID: id, Delta: p.Text, Moved: p.Moved})
		if p.Calls != "" {
			data, err = json.Marshal(callsFrame{typeCalls, json.RawMessage(p.Calls)})
		}
		if err != nil {
			return err
		}
		if !w.queue(s, frame{kind: textFrame, data: data, at: time.Now()}, 0) {
			return errSlow
		}
		w.start()
		return nil
	}
	if s.held+len(p.Text) > maxHeld || !w.hold(s, len(p.Text)) {
		return errSlow
	}
	if len(s.delta) == 0 {
		s.deltaAt, s.thought = time.Now(), p.Reasoning
	}
	s.delta = append(s.delta, p.Text...)
	w.start()
	return nil
}

// queue adds a frame of a request, of which n bytes are held already. It returns false if
// too much is waiting.
func (w *writer) queue(s *stream, f frame, n int) bool {
	if s.held+len(f.data)-n > maxHeld || !w.hold(s, len(f.data)-n) {
		return false
	}
	s.frames = append(s.frames, f)
	return true
}

// finish queues the end or err of a request, after its queued frames or, if drop is true,
// instead of them. Once it is sent, the id is free.
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

// drain closes the writer once no request is open and everything is sent. The returned
// channel is closed then.
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

// fail closes the writer after a failed send, and returns the first error.
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

// count returns the number of requests with an unsent end.
func (w *writer) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.streams)
}
