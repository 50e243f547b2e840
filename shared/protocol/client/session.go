package client

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"seam/shared/protocol"
)

const (
	pingEvery  = 25 * time.Second // while requests are in progress
	pongWithin = 10 * time.Second
	maxQueue   = 1 << 10 // frames waiting to be sent; no honest proxy causes so many
	fewCredits = 16      // granted if the proxy starts with none
)

// session is one connection after its ack. It has three goroutines: a reader, which exits
// last, a writer, and one that checks whether the proxy is alive.
type session struct {
	client *Client
	conn   Conn
	ack    *protocol.Ack
	ctx    context.Context // ends when the session must end
	cancel context.CancelFunc
	done   chan struct{} // closed when no more frames will come
	heard  atomic.Bool   // a frame arrived since the last ping
	wake   chan struct{} // signals queued messages

	mu       sync.Mutex
	err      *protocol.Error // why it ended
	last     uint32
	requests map[uint32]*request
	used     int // slots at the proxy, and how many of them hold batches
	batches  int
	changed  chan struct{} // closed and replaced when slots become free
	queue    [][]byte
	leaving  bool // the proxy is shutting down; requests in progress may finish
}

// request is a request in progress.
type request struct {
	batch  bool
	frames chan frame
	gone   chan struct{} // closed when the caller has stopped reading
}

// frame is one frame of a request: a message or vectors.
type frame struct {
	message protocol.Message
	header  protocol.Header
	numbers []byte
}

func newSession(c *Client, conn Conn, ack *protocol.Ack) *session {
	ctx, cancel := context.WithCancel(context.Background())
	return &session{client: c, conn: conn, ack: ack, ctx: ctx, cancel: cancel, done: make(chan struct{}), wake: make(chan struct{}, 1),
		requests: map[uint32]*request{}, changed: make(chan struct{})}
}

// start starts the goroutines. The caller must hold the client's lock.
func (s *session) start() {
	s.client.work.Go(s.read)
	s.client.work.Go(s.write)
	s.client.work.Go(s.ping)
}

// end closes the connection. Every caller gets the first error.
func (s *session) end(err *protocol.Error, code int, reason string) {
	s.mu.Lock()
	if s.err == nil {
		s.err = err
	}
	s.mu.Unlock()
	s.client.forget(s)
	s.conn.Close(code, reason)
	s.cancel()
}

// read passes frames to their requests until the connection ends.
func (s *session) read() {
	for {
		binary, data, err := s.conn.Read(s.ctx)
		if err != nil {
			s.end(closed(err), closeNormal, "")
			break
		}
		s.heard.Store(true)
		if err := s.take(binary, data); err != nil {
			s.broke(err)
			break
		}
	}
	c := s.client
	c.mu.Lock()
	for i, other := range c.open {
		if other == s {
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			break
		}
	}
	c.mu.Unlock()
	s.mu.Lock()
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	close(s.done)
}

// broke ends the session because the proxy broke the protocol.
func (s *session) broke(err error) {
	s.end(protocol.Errorf(protocol.Internal, "The proxy broke the protocol: %v.", err), protocol.CloseBadMessage, "")
}

// take dispatches one frame.
func (s *session) take(binary bool, data []byte) error {
	if binary {
		h, numbers, err := protocol.ParseFrame(data)
		if err != nil {
			return err
		}
		return s.hand(h.ID, frame{header: h, numbers: numbers}, false)
	}
	m, _, err := protocol.DecodeServer(data)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *protocol.Delta:
		return s.hand(m.ID, frame{message: m}, false)
	case *protocol.Reason:
		return s.hand(m.ID, frame{message: m}, false)
	case *protocol.Hits:
		return s.hand(m.ID, frame{message: m}, false)
	case *protocol.End:
		return s.hand(m.ID, frame{message: m}, true)
	case *protocol.Err:
		if m.ID != 0 {
			return s.hand(m.ID, frame{message: m}, true)
		}
		s.dismissed(m)
	case *protocol.Ping:
		return s.post(&protocol.Pong{})
	case *protocol.Ack:
		return violated("a second ack")
	}
	return nil
}

// dismissed handles an err of the whole session. If the proxy is shutting down, the session
// takes no more requests but lets those in progress finish.
func (s *session) dismissed(m *protocol.Err) {
	s.mu.Lock()
	s.leaving = m.Code == protocol.ShuttingDown
	stay := s.leaving && len(s.requests) > 0
	s.mu.Unlock()
	s.client.forget(s)
	switch {
	case m.Code == protocol.ShuttingDown && !stay:
		s.end(lost("The proxy is restarting."), closeNormal, "")
	case !stay:
		s.end(fromServer(m), closeNormal, "")
	}
}

// hand passes a frame to its request. After the last frame it frees the request's slot.
func (s *session) hand(id uint32, f frame, last bool) error {
	s.mu.Lock()
	r := s.requests[id]
	if r == nil {
		s.mu.Unlock()
		return violated("it answers request %d, which does not exist", id)
	}
	if last {
		delete(s.requests, id)
		s.free(r.batch)
	}
	over := s.leaving && len(s.requests) == 0
	s.mu.Unlock()
	select { // frames already received are kept, even if the session ends now
	case r.frames <- f:
	default:
		select {
		case r.frames <- f:
		case <-r.gone:
		case <-s.ctx.Done():
		}
	}
	if over {
		s.end(lost("The proxy is restarting."), closeNormal, "")
	}
	return nil
}

// post queues a message without blocking.
func (s *session) post(m protocol.Message) error {
	data, err := protocol.Encode(m)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.queue = append(s.queue, data)
	n := len(s.queue)
	s.mu.Unlock()
	if n > maxQueue {
		return violated("%d frames wait for it", n)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return nil
}

// write sends queued messages. It leaves a failure for the reader to notice, because frames
// that the proxy sent earlier are still needed.
func (s *session) write() {
	for {
		select {
		case <-s.wake:
		case <-s.ctx.Done():
			return
		}
		s.mu.Lock()
		queue := s.queue
		s.queue = nil
		s.mu.Unlock()
		for _, data := range queue {
			if err := s.conn.Write(s.ctx, data); err != nil {
				s.conn.Close(closeAway, "")
				return
			}
		}
	}
}

// ping checks, while requests are in progress, that the proxy is still there. A dead
// connection can go unnoticed by the socket for a quarter of an hour.
func (s *session) ping() {
	sleep := s.client.options.Sleep
	for sleep(s.ctx, pingEvery) == nil {
		s.mu.Lock()
		busy := len(s.requests) > 0
		s.mu.Unlock()
		if !busy {
			continue
		}
		s.heard.Store(false)
		if s.post(&protocol.Ping{}) != nil || sleep(s.ctx, pongWithin) != nil {
			return
		}
		if !s.heard.Load() {
			s.end(lost("The proxy has stopped answering."), closeAway, "")
			return
		}
	}
}

// place waits for one of the proxy's request slots. Batches of texts leave one slot for a
// chat if there is more than one.
func (s *session) place(ctx context.Context, batch bool) error {
	for {
		all := max(1, s.ack.Limits.InFlight)
		most := min(max(1, all-1), s.client.batches())
		s.mu.Lock()
		switch {
		case s.err != nil:
			defer s.mu.Unlock()
			return s.err
		case s.leaving:
			s.mu.Unlock()
			return lost("The proxy is restarting.")
		case s.used < all && (!batch || s.batches < most):
			defer s.mu.Unlock()
			s.used++
			if batch {
				s.batches++
			}
			return nil
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return stopped{ctx.Err()}
		}
	}
}

// leave returns an unused slot.
func (s *session) leave(batch bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free(batch)
}

func (s *session) free(batch bool) {
	s.used--
	if batch {
		s.batches--
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// do runs one request in a slot that the caller holds, and frees the slot. message creates
// the request. use is called with each frame before the end; if it returns an error, the
// request ends.
func (s *session) do(ctx context.Context, batch bool, message func(id uint32) protocol.Message, use func(frame) error) (*protocol.End, error) {
	credits := s.ack.Limits.Credits
	r := &request{batch: batch, frames: make(chan frame, min(max(credits, fewCredits), maxQueue)+1), gone: make(chan struct{})}
	defer close(r.gone)
	s.mu.Lock()
	s.last++
	id := s.last
	s.requests[id] = r
	s.mu.Unlock()
	s.post(message(id))
	if credits <= 0 {
		credits = fewCredits
		s.post(&protocol.Credit{ID: id, N: credits})
	}
	used := 0
	for {
		f, err := s.next(ctx, r)
		if err == nil {
			switch m := f.message.(type) {
			case *protocol.End:
				return m, nil
			case *protocol.Err:
				return nil, fromServer(m)
			}
			err = use(f)
		}
		var bad violation
		switch {
		case errors.As(err, &bad):
			s.broke(bad)
			return nil, s.err
		case err != nil:
			s.post(&protocol.Cancel{ID: id})
			return nil, err
		}
		if used++; used >= (credits+1)/2 {
			s.post(&protocol.Credit{ID: id, N: used})
			used = 0
		}
	}
}

// next waits for the next frame of a request. Frames received before the connection ended
// come before its error.
func (s *session) next(ctx context.Context, r *request) (frame, error) {
	select {
	case f := <-r.frames:
		return f, nil
	case <-ctx.Done():
		return frame{}, stopped{ctx.Err()}
	case <-s.done:
	}
	select {
	case f := <-r.frames:
		return f, nil
	default:
		return frame{}, s.err
	}
}
