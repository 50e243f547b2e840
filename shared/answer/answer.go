// Package answer has a question answered by a chat model from passages alone: how many
// of them fit, what is sent, and whether the answer is a refusal.
package answer

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"

	"seam/shared/protocol"
)

// Chatter is what Ask needs of client.Client.
type Chatter interface {
	// Hello returns what the proxy says of its models and limits, and connects first
	// where there is no connection.
	Hello(ctx context.Context) (*protocol.Ack, error)
	// Chat sends a question and calls emit with every piece of the answer, in order;
	// an error of emit ends it. finish is stop, length or filter.
	Chat(ctx context.Context, m *protocol.Chat, emit func(delta string) error) (usage protocol.Usage, finish string, err error)
}

// Answer is how an answer ended.
type Answer struct {
	Finish   string // stop, length or filter
	Usage    protocol.Usage
	Refused  bool                   // the model says that the passages do not hold the answer
	Passages int                    // how many were sent
	Messages []protocol.ChatMessage // what the model reads, as far as the proxy has told its prompt
}

// Question is what is asked.
type Question struct {
	Text     string
	Passages []string               // best first
	History  []protocol.ChatMessage // earlier questions and answers in turn; a proxy that takes none gets none
	System   string                 // a prompt of one's own in the place of the template's; "": the template
}

// Ask has a question answered from its passages, and calls emit with the parts of the
// answer; with a nil one nothing is sent, and Messages tells what would be. It sends as
// many passages, from the first on, as the proxy takes; the first one shortened where it
// alone is too long. Without passages nothing is sent, and the answer is
// protocol.Refusal.
func Ask(ctx context.Context, to Chatter, model string, q *Question, emit func(part string) error) (a Answer, err error) {
	ack, err := to.Hello(ctx)
	if err != nil {
		return a, err
	}
	m := &protocol.Chat{Model: model, Template: template, Question: q.Text}
	if ack.Limits.Turns > 0 {
		m.History = q.History
	}
	if len(q.Passages) > 0 {
		if m.Passages, err = fitting(m, q.Passages, ack.Limits.Context, q.System); err != nil {
			return a, err
		}
	}
	a.Passages, a.Messages = len(m.Passages), q.messages(ack, m)
	switch {
	case emit == nil:
		return a, nil
	case a.Passages == 0:
		a.Finish, a.Refused, a.Messages = "stop", true, nil
		return a, emit(protocol.Refusal)
	case q.System != "":
		m = &protocol.Chat{Model: model, Messages: a.Messages}
	}
	var whole strings.Builder
	a.Usage, a.Finish, err = to.Chat(ctx, m, func(delta string) error {
		whole.WriteString(delta)
		return emit(delta)
	})
	a.Refused = IsRefusal(whole.String())
	return a, err
}

// Of a prompt of one's own: bytes of what is said beside it, and of the lines around a
// passage. A template is longer than what is sent of it, too, but that is the server's.
const (
	besides = 1000
	around  = 100
)

// messages fill the template that the proxy has told, or the usual one.
func (q *Question) messages(ack *protocol.Ack, m *protocol.Chat) []protocol.ChatMessage {
	t := Templates[template]
	if ack.Answer != nil {
		t = *ack.Answer
	}
	if q.System != "" {
		t.System = q.System
	}
	return Messages(t, m.Question, m.Passages, m.History)
}

// fitting returns the passages that go with m into a message, and into most bytes
// of context; 0: as many as the message takes. system is a prompt of one's own, if any.
func fitting(m *protocol.Chat, passages []string, most int, system string) ([]string, error) {
	empty := *m
	empty.ID, empty.Passages = math.MaxUint32, []string{""}
	frame, err := protocol.Encode(&empty)
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the question cannot be sent: %v", err)
	}
	if most <= 0 {
		most = protocol.MaxText
	}
	room, context, each := protocol.MaxText-len(frame), most-len(m.Question), 0
	for _, turn := range m.History {
		context -= len(turn.Content)
	}
	if system != "" {
		room, context, each = room-escaped(system)-besides, context-len(system)-besides, around
	}
	n := 0
	for ; n < len(passages); n++ {
		size := escaped(passages[n]) + len(`,""`) + each
		if room -= size; room < 0 || len(passages[n])+each > context {
			if n > 0 {
				break
			}
			if short := shorten(passages[0], context-each, room+size-each-len(`,""`)); short != "" {
				return []string{short}, nil
			}
			return nil, protocol.Errorf(protocol.TooLarge, "The question is too long: no passage has room beside it.")
		}
		context -= len(passages[n]) + each
	}
	return passages[:n], nil
}

// escaped is how many bytes a string takes in JSON, without its quotes.
func escaped(s string) int {
	b, _ := json.Marshal(s) // a string always can be
	return len(b) - len(`""`)
}

// shorten cuts s, on the edge of a rune, to at most so many bytes, and so many
// when escaped.
func shorten(s string, bytes, inJSON int) string {
	for s != "" {
		size := escaped(s)
		if len(s) <= bytes && size <= inJSON {
			break
		}
		n := max(0, min(len(s)-1, bytes, len(s)*inJSON/size))
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return s
}

// IsRefusal tells protocol.Refusal from an answer, whatever stands around it.
func IsRefusal(answer string) bool {
	bare := func(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«».") }
	return bare(answer) == bare(protocol.Refusal)
}
