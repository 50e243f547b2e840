//go:build js

// Package network connects a worker to a proxy: it is the client's Transport over the
// browser's WebSocket and fetch. net/http would do the same, but more than double the size
// of the program.
package network

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall/js"

	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/wasm/bridge/promise"
)

// Client returns a client of the proxy at address, which is absolute, or relative to this
// worker's origin, as "" is. token may be "": see client.Options. yield gives the event
// loop a turn.
func Client(address, token, name string, yield func()) (*client.Client, error) {
	base, err := resolve(address)
	if err != nil {
		return nil, err
	}
	return client.New(client.Options{Transport: transport{base}, Token: token, Name: name, Sleep: client.Sleep, Random: rand.Float64, Yield: yield}), nil
}

// resolve returns an address in full, without a slash at its end.
func resolve(address string) (string, error) {
	here := js.Undefined()
	if l := js.Global().Get("location"); l.Truthy() {
		here = l.Get("origin")
	}
	var base string
	err := promise.Try(func() {
		u := js.Global().Get("URL").New(address, here)
		protocol := u.Get("protocol").String()
		plain := u.Get("username").String()+u.Get("password").String()+u.Get("search").String()+u.Get("hash").String() == ""
		if plain && (protocol == "https:" || protocol == "http:") {
			base = strings.TrimSuffix(u.Get("origin").String()+u.Get("pathname").String(), "/")
		}
	})
	if err != nil || base == "" {
		return "", errors.New("this is not the address of a proxy")
	}
	return base, nil
}

type transport struct{ base string }

var _ client.Transport = transport{}

// Post sends a request with fetch. It sends no cookies and follows no redirect, because a
// proxy uses neither.
func (t transport) Post(ctx context.Context, path string, header map[string]string, body []byte) (*client.Response, error) {
	headers := map[string]any{"Content-Type": "application/json"}
	for name, value := range header {
		headers[name] = value
	}
	abort := js.Global().Get("AbortController").New()
	var fetched js.Value
	err := promise.Try(func() {
		fetched = js.Global().Call("fetch", t.base+path, map[string]any{
			"method": "POST", "headers": headers, "body": string(body), "signal": abort.Get("signal"),
			"credentials": "omit", "redirect": "error", "cache": "no-store",
		})
	})
	var r js.Value
	if err == nil {
		r, err = promise.Await(ctx, fetched)
	}
	if err != nil {
		abort.Call("abort")
		return nil, fmt.Errorf("fetch: %w", err)
	}
	get := func(name string) string {
		if v := r.Get("headers").Call("get", name); !v.IsNull() {
			return v.String()
		}
		return ""
	}
	b := &stream{ctx: ctx, abort: abort}
	if s := r.Get("body"); s.Truthy() {
		b.reader = s.Call("getReader")
	}
	return &client.Response{Status: r.Get("status").Int(), Header: get, Body: b}, nil
}

// stream is the body of a streaming response.
type stream struct {
	ctx    context.Context
	abort  js.Value
	reader js.Value // undefined if there is no body
	rest   []byte
}

func (b *stream) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.reader.IsUndefined() {
			return 0, io.EOF
		}
		part, err := promise.Await(b.ctx, b.reader.Call("read"))
		if err != nil {
			return 0, fmt.Errorf("read the response: %w", err)
		}
		if part.Get("done").Bool() {
			return 0, io.EOF
		}
		b.rest = promise.Bytes(part.Get("value"))
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close ends the response, for the proxy, too.
func (b *stream) Close() error {
	b.abort.Call("abort")
	return nil
}

// Dial opens a WebSocket. A browser does not report why one fails to open.
func (t transport) Dial(ctx context.Context) (client.Conn, error) {
	c := &conn{changed: make(chan struct{}, 1)}
	err := promise.Try(func() {
		c.ws = js.Global().Get("WebSocket").New("ws"+strings.TrimPrefix(t.base, "http")+protocol.PathSocket, []any{protocol.Subprotocol})
	})
	if err != nil {
		return nil, fmt.Errorf("websocket: %w", err)
	}
	c.listen()
	for {
		c.mu.Lock()
		open, ended := c.open, c.err
		c.mu.Unlock()
		switch {
		case ended != nil:
			return nil, errors.New("the websocket does not open") // the code is always 1006
		case open:
			return c, nil
		}
		select {
		case <-c.changed:
		case <-ctx.Done():
			c.Close(1000, "")
			return nil, ctx.Err()
		}
	}
}
