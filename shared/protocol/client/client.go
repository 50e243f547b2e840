// Package client is the worker's side of seam.v1. It asks a proxy for embeddings, answers
// and passages over a websocket, or over HTTP if websockets are blocked.
//
// It keeps the proxy's limits, retries after the delay that the proxy names, and reconnects
// when the connection breaks. It asks only for vectors that it does not have. It uses no
// network, clock or random numbers directly: callers provide them as a Transport and hooks.
package client

import (
	"context"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Options configures a client. Transport, Sleep and Random are required.
type Options struct {
	Transport Transport
	// Token is the user's own token. If it is empty, the client asks the proxy for one
	// before each connection and does the proof of work that the proxy demands.
	Token string
	// Name is the program's name and version, for the proxy's log; at most 100 bytes.
	Name string
	// Sleep waits. It returns an error if ctx ends first.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random returns a number in [0, 1).
	Random func() float64
	// Yield, if not nil, is called every few milliseconds during computation.
	Yield func()
}

// Client talks to one proxy. It is safe for concurrent use.
//
// Every error of its methods wraps a *protocol.Error with a sentence for users. The
// exception is an error from a caller's own function, which is returned unchanged. If a
// context ends, the error has the code cancelled and wraps the context's error.
type Client struct {
	options Options

	mu       sync.Mutex
	current  *session   // nil if there is none, or if it takes no more requests
	opening  *opening   // nil if no goroutine is connecting
	open     []*session // all that have not ended
	ack      *protocol.Ack
	contexts map[string]int // tokens, by model, that answers have shown
	overHTTP bool           // websockets are blocked
	window   float64        // concurrent batches of texts
	closed   bool
	work     sync.WaitGroup // goroutines of connections
}

// New returns a client. It connects on its first request.
func New(o Options) *Client { return &Client{options: o, window: 1 << 10} }

// opening is a connection attempt, shared by all callers that wait for it.
type opening struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	session *session
	err     error
}

// Hello connects if there is no connection, and returns the proxy's ack.
func (c *Client) Hello(ctx context.Context) (*protocol.Ack, error) {
	s, err := c.session(ctx)
	if err != nil {
		return nil, err
	}
	return s.ack, nil
}

// Ack returns the latest ack of the proxy. It is nil before the first connection.
func (c *Client) Ack() *protocol.Ack {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ack
}

// Close ends the connection and all work in progress, and waits for both. The client cannot
// be used again.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	if c.opening != nil {
		c.opening.cancel()
	}
	open := c.open
	c.mu.Unlock()
	for _, s := range open {
		s.end(errClosed, closeNormal, "")
	}
	c.work.Wait()
}

var errClosed = protocol.Errorf(protocol.Cancelled, "The connection to the proxy was closed.")

// session returns the connection and makes one if there is none. Concurrent callers share
// the same attempt, which is cancelled when the last of them gives up. Its errors are
// final, because it has already retried enough.
func (c *Client) session(ctx context.Context) (*session, error) {
	if err := ctx.Err(); err != nil {
		return nil, stopped{err}
	}
	c.mu.Lock()
	if c.closed || c.current != nil {
		defer c.mu.Unlock()
		if c.closed {
			return nil, errClosed
		}
		return c.current, nil
	}
	o := c.opening
	if o == nil {
		work, cancel := context.WithCancel(context.Background())
		o = &opening{done: make(chan struct{}), cancel: cancel}
		c.opening = o
		c.work.Go(func() { defer cancel(); c.connect(work, o) })
	}
	o.waiting++
	c.mu.Unlock()
	select {
	case <-o.done:
		return o.session, o.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.waiting--; o.waiting == 0 {
		o.cancel()
		if c.opening == o {
			c.opening = nil
		}
	}
	return nil, stopped{ctx.Err()}
}

// forget stops using a connection. Later requests go to the next one.
func (c *Client) forget(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == s {
		c.current = nil
	}
}

// widen and narrow adjust the number of concurrent batches like TCP's window: slowly up,
// quickly down.
func (c *Client) widen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.window = min(c.window+1/c.window, 1<<10)
}

func (c *Client) narrow(from int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.window = max(1, min(c.window, float64(from))/2)
}

func (c *Client) batches() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.window)
}
