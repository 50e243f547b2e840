package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// A client that answers no ping for idleAfter is gone. Pings are more frequent than the
// idle time of any proxy in between.
const idleAfter, pingEvery = 60 * time.Second, 25 * time.Second

// closeWithin is how long a flooding client has for the closing handshake.
const closeWithin = time.Second

// socket accepts a websocket. Refusals happen before the upgrade if possible, with a status
// and a line of text.
func (g *Gateway) socket(w http.ResponseWriter, r *http.Request) {
	config := g.config()
	origin, err := config.Door.Knock(r)
	if err != nil {
		no := denied(err)
		config.Observer.Refused(no.why)
		http.Error(w, no.Message, no.status)
		return
	}
	if !slices.Contains(offered(r), protocol.Subprotocol) {
		http.Error(w, "This is a websocket of the subprotocol "+protocol.Subprotocol+".", http.StatusUpgradeRequired)
		return
	}
	c := &conn{peer: g.newPeer("websocket", origin, config.Proxies.Caller(r))}
	c.link, c.out = c, newWriter(c, c.tab())
	if no := g.admit(c.peer); no != nil {
		config.Observer.Refused(no.why)
		w.Header().Set("Retry-After", "10")
		http.Error(w, no.Message, no.status)
		return
	}
	out := &corked{ResponseWriter: w}
	ws, err := websocket.Accept(out, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol.Subprotocol}, InsecureSkipVerify: true, // checked above, more strictly
		CompressionMode: websocket.CompressionDisabled,
		OnPingReceived:  func(context.Context, []byte) bool { return c.counts() },
		OnPongReceived:  func(context.Context, []byte) { c.counts() },
	})
	if err != nil {
		g.leave(c.peer)
		return // Accept has written the response
	}
	c.cork = out.cork
	// Each step has its own goroutine. This frees the request with its headers and the deep
	// stacks of earlier steps, so that an idle socket costs little memory.
	go func() {
		greeted := false
		defer func() {
			if !greeted {
				ws.CloseNow()
				g.leave(c.peer)
			}
		}()
		defer c.caught()
		if greeted = c.opened(ws) && c.greeted(); greeted {
			go c.run()
		}
	}()
}

// offered returns the subprotocols that a client offers.
func offered(r *http.Request) (out []string) {
	for _, v := range r.Header.Values("Sec-WebSocket-Protocol") {
		for part := range strings.SplitSeq(v, ",") {
			out = append(out, strings.TrimSpace(part))
		}
	}
	return out
}

// conn is a session over a websocket.
type conn struct {
	*peer
	ws   *websocket.Conn
	cork *cork
	out  *writer
	ctx  context.Context // of run; when it ends, the connection is cut
	stop context.CancelCauseFunc

	mu      sync.Mutex
	ended   *closeError // set before there was a socket to close
	flooded sync.Once
}

// run serves the client until either side ends the session.
func (c *conn) run() {
	c.ctx, c.stop = context.WithCancelCause(context.Background()) // not the request's, which is hijacked
	defer c.gateway.leave(c.peer)
	defer c.gone()
	defer c.ws.CloseNow()
	defer c.stop(nil)
	defer c.caught()
	old := time.AfterFunc(c.gateway.config().Age, func() { c.retire() })
	defer old.Stop()
	var requests sync.WaitGroup
	defer c.watch().Stop()
	err := c.read(&requests)
	c.cancel(0, nil)
	c.close(err) // before c.ctx ends, because that cuts the connection without a close frame
	c.stop(nil)
	c.out.close()
	requests.Wait()
	c.out.senders.Wait()
}

// retire ends an old session; its client opens another.
func (c *conn) retire() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c.drain(ctx, "the session is old")
}

func (c *conn) count() int               { return c.out.count() }
func (c *conn) drained() <-chan struct{} { return c.out.drain() }

// end closes the socket, so that the reader stops. Cancelling the context would cut the
// connection without a close frame.
func (c *conn) end(code websocket.StatusCode, says string) {
	c.mu.Lock()
	if c.ws == nil {
		c.ended = &closeError{code, says}
	}
	ws := c.ws
	c.mu.Unlock()
	if ws != nil {
		_ = ws.Close(code, says) // it may be closed already
	}
}

// opened takes the socket. It returns false if the session was ended meanwhile.
func (c *conn) opened(ws *websocket.Conn) bool {
	ws.SetReadLimit(protocol.MaxText)
	c.mu.Lock()
	c.ws = ws
	ended := c.ended
	c.mu.Unlock()
	if ended != nil {
		c.end(ended.code, ended.says)
	}
	return ended == nil
}

// close sends the client the reason if it has broken the protocol.
func (c *conn) close(err error) {
	var own closeError
	if errors.As(err, &own) {
		c.end(own.code, own.says)
	}
}

// closeError is a protocol error; the socket closes with its code.
type closeError struct {
	code websocket.StatusCode
	says string
}

func (e closeError) Error() string { return e.says }

// greeted waits for init and answers with ack.
func (c *conn) greeted() bool {
	late := time.AfterFunc(c.gateway.config().InitWithin, func() { c.end(protocol.CloseInitTimeout, "no init") })
	defer late.Stop()
	ctx := context.Background() // late ends it, too
	kind, data, err := c.ws.Read(ctx)
	if err != nil {
		return false
	}
	m, _, err := protocol.DecodeClient(data)
	init, ok := m.(*protocol.Init)
	if err != nil || !ok || kind != websocket.MessageText {
		c.end(protocol.CloseBadMessage, "the first message is not init")
		return false
	}
	ack, err := c.greet(init)
	if err != nil {
		c.gateway.config().Observer.Refused("token")
		c.end(protocol.CloseUnauthorized, "the token does not hold")
		return false
	}
	frame, err := protocol.Encode(ack)
	if err == nil {
		err = c.ws.Write(ctx, websocket.MessageText, frame)
	}
	if err != nil {
		c.gone()
	}
	return err == nil
}

// message reads the next message. It may wait for a message to begin, but once begun the
// message must arrive in time: thousands of half messages would take as much memory as
// complete ones.
func (c *conn) message() (websocket.MessageType, []byte, error) {
	kind, r, err := c.ws.Reader(c.ctx)
	if err != nil {
		return kind, nil, err
	}
	late := time.AfterFunc(c.gateway.config().ReadWithin, func() { c.end(protocol.CloseBadMessage, "a message that does not arrive") })
	defer late.Stop()
	data, err := io.ReadAll(r)
	return kind, data, err
}

// read handles messages until the client leaves or breaks the protocol.
func (c *conn) read(requests *sync.WaitGroup) error {
	for {
		kind, data, err := c.message()
		if err != nil {
			return err
		}
		if !c.flood.Allow() {
			return closeError{protocol.CloseTooMany, "too many messages"}
		}
		if kind != websocket.MessageText {
			return closeError{protocol.CloseBadMessage, "binary frames go to the client only"}
		}
		m, id, err := protocol.DecodeClient(data)
		if err != nil && id == 0 {
			return closeError{protocol.CloseBadMessage, shorten(err.Error())}
		}
		if err != nil {
			c.out.post(frame{kind: textFrame, data: errFrame(id, err)}) // only that request fails
			continue
		}
		if err := c.handle(m, id, requests); err != nil {
			return err
		}
	}
}

// counts counts a control frame like any other message. Above the limit the session ends,
// and pings get no answer. The library calls it during reads.
func (c *conn) counts() bool {
	if c.flood.Allow() {
		return true
	}
	c.flooded.Do(func() {
		go c.end(protocol.CloseTooMany, "too many messages")
		time.AfterFunc(closeWithin, func() { c.ws.CloseNow() }) // do not wait long for the closing handshake
	})
	return false
}

func (c *conn) handle(m protocol.Message, id uint32, requests *sync.WaitGroup) error {
	switch m := m.(type) {
	case *protocol.Cancel:
		c.cancel(m.ID, nil)
	case *protocol.Credit:
		c.out.credit(m.ID, m.N)
	case *protocol.Ping:
		pong, err := protocol.Encode(&protocol.Pong{})
		c.out.post(frame{kind: textFrame, data: pong})
		return err
	case *protocol.Pong:
	case *protocol.Init:
		return closeError{protocol.CloseDuplicate, "a second init"}
	default:
		return c.begin(m, id, requests)
	}
	return nil
}

// begin starts a request concurrently with the others.
func (c *conn) begin(m protocol.Message, id uint32, requests *sync.WaitGroup) error {
	ctx, err := c.take(c.ctx, id)
	if err == nil {
		cut := func(cause error) { go c.cancel(id, cause) } // called with the writer's lock held
		if err = c.out.open(id, c.gateway.config().Limits.Credits, cut); err != nil {
			c.drop(id)
		}
	}
	var own closeError
	switch {
	case errors.As(err, &own):
		return own
	case err != nil:
		c.out.post(frame{kind: textFrame, data: errFrame(id, err)}) // the request never began
	default:
		requests.Go(func() { c.perform(ctx, m, id, c.out) })
	}
	return nil
}

// send implements sink.
func (c *conn) send(f frame) error {
	kind := websocket.MessageText
	if f.kind == vectorFrame {
		kind = websocket.MessageBinary
	}
	c.cork.hold()
	ctx, cancel := context.WithTimeout(c.ctx, c.gateway.config().WriteWithin)
	defer cancel()
	err := c.ws.Write(ctx, kind, f.data)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errSlow
	}
	return err
}

// flush implements sink.
func (c *conn) flush() error { return slowly(c.cork.release(c.gateway.config().WriteWithin)) }

// lost implements sink.
func (c *conn) lost(why error) { c.stop(why) }

// cut implements sink.
func (c *conn) cut() { c.stop(errSlow) }

// slowly returns errSlow for a write that ran out of time, otherwise err.
func slowly(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errSlow
	}
	return err
}

// watch pings from time to time to find out whether the client is still there. It uses a
// timer, because a waiting goroutine would cost every idle socket a stack.
func (c *conn) watch() *time.Timer {
	var next *time.Timer
	next = time.AfterFunc(time.Hour, func() {
		wait, cancel := context.WithTimeout(c.ctx, idleAfter-pingEvery)
		defer cancel()
		if c.ws.Ping(wait) != nil {
			c.stop(nil)
			return
		}
		next.Reset(pingEvery)
	})
	next.Reset(pingEvery)
	return next
}

// shorten limits a reason to the 123 bytes of a close frame.
func shorten(s string) string {
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "")
	}
	return s
}
