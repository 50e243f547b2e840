package gateway

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"seam/shared/protocol"
)

// conn is one session.
type conn struct {
	gateway *Gateway
	who     Who
	origin  string
	ws      *websocket.Conn
	out     *outbox

	mu      sync.Mutex
	cancels map[uint32]context.CancelFunc
	ended   *closeError // before there was a socket to close
}

// run speaks with the client until either is done.
func (c *conn) run() {
	ctx, stop := context.WithCancel(context.Background()) // not the request's: it is hijacked
	defer stop()
	defer c.ws.CloseNow()
	if err := c.greet(ctx); err != nil {
		c.close(err)
		return
	}
	var requests sync.WaitGroup
	written := make(chan struct{})
	go func() { defer close(written); c.write(ctx); stop() }()
	go c.ping(ctx, stop)
	err := c.read(ctx, &requests)
	stop()
	requests.Wait()
	<-written
	c.close(err)
}

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

// greet waits for init and answers with ack.
func (c *conn) greet(ctx context.Context) error {
	late := time.AfterFunc(c.gateway.config.InitWithin, func() { c.end(protocol.CloseInitTimeout, "no init") })
	defer late.Stop()
	kind, data, err := c.ws.Read(ctx)
	if err != nil {
		return err
	}
	m, _, err := protocol.DecodeClient(data)
	init, ok := m.(*protocol.Init)
	if err != nil || !ok || kind != websocket.MessageText {
		return closeError{protocol.CloseBadMessage, "the first message is not init"}
	}
	if s := c.gateway.config.Signer; s != nil {
		if _, err := s.Redeem(init.Token, c.origin, c.who.Caller); err != nil {
			return closeError{protocol.CloseUnauthorized, "the token does not hold"}
		}
	}
	g := c.gateway.config
	ack, err := protocol.Encode(&protocol.Ack{Session: c.who.Session, Limits: g.Limits, Models: g.Models, Prompts: g.Prompts, Time: g.Now().UnixMilli()})
	if err != nil {
		return err
	}
	return c.ws.Write(ctx, websocket.MessageText, ack)
}

// read takes messages until the client leaves or breaks the protocol.
func (c *conn) read(ctx context.Context, requests *sync.WaitGroup) error {
	perSecond := c.gateway.config.Messages
	flood := rate.NewLimiter(rate.Limit(perSecond), 4*perSecond)
	for {
		kind, data, err := c.ws.Read(ctx)
		if err != nil {
			return err
		}
		if !flood.Allow() {
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
			c.fail(id, err) // that request alone
			continue
		}
		if err := c.handle(ctx, m, requests); err != nil {
			return err
		}
	}
}

func (c *conn) handle(ctx context.Context, m protocol.Message, requests *sync.WaitGroup) error {
	switch m := m.(type) {
	case *protocol.Embed:
		return c.begin(ctx, requests, m.ID, func(ctx context.Context) (*protocol.End, error) { return c.embed(ctx, m) })
	case *protocol.Chat:
		return c.begin(ctx, requests, m.ID, func(ctx context.Context) (*protocol.End, error) { return c.chat(ctx, m) })
	case *protocol.Search:
		c.fail(m.ID, protocol.Errorf(protocol.NotFound, "This proxy has no collection to search."))
	case *protocol.Cancel:
		c.mu.Lock()
		if cancel := c.cancels[m.ID]; cancel != nil {
			cancel()
		}
		c.mu.Unlock()
	case *protocol.Credit:
		c.out.credit(m.ID, m.N)
	case *protocol.Ping:
		pong, err := protocol.Encode(&protocol.Pong{})
		c.out.post(pong)
		return err
	case *protocol.Init:
		return closeError{protocol.CloseDuplicate, "a second init"}
	}
	return nil
}

// begin runs a request beside the others.
func (c *conn) begin(ctx context.Context, requests *sync.WaitGroup, id uint32, do func(context.Context) (*protocol.End, error)) error {
	limits := c.gateway.config.Limits
	if c.out.count() >= limits.InFlight {
		c.fail(id, protocol.Errorf(protocol.Busy, "More than %d requests at a time.", limits.InFlight))
		return nil
	}
	if !c.out.open(id, limits.Credits) {
		return closeError{protocol.CloseDuplicate, "an id that is in use"}
	}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.cancels[id] = cancel
	c.mu.Unlock()
	requests.Go(func() {
		end, err := do(ctx)
		cancel()
		c.mu.Lock()
		delete(c.cancels, id)
		c.mu.Unlock()
		if err != nil {
			c.gateway.config.Log.Info("request failed", "session", c.who.Session, "request", id, "code", tell(err).Code)
			c.out.finish(id, errFrame(id, err), true)
			return
		}
		end.ID = id
		data, err := protocol.Encode(end)
		if err != nil {
			data = errFrame(id, err)
		}
		c.out.finish(id, data, false)
	})
	return nil
}

// fail answers a request that was never begun.
func (c *conn) fail(id uint32, err error) { c.out.post(errFrame(id, err)) }

func errFrame(id uint32, err error) []byte {
	e := tell(err)
	data, encodeErr := protocol.Encode(&protocol.Err{ID: id, Code: e.Code, Message: e.Message, RetryAfterMS: e.RetryAfter.Milliseconds(), Whose: whose(e)})
	if encodeErr != nil {
		return nil
	}
	return data
}

func whose(e *protocol.Error) protocol.Whose {
	if e.Whose == "" {
		return protocol.Proxy
	}
	return e.Whose
}

// write sends what the outbox has.
func (c *conn) write(ctx context.Context) {
	for {
		f, err := c.out.take(ctx)
		if err != nil {
			return
		}
		kind := websocket.MessageText
		if f.binary {
			kind = websocket.MessageBinary
		}
		ctx, cancel := context.WithTimeout(ctx, c.gateway.config.WriteWithin)
		err = c.ws.Write(ctx, kind, f.data)
		cancel()
		if err != nil {
			return
		}
	}
}

// ping finds out whether the client is still there.
func (c *conn) ping(ctx context.Context, stop context.CancelFunc) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(ctx, idleAfter-pingEvery)
		err := c.ws.Ping(ctx)
		cancel()
		if err != nil {
			stop()
			return
		}
	}
}

// drain waits until no request is under way, and ends the session.
func (c *conn) drain(ctx context.Context) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !c.out.idle() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	c.end(websocket.StatusServiceRestart, "the proxy restarts")
}

// shorten keeps a reason below the 123 bytes that a close frame takes.
func shorten(s string) string {
	if len(s) > 120 {
		s = strings.ToValidUTF8(s[:120], "")
	}
	return s
}
