// Package rpc is the message protocol between a page and a worker: requests with an id,
// events, one result or error, and cancel. It does not depend on the browser. A bridge
// moves the messages, so everything here runs and is tested natively.
//
// A message is a JSON object with optional blobs: large byte arrays sent as transferred
// buffers.
//
//	page → worker   {"id":1,"method":"chunk","params":{…}}
//	                {"id":2,"method":"cancel","params":{"id":1}}
//	worker → page   {"event":"ready","data":{"protocol":1}}
//	                {"id":1,"event":"progress","data":{"stage":"sentences","done":1,"total":9}}
//	                {"id":3,"event":"delta","data":{…}}   an event of the method's own
//	                {"id":1,"result":{…}}   or   {"id":1,"error":{"code","message","hint"}}
package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Protocol is the version of the messages.
const Protocol = 1

// The error codes. They are for programs; Message and Hint are for users.
const (
	Cancelled       = "cancelled"
	Password        = "password"
	NotPDF          = "not-pdf"
	Damaged         = "damaged"
	NotText         = "not-text"
	Encoding        = "encoding"    // a text that is not UTF-8, which extract reads; for extract, one in an unclear encoding
	NoLanguage      = "no-language" // a text that looks like no language; open reads it if it is asked again
	Empty           = "empty"
	UnknownDocument = "unknown-document"
	BadRequest      = "bad-request"
	TooLarge        = "too-large"
	BadModel        = "bad-model" // the files are not a usable model
	Offline         = "offline"   // the proxy cannot be reached, or the connection is lost
	Refused         = "refused"   // the proxy rejects the token, the site, the model or the request
	Budget          = "budget"    // the budget is used up
	Busy            = "busy"      // try later; the hint says when, if that is known
	Upstream        = "upstream"  // the proxy or its provider failed
	Gone            = "gone"      // stored data no longer exists
	Storage         = "storage"   // the browser stores nothing here, or has no room
	Internal        = "internal"
)

// Error is an error for the page.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`        // what happened, one sentence
	Hint    string `json:"hint,omitempty"` // what to do, one sentence
}

// Error returns only the message. Code and hint are for the page.
func (e *Error) Error() string { return e.Message }

// Call is a request in progress.
type Call struct {
	Method string
	Blobs  [][]byte

	params json.RawMessage
	server *Server
	ctx    context.Context
	id     int

	yielded, reported time.Duration
}

// Params reads the parameters into v, a pointer to a struct or to a pointer to one. In the
// latter case the pointer is set to a non-nil value. Unknown parameters are refused,
// because a misspelt option must not be ignored.
func (c *Call) Params(v any) error {
	params := c.params
	if len(params) == 0 || string(params) == "null" {
		params = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &Error{Code: BadRequest, Message: fmt.Sprintf("the parameters of %s cannot be read: %v", c.Method, err)}
	}
	return nil
}

// Blob returns blob i, or an error if it is missing.
func (c *Call) Blob(i int) ([]byte, error) {
	if i >= len(c.Blobs) {
		return nil, &Error{Code: BadRequest, Message: fmt.Sprintf("%s needs %d blobs and got %d", c.Method, i+1, len(c.Blobs))}
	}
	return c.Blobs[i], nil
}

// Progress reports the progress of a stage to the page and from time to time lets other
// messages in. It returns an error once the call is cancelled.
func (c *Call) Progress(stage string, done, total int) error {
	host := c.server.host
	now := host.Now()
	if now-c.yielded >= yieldEvery && host.Yield != nil {
		host.Yield()
		c.yielded = host.Now()
	}
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if now-c.reported >= reportEvery {
		c.reported = now
		c.Event("progress", map[string]any{"stage": stage, "done": done, "total": total})
	}
	return nil
}

// Context returns a context that ends when the call is cancelled.
func (c *Call) Context() context.Context { return c.ctx }

// Event sends the page an event of the method's own immediately.
func (c *Call) Event(name string, data any) {
	c.server.post(map[string]any{"id": c.id, "event": name, "data": data}, nil)
}

// Await runs f, which waits for the network, while other calls take their turn. It returns
// when it is this call's turn again. f must not touch data that calls share, and that data
// may have changed afterwards. The error is f's, or says that the call was cancelled.
func (c *Call) Await(f func() error) error {
	err := func() error {
		c.server.turn <- struct{}{}
		defer func() { <-c.server.turn }() // even if f panics
		return f()
	}()
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	return err
}

// Reply is the result of a call. Result is encoded as JSON.
type Reply struct {
	Result any
	Blobs  [][]byte
}

// Handler does the work of one method.
type Handler func(ctx context.Context, call *Call) (Reply, error)

// Host connects the server to its surroundings.
type Host struct {
	// Post sends a message. It may be called from any goroutine.
	Post func(message []byte, blobs [][]byte)
	// Yield lets waiting messages arrive. A browser delivers none while Go computes. It may
	// be nil.
	Yield func()
	// Now is a monotonic clock. It may be called from any goroutine.
	Now func() time.Duration
}

const (
	yieldEvery  = 30 * time.Millisecond  // a Stop takes effect within a few of these
	reportEvery = 100 * time.Millisecond // more frequent reports could not be read
)

// Server runs calls one at a time, in order of arrival, except while a call waits for the
// network; see Call.Await.
type Server struct {
	host    Host
	methods map[string]Handler

	turn    chan struct{} // holds one token: the right to compute
	mu      sync.Mutex
	cancels map[int]context.CancelFunc
}

// NewServer returns a server for methods. It handles cancel itself.
func NewServer(host Host, methods map[string]Handler) *Server {
	s := &Server{host: host, methods: methods, cancels: map[int]context.CancelFunc{}, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// Ready informs the page that the server now accepts messages.
func (s *Server) Ready() {
	s.post(map[string]any{"event": "ready", "data": map[string]int{"protocol": Protocol}}, nil)
}

type request struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type response struct {
	ID     int    `json:"id"`
	Result any    `json:"result,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// Receive takes one message from the page and returns at once. The call runs in its own
// goroutine, and the returned channel is closed when it has answered.
func (s *Server) Receive(message []byte, blobs [][]byte) <-chan struct{} {
	done := make(chan struct{})
	var q request
	if err := json.Unmarshal(message, &q); err != nil {
		defer close(done)
		s.post(response{Error: &Error{Code: BadRequest, Message: "the message is not a request: " + err.Error()}}, nil)
		return done
	}
	if q.Method == "cancel" {
		defer close(done)
		s.cancel(q)
		return done
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.cancels[q.ID] = cancel
	s.mu.Unlock()
	go func() {
		defer close(done)
		defer s.forget(q.ID)
		s.answer(q.ID, s.run(ctx, q, blobs))
	}()
	return done
}

func (s *Server) cancel(q request) {
	var p struct {
		ID int `json:"id"`
	}
	if err := json.Unmarshal(q.Params, &p); err != nil {
		s.answer(q.ID, outcome{err: &Error{Code: BadRequest, Message: "cancel needs the id of a call"}})
		return
	}
	s.mu.Lock()
	cancel := s.cancels[p.ID]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	s.answer(q.ID, outcome{Reply: Reply{Result: struct{}{}}})
}

func (s *Server) forget(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancels[id]()
	delete(s.cancels, id)
}

type outcome struct {
	Reply
	err error
}

// run waits for its turn and does the work. It converts a panic to an error, so that one
// bad document does not take down the others.
func (s *Server) run(ctx context.Context, q request, blobs [][]byte) (o outcome) {
	<-s.turn
	defer func() {
		if r := recover(); r != nil {
			o.err = &Error{Code: Internal, Message: fmt.Sprintf("%s failed inside Seam: %v", q.Method, r), Hint: "Your document is safe. Please report this."}
		}
		s.turn <- struct{}{}
	}()
	if err := ctx.Err(); err != nil {
		return outcome{err: err}
	}
	h := s.methods[q.Method]
	if h == nil {
		return outcome{err: &Error{Code: BadRequest, Message: fmt.Sprintf("unknown method %q", q.Method)}}
	}
	now := s.host.Now()
	reply, err := h(ctx, &Call{Method: q.Method, Blobs: blobs, params: q.Params, server: s, ctx: ctx, id: q.ID, yielded: now, reported: now})
	return outcome{reply, err}
}

func (s *Server) answer(id int, o outcome) {
	if o.err == nil {
		if o.Result == nil {
			o.Result = struct{}{}
		}
		s.post(response{ID: id, Result: o.Result}, o.Blobs)
		return
	}
	var e *Error
	switch {
	case errors.As(o.err, &e):
	case errors.Is(o.err, context.Canceled):
		e = &Error{Code: Cancelled, Message: "stopped"}
	default:
		e = &Error{Code: Internal, Message: o.err.Error()}
	}
	s.post(response{ID: id, Error: e}, nil)
}

func (s *Server) post(v any, blobs [][]byte) {
	b, err := json.Marshal(v)
	if err != nil { // the result cannot be encoded, for example a NaN
		id := 0
		if r, ok := v.(response); ok {
			id = r.ID
		}
		b, _ = json.Marshal(response{ID: id, Error: &Error{Code: Internal, Message: "the result cannot be sent: " + err.Error()}})
		blobs = nil
	}
	s.host.Post(b, blobs)
}
