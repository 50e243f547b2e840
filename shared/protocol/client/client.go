// Package client is a worker's side of seam.v1: it asks a proxy for embeddings,
// answers and passages, over a websocket or, where none comes through, over HTTP.
//
// It keeps the limits that the proxy states, asks again in a while where it is
// told to, comes back after the connection broke, and asks only for the vectors
// that it does not have yet. It has no network, clock or chance of its own: they
// are handed in as a Transport and hooks.
package client

import (
	"context"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Options are what a client needs. Transport, Sleep and Random must be there.
type Options struct {
	Transport Transport
	// Token is one of the user's own. "": the proxy is asked for one before each
	// connection, at the price of the work that it asks for.
	Token string
	// Name and version of the program, for the proxy's log; at most 100 bytes.
	Name string
	// Sleep waits, and returns an error when ctx ends first.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random returns a number in [0, 1).
	Random func() float64
	// Yield is called every few milliseconds of computing; nil: never.
	Yield func()
}

// Client speaks with one proxy. It is safe for concurrent use.
//
// Every error of its methods has a *protocol.Error inside, with a sentence for
// people, except for those that a caller's own function returned: they come back
// as they are. The end of a context is an error with the code cancelled and the
// context's own error inside.
type Client struct {
	options Options

	mu       sync.Mutex
	current  *session   // nil: none, or one that takes no more requests
	opening  *opening   // nil: nobody connects
	open     []*session // all that have not ended
	ack      *protocol.Ack
	overHTTP bool    // no websocket came through
	window   float64 // batches of texts at a time
	closed   bool
	work     sync.WaitGroup // goroutines of connections
}

// New makes a client; it connects when it is first asked for something.
func New(o Options) *Client { return &Client{options: o, window: 1 << 10} }

// opening is a connection that is being made, for all who wait for it.
type opening struct {
	done    chan struct{}
	cancel  context.CancelFunc
	waiting int
	session *session
	err     error
}

// Hello connects, unless there is a connection, and returns what the proxy said
// of itself.
func (c *Client) Hello(ctx context.Context) (*protocol.Ack, error) {
	s, err := c.session(ctx)
	if err != nil {
		return nil, err
	}
	return s.ack, nil
}

// Ack is the last that a proxy said of itself; nil before the first connection.
func (c *Client) Ack() *protocol.Ack {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ack
}

// Close ends the connection and everything that is under way, and waits until it
// has. The client cannot be used again.
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

// session returns the connection, and makes one where there is none. All who ask
// meanwhile wait for the same; when the last of them gives up, so does it. Its
// errors are final: it has tried again as often as that makes sense.
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

// forget takes a connection out of use: requests go to the next one.
func (c *Client) forget(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == s {
		c.current = nil
	}
}

// widen and narrow move the number of batches at a time as TCP does its window:
// slowly up, quickly down.
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
