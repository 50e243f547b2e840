package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seam/shared/protocol"
)

// Offline is the code of errors that no proxy has sent: none answers at the
// address, or the connection to it is lost.
const Offline protocol.Code = "offline"

// stopped is the error of a call whose context has ended.
type stopped struct{ cause error }

func (stopped) Error() string { return "The request was cancelled." }

func (e stopped) Unwrap() []error {
	return []error{protocol.Errorf(protocol.Cancelled, "%s", e.Error()), e.cause}
}

// violation is what a proxy must not do. It ends the connection.
type violation struct{ says string }

func (e violation) Error() string { return e.says }

func violated(format string, args ...any) error { return violation{fmt.Sprintf(format, args...)} }

// lost is the end of a connection that may come back.
func lost(says string) *protocol.Error {
	return &protocol.Error{Code: Offline, Message: says}
}

// closed is what a close code says to those who wait.
func closed(err error) *protocol.Error {
	var own *protocol.Error
	if errors.As(err, &own) {
		return own
	}
	var e *CloseError
	if !errors.As(err, &e) {
		return lost("The connection to the proxy broke.")
	}
	switch e.Code {
	case protocol.CloseUnauthorized:
		return protocol.Errorf(protocol.Unauthorized, "The proxy does not take this token.")
	case protocol.CloseForbidden:
		return protocol.Errorf(protocol.Forbidden, "The proxy does not serve this site.")
	case protocol.CloseSubprotocol:
		return protocol.Errorf(protocol.Forbidden, "The proxy does not speak %s.", protocol.Subprotocol)
	case protocol.CloseBadMessage, protocol.CloseDuplicate:
		return protocol.Errorf(protocol.BadRequest, "The proxy did not understand this client: is it of another version?")
	case protocol.CloseTooMany:
		return lost("The proxy closed the connection: too many connections or messages.")
	case closeRestart, closeAway:
		return lost("The proxy restarts.")
	}
	return lost("The proxy closed the connection.")
}

// unreachable is the error of a proxy that could not be asked.
func unreachable(err error) error {
	var own *protocol.Error
	if errors.As(err, &own) {
		return own
	}
	return lost("The proxy cannot be reached: check its address and your connection.")
}

// fromServer is the error that an err message carries, on one line.
func fromServer(m *protocol.Err) *protocol.Error {
	says := strings.Join(strings.Fields(m.Message), " ")
	if says == "" {
		says = fmt.Sprintf("The proxy answered with the error %.50q.", m.Code)
	}
	wait := time.Duration(min(max(m.RetryAfterMS, 0), int64(24*time.Hour/time.Millisecond))) * time.Millisecond
	return &protocol.Error{Code: m.Code, Message: says, Whose: m.Whose, RetryAfter: wait}
}

// again reports whether the same request may succeed in a while, on this
// connection or on a new one, after so many tries in vain.
func again(err error, tries int) bool {
	var e *protocol.Error
	if !errors.As(err, &e) || errors.As(err, new(stopped)) {
		return false
	}
	switch {
	case e.Code == Offline:
		return tries < maxTries
	case ofProvider(err):
		// The proxy has tried as often as that makes sense: its calls cost money. It
		// names a time where it leaves the provider alone until then.
		return tries < maxFailed && e.RetryAfter > 0 && e.RetryAfter <= maxWait
	}
	return tries < maxTries && e.Temporary() && e.RetryAfter <= maxWait
}

// ofProvider reports whether the provider has failed, and not only limits how fast it
// is asked.
func ofProvider(err error) bool {
	var e *protocol.Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Code == protocol.UpstreamFailed || e.Code == protocol.UpstreamTimeout || e.Code == protocol.UpstreamCutShort
}

const (
	firstWait = 250 * time.Millisecond
	mostWait  = 10 * time.Second // between two tries, where the proxy names no time
	maxWait   = 2 * time.Minute  // that a proxy may name; a longer one is an error at once
	maxTries  = 8                // of one request in a row without a vector or a word
	maxFailed = 3                // of one that the provider fails
)

// pause waits before a try: as long as the proxy asks, or 250 ms, 500 ms, 1 s …
// each of them somewhere between a half and the whole, so that clients that were
// cut off together do not come back together.
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
