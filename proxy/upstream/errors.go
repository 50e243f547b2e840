package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"seam/shared/protocol"
)

// Error is the error of every failed call. errors.As finds its *protocol.Error, with a
// message of ours that is safe to show. It also wraps the cause of a cancelled context, or
// the error that emit returned.
type Error struct {
	public *protocol.Error
	cause  error // the caller's own: of its context, or of emit

	status int         // of the response; 0 without one
	header http.Header // headers about limits, redacted
	body   string      // the provider's words, redacted; only for decisions
	note   string      // ours, for Detail

	// unusable reports that a response came but made no sense.
	unusable bool
	// worked reports that the provider may have worked, and may charge for it.
	worked bool
	// unsent reports that no byte of the request was sent, so it cannot be at fault.
	unsent bool
}

// Error returns a message for clients, without any words of the provider.
func (e *Error) Error() string { return e.public.Message }

// Unwrap returns the *protocol.Error and the caller's own error, if any.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.public}
	}
	return []error{e.public, e.cause}
}

// Status returns the status code of the provider's response, 0 without one.
func (e *Error) Status() int { return e.status }

// Unusable reports whether a response came but made no sense. The provider is then
// reachable and accepts requests.
func (e *Error) Unusable() bool { return e.unusable }

// Failover reports whether another provider may be asked for the same: this one has done
// nothing, and the request is not at fault.
func (e *Error) Failover() bool {
	if e.worked || e.cause != nil {
		return false
	}
	switch e.public.Code {
	case protocol.UpstreamFailed, protocol.UpstreamLimited, protocol.UpstreamTimeout:
		return true
	case protocol.UpstreamRefused:
		return !e.refused() && e.public.Reason == "" // it failed before the request mattered: the key, the account, the model's name
	}
	return false
}

// Detail returns a line for operators: the headers about limits and our note, or "" if
// Status says all. It is short and never has the provider's own words, which may quote the
// request.
func (e *Error) Detail() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(e.header)) {
		parts = append(parts, strings.ToLower(name)+" "+e.header.Get(name))
	}
	if e.note != "" {
		parts = append(parts, e.note)
	}
	return shorten(strings.Join(parts, ", "), maxDetail)
}

func (e *Error) mentions(word string) bool { return strings.Contains(strings.ToLower(e.body), word) }

func fail(code protocol.Code, message string) *Error {
	return &Error{public: &protocol.Error{Code: code, Message: message, Whose: protocol.Upstream}}
}

// badResponse returns the error for an unusable response; the note describes the fault.
func badResponse(format string, args ...any) *Error {
	e := fail(protocol.UpstreamFailed, "The provider's answer cannot be used.")
	e.note, e.worked, e.unusable = fmt.Sprintf(format, args...), true, true
	return e
}

func cutShort(note string) *Error {
	e := fail(protocol.UpstreamCutShort, "The provider's answer broke off.")
	e.note, e.worked, e.unusable = note, true, true
	return e
}

// Reasons why a call was ended from within, used as causes of contexts.
var (
	errFirstByte = errors.New("no first byte in time")
	errIdle      = errors.New("silence in the middle of the answer")
	errEmbed     = errors.New("the whole call took too long")
)

// interrupted returns the error of a call with an ended context, or nil.
func interrupted(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return nil
	case errors.Is(cause, errFirstByte) || errors.Is(cause, errIdle) || errors.Is(cause, errEmbed):
		e := fail(protocol.UpstreamTimeout, "The provider did not answer in time.")
		e.note = cause.Error()
		return e
	case errors.Is(ctx.Err(), context.DeadlineExceeded) || errors.Is(cause, context.DeadlineExceeded):
		e := fail(protocol.UpstreamTimeout, "The provider did not answer within the time left.")
		e.cause, e.note = cause, "the caller's time was up"
		return e
	}
	e := fail(protocol.Cancelled, "The request was cancelled.")
	e.cause = cause
	return e
}

// broken returns the error for a response that could not be read to its end.
func broken(ctx context.Context, err error) *Error {
	var known *Error
	switch e := interrupted(ctx); {
	case errors.As(err, &known):
		return known
	case e != nil:
		e.worked = true
		return e
	}
	return cutShort("while reading: " + kindOf(err))
}

// unreachable returns the error for a request without a response.
func unreachable(ctx context.Context, err error) *Error {
	if e := interrupted(ctx); e != nil {
		e.worked = true
		return e
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		e := fail(protocol.UpstreamTimeout, "The provider cannot be reached in time.")
		e.note = "while connecting"
		return e
	}
	e := fail(protocol.UpstreamFailed, "The provider cannot be reached.")
	e.note = kindOf(err)
	return e
}

// kindOf describes a network error without the addresses it quotes.
func kindOf(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		return "its name is not found"
	case errors.As(err, &op) && errors.Unwrap(op.Err) != nil:
		return op.Op + ": " + errors.Unwrap(op.Err).Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	}
	return fmt.Sprintf("%T", err)
}

// loading reports whether the provider says that it is loading the model.
func (e *Error) loading() bool {
	return e.status == http.StatusServiceUnavailable && (e.mentions("loading model") || e.mentions("model is loading"))
}

// Words of servers for models on one's own machine, in lower case: llama.cpp, Ollama, LM
// Studio. The first two of tooLong are OpenAI's.
var (
	tooLong = []string{"context_length_exceeded", "maximum context length", "exceed_context_size", "exceeds the available context size",
		"exceeds the context length", "is too large to process", "context length of only",
		"request too large for"} // the last with 429: more tokens than OpenAI takes in a minute
	filters = []string{"content_filter", "content filter", "content_policy", "content management policy", "responsibleaipolicy", "data_inspection_failed",
		"input was flagged", "prohibited_content"}
	noEmbeddings = []string{"does not support embeddings", "pooling type 'none'"}
	noAnswers    = []string{"does not support chat", "does not support completions"}
	noGrammar    = []string{"failed to parse grammar", "failed to initialize samplers", "automatic parser generation failed", "'response_format.type'"}
)

func (e *Error) mentionsAny(words ...string) bool { return slices.ContainsFunc(words, e.mentions) }

// busy reports whether a llama.cpp server says that its slots are taken.
func (e *Error) busy() bool {
	return e.status == http.StatusServiceUnavailable && e.mentionsAny("no slot available", "slot unavailable")
}

// tokens returns the length of a text that is too long, and the model's context, if the
// provider says both, as llama.cpp does.
func (e *Error) tokens() (n, most int) {
	var told struct {
		Error struct {
			Prompt  int `json:"n_prompt_tokens"`
			Context int `json:"n_ctx"`
		} `json:"error"`
	}
	if json.Unmarshal([]byte(e.body), &told) != nil {
		return 0, 0
	}
	return told.Error.Prompt, told.Error.Context
}

// rejected returns the error for a response with a status other than 200.
func rejected(status int, header http.Header, body string) *Error {
	e := &Error{status: status, header: header, body: body}
	code, message := protocol.UpstreamRefused, "The provider rejected this request."
	var reason protocol.Fault
	var after time.Duration
	switch {
	case (e.refused() || status == http.StatusForbidden) && e.mentionsAny(filters...):
		reason, message = protocol.Filtered, "The provider's content filter rejected this request."
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		message = "The provider does not accept the proxy's key. The operator must check it."
	case status == http.StatusPaymentRequired || e.mentions("insufficient_quota"):
		message = "The proxy's account with the provider is used up. The operator must check it."
	case status == http.StatusNotFound && e.mentions("try pulling it"):
		message = "Ollama does not have this model: get it with `ollama pull`, or choose another one."
	case status == http.StatusNotFound:
		message = "The provider does not know this model. The operator must check the model's name and the base URL."
	case status == http.StatusRequestEntityTooLarge || e.mentionsAny(tooLong...):
		code, reason, message = protocol.TooLarge, protocol.TooLong, "The text is too long for this model. Send less of it."
		if n, most := e.tokens(); n > most && most > 0 {
			message = fmt.Sprintf("The text is too long for this model: it has %d tokens, and the context has %d. Send less of it.", n, most)
		}
	case e.mentionsAny(noEmbeddings...):
		message = "This model makes no embeddings. Choose one that does; llama.cpp needs --embeddings and --pooling for it."
	case e.mentionsAny(noAnswers...):
		message = "This model does not answer questions. Choose another one."
	case e.refused() && e.mentionsAny(noGrammar...):
		message = "The provider cannot make this model answer in JSON. Choose another model for this step."
	case status == http.StatusTooManyRequests:
		code, message = protocol.UpstreamLimited, "The provider's rate limit is reached. Try again later."
	case e.busy():
		code, message = protocol.UpstreamLimited, "The model is busy with other requests. Try again in a moment."
	case e.loading():
		code, message = protocol.UpstreamFailed, "The provider is still loading the model. Try again soon."
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		code, message = protocol.UpstreamTimeout, "The provider did not answer in time."
	case status >= 500:
		code, message = protocol.UpstreamFailed, "The provider has a problem. Try again later."
	case status >= 300 && status < 400:
		message = "The provider redirects the proxy to another address. The operator must check the base URL."
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		reason = protocol.BadContents
	}
	if code != protocol.UpstreamRefused && code != protocol.TooLarge {
		after, _ = retryAfter(header, time.Now())
	}
	e.public = &protocol.Error{Code: code, Message: message, Whose: protocol.Upstream, Reason: reason, RetryAfter: after}
	return e
}
