package gateway

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

const (
	quietAfter  = 2 * time.Minute  // a session over HTTP without a request ends after that
	aliveEvery  = 15 * time.Second // interval of comments, so that no proxy in between closes the connection
	freeCredits = 1 << 20          // unlimited, because the connection itself slows down the writer
)

// post is a session over HTTP. Each of its requests has its own connection.
type post struct {
	*peer
	secret string
	quiet  *time.Timer
	active int           // requests in progress; guarded by the peer's lock, like empty
	empty  chan struct{} // nil before drained; closed once no request is in progress
}

func (p *post) count() int { return p.add(0) - 1 } // do not count the current one
func (p *post) idle() bool { return p.add(0) == 0 }

// add changes the number of requests in progress by n, and returns it.
func (p *post) add(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active += n; p.active == 0 && p.empty != nil {
		select {
		case <-p.empty:
		default:
			close(p.empty)
		}
	}
	return p.active
}

func (p *post) drained() <-chan struct{} {
	p.mu.Lock()
	if p.empty == nil {
		p.empty = make(chan struct{})
	}
	p.mu.Unlock()
	p.add(0)
	return p.empty
}

// end removes the session and cancels its requests.
func (p *post) end(websocket.StatusCode, string) {
	g := p.gateway
	g.mu.Lock()
	there := g.posts[p.secret] == p
	delete(g.posts, p.secret)
	g.mu.Unlock()
	if !there {
		return
	}
	p.quiet.Stop()
	p.cancel(0, nil)
	p.gone()
	g.leave(p.peer)
}

// tire ends the session unless it has requests.
func (p *post) tire() {
	if !p.idle() {
		p.quiet.Reset(quietAfter)
		return
	}
	p.end(closeRestart, "")
}

// evict ends the oldest idle session over HTTP of an address, because such a session,
// unlike a socket, does not end with its page.
func (g *Gateway) evict(at admission.Caller) bool {
	g.mu.Lock()
	var oldest *post
	for _, p := range g.posts {
		if p.address == at && p.idle() && (oldest == nil || p.since.Before(oldest.since)) {
			oldest = p
		}
	}
	g.mu.Unlock()
	if oldest != nil {
		oldest.end(closeRestart, "")
	}
	return oldest != nil
}

// init opens a session.
func (g *Gateway) init(w http.ResponseWriter, r *http.Request, origin string) {
	config := g.config()
	p := &post{peer: g.newPeer("http", origin, config.Proxies.Caller(r)), secret: rand.Text()}
	p.link = p
	m, _, err := g.readMessage(w, r)
	init, ok := m.(*protocol.Init)
	if err == nil && !ok {
		err = protocol.Errorf(protocol.BadRequest, "The first message must be init.")
	}
	if err != nil {
		g.refuse(w, &refusal{0, "message", clientError(err)})
		return
	}
	no := g.admit(p.peer)
	if no != nil && no.why == tooManyOfAddress && g.evict(p.address) {
		no = g.admit(p.peer)
	}
	if no != nil {
		g.refuse(w, no)
		return
	}
	ack, err := p.greet(init)
	var frame []byte
	if err == nil {
		frame, err = protocol.Encode(ack)
	}
	if err != nil {
		g.leave(p.peer)
		g.refuse(w, &refusal{0, "token", clientError(err)})
		return
	}
	p.quiet = time.AfterFunc(quietAfter, p.tire)
	g.mu.Lock()
	g.posts[p.secret] = p
	closed := g.closed
	g.mu.Unlock()
	if closed { // Shutdown has begun meanwhile, and may have missed this session
		p.end(closeRestart, "")
		g.refuse(w, &refusal{0, "draining", errDraining})
		return
	}
	w.Header().Set(protocol.SessionHeader, p.secret)
	w.Header().Set("Content-Type", "application/json")
	w.Write(frame)
}

// request performs a request of a session and streams the result.
func (g *Gateway) request(w http.ResponseWriter, r *http.Request, origin string) {
	g.mu.Lock()
	p := g.posts[r.Header.Get(protocol.SessionHeader)]
	closed := g.closed
	g.mu.Unlock()
	switch {
	case closed:
		g.refuse(w, &refusal{0, "draining", errDraining})
		return
	case p == nil || p.origin != origin:
		g.refuse(w, &refusal{0, "session", protocol.Errorf(protocol.Unauthorized, "This session has ended.")})
		return
	case g.config().Now().Sub(p.since) > g.config().Age && p.idle():
		p.end(closeRestart, "")
		g.refuse(w, &refusal{0, "session", protocol.Errorf(protocol.Unauthorized, "This session has expired.")})
		return
	case !p.flood.Allow():
		g.refuse(w, &refusal{0, "messages", &protocol.Error{Code: protocol.RateLimited, Message: "Too many messages.", RetryAfter: time.Second}})
		return
	}
	p.add(1) // counted before the check for room, so that the limit is exact
	defer p.add(-1)
	m, id, err := g.readMessage(w, r)
	if err == nil {
		switch m.(type) {
		case *protocol.Embed, *protocol.Chat, *protocol.Search:
		default:
			err = protocol.Errorf(protocol.BadRequest, "A %s message is not a request.", protocol.TypeOf(m))
		}
	}
	var ctx context.Context
	if err == nil {
		ctx, err = p.take(r.Context(), id)
	}
	var duplicate closeError
	if errors.As(err, &duplicate) {
		err = protocol.Errorf(protocol.BadRequest, "Request %d is already running.", id)
	}
	if err != nil {
		g.refuse(w, &refusal{0, "message", clientError(err)})
		return
	}
	p.quiet.Reset(quietAfter)
	p.stream(ctx, w, m, id)
}

// stream performs a request and sends its frames as events. If the client disconnects, the
// request is cancelled and the rest of the answer is dropped.
func (p *post) stream(ctx context.Context, w http.ResponseWriter, m protocol.Message, id uint32) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // otherwise nginx buffers the events
	e := p.events(w, id)
	p.respond(ctx, m, id, e, e)
}

// events returns the writer for the body of a response.
func (p *peer) events(w http.ResponseWriter, id uint32) *events {
	return &events{w: w, rc: http.NewResponseController(w), within: p.gateway.config().WriteWithin, gone: func(why error) { p.cancel(id, why) }}
}

// respond performs the single request of a response. The frames go to to, which is e or
// writes to it.
func (p *peer) respond(ctx context.Context, m protocol.Message, id uint32, e *events, to sink) {
	e.begin() // from here on the write deadlines of sessions apply
	out := newWriter(to, p.tab())
	e.alive = time.AfterFunc(aliveEvery, func() { out.post(frame{kind: aliveFrame}) })
	defer e.alive.Stop()
	_ = out.open(id, freeCredits, nil) // always succeeds, because it is the only request
	p.perform(ctx, m, id, out)
	<-out.drain()
	out.senders.Wait() // w must not be used after the handler returns
}

// events writes server-sent events
// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type events struct {
	w      io.Writer
	rc     *http.ResponseController
	within time.Duration
	alive  *time.Timer     // until the next comment
	gone   func(why error) // called when the client is lost

	mu  sync.Mutex
	end bool // it was cut, and nothing more is sent
}

// send implements sink.
func (e *events) send(f frame) error {
	e.alive.Reset(aliveEvery)
	switch f.kind {
	case aliveFrame:
		return e.write(":\n\n")
	case vectorFrame:
		return e.write("event: " + protocol.VectorsEvent + "\ndata: " + base64.StdEncoding.EncodeToString(f.data) + "\n\n")
	}
	return e.write("data: " + string(f.data) + "\n\n")
}

func (e *events) write(s string) error {
	e.begin()
	_, err := io.WriteString(e.w, s)
	return slowly(err)
}

// begin sets the deadline of the next write.
func (e *events) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.end {
		_ = e.rc.SetWriteDeadline(time.Now().Add(e.within)) // writers of tests do not support it
	}
}

// flush implements sink.
func (e *events) flush() error {
	e.begin()
	return slowly(e.rc.Flush())
}

// lost implements sink.
func (e *events) lost(why error) { e.gone(why) }

// cut implements sink.
func (e *events) cut() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end = true
	_ = e.rc.SetWriteDeadline(time.Now())
	go e.gone(errSlow) // called with the writer's lock held
}

// readMessage reads the message in the body of a request.
func (g *Gateway) readMessage(w http.ResponseWriter, r *http.Request) (protocol.Message, uint32, error) {
	body, err := g.readBody(w, r, protocol.MaxText, "message")
	if err != nil {
		return nil, 0, err
	}
	return protocol.DecodeClient(body)
}

// readBody reads a body of at most that many bytes within the time limit, which is longer
// for each megabyte. Errors call it what.
func (g *Gateway) readBody(w http.ResponseWriter, r *http.Request, most int64, what string) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(g.config().ReadWithin * time.Duration(1+most>>20))) // writers of tests do not support it
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		return nil, tooLong(what, most)
	}
	_ = control.SetReadDeadline(time.Time{}) // otherwise a disconnect of the client would go unnoticed
	return body, nil
}

func tooLong(what string, most int64) error {
	return protocol.Errorf(protocol.TooLarge, "The %s is longer than %d bytes or did not arrive.", what, most)
}

// statuses are the HTTP statuses of errors before a stream.
var statuses = map[protocol.Code]int{
	protocol.Unauthorized: http.StatusUnauthorized, protocol.Forbidden: http.StatusForbidden, protocol.TooLarge: http.StatusRequestEntityTooLarge,
	protocol.RateLimited: http.StatusTooManyRequests, protocol.Busy: http.StatusTooManyRequests, protocol.ShuttingDown: http.StatusServiceUnavailable,
	protocol.Internal: http.StatusInternalServerError,
}

// refuse responds with an err message and the matching status.
func (g *Gateway) refuse(w http.ResponseWriter, no *refusal) {
	g.config().Observer.Refused(no.why)
	status := no.status
	if status == 0 {
		status = statuses[no.Code]
	}
	if status == 0 {
		status = http.StatusBadRequest
	}
	no.answer(w, status, errFrame(0, no.Error))
}

// answer writes a refusal: its status, Retry-After, and a JSON body.
func (no *refusal) answer(w http.ResponseWriter, status int, body []byte) {
	if no.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(no.RetryAfter.Seconds()+1)))
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
