// Package protocol is what a worker and the proxy say to each other: seam.v1,
// over a websocket or, message for message, over HTTP.
//
// Text frames are JSON objects with a "type"; a client's are at most MaxText
// bytes long. Only the server sends binary frames: vectors, see Header. The
// life of a session:
//
//	client → init{token,client}             the first message, within seconds
//	server → ack{session,limits,models,…}
//	client → embed{id,model,texts}          server → binary frames, end{id} or err{id}
//	client → chat{id,model,…}               server → d{id,seq,delta} …, end{id} or err{id}
//	client → search{id,text}                server → hits{id,hits}, end{id} or err{id}
//	client → cancel{id}, credit{id,n}
//	either → ping, pong
//
// An id is the client's, from 1 on, and free again after end or err. An error of
// a request never closes the socket; an error of the protocol does, with one of
// the Close codes.
//
// A chat with a template may carry the history of its thread, as much of it as the
// ack's limits say (turns, history): only questions and answers in turn, so that no
// word of it is the system's. A server that announces neither does not know the field,
// and is to be asked without it.
//
// Flow control: a request begins with Limits.Credits; each d or binary frame
// costs one, and the client gives more as it has used them up. A server holds
// back what has no credit, and gives up (slow_consumer) when it holds too much.
//
// Sources: the frame layout and its reasons are those of the project's study of
// proxies; the life of a session follows graphql-transport-ws
// (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
package protocol

import (
	"fmt"
	"time"
)

// Subprotocol is the websocket subprotocol; a new major version has a new name.
const Subprotocol = "seam.v1"

// Limits on the size of what is sent.
const (
	MaxText    = 64 << 10  // bytes of a client's text frame
	MaxBinary  = 256 << 10 // bytes of a binary frame, so that chat goes on between them
	MaxVector  = 16 << 10  // bytes of a query's vector in base64
	MaxHits    = 50        // passages of one search
	MaxReply   = 1 << 20   // bytes of a server's text frame
	maxNesting = 8
)

// Close codes of the websocket, as in graphql-transport-ws.
const (
	CloseBadMessage   = 4400 // not seam.v1: no JSON, unknown type, too long
	CloseUnauthorized = 4401 // no token, or one that does not hold
	CloseForbidden    = 4403 // another site
	CloseSubprotocol  = 4406 // the client does not speak seam.v1
	CloseInitTimeout  = 4408 // no init in time
	CloseDuplicate    = 4409 // a second init, or an id that is in use
	CloseTooMany      = 4429 // connections or messages
)

// Code says what went wrong, for programs.
type Code string

// The codes; Error.Temporary has those after which the same request may succeed later.
const (
	BadRequest       Code = "bad_request"
	Unauthorized     Code = "unauthorized"
	Forbidden        Code = "forbidden"
	UnknownModel     Code = "unknown_model"
	PromptsOnly      Code = "prompts_only" // free messages where only templates are allowed
	TooLarge         Code = "too_large"
	RateLimited      Code = "rate_limited"
	BudgetSpent      Code = "budget_spent"
	Busy             Code = "busy"
	SlowConsumer     Code = "slow_consumer"
	Cancelled        Code = "cancelled"
	NotFound         Code = "not_found"
	UpstreamRefused  Code = "upstream_refused"   // the provider does not take the key, the model or the request
	UpstreamLimited  Code = "upstream_limited"   // the provider's rate limit
	UpstreamFailed   Code = "upstream_failed"    // it is down, or its answer is no answer
	UpstreamTimeout  Code = "upstream_timeout"   // it does not answer in time
	UpstreamCutShort Code = "upstream_truncated" // a stream ended before its end
	ShuttingDown     Code = "shutting_down"
	Internal         Code = "internal"
)

// Whose says on which side a failure is.
type Whose string

// The two sides.
const (
	Proxy    Whose = "proxy"
	Upstream Whose = "upstream"
)

// Error is a failed request: what an err message carries.
type Error struct {
	Code       Code
	Message    string        // one sentence for people; never a provider's
	Whose      Whose         // "" is Proxy
	RetryAfter time.Duration // 0: trying again does not help, or nobody knows when
}

// Error is Message.
func (e *Error) Error() string { return e.Message }

// Errorf makes an error of the proxy's.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...), Whose: Proxy}
}

// Temporary reports whether the same request may succeed later.
func (e *Error) Temporary() bool {
	switch e.Code {
	case RateLimited, Busy, UpstreamLimited, UpstreamFailed, UpstreamTimeout, UpstreamCutShort, ShuttingDown:
		return true
	}
	return e.RetryAfter > 0
}
