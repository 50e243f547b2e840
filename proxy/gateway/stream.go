package gateway

import (
	"errors"
	"time"

	"seam/shared/protocol"
)

// frame is one message to the client.
type frame struct {
	kind frameKind
	data []byte
	at   time.Time // when it was queued; only for frames of requests
}

type frameKind uint8

const (
	textFrame   frameKind = iota // JSON
	vectorFrame                  // binary
	aliveFrame                   // empty; keeps the connection alive
)

// sink sends frames: to a socket, or to the body of one response. send and flush are not
// called concurrently. Both must return in time: the sink sets its own deadline.
type sink interface {
	send(frame) error // takes ownership of the frame, and may keep it until flush
	flush() error
	lost(why error) // called after one of them failed; nothing more is sent
	cut()           // ends the current send at once; called with the writer's lock held
}

// errClosed reports that a writer takes no more requests.
var errClosed = errors.New("the session has ended")

// stream is the part of a writer for one request. Waiting deltas are joined.
type stream struct {
	credits int
	frames  []frame
	held    int // bytes of frames and delta, and of the frame being sent
	allow   int // bytes already reserved for it in the account
	seq     int
	delta   []byte // text that waits to become a d, or an r
	thought bool   // delta is reasoning
	deltaAt time.Time
	cut     func(cause error) // ends the request; nil in tests
	slow    bool              // it was dropped
	last    []byte            // end or err; needs no credit
	over    bool              // last has been taken
	room    chan struct{}
}

// encode returns the frame of the waiting text, which then waits no more.
func (s *stream) encode(id uint32) ([]byte, error) {
	text := string(s.delta)
	s.delta = nil
	if s.thought {
		return protocol.Encode(&protocol.Reason{ID: id, Delta: text})
	}
	s.seq++
	return protocol.Encode(&protocol.Delta{ID: id, Seq: s.seq - 1, Delta: text})
}

// signal wakes a caller that waits for room.
func (s *stream) signal() {
	select {
	case s.room <- struct{}{}:
	default:
	}
}
