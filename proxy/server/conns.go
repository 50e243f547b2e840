package server

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	headersWithin = 5 * time.Second  // for the headers of a request
	bodyWithin    = 10 * time.Second // for the whole body of a request
	chunkWithin   = 30 * time.Second // for a client to take chunk bytes
	chunk         = 64 << 10
	mostLoose     = 1024 // connections that are not sessions, if there are enough descriptors
)

// conns bounds the connections that are not sessions: those waiting for headers, a body or
// the next request, and those being answered. If there are too many from one address or in
// all, it closes the longest idle one of the address with the most. It is a net.Listener.
type conns struct {
	net.Listener
	shared func(net.IP) bool // reports an address with many visitors: another proxy's
	open   int               // limit of all connections, including sessions
	inAll  int               // limit of connections that are not sessions
	each   int               // limit of those per address

	mu    sync.Mutex
	all   map[*conn]struct{}
	loose map[string]map[*conn]struct{} // connections that are not sessions, by address
	count int                           // number of connections in loose
}

// newConns bounds the connections of l to fit that many descriptors.
func newConns(l net.Listener, descriptors int, shared func(net.IP) bool) *conns {
	c := &conns{Listener: l, shared: shared, all: map[*conn]struct{}{}, loose: map[string]map[*conn]struct{}{}}
	c.open, c.inAll, c.each = share(descriptors)
	return c
}

// share returns the limits for that many descriptors: all connections, those that are not
// sessions, and those of one address. The rest is for files and providers.
func share(descriptors int) (open, loose, each int) {
	open = max(descriptors-max(64, descriptors/8), 8)
	loose = min(mostLoose, max(open/3, 4))
	return open, loose, max(loose/4, min(16, loose/2))
}

// sessionsOf returns the greatest number of sessions.
func sessionsOf(descriptors int) int {
	open, loose, _ := share(descriptors)
	return open - loose
}

// conn is a connection. It sets a write deadline for each chunk, until a handler sets its
// own. From then on, or once it is hijacked, it counts as a session.
type conn struct {
	net.Conn
	conns   *conns
	address string    // "" for an address with many visitors
	since   time.Time // start of its last activity; guarded by conns.mu, like the rest

	asked   bool // there was a request
	session bool
}

// Accept implements net.Listener.
func (c *conns) Accept() (net.Conn, error) {
	for {
		raw, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		one := &conn{Conn: raw, conns: c}
		if tcp, ok := raw.RemoteAddr().(*net.TCPAddr); ok && !c.shared(tcp.IP) {
			one.address = tcp.IP.String()
		}
		if c.enter(one) {
			return one, nil
		}
		raw.Close()
	}
}

// enter registers a connection, or returns false if there is no room.
func (c *conns) enter(one *conn) bool {
	c.mu.Lock()
	var victim *conn
	if own := c.loose[one.address]; one.address != "" && len(own) >= c.each {
		victim = oldest(own)
	} else if c.count >= c.inAll || len(c.all) >= c.open {
		victim = oldest(c.largest())
	}
	room := victim != nil || len(c.all) < c.open
	if victim != nil {
		c.forget(victim)
	}
	if room {
		c.all[one] = struct{}{}
		c.loosen(one)
	}
	c.mu.Unlock()
	if victim != nil {
		victim.Conn.Close()
	}
	return room
}

// largest returns the connections of the address with the most.
func (c *conns) largest() (most map[*conn]struct{}) {
	for _, own := range c.loose {
		if len(own) > len(most) {
			most = own
		}
	}
	return most
}

func oldest(all map[*conn]struct{}) (first *conn) {
	for one := range all {
		if first == nil || one.since.Before(first.since) {
			first = one
		}
	}
	return first
}

// loosen counts a connection as not a session, and bind stops counting it. The lock must be
// held for both and for forget.
func (c *conns) loosen(one *conn) {
	one.session, one.since = false, time.Now()
	own := c.loose[one.address]
	if own == nil {
		own = map[*conn]struct{}{}
		c.loose[one.address] = own
	}
	if _, there := own[one]; !there {
		own[one] = struct{}{}
		c.count++
	}
}

func (c *conns) bind(one *conn) {
	own := c.loose[one.address]
	if _, there := own[one]; there {
		delete(own, one)
		c.count--
	}
	if len(own) == 0 {
		delete(c.loose, one.address)
	}
}

func (c *conns) forget(one *conn) {
	c.bind(one)
	delete(c.all, one)
}

// state handles a change of the connection's state in the server.
func (c *conn) state(state http.ConnState) {
	c.conns.mu.Lock()
	defer c.conns.mu.Unlock()
	if _, there := c.conns.all[c]; !there {
		return // it was closed
	}
	switch state {
	case http.StateActive, http.StateIdle:
		c.asked = true
		c.conns.loosen(c)
	case http.StateHijacked:
		c.session = true
		c.conns.bind(c)
	}
}

// taken records that a handler sets its own deadlines. Before the first request, only the
// TLS handshake does.
func (c *conn) taken() {
	c.conns.mu.Lock()
	defer c.conns.mu.Unlock()
	if c.asked {
		c.session = true
		c.conns.bind(c)
	}
}

func (c *conn) isSession() bool {
	c.conns.mu.Lock()
	defer c.conns.mu.Unlock()
	return c.session
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.conns.mu.Lock()
	c.conns.forget(c)
	c.conns.mu.Unlock()
	return c.Conn.Close()
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (n int, err error) {
	if c.isSession() {
		return c.Conn.Write(p)
	}
	for err == nil && n < len(p) {
		if err = c.Conn.SetWriteDeadline(time.Now().Add(chunkWithin)); err == nil {
			var m int
			m, err = c.Conn.Write(p[n:min(n+chunk, len(p))])
			n += m
		}
	}
	return n, err
}

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	c.taken()
	return c.Conn.SetDeadline(t)
}

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error {
	c.taken()
	return c.Conn.SetWriteDeadline(t)
}

// Raw returns the connection for a session's writes, which can write several buffers at
// once.
func (c *conn) Raw() net.Conn { return c.Conn }

// ours returns the conn below TLS.
func ours(c net.Conn) *conn {
	if over, ok := c.(*tls.Conn); ok {
		c = over.NetConn()
	}
	one, _ := c.(*conn)
	return one
}

// onState passes changes of state from the server to the connection.
func onState(c net.Conn, state http.ConnState) {
	if one := ours(c); one != nil {
		one.state(state)
	}
}

// timed sets a read deadline for the body of every request, including bodies that the
// handler does not read and the server discards.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // writers of tests do not support it
			r.Body = &body{ReadCloser: r.Body, ended: func() {
				_ = control.SetReadDeadline(time.Time{}) // otherwise a disconnect of the client would go unnoticed
			}}
		}
		next.ServeHTTP(w, r)
	})
}

// body calls ended when it has been read to the end.
type body struct {
	io.ReadCloser
	ended func()
	done  bool
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF && !b.done {
		b.done = true
		b.ended()
	}
	return n, err
}
