package gateway

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// Observer receives events for metrics. Its methods are called concurrently and must not
// block.
type Observer interface {
	// Session is called with +1 and -1; the transport is websocket or http.
	Session(transport string, n int)
	// Refused is called with the reason for a refusal.
	Refused(why string)
	// Token is called with the bits of work of a new token.
	Token(work int)
	// Request is called at the end of a request with its code ("" for success), its
	// duration, and the time until its first frame (0 if there was none).
	Request(kind protocol.Type, model string, code protocol.Code, took, first time.Duration)
}

// traced sets the attributes at the end of a request's span, named as in OpenTelemetry's
// conventions for models. They contain no text.
func (r *running) traced(span trace.Span, end *protocol.End, code protocol.Code) {
	span.SetAttributes(attribute.String("gen_ai.request.model", r.model))
	if code != "" {
		span.SetStatus(codes.Error, string(code))
	} else if end != nil {
		span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", end.Usage.Tokens), attribute.Int("gen_ai.usage.output_tokens", end.Usage.TokensOut), attribute.Int("seam.cached", end.Usage.Cached))
	}
	span.End()
}

type noObserver struct{}

func (noObserver) Session(string, int)                                                        {}
func (noObserver) Refused(string)                                                             {}
func (noObserver) Token(int)                                                                  {}
func (noObserver) Request(protocol.Type, string, protocol.Code, time.Duration, time.Duration) {}

// Addresses sets how addresses appear in logs.
type Addresses string

const (
	Truncated Addresses = "truncated" // the default
	Full      Addresses = "full"      // unchanged
	None      Addresses = "none"      // left out
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
