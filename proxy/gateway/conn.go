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

// A client that answers no ping for so long is gone. Pings are more frequent than
// the idle time of any proxy in between.
const idleAfter, pingEvery = 60 * time.Second, 25 * time.Second

// closeWithin is how long a client that floods has to say goodbye.
const closeWithin = time.Second

// socket takes a websocket. Everything that can be refused is refused before the
// upgrade, with a status and a line of text.
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
		return // Accept has answered
	}
	c.cork = out.cork
	// Each step in a goroutine of its own, so that the request with its headers, and
	// the deep stacks of the steps before, go: an idle socket is to cost little.
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
	ctx  context.Context // of run; its end cuts the connection
	stop context.CancelCauseFunc

	mu      sync.Mutex
	ended   *closeError // before there was a socket to close
	flooded sync.Once
}

// run speaks with the client until either is done.
func (c *conn) run() {
	c.ctx, c.stop = context.WithCancelCause(context.Background()) // not the request's: it is hijacked
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
	c.close(err) // before the context ends, which would cut the connection without a word
	c.stop(nil)
	c.out.close()
	requests.Wait()
	c.out.senders.Wait()
}

// retire ends a session that is old; its client opens another.
func (c *conn) retire() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c.drain(ctx, "the session is old")
}

func (c *conn) count() int               { return c.out.count() }
func (c *conn) drained() <-chan struct{} { return c.out.drain() }

// end ends the session from outside: the reader then sees a closed socket. A
// context must not do it, as its end cuts the connection without a word.
func (c *conn) end(code websocket.StatusCode, says string) {
	c.mu.Lock()
	if c.ws == nil {
		c.ended = &closeError{code, says}
	}
	ws := c.ws
	c.mu.Unlock()
	if ws != nil {
		_ = ws.Close(code, says) // it may be gone
	}
}

// opened takes the socket. False where the session was ended meanwhile.
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

// close tells the client why, if it has broken the protocol.
func (c *conn) close(err error) {
	var own closeError
	if errors.As(err, &own) {
		c.end(own.code, own.says)
	}
}

// closeError is an error of the protocol: the socket closes with its code.
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

// message reads the next one. It may take its time to begin, and then has to arrive:
// thousands of halves would be as much memory as whole ones.
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

// read takes messages until the client leaves or breaks the protocol.
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
			c.out.post(frame{kind: textFrame, data: errFrame(id, err)}) // that request alone
			continue
		}
		if err := c.handle(m, id, requests); err != nil {
			return err
		}
	}
}

// counts counts a control frame, which is a message as any other: above the limit
// the session ends, and its pings get no answer. The library calls it while it reads.
func (c *conn) counts() bool {
	if c.flood.Allow() {
		return true
	}
	c.flooded.Do(func() {
		go c.end(protocol.CloseTooMany, "too many messages")
		time.AfterFunc(closeWithin, func() { c.ws.CloseNow() }) // a flood does not wait for the goodbye
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

// begin runs a request beside the others.
func (c *conn) begin(m protocol.Message, id uint32, requests *sync.WaitGroup) error {
	ctx, err := c.take(c.ctx, id)
	if err == nil {
		cut := func(cause error) { go c.cancel(id, cause) } // it has the writer's lock
		if err = c.out.open(id, c.gateway.config().Limits.Credits, cut); err != nil {
			c.drop(id)
		}
	}
	var own closeError
	switch {
	case errors.As(err, &own):
		return own
	case err != nil:
		c.out.post(frame{kind: textFrame, data: errFrame(id, err)}) // it was never begun
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

// slowly is errSlow for a write that has run out of time.
func slowly(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errSlow
	}
	return err
}

// watch pings now and then to find out whether the client is still there: with a
// timer, as a goroutine that waits would cost every idle socket its stack.
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

// shorten keeps a reason below the 123 bytes that a close frame takes.
func shorten(s string) string {
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "")
	}
	return s
}
