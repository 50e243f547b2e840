package upstream

import (
	"net/http"
	"sync/atomic"
)

// quirk is something that a server does not do as OpenAI does.
type quirk uint32

const (
	floatsOnly quirk = 1 << iota // refuses encoding_format base64
	base64Fine                   // has answered a request for base64
	noUsage                      // refuses stream_options
	reasons                      // wants max_completion_tokens, and no temperature
)

// quirks are those learnt so far, of one model: behind one address there may be
// several servers.
type quirks struct{ bits atomic.Uint32 }

func (q *quirks) has(k quirk) bool { return quirk(q.bits.Load())&k != 0 }
func (q *quirks) learn(k quirk)    { q.bits.Or(uint32(k)) }

// mayRefuseBase64 reports whether that is not known yet.
func (q *quirks) mayRefuseBase64() bool { return !q.has(floatsOnly) && !q.has(base64Fine) }

// refused reports whether a server did not like the request as such, so that
// another way of saying the same may help.
func (e *Error) refused() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}

// learnChat reports whether a refused chat is worth another try, in the words
// that the server asks for.
func (q *quirks) learnChat(e *Error) bool {
	if !e.refused() {
		return false
	}
	for _, lesson := range []struct {
		word string
		quirk
	}{{"stream_options", noUsage}, {"max_completion_tokens", reasons}, {"temperature", reasons}} {
		if e.mentions(lesson.word) && !q.has(lesson.quirk) {
			q.learn(lesson.quirk)
			return true
		}
	}
	return false
}
