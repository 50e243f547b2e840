// Package answer asks a chat model to answer a question from passages alone. It chooses the
// passages that fit, writes the prompt, and recognizes a refusal.
package answer

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"

	"seam/shared/protocol"
)

// Chatter is the part of client.Client that Ask needs.
type Chatter interface {
	// Hello returns the proxy's models and limits. It connects first if there is no
	// connection.
	Hello(ctx context.Context) (*protocol.Ack, error)
	// Chat sends a question and calls emit with every part of the reply in order. If emit
	// returns an error, the chat ends. finish is stop, length or filter.
	Chat(ctx context.Context, m *protocol.Chat, emit func(protocol.Part) error) (usage protocol.Usage, finish string, err error)
}

// Answer describes a finished answer.
type Answer struct {
	Finish   string // stop, length or filter
	Usage    protocol.Usage
	Refused  bool // the model found no answer in the passages
	Passages int  // number of passages sent
	// Shortened is the part sent of the only passage, without its source, if the whole is too
	// long; otherwise "".
	Shortened string
	Messages  []protocol.ChatMessage // the messages the model reads, as far as the proxy's prompt is known
}

// Question is a question with its passages.
type Question struct {
	Text     string
	Passages []string               // best first
	Sources  []string               // a line for each passage, which is sent above it; may be nil
	History  []protocol.ChatMessage // alternating earlier questions and answers; not sent if the proxy accepts no history
	System   string                 // the user's own prompt in place of the template; "" uses the template
}

// Ask has the question answered from its passages, and calls emit with the parts of the
// answer. If emit is nil, nothing is sent, and Messages shows what would be sent. Ask sends
// the first passages, as many as the proxy accepts. If even the first is too long, it is
// shortened. Without passages nothing is sent, and the answer is protocol.Refusal.
func Ask(ctx context.Context, to Chatter, model string, q *Question, emit func(protocol.Part) error) (a Answer, err error) {
	ack, err := to.Hello(ctx)
	if err != nil {
		return a, err
	}
	m := &protocol.Chat{Model: model, Template: template, Question: q.Text}
	if ack.Limits.Turns > 0 {
		m.History = q.History
	}
	if len(q.Passages) > 0 {
		if m.Passages, err = fitting(m, q.named(), ack.Limits.Context, q.System); err != nil {
			return a, err
		}
	}
	if a.Passages = len(m.Passages); a.Passages == 1 {
		switch only, above := m.Passages[0], q.above(0); {
		case above != "" && len(only) <= len(above):
			return a, noRoom()
		case only[len(above):] != q.Passages[0]:
			a.Shortened = only[len(above):]
		}
	}
	a.Messages = q.messages(ack, m)
	switch {
	case emit == nil:
		return a, nil
	case a.Passages == 0:
		a.Finish, a.Refused, a.Messages = "stop", true, nil
		return a, emit(protocol.Part{Text: protocol.Refusal})
	case q.System != "":
		m = &protocol.Chat{Model: model, Messages: a.Messages}
	}
	whole := ""
	a.Usage, a.Finish, err = to.Chat(ctx, m, func(p protocol.Part) error {
		whole = p.Add(whole)
		return emit(p)
	})
	a.Refused = IsRefusal(whole)
	return a, err
}

// Allowances in bytes with the user's own prompt: for text around the passages, and for the
// lines around each passage. A template needs such room, too, but the server accounts for
// it.
const (
	besides = 1000
	around  = 100
)

// above returns the line that goes above passage i, with its end, or "".
func (q *Question) above(i int) string {
	if i >= len(q.Sources) || q.Sources[i] == "" {
		return ""
	}
	return q.Sources[i] + "\n"
}

// named returns the passages with their sources.
func (q *Question) named() []string {
	all := make([]string, len(q.Passages))
	for i, p := range q.Passages {
		all[i] = q.above(i) + p
	}
	return all
}

func noRoom() error {
	return protocol.Errorf(protocol.TooLarge, "The question is too long: no room is left for a passage.")
}

// messages fills the template that the proxy announced, or the default one.
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

// fitting returns the passages that fit in a message with m, and in most bytes of context.
// If most is 0, only the message limits them. system is the user's own prompt, or "".
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
			return nil, noRoom()
		}
		context -= len(passages[n]) + each
	}
	return passages[:n], nil
}

// escaped returns the number of bytes of a string in JSON, without its quotes.
func escaped(s string) int {
	b, _ := json.Marshal(s) // encoding a string cannot fail
	return len(b) - len(`""`)
}

// shorten cuts s at a rune boundary to at most bytes bytes, and at most inJSON bytes when
// escaped.
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

// IsRefusal reports whether an answer is protocol.Refusal, ignoring quotes and white space
// around it.
func IsRefusal(answer string) bool {
	bare := func(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«».") }
	return bare(answer) == bare(protocol.Refusal)
}
