package upstream

import (
	"context"
	"net/http"
	"sync"
	"time"

	"seam/shared/protocol"
)

// quirk is something that a server does not do as OpenAI does.
type quirk uint32

const (
	floatsOnly       quirk = 1 << iota // refuses encoding_format base64
	base64Fine                         // has answered a request for base64
	noUsage                            // refuses stream_options
	completionTokens                   // wants max_completion_tokens, not max_tokens
	noTemperature                      // refuses any temperature but its own
)

const (
	// keepQuirks is how long a lesson holds: behind one address there may be
	// another server tomorrow.
	keepQuirks = time.Hour
	// probeEvery is how often a model's server is asked what it takes, at most.
	probeEvery = time.Minute
)

// quirks are those learnt of one model: behind one address there may be several
// servers. They hold for everybody who asks, so that nothing is learnt from
// what a client has chosen: see Client.probe.
type quirks struct {
	mu     sync.Mutex
	bits   quirk
	since  time.Time     // of the last lesson
	probed time.Time     // when the last probe began
	busy   chan struct{} // holds one: a probe is under way
}

func newQuirks() *quirks { return &quirks{busy: make(chan struct{}, 1)} }

// now returns the quirks in force.
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
	q.now() // lessons of long ago are not to live on beside a new one
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bits&k != k {
		q.bits, q.since = q.bits|k, time.Now()
	}
}

// mayProbe reports whether it is time for a probe, and notes that one begins.
func (q *quirks) mayProbe() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.probed.IsZero() && time.Since(q.probed) < probeEvery {
		return false
	}
	q.probed = time.Now()
	return true
}

// mayRefuseBase64 reports whether that is not known yet.
func (q *quirks) mayRefuseBase64() bool { return !q.has(floatsOnly | base64Fine) }

// refused reports whether a server did not like the request as such, so that
// another way of saying the same may help.
func (e *Error) refused() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}

// lesson returns the quirk that a refused chat speaks of, 0 for none that is not
// known.
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

// A probe's parameters are such as every server takes that knows them at all.
var (
	probeTemperature = 0.5
	probeParams      = protocol.Params{MaxTokens: 16, Temperature: &probeTemperature}
	probeMessages    = []protocol.ChatMessage{{Role: "user", Content: "Hi"}}
)

// probe finds out what the server of a model takes, with a question and
// parameters of its own: a refusal that follows from a client's parameters, or
// quotes a client's words, teaches nothing. It reports whether more is known now
// than known, and what asking has cost. One probe runs at a time, others wait for it.
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
	// Whoever asks may go away: what is found out is for all.
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

// opens asks a model with the probe's question, and gives up the answer where one
// begins.
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
