package upstream

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"

	"seam/shared/protocol"
)

// transport sends all requests. It signs them, retries those that may succeed, delays all
// requests for a model if the provider asks for that or is away, and guards the response: see gate and
// guard. A response with a status other than 200 becomes an *Error, so that no other code
// reads its body or loses its headers. The request needs GetBody.
type transport struct {
	base     http.RoundTripper
	provider *Provider
	late     time.Duration // limit for the data after the end of a stream, see guard.drain
}

func newTransport(p *Provider) *transport {
	dialer := &net.Dialer{Timeout: p.Timeouts.Connect, KeepAlive: 30 * time.Second}
	base := &http.Transport{
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: p.Timeouts.Connect,
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 64, // the default of 2 opens a connection for nearly every request under load
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true, // vectors do not compress, and a stream must not wait for a block
		ReadBufferSize:      32 << 10,

		MaxResponseHeaderBytes: 64 << 10,
	}
	return &transport{base: base, provider: p, late: 20 * time.Millisecond}
}

type onceKey struct{}

// Once returns a context for calls that are tried once and never wait, because another
// provider can be asked.
func Once(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey{}, true) }

type callerKey struct{}

// By returns a context for calls on behalf of a caller. The failures of one caller alone do
// not keep the others from a model.
func By(ctx context.Context, caller string) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

type userKey struct{}

// ForUser returns a context for embeddings that sends the client's name for its user.
func ForUser(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, userKey{}, user)
}

// witnessOf returns who sent req, and a digest of its body.
func witnessOf(req *http.Request) (w witness) {
	w.caller, _ = req.Context().Value(callerKey{}).(string)
	if body, err := req.GetBody(); err == nil {
		sum := sha256.New()
		_, _ = io.Copy(sum, body) // from memory
		copy(w.request[:], sum.Sum(nil))
	}
	return w
}

// retry returns the provider's retry settings, adjusted for Once.
func (t *transport) retry(ctx context.Context) Retry {
	r := t.provider.Retry
	if ctx.Value(onceKey{}) != nil {
		r.Tries, r.After = 1, 0
	}
	return r
}

// send sends req, several times if necessary, while the gates of the model let it through. It returns a response with status 200 and a *guard as its
// body, or an *Error.
func (t *transport) send(req *http.Request, m *model) (*http.Response, *Error) {
	if req.Body != nil {
		defer req.Body.Close()
	}
	retry := t.retry(req.Context())
	if m.away.suspects(req) {
		retry.Tries = 1
	}
	var last *Error
	resp, err := backoff.Retry(req.Context(), func() (*http.Response, error) {
		resp, again, err := t.pass(req, m, retry.After)
		if err == nil {
			return resp, nil
		}
		last = err
		if !again {
			return nil, backoff.Permanent(err)
		}
		if wait, known := retryAfter(err.header, time.Now()); known && wait > retry.After {
			return nil, backoff.Permanent(err)
		} else if known {
			return nil, &backoff.RetryAfterError{Duration: wait}
		}
		return nil, err
	}, backoff.WithBackOff(&backoff.ExponentialBackOff{
		InitialInterval: retry.Wait, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: retry.After,
	}), backoff.WithMaxTries(uint(retry.Tries)), backoff.WithMaxElapsedTime(retry.Total))
	if err == nil {
		return resp, nil
	}
	if e := interrupted(req.Context()); e != nil {
		e.status, e.header, e.body, e.worked = last.status, last.header, last.body, last.worked
		return nil, e
	}
	if m.away.concerns(last) || m.limit.concerns(last) { // an earlier retry would be refused here
		last.public.RetryAfter = max(last.public.RetryAfter, m.away.wait(), m.limit.wait())
		if last.public.RetryAfter == 0 && last.public.Code == protocol.UpstreamFailed {
			last.public.RetryAfter = coolFirst
		}
	}
	return nil, last
}

// pass tries once, through both gates, and waits at each for at most the given time. again
// reports whether it may be tried again.
func (t *transport) pass(req *http.Request, m *model, most time.Duration) (*http.Response, bool, *Error) {
	oneAway, failed := m.away.enter(req.Context(), most)
	if failed != nil {
		return nil, false, failed
	}
	oneLimit, failed := m.limit.enter(req.Context(), most)
	if failed != nil {
		m.away.quit(oneAway)
		return nil, false, failed
	}
	resp, again, failed := t.loaded(req)
	if failed != nil && (failed.cause != nil || t.slow(failed)) { // the caller has disconnected, its time is up, or a model is loading
		m.away.quit(oneAway)
		m.limit.quit(oneLimit)
	} else {
		var by witness
		if failed != nil {
			by = witnessOf(req)
		}
		m.away.left(oneAway, failed, by)
		m.limit.left(oneLimit, failed, by)
	}
	return resp, again, failed
}

// slow reports whether an error of a near provider may only mean that it loads a model. It is
// then not away.
func (t *transport) slow(e *Error) bool {
	return t.provider.near && (e.note == errFirstByte.Error() || e.loading())
}

// loaded is try for a provider that may say that it is loading the model, as llama.cpp does.
// It waits for that as long as for a first byte, unless another provider can be asked.
func (t *transport) loaded(req *http.Request) (resp *http.Response, again bool, failed *Error) {
	p, ctx := t.provider, req.Context()
	late := time.Now().Add(p.Timeouts.FirstByte)
	for {
		resp, again, failed = t.try(req)
		if failed == nil || !p.near || !failed.loading() || ctx.Value(onceKey{}) != nil {
			return resp, again, failed
		}
		if time.Now().After(late) {
			return nil, false, failed
		}
		select {
		case <-time.After(4 * p.Retry.Wait):
		case <-ctx.Done():
			return nil, false, interrupted(ctx)
		}
	}
}

// try sends req once, and reports whether it may be sent again.
func (t *transport) try(req *http.Request) (resp *http.Response, again bool, failed *Error) {
	p := t.provider
	ctx, cancel := context.WithCancelCause(req.Context())
	var sent atomic.Bool
	out := req.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}))
	body, err := req.GetBody()
	if err != nil {
		cancel(nil)
		return nil, false, unreachable(ctx, err)
	}
	out.Body = body
	p.sign(out.Header)
	g := &guard{ctx: ctx, cancel: cancel, firstBy: time.Now().Add(p.Timeouts.FirstByte), idle: p.Timeouts.Idle, late: t.late, limit: p.Limits.Response}
	if out.Header.Get("Accept") == eventStream {
		g.limit, g.lineLimit = p.Limits.Answer, p.Limits.Line
	}
	g.arm()
	resp, err = t.base.RoundTrip(out)
	g.disarm()
	if err != nil {
		failed = unreachable(ctx, err)
		if failed.unsent = !sent.Load(); failed.unsent {
			failed.worked = false
		}
		if p.near && errors.Is(err, syscall.ECONNREFUSED) {
			failed.public.Message = "Nothing listens at the provider's address: start its server, for example with `ollama serve`, or check the address."
		}
		cancel(nil)
		return nil, refusedOrReset(err), failed
	}
	g.body = resp.Body
	if resp.StatusCode != http.StatusOK {
		defer g.Close()
		failed = t.rejected(resp, g)
		again := failed.public.Code != protocol.UpstreamRefused && failed.public.Code != protocol.TooLarge // for which some use 429 or 500
		return nil, again && slices.Contains(retried, resp.StatusCode), failed
	}
	resp.Body = g
	return resp, false, nil
}

// retried lists the statuses of failures that may be temporary.
var retried = []int{http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}

// refusedOrReset reports whether a connection ended without any response byte, in a way
// typical of a restarting server.
func refusedOrReset(err error) bool {
	for _, target := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.EOF} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// rejected reads the body of an error response. It ignores a truncated body, because the
// status says enough.
func (t *transport) rejected(resp *http.Response, body io.Reader) *Error {
	b, _ := io.ReadAll(io.LimitReader(body, maxErrorBody))
	p := t.provider
	return rejected(resp.StatusCode, p.limitHeaders(resp.Header), p.redact(string(b), len(b) == maxErrorBody))
}
