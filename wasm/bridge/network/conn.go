//go:build js

package network

import (
	"context"
	"errors"
	"sync"
	"syscall/js"

	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/wasm/bridge/promise"
)

// maxWaiting limits the received bytes that have not been read. Credits keep an honest
// proxy far below it.
const maxWaiting = 64 << 20

// noClose is the code of a connection that broke, or never opened (RFC 6455, 7.4.1).
const noClose = 1006

// conn is a WebSocket. Its listeners never wait, so that the event loop does not; Read
// waits for them.
type conn struct {
	ws      js.Value
	changed chan struct{} // signals a change of the fields below

	mu      sync.Mutex
	open    bool
	frames  []frame
	waiting int   // bytes of frames
	err     error // why nothing more will come
}

type frame struct {
	binary bool
	data   []byte
}

// listen starts listening to the socket's events.
func (c *conn) listen() {
	c.ws.Set("binaryType", "arraybuffer")
	var funcs []js.Func
	on := func(event string, f func(js.Value)) {
		listener := js.FuncOf(func(_ js.Value, args []js.Value) any { f(args[0]); return nil })
		funcs = append(funcs, listener)
		c.ws.Call("addEventListener", event, listener)
	}
	on("open", func(js.Value) { c.change(func() { c.open = true }) })
	on("message", func(e js.Value) {
		f := frame{}
		if data := e.Get("data"); data.Type() == js.TypeString {
			f.data = []byte(data.String())
		} else {
			f = frame{true, promise.Bytes(js.Global().Get("Uint8Array").New(data))}
		}
		c.take(f)
	})
	// This event has no details. It ends the connection because not every browser sends a
	// close event if none was opened.
	on("error", func(js.Value) { c.end(&client.CloseError{Code: noClose}) })
	on("close", func(e js.Value) {
		c.end(&client.CloseError{Code: e.Get("code").Int(), Reason: e.Get("reason").String()})
		for _, f := range funcs { // close is the last event
			f.Release()
		}
	})
}

// change changes fields under the lock, and wakes the reader.
func (c *conn) change(f func()) {
	c.mu.Lock()
	f()
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *conn) take(f frame) {
	full := false
	c.change(func() {
		c.frames = append(c.frames, f)
		c.waiting += len(f.data)
		full = c.waiting > maxWaiting
	})
	if full {
		c.Close(protocol.CloseTooMany, "too much at once")
	}
}

func (c *conn) end(err error) {
	c.change(func() {
		if c.err == nil {
			c.err = err
		}
	})
}

func (c *conn) Read(ctx context.Context) (bool, []byte, error) {
	for {
		c.mu.Lock()
		if len(c.frames) > 0 { // even after the end
			f := c.frames[0]
			c.frames = c.frames[1:]
			c.waiting -= len(f.data)
			c.mu.Unlock()
			return f.binary, f.data, nil
		}
		err := c.err
		c.mu.Unlock()
		if err != nil {
			return false, nil, err
		}
		select {
		case <-c.changed:
		case <-ctx.Done():
			return false, nil, ctx.Err()
		}
	}
}

// Write sends a text frame. The browser buffers data that the network does not take yet.
func (c *conn) Write(_ context.Context, text []byte) error {
	c.mu.Lock()
	err := c.err
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return promise.Try(func() { c.ws.Call("send", string(text)) })
}

var errClosed = errors.New("the websocket was closed here")

// Close closes with a code that a page may send: 1000, or 3000 and above.
func (c *conn) Close(code int, reason string) {
	if code < 3000 {
		code = 1000
	}
	_ = promise.Try(func() { c.ws.Call("close", code, reason) }) // it fails only if the reason is too long
	c.end(errClosed)
}
