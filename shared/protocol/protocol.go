// Package protocol defines seam.v1, the protocol between a worker and the proxy. It runs
// over a websocket or, with the same messages, over HTTP.
//
// Text frames are JSON objects with a "type". A client's text frames have at most MaxText
// bytes. Only the server sends binary frames, which hold vectors; see Header. The life of a
// session:
//
//	client → init{token,client}             the first message, within seconds
//	server → ack{session,limits,models,…}
//	client → embed{id,model,texts}          server → binary frames, end{id} or err{id}
//	client → chat{id,model,…}               server → r{id,delta} …, d{id,seq,delta} …, end{id} or err{id}
//	client → search{id,text}                server → hits{id,hits}, end{id} or err{id}
//	client → cancel{id}, credit{id,n}
//	either → ping, pong
//
// The client chooses an id of at least 1, and may reuse it after end or err. An error of a
// request never closes the socket. An error of the protocol closes it with one of the Close
// codes.
//
// A chat with a template may include the history of its thread, within the ack's limits
// (turns, history). The history holds only alternating questions and answers, so it cannot
// contain system messages. A server that announces neither limit does not know the field,
// and clients must leave it out.
//
// A model's reasoning is no part of its answer: it comes in r messages, for a chat that asks
// for them with "reasoning". Only a server whose ack has that field knows it. An r with
// "moved" says that every earlier d was reasoning, too: some models mark only its end.
// Clients must not show, store or send back reasoning as an answer.
//
// A model refuses with the sentence Refusal, or with the mark NoAnswer if the chat has the
// template "answer-marked". Only a server whose ack has "marked" knows that template. A
// client that asks for the mark must not show it.
//
// Flow control: a request begins with Limits.Credits. Each d, r or binary frame costs one
// credit, and the client grants more as it uses frames up. A server holds back frames
// without credit and gives up (slow_consumer) if it holds too much.
//
// Sources: the frame layout and its reasons come from the project's study of proxies. The
// life of a session follows graphql-transport-ws
// (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md).
package protocol

import (
	"fmt"
	"time"
)

// Subprotocol is the websocket subprotocol. A new major version gets a new name.
const Subprotocol = "seam.v1"

// Limits on the size of frames and their contents.
const (
	MaxText    = 64 << 10  // bytes of a client's text frame
	MaxBinary  = 256 << 10 // bytes of a binary frame; small enough for chat frames to pass in between
	MaxVector  = 16 << 10  // bytes of a query's vector in base64
	MaxHits    = 50        // passages of one search
	MaxReply   = 1 << 20   // bytes of a server's text frame
	maxNesting = 8
)

// Close codes of the websocket, as in graphql-transport-ws.
const (
	CloseBadMessage   = 4400 // not seam.v1: not JSON, unknown type, too long
	CloseUnauthorized = 4401 // token missing or invalid
	CloseForbidden    = 4403 // request from another site
	CloseSubprotocol  = 4406 // the client does not speak seam.v1
	CloseInitTimeout  = 4408 // no init in time
	CloseDuplicate    = 4409 // a second init, or an id in use
	CloseTooMany      = 4429 // too many connections or messages
)

// Code identifies an error, for programs.
type Code string

// The error codes. Error.Temporary lists those after which the same request may succeed
// later.
const (
	BadRequest       Code = "bad_request"
	Unauthorized     Code = "unauthorized"
	Forbidden        Code = "forbidden"
	UnknownModel     Code = "unknown_model"
	PromptsOnly      Code = "prompts_only" // free messages, but only templates are allowed
	TooLarge         Code = "too_large"
	RateLimited      Code = "rate_limited"
	BudgetSpent      Code = "budget_spent"
	Busy             Code = "busy"
	SlowConsumer     Code = "slow_consumer"
	Cancelled        Code = "cancelled"
	NotFound         Code = "not_found"
	UpstreamRefused  Code = "upstream_refused"   // the provider rejects the key, the model or the request
	UpstreamLimited  Code = "upstream_limited"   // the provider's rate limit
	UpstreamFailed   Code = "upstream_failed"    // the provider is down or its answer is unusable
	UpstreamTimeout  Code = "upstream_timeout"   // the provider does not answer in time
	UpstreamCutShort Code = "upstream_truncated" // the provider's stream ended early
	ShuttingDown     Code = "shutting_down"
	Internal         Code = "internal"
)

// Fault is the class of a request that a provider refuses for its contents, in a word for
// programs. The same request can never succeed.
type Fault string

// The faults.
const (
	BadContents Fault = "request"        // the provider does not say, or in words that are not known
	Filtered    Fault = "content_filter" // its content filter
	EmptyText   Fault = "empty_text"     // it has an empty text
	TooLong     Fault = "context_length_exceeded"
)

// Whose names the side where a failure occurred.
type Whose string

// The two sides.
const (
	Proxy    Whose = "proxy"
	Upstream Whose = "upstream"
)

// Error is a failed request: the contents of an err message.
type Error struct {
	Code       Code
	Message    string        // one sentence for users; never the provider's text
	Whose      Whose         // empty means Proxy
	Reason     Fault         // "" if the request is not at fault, or did not reach a provider
	RetryAfter time.Duration // 0 if retrying does not help or the time is unknown
}

// Error returns Message.
func (e *Error) Error() string { return e.Message }

// Errorf returns an error on the proxy's side.
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
