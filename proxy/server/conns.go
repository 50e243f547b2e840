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
	headersWithin = 5 * time.Second  // of a request
	bodyWithin    = 10 * time.Second // of a request, all of it
	chunkWithin   = 30 * time.Second // a client takes so long at most for chunk bytes
	chunk         = 64 << 10
	mostLoose     = 1024 // connections that are no session, where there are descriptors enough
)

// conns bounds the connections that are no session: those that wait for headers, a
// body or the next request, and those that are being answered. Above a number of
// them, of one address or in all, the one that has done nothing new for the longest
// is closed, at the address that has the most. It is a net.Listener.
type conns struct {
	net.Listener
	shared func(net.IP) bool // an address of many visitors: another proxy's
	open   int               // at all, sessions among them
	inAll  int               // that are no session
	each   int               // of them, of one address

	mu    sync.Mutex
	all   map[*conn]struct{}
	loose map[string]map[*conn]struct{} // those that are no session, by address
	count int                           // of them
}

// newConns bounds the connections of l so that so many descriptors are enough.
func newConns(l net.Listener, descriptors int, shared func(net.IP) bool) *conns {
	c := &conns{Listener: l, shared: shared, all: map[*conn]struct{}{}, loose: map[string]map[*conn]struct{}{}}
	c.open, c.inAll, c.each = share(descriptors)
	return c
}

// share is how many connections there may be with so many descriptors, how many of
// them may be no session, and how many of those of one address. The rest is for
// files and providers.
func share(descriptors int) (open, loose, each int) {
	open = max(descriptors-max(64, descriptors/8), 8)
	loose = min(mostLoose, max(open/3, 4))
	return open, loose, max(loose/8, min(16, loose/2))
}

// sessionsOf is how many sessions there is room for.
func sessionsOf(descriptors int) int {
	open, loose, _ := share(descriptors)
	return open - loose
}

// conn is a connection. It gives each chunk that is written its time, until a
// handler says its own: then, and when it is taken over, it is a session's.
type conn struct {
	net.Conn
	conns   *conns
	address string    // "": of many visitors
	since   time.Time // it has done something new; under the lock of conns, as is all else

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

// enter counts a connection in, or reports that there is no room.
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

// largest is those of the address that has the most.
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

// loosen counts a connection among those that are no session, and bind takes it
// from them. All three are called with the lock held.
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

// state hears what the server does with a connection.
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

// taken notes that a handler gives its writes their time. Before the first request
// it is the handshake of TLS that does.
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

// Raw is the connection for writes of a session, which several buffers can go into
// at once.
func (c *conn) Raw() net.Conn { return c.Conn }

// ours finds the connection below TLS.
func ours(c net.Conn) *conn {
	if over, ok := c.(*tls.Conn); ok {
		c = over.NetConn()
	}
	one, _ := c.(*conn)
	return one
}

// told lets connections know what the server does with them.
func told(c net.Conn, state http.ConnState) {
	if one := ours(c); one != nil {
		one.state(state)
	}
}

// timed gives the body of every request its time, whatever the handler does with
// it, also where it leaves it to be thrown away.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // a test's writer has none
			r.Body = &body{ReadCloser: r.Body, ended: func() {
				_ = control.SetReadDeadline(time.Time{}) // or nobody would hear that the client goes
			}}
		}
		next.ServeHTTP(w, r)
	})
}

// body tells when it has been read.
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
