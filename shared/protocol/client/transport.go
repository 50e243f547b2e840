package client

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Sleep implements Options.Sleep with a time.Timer.
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

// Conn is one connection for messages. One goroutine may call Read while another calls
// Write.
type Conn interface {
	// Read waits for the next frame. The caller owns the slice. If the other side closed
	// with a code, the error is a *CloseError.
	Read(ctx context.Context) (binary bool, data []byte, err error)
	// Write sends a text frame.
	Write(ctx context.Context, text []byte) error
	// Close ends the connection and unblocks Read and Write. It may be called more than
	// once.
	Close(code int, reason string)
}

// CloseError reports that the other side closed a websocket, and why.
type CloseError struct {
	Code   int // 1006 if there was none
	Reason string
}

// Error returns the code and the reason.
func (e *CloseError) Error() string {
	return fmt.Sprintf("closed with %d %s", e.Code, e.Reason)
}

// Transport reaches one proxy. It is safe for concurrent use.
type Transport interface {
	// Dial opens the websocket at protocol.PathSocket with the subprotocol
	// protocol.Subprotocol. An error that wraps a *protocol.Error is the proxy's answer;
	// any other error means that websockets are blocked.
	Dial(ctx context.Context) (Conn, error)
	// Post sends a JSON body with these headers to a path of the proxy. When ctx ends, the
	// response's body ends, too.
	Post(ctx context.Context, path string, header map[string]string, body []byte) (*Response, error)
}

// Response is the answer to a Post, with any status.
type Response struct {
	Status int
	Header func(name string) string // "" if the header is missing
	Body   io.ReadCloser
}

// Close codes of RFC 6455 that a client receives or sends.
const (
	closeNormal   = 1000
	closeAway     = 1001
	closeAbnormal = 1006 // no close frame
	closeRestart  = 1012
)
