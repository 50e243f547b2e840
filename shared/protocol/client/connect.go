package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"time"

	"seam/shared/protocol"
)

// answerWithin is the time a proxy has to open a connection and to answer the messages
// before the first request.
const answerWithin = 15 * time.Second

// connect makes a connection for o. It retries for about half a minute if the proxy was
// reachable before. Otherwise it fails at once if the proxy does not answer, so that a
// wrong address is reported quickly.
func (c *Client) connect(ctx context.Context, o *opening) {
	var s *session
	var err error
	for try := 0; ; try++ {
		if s, err = c.attempt(ctx); err == nil || ctx.Err() != nil {
			break
		}
		var e *protocol.Error
		first := errors.As(err, &e) && e.Code == Offline && c.Ack() == nil
		if first || !again(err, try+1) || c.pause(ctx, err, try) != nil {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opening == o {
		c.opening = nil
	}
	if err == nil && (c.closed || ctx.Err() != nil) { // all callers have given up
		s.conn.Close(closeNormal, "")
		err = errClosed
	}
	if err == nil {
		o.session, c.current, c.ack = s, s, s.ack
		c.open = append(c.open, s)
		s.start()
	} else if o.err = err; ctx.Err() != nil {
		o.err = errClosed
	}
	close(o.done)
}

// attempt tries to connect once, or a second time with a new token if the first is
// rejected.
func (c *Client) attempt(ctx context.Context) (*session, error) {
	s, err := c.attemptWith(ctx)
	var e *protocol.Error
	if errors.As(err, &e) && e.Code == protocol.Unauthorized && c.options.Token == "" {
		s, err = c.attemptWith(ctx)
	}
	return s, err
}

func (c *Client) attemptWith(ctx context.Context) (*session, error) {
	token, err := c.token(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	overHTTP, met := c.overHTTP, c.ack != nil
	c.mu.Unlock()
	if !overHTTP {
		s, sent, err := c.openSocket(ctx, token)
		var told *protocol.Error
		var code *CloseError
		if err == nil {
			return s, nil
		}
		if met || ctx.Err() != nil || errors.As(err, &told) || errors.As(err, &code) && code.Code != closeAbnormal {
			return nil, closed(err)
		}
		if sent { // the token may be used up
			if token, err = c.token(ctx); err != nil {
				return nil, err
			}
		}
	}
	s, err := c.greet(ctx, newFallback(c.options.Transport), token)
	if err != nil {
		return nil, unreachable(err)
	}
	c.mu.Lock()
	c.overHTTP = true
	c.mu.Unlock()
	return s, nil
}

// openSocket also reports whether it has sent the token.
func (c *Client) openSocket(ctx context.Context, token string) (s *session, sent bool, err error) {
	within, cancel := c.within(ctx)
	defer cancel()
	conn, err := c.options.Transport.Dial(within)
	if err != nil {
		return nil, false, err
	}
	s, err = c.greet(ctx, conn, token)
	return s, true, err
}

// greet sends init and waits for ack. It closes the connection on failure.
func (c *Client) greet(ctx context.Context, conn Conn, token string) (*session, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	ack, err := func() (*protocol.Ack, error) {
		init, err := protocol.Encode(&protocol.Init{Token: token, Client: c.options.Name})
		if err != nil {
			return nil, err
		}
		if err := conn.Write(ctx, init); err != nil {
			return nil, err
		}
		binary, data, err := conn.Read(ctx)
		if err != nil {
			return nil, err
		}
		m, _, _ := protocol.DecodeServer(data) // nil if it is not a message
		switch m := m.(type) {
		case *protocol.Ack:
			if !binary {
				return m, nil
			}
		case *protocol.Err:
			return nil, fromServer(m)
		}
		return nil, protocol.Errorf(protocol.Internal, "The server at this address is not a Seam proxy, or has another version.")
	}()
	if err != nil {
		conn.Close(closeNormal, "")
		return nil, err
	}
	return newSession(c, conn, ack), nil
}

// within returns a context that ends after answerWithin.
func (c *Client) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	c.work.Go(func() { // the caller is one of work's goroutines
		if c.options.Sleep(ctx, answerWithin) == nil {
			cancel()
		}
	})
	return ctx, cancel
}

// rounds limits how often a proxy may answer a solution with another puzzle. It does so if
// the first has become too old or too easy.
const rounds = 4

// token returns the user's own token or asks the proxy for one. It returns "" if the proxy
// needs none.
func (c *Client) token(ctx context.Context) (string, error) {
	if c.options.Token != "" {
		return c.options.Token, nil
	}
	var ask protocol.SessionRequest
	for range rounds {
		reply, err := c.askToken(ctx, ask)
		if err != nil || reply.Puzzle == nil {
			return reply.Token, err
		}
		n, err := solve(ctx, reply.Puzzle, c.options.Yield)
		if err != nil {
			return "", err
		}
		ask = protocol.SessionRequest{Challenge: reply.Puzzle.Challenge, N: n}
	}
	return "", protocol.Errorf(protocol.Unauthorized, "The proxy gave no token for the proof of work.")
}

func (c *Client) askToken(ctx context.Context, ask protocol.SessionRequest) (reply protocol.SessionReply, err error) {
	within, cancel := c.within(ctx)
	defer cancel()
	body, err := json.Marshal(ask)
	if err != nil {
		return reply, protocol.Errorf(protocol.Internal, "session request: %v", err)
	}
	r, err := c.options.Transport.Post(within, protocol.PathSession, nil, body)
	if err != nil {
		if ctx.Err() != nil {
			return reply, stopped{ctx.Err()}
		}
		return reply, unreachable(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer))
	if err != nil {
		return reply, lost("The connection to the proxy was lost.")
	}
	if r.Status != 200 {
		return reply, Refused(r, data)
	}
	if json.Unmarshal(data, &reply) != nil {
		return reply, lost("The server at this address is not a Seam proxy.")
	}
	return reply, nil
}

// maxAnswer bounds the bytes of an answer that is not a stream.
const maxAnswer = 64 << 10

// Refused returns the error of a response with a status other than 200: the err message in
// its body, or an error for the status.
func Refused(r *Response, body []byte) *protocol.Error {
	if m, _, err := protocol.DecodeServer(body); err == nil {
		if e, ok := m.(*protocol.Err); ok {
			return fromServer(e)
		}
	}
	e := &protocol.Error{Code: protocol.Internal, Message: "The proxy failed with status " + strconv.Itoa(r.Status) + "."}
	switch r.Status {
	case 401:
		e.Code, e.Message = protocol.Unauthorized, "The proxy does not accept this token."
	case 403:
		e.Code, e.Message = protocol.Forbidden, "The proxy does not serve this site."
	case 404, 405:
		e.Code, e.Message = Offline, "No Seam proxy at this address."
	case 413:
		e.Code, e.Message = protocol.TooLarge, "The request is too large for the proxy."
	case 429:
		e.Code, e.Message = protocol.Busy, "Too many requests to the proxy from your address."
	case 502, 503, 504:
		e.Code, e.Message = protocol.ShuttingDown, "The proxy is not available at the moment."
	}
	if s, err := strconv.Atoi(r.Header("Retry-After")); err == nil && s > 0 && slices.Contains([]int{429, 502, 503, 504}, r.Status) {
		e.RetryAfter = time.Duration(min(s, 24*3600)) * time.Second
	}
	return e
}

// hardest is the most bits of a puzzle that the client accepts. It takes some minutes in a
// browser.
const hardest = 26

// solve does the proof of work and returns the solution.
func solve(ctx context.Context, p *protocol.Puzzle, yield func()) (uint64, error) {
	if p.Bits > hardest {
		return 0, protocol.Errorf(protocol.Busy, "The proxy asks for too much proof of work: try again later.")
	}
	for n := uint64(0); ; n++ {
		if n%4096 == 0 {
			if yield != nil {
				yield()
			}
			if ctx.Err() != nil {
				return 0, stopped{ctx.Err()}
			}
		}
		if protocol.Solves(p.Challenge, p.Bits, n) {
			return n, nil
		}
	}
}
