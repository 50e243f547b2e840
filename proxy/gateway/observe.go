package gateway

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// Observer hears of what happens, for metrics. Its methods are called from many
// goroutines and must not block.
type Observer interface {
	// Session is told +1 and -1; the transport is websocket or http.
	Session(transport string, n int)
	// Refused is told why somebody was not let in.
	Refused(why string)
	// Token is told how many bits of work a new token has cost.
	Token(work int)
	// Request is told how a request ended (code "" for success), how long it took,
	// and after what time the first frame of its answer was there (0: none).
	Request(kind protocol.Type, model string, code protocol.Code, took, first time.Duration)
}

// traced ends a request's span, in the words of OpenTelemetry's conventions for
// models. It holds no text.
func (r *running) traced(span trace.Span, end *protocol.End, code protocol.Code) {
	span.SetAttributes(attribute.String("gen_ai.request.model", r.model))
	if code != "" {
		span.SetStatus(codes.Error, string(code))
	} else if end != nil {
		span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", end.Usage.Tokens), attribute.Int("gen_ai.usage.output_tokens", end.Usage.TokensOut), attribute.Int("seam.cached", end.Usage.Cached))
	}
	span.End()
}

type nobody struct{}

func (nobody) Session(string, int)                                                        {}
func (nobody) Refused(string)                                                             {}
func (nobody) Token(int)                                                                  {}
func (nobody) Request(protocol.Type, string, protocol.Code, time.Duration, time.Duration) {}

// Addresses says how addresses stand in logs.
type Addresses string

const (
	Truncated Addresses = "truncated" // the default
	Full      Addresses = "full"      // all of them
	None      Addresses = "none"      // not at all
)

func (a Addresses) of(c admission.Caller) string {
	switch a {
	case Full:
		return string(c)
	case None:
		return ""
	}
	return c.Truncated()
}
