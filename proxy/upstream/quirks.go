package upstream

import (
	"context"
	"net/http"
	"sync"
	"time"

	"seam/shared/protocol"
)

// quirk is a way in which a server differs from OpenAI.
type quirk uint32

const (
	floatsOnly       quirk = 1 << iota // refuses encoding_format base64
	base64Fine                         // has answered a request for base64
	noUsage                            // refuses stream_options
	completionTokens                   // needs max_completion_tokens, not max_tokens
	noTemperature                      // refuses any temperature except its own
)

const (
	// keepQuirks is how long a quirk is remembered: tomorrow the address may lead to
	// another server.
	keepQuirks = time.Hour
	// probeEvery is the shortest time between two probes of a model's server.
	probeEvery = time.Minute
)

// quirks are the known quirks for one model, because one address may lead to several
// servers. They apply to all callers, so nothing may be learnt from the parameters or texts
// of a client: see Client.probe.
type quirks struct {
	mu     sync.Mutex
	bits   quirk
	since  time.Time     // of the last quirk learnt
	probed time.Time     // when the last probe began
	busy   chan struct{} // holds one while a probe is running
}

func newQuirks() *quirks { return &quirks{busy: make(chan struct{}, 1)} }

// now returns the current quirks.
func (q *quirks) now() quirk {
	q.mu.Lock()
	defer q.mu.Unlock()
	if time.Since(q.since) > keepQuirks {
		q.bits = 0
	}
	return q.bits
}

func (q *quirks) has(k quirk) bool { return q.now()&k != 0 }

func (q *quirks) learn(k quirk) {
	q.now() // an expired quirk must not be renewed by a new one
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bits&k != k {
		q.bits, q.since = q.bits|k, time.Now()
	}
}

// mayProbe reports whether it is time for a probe, and records that one begins.
func (q *quirks) mayProbe() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.probed.IsZero() && time.Since(q.probed) < probeEvery {
		return false
	}
	q.probed = time.Now()
	return true
}

// mayRefuseBase64 reports whether it is unknown if the server accepts base64.
func (q *quirks) mayRefuseBase64() bool { return !q.has(floatsOnly | base64Fine) }

// refused reports whether a server refused the form of the request, so that another form
// may succeed.
func (e *Error) refused() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}

// lesson returns the quirk that the refusal of a chat reveals, or 0 if it reveals none or a
// known one.
func (e *Error) lesson(known quirk) quirk {
	if !e.refused() {
		return 0
	}
	for _, lesson := range []struct {
		word string
		quirk
	}{{"stream_options", noUsage}, {"max_completion_tokens", completionTokens}, {"temperature", noTemperature}} {
		if e.mentions(lesson.word) && known&lesson.quirk == 0 {
			return lesson.quirk
		}
	}
	return 0
}

// The parameters of a probe are valid for every server that supports them at all.
var (
	probeTemperature = 0.5
	probeParams      = protocol.Params{MaxTokens: 16, Temperature: &probeTemperature}
	probeMessages    = []protocol.ChatMessage{{Role: "user", Content: "Hi"}}
)

// probe finds out which parameters a model's server accepts, with its own question and
// parameters: a refusal caused by a client's parameters, or one that quotes a client's
// words, proves nothing. It reports whether more is known now than known, and returns the
// usage. Only one probe runs at a time; others wait for it.
func (c *Client) probe(ctx context.Context, m *model, known quirk) (more bool, usage protocol.Usage) {
	select {
	case m.quirks.busy <- struct{}{}:
		defer func() { <-m.quirks.busy }()
	case <-ctx.Done():
		return false, usage
	}
	if now := m.quirks.now(); now != known { // another's probe has found it out
		return true, usage
	}
	if !m.quirks.mayProbe() {
		return false, usage
	}
	// Continue even if the caller disconnects, because the result is for all.
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), c.provider.Timeouts.FirstByte, errFirstByte)
	defer cancel()
	for {
		now := m.quirks.now()
		failed := c.opens(ctx, m, now)
		if failed == nil {
			usage.Tokens += EstimateChat(probeMessages)
			usage.TokensOut += probeParams.MaxTokens
			return now != known, usage
		}
		lesson := failed.lesson(now)
		if lesson == 0 {
			return now != known, usage
		}
		m.quirks.learn(lesson)
	}
}

// opens sends the probe's question to a model, and drops the answer as soon as it begins.
func (c *Client) opens(ctx context.Context, m *model, known quirk) *Error {
	body, err := m.chatBody(probeMessages, probeParams, known)
	if err != nil {
		return fail(protocol.BadRequest, "The question cannot be sent.")
	}
	_, stream, failed := c.openChat(ctx, m, body)
	if failed == nil {
		stream.Close()
	}
	return failed
}
