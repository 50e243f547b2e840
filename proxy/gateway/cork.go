package gateway

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// cork is a connection that buffers writes between hold and release, and sends them
// together. A frame's head and body, or several ready frames, then take one system call and
// wake the client once. The writer holds the cork while it writes. The library writes its
// own frames (ping, pong and close) from other goroutines; they are buffered, too, or sent
// at once.
type cork struct {
	net.Conn
	raw net.Conn // the connection without the byte counter; it can write several buffers at once

	mu  sync.Mutex
	buf []byte // nil: not held
}

// corkWriter is the size of the bufio.Writer above the cork, which need not buffer
// anything.
const corkWriter = 512

// Write buffers or sends p. Long writes are sent without a copy, after the buffered bytes.
func (c *cork) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf != nil && len(c.buf)+len(p) <= gather {
		c.buf = append(c.buf, p...)
		return len(p), nil
	}
	if len(c.buf) == 0 {
		return c.Conn.Write(p)
	}
	both := net.Buffers{c.buf, p}
	n, err := both.WriteTo(c.raw)
	n -= int64(len(c.buf))
	c.buf = []byte{}
	return int(max(n, 0)), err
}

func (c *cork) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.buf == nil {
		c.buf = []byte{}
	}
}

// release sends the buffered bytes.
func (c *cork) release(within time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := c.buf
	c.buf = nil // an idle socket keeps no buffer
	if len(held) == 0 {
		return nil
	}
	if err := c.Conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	if _, err := c.Conn.Write(held); err != nil {
		return err
	}
	return c.Conn.SetWriteDeadline(time.Time{})
}

// corked is a ResponseWriter that hijacks into a corked connection.
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
	h.cork = &cork{Conn: conn, raw: conn}
	if counted, ok := conn.(interface{ Raw() net.Conn }); ok {
		h.cork.raw = counted.Raw()
	}
	return h.cork, bufio.NewReadWriter(rw.Reader, bufio.NewWriterSize(h.cork, corkWriter)), nil
}
