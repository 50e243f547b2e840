package client

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"sync"

	"seam/shared/protocol"
)

// fallback is a Conn over HTTP. init and each request are separate POSTs; their answers are
// read as if they came over one connection.
type fallback struct {
	transport Transport
	ctx       context.Context
	cancel    context.CancelFunc
	frames    chan inbound

	mu      sync.Mutex
	header  map[string]string // identifies the session
	cancels map[uint32]context.CancelFunc
	work    sync.WaitGroup
}

type inbound struct {
	binary bool
	data   []byte
	err    error
}

func newFallback(t Transport) *fallback {
	ctx, cancel := context.WithCancel(context.Background())
	return &fallback{transport: t, ctx: ctx, cancel: cancel, frames: make(chan inbound, 4), cancels: map[uint32]context.CancelFunc{}}
}

func (f *fallback) Read(ctx context.Context) (bool, []byte, error) {
	select {
	case in := <-f.frames:
		return in.binary, in.data, in.err
	case <-ctx.Done():
		return false, nil, ctx.Err()
	case <-f.ctx.Done():
		return false, nil, errClosed
	}
}

// Write performs the request in a frame. There are no credits over HTTP, and Write answers
// a ping itself.
func (f *fallback) Write(ctx context.Context, text []byte) error {
	m, id, err := protocol.DecodeClient(text)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *protocol.Init:
		return f.init(ctx, text)
	case *protocol.Cancel:
		f.mu.Lock()
		cancel := f.cancels[m.ID]
		f.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	case *protocol.Ping:
		f.run(func() { f.say(&protocol.Pong{}) })
	case *protocol.Embed, *protocol.Chat, *protocol.Search:
		ctx, cancel := context.WithCancel(f.ctx)
		f.mu.Lock()
		f.cancels[id] = cancel
		f.mu.Unlock()
		f.run(func() {
			f.request(ctx, id, text)
			cancel()
		})
	}
	return nil
}

// Close ends all requests and waits for them.
func (f *fallback) Close(int, string) {
	f.mu.Lock()
	f.cancel()
	f.mu.Unlock()
	f.work.Wait()
}

// run starts work that Close waits for. It does nothing after Close.
func (f *fallback) run(work func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ctx.Err() == nil {
		f.work.Go(work)
	}
}

// give passes a frame to Read. It returns false if the connection is closed.
func (f *fallback) give(in inbound) bool {
	select {
	case f.frames <- in:
		return true
	case <-f.ctx.Done():
		return false
	}
}

// say passes Read a message that the client itself created.
func (f *fallback) say(m protocol.Message) {
	data, err := protocol.Encode(m)
	f.give(inbound{data: data, err: err})
}

func (f *fallback) init(ctx context.Context, text []byte) error {
	r, err := f.transport.Post(ctx, protocol.PathInit, nil, text)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	data, err := io.ReadAll(io.LimitReader(r.Body, protocol.MaxReply+1))
	if err != nil {
		return err
	}
	if r.Status != 200 {
		return Refused(r, data)
	}
	f.mu.Lock()
	f.header = map[string]string{protocol.SessionHeader: r.Header(protocol.SessionHeader)}
	f.mu.Unlock()
	f.give(inbound{data: data})
	return nil
}

// request runs one request. Its last frame is always an end or an err.
func (f *fallback) request(ctx context.Context, id uint32, text []byte) {
	err := f.stream(ctx, id, text)
	f.mu.Lock()
	delete(f.cancels, id)
	f.mu.Unlock()
	var e *protocol.Error
	switch {
	case err == nil:
		return
	case ctx.Err() != nil:
		e = protocol.Errorf(protocol.Cancelled, "The request was cancelled.")
	case !errors.As(err, &e):
		e = lost("The connection to the proxy was lost.")
	case e.Code == protocol.Unauthorized: // the whole session is over, not only this request
		f.give(inbound{err: &CloseError{Code: closeAway, Reason: "the session has ended"}})
		return
	}
	f.say(&protocol.Err{ID: id, Code: e.Code, Message: e.Message, RetryAfterMS: e.RetryAfter.Milliseconds(), Whose: e.Whose, Reason: e.Reason})
}

// errEnded stops a stream after the last frame of its request.
var errEnded = errors.New("the request has ended")

// stream reads the events of one request. It returns nil if the last event ended the
// request.
func (f *fallback) stream(ctx context.Context, id uint32, text []byte) error {
	f.mu.Lock()
	header := f.header
	f.mu.Unlock()
	r, err := f.transport.Post(ctx, protocol.PathRequest, header, text)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.Status != 200 {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
		if err != nil {
			return err
		}
		return Refused(r, body)
	}
	err = events(r.Body, func(name string, data []byte) error {
		in := inbound{binary: name == protocol.VectorsEvent}
		if !in.binary {
			in.data = append(in.data, data...)
		} else if in.data, err = base64.StdEncoding.Strict().AppendDecode(nil, data); err != nil {
			return protocol.Errorf(protocol.Internal, "The proxy broke the protocol: vectors that are not base64.")
		}
		if !f.give(in) {
			return errClosed
		}
		if m, of, err := protocol.DecodeServer(in.data); !in.binary && err == nil && of == id && (protocol.TypeOf(m) == protocol.TypeEnd || protocol.TypeOf(m) == protocol.TypeErr) {
			return errEnded
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnded):
		return nil
	case err == nil:
		return lost("The connection to the proxy was lost.")
	}
	return err
}
