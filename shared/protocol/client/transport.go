package client

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Sleep is Options.Sleep by the machine's own timers.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Conn is one connection that carries messages. Read and Write may be called at
// the same time, each by one goroutine.
type Conn interface {
	// Read waits for the next frame; the slice is the caller's. Where the other
	// side has closed with a code, the error is a *CloseError.
	Read(ctx context.Context) (binary bool, data []byte, err error)
	// Write sends a text frame.
	Write(ctx context.Context, text []byte) error
	// Close ends the connection, and a Read and a Write that wait. It may be
	// called more than once.
	Close(code int, reason string)
}

// CloseError says that the other side has closed a websocket, and why.
type CloseError struct {
	Code   int // 1006 where it gave none
	Reason string
}

// Error names the code and the reason.
func (e *CloseError) Error() string {
	return fmt.Sprintf("closed with %d %s", e.Code, e.Reason)
}

// Transport reaches one proxy. It is safe for concurrent use.
type Transport interface {
	// Dial opens the websocket at protocol.PathSocket with the subprotocol
	// protocol.Subprotocol. An error with a *protocol.Error inside is the
	// proxy's answer; any other says that no websocket comes through.
	Dial(ctx context.Context) (Conn, error)
	// Post sends body, JSON, to a path of the proxy's with these headers. The
	// end of ctx ends the response's body, too.
	Post(ctx context.Context, path string, header map[string]string, body []byte) (*Response, error)
}

// Response is the answer to a Post, whatever its status.
type Response struct {
	Status int
	Header func(name string) string // "" where there is none
	Body   io.ReadCloser
}

// Close codes of RFC 6455 that a client meets or sends.
const (
	closeNormal   = 1000
	closeAway     = 1001
	closeAbnormal = 1006 // no close frame
	closeRestart  = 1012
)
