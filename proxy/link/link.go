// Package link connects a program to a proxy: it is the client's Transport over real
// sockets and HTTP.
package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

const (
	connectWithin = 10 * time.Second
	headersWithin = 6 * time.Minute // a provider may have to load a model before the first event
	closeWithin   = time.Second     // for the closing handshake
	idleWithin    = 90 * time.Second
)

// Transport connects to the proxy at one address. It is safe for concurrent use.
type Transport struct {
	base *url.URL
	http *http.Client
}

var _ client.Transport = (*Transport)(nil)

// New takes the address of a proxy, https://host or https://host/prefix. http is accepted
// only for this machine, because a token and texts would be readable on the network. New
// does not connect yet.
func New(address string) (*Transport, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return nil, fmt.Errorf("invalid proxy address %q: write it like https://seam.example.org", redacted(address))
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the proxy's address must be only a host and a path: pass a token separately")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("the proxy at %s must use https: http is only for this machine", u.Host)
	}
	u.Path = strings.TrimSuffix(u.Path, "/")
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connectWithin}).DialContext,
		TLSHandshakeTimeout:   connectWithin,
		ResponseHeaderTimeout: headersWithin,
		IdleConnTimeout:       idleWithin,
		MaxIdleConnsPerHost:   8,
		DisableCompression:    true, // events should arrive as they are written
	}
	// A proxy does not redirect. A server that does is something else, and gets no token.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Transport{u, &http.Client{Transport: transport, CheckRedirect: stay}}, nil
}

// redacted returns an address, or "…" if it may contain a secret.
func redacted(address string) string {
	if u, err := url.Parse(address); err == nil && u.User == nil && u.RawQuery == "" && len(address) < 200 {
		return address
	}
	return "…"
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// Client returns a client of the proxy at an address, with this machine's clock. token may
// be "": see client.Options. name is the program's name and version.
func Client(address, token, name string) (*client.Client, error) {
	t, err := New(address)
	if err != nil {
		return nil, err
	}
	return client.New(client.Options{Transport: t, Token: token, Name: name, Sleep: client.Sleep, Random: rand.Float64}), nil
}

// Dial opens the websocket. A status that a proxy uses to refuse is the proxy's answer. Any
// other is from a server in between that does not support websockets.
func (t *Transport) Dial(ctx context.Context) (client.Conn, error) {
	ws, r, err := websocket.Dial(ctx, t.base.JoinPath(protocol.PathSocket).String(), &websocket.DialOptions{
		HTTPClient: t.http, Subprotocols: []string{protocol.Subprotocol}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		if r != nil {
			switch r.StatusCode {
			case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
				body, _ := io.ReadAll(r.Body) // bounded by Dial
				return nil, client.Refused(&client.Response{Status: r.StatusCode, Header: r.Header.Get}, body)
			}
		}
		return nil, fmt.Errorf("websocket of %s: %w", t.base.Host, err)
	}
	if ws.Subprotocol() != protocol.Subprotocol {
		ws.CloseNow()
		return nil, fmt.Errorf("websocket of %s: it does not speak %s", t.base.Host, protocol.Subprotocol)
	}
	ws.SetReadLimit(protocol.MaxReply) // more than the largest binary frame
	return &conn{ws: ws}, nil
}

// Post sends a request.
func (t *Transport) Post(ctx context.Context, path string, header map[string]string, body []byte) (*client.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("request to %s: %w", t.base.Host, err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := t.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("request to %s: %w", t.base.Host, err)
	}
	return &client.Response{Status: answer.StatusCode, Header: answer.Header.Get, Body: answer.Body}, nil
}

// conn implements client.Conn for a websocket.
type conn struct {
	ws   *websocket.Conn
	once sync.Once
}

func (c *conn) Read(ctx context.Context) (bool, []byte, error) {
	kind, data, err := c.ws.Read(ctx)
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		return false, nil, &client.CloseError{Code: int(closed.Code), Reason: closed.Reason}
	}
	return kind == websocket.MessageBinary, data, err
}

func (c *conn) Write(ctx context.Context, text []byte) error {
	return c.ws.Write(ctx, websocket.MessageText, text)
}

// Close sends the reason, and does not wait long for the closing handshake.
func (c *conn) Close(code int, reason string) {
	c.once.Do(func() {
		late := time.AfterFunc(closeWithin, func() { c.ws.CloseNow() })
		defer late.Stop()
		_ = c.ws.Close(websocket.StatusCode(code), reason) // it may be closed already
	})
}
