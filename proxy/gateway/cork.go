package gateway

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// cork is a connection that keeps what is written while it is held, and sends it
// together: a frame's head and body, and several frames that are ready, are one
// system call and wake the client once.
type cork struct {
	net.Conn

	mu   sync.Mutex
	held bool
	buf  []byte
}

const (
	corkWriter = 512      // of the bufio.Writer above it, which has nothing left to gather
	corkKeeps  = 16 << 10 // what is longer goes as it is, without a copy
)

// Write keeps or sends. What was kept goes first.
func (c *cork) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held && len(c.buf)+len(p) <= corkKeeps {
		c.buf = append(c.buf, p...)
		return len(p), nil
	}
	if len(c.buf) == 0 {
		return c.Conn.Write(p)
	}
	both := net.Buffers{c.buf, p}
	n, err := both.WriteTo(c.Conn)
	n -= int64(len(c.buf))
	c.buf = nil
	return int(max(n, 0)), err
}

func (c *cork) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = true
}

// release sends what is kept.
func (c *cork) release(within time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = false
	if len(c.buf) == 0 {
		return nil
	}
	if err := c.Conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err := c.Conn.Write(c.buf)
	c.buf = nil // an idle socket keeps no buffer
	if err != nil {
		return err
	}
	return c.Conn.SetWriteDeadline(time.Time{})
}

// corked hands out a connection with a cork.
type corked struct {
	http.ResponseWriter
	cork *cork
}

// Hijack implements http.Hijacker.
func (h *corked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.cork = &cork{Conn: conn}
	return h.cork, bufio.NewReadWriter(rw.Reader, bufio.NewWriterSize(h.cork, corkWriter)), nil
}
