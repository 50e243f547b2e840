package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seam/shared/protocol"
)

// Offline is the code of errors that do not come from a proxy: no proxy answers at the
// address, or the connection is lost.
const Offline protocol.Code = "offline"

// stopped is the error of a call after its context ended.
type stopped struct{ cause error }

func (stopped) Error() string { return "The request was cancelled." }

func (e stopped) Unwrap() []error {
	return []error{protocol.Errorf(protocol.Cancelled, "%s", e.Error()), e.cause}
}

// violation is a breach of the protocol by the proxy. It ends the connection.
type violation struct{ says string }

func (e violation) Error() string { return e.says }

func violated(format string, args ...any) error { return violation{fmt.Sprintf(format, args...)} }

// lost returns the error for a lost connection that may come back.
func lost(says string) *protocol.Error {
	return &protocol.Error{Code: Offline, Message: says}
}

// closed returns the error that a close code means for waiting callers.
func closed(err error) *protocol.Error {
	var own *protocol.Error
	if errors.As(err, &own) {
		return own
	}
	var e *CloseError
	if !errors.As(err, &e) {
		return lost("The connection to the proxy was lost.")
	}
	switch e.Code {
	case protocol.CloseUnauthorized:
		return protocol.Errorf(protocol.Unauthorized, "The proxy does not accept this token.")
	case protocol.CloseForbidden:
		return protocol.Errorf(protocol.Forbidden, "The proxy does not serve this site.")
	case protocol.CloseSubprotocol:
		return protocol.Errorf(protocol.Forbidden, "The proxy does not speak %s.", protocol.Subprotocol)
	case protocol.CloseBadMessage, protocol.CloseDuplicate:
		return protocol.Errorf(protocol.BadRequest, "The proxy did not understand this client: check that both have the same version.")
	case protocol.CloseTooMany:
		return lost("The proxy closed the connection: too many connections or messages.")
	case closeRestart, closeAway:
		return lost("The proxy is restarting.")
	}
	return lost("The proxy closed the connection.")
}

// unreachable returns the error for a proxy that could not be reached.
func unreachable(err error) error {
	var own *protocol.Error
	if errors.As(err, &own) {
		return own
	}
	return lost("The proxy cannot be reached: check its address and your connection.")
}

// fromServer converts an err message to an error with a one-line text.
func fromServer(m *protocol.Err) *protocol.Error {
	says := strings.Join(strings.Fields(m.Message), " ")
	if says == "" {
		says = fmt.Sprintf("The proxy answered with the error %.50q.", m.Code)
	}
	wait := time.Duration(min(max(m.RetryAfterMS, 0), int64(24*time.Hour/time.Millisecond))) * time.Millisecond
	return &protocol.Error{Code: m.Code, Message: says, Whose: m.Whose, Reason: m.Reason, RetryAfter: wait}
}

// again reports whether the same request may succeed later, on this or a new connection,
// after the given number of failed tries.
func again(err error, tries int) bool {
	var e *protocol.Error
	if !errors.As(err, &e) || errors.As(err, new(stopped)) {
		return false
	}
	switch {
	case e.Code == Offline:
		return tries < maxTries
	case ofProvider(err):
		// The proxy has already retried enough, because its calls cost money. It sends
		// RetryAfter if it pauses calls to the provider until then.
		return tries < maxFailed && e.RetryAfter > 0 && e.RetryAfter <= maxWait
	}
	return tries < maxTries && e.Temporary() && e.RetryAfter <= maxWait
}

// ofProvider reports whether the provider failed, rather than limited the request rate.
func ofProvider(err error) bool {
	var e *protocol.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == protocol.UpstreamFailed || e.Code == protocol.UpstreamTimeout || e.Code == protocol.UpstreamCutShort
}

const (
	firstWait = 250 * time.Millisecond
	mostWait  = 10 * time.Second // between two tries, if the proxy names no time
	maxWait   = 2 * time.Minute  // accepted from a proxy; a longer time is an error at once
	maxTries  = 8                // tries in a row without a vector or a word
	maxFailed = 3                // tries if the provider fails
)

// pause waits before a retry: as long as the proxy asks, or 250 ms, 500 ms, 1 s and so on.
// Each of these is shortened at random by up to half, so that clients cut off together do
// not all return together.
func (c *Client) pause(ctx context.Context, err error, try int) error {
	wait := min(firstWait<<min(try, 10), mostWait)
	wait = wait/2 + time.Duration(c.options.Random()*float64(wait/2))
	var e *protocol.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		wait = e.RetryAfter + wait/4
	}
	if c.options.Sleep(ctx, wait) != nil {
		return stopped{ctx.Err()}
	}
	return nil
}
