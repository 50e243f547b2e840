// Package answer asks a chat model to answer a question from passages alone. It chooses the
// passages that fit, writes the prompt, and recognizes a refusal.
package answer

import (
	"cmp"
	"context"

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
	// Context returns the tokens of a model's context, or 0 if it is unknown. It is called
	// after Hello.
	Context(model string) int
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
	// Context is the number of tokens of the model's context, if passages were left out or
	// shortened to fit in it; otherwise 0.
	Context int
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
// the first passages, as many as the proxy accepts and the model's context holds. If even
// the first is too long, it is shortened. Without passages nothing is sent, and the answer is
// protocol.Refusal.
func Ask(ctx context.Context, to Chatter, model string, q *Question, emit func(protocol.Part) error) (a Answer, err error) {
	ack, err := to.Hello(ctx)
	if err != nil {
		return a, err
	}
	m := &protocol.Chat{Model: model, Template: Published, Question: q.Text}
	if ack.Marked != nil {
		m.Template = Marked
	}
	if ack.Limits.Turns > 0 {
		m.History = q.History
	}
	if len(q.Passages) > 0 {
		if m.Passages, err = fitting(m, q.named(), ack.Limits.Context, q.System); err != nil {
			return a, err
		}
		if size := to.Context(model); size > 0 {
			room := size - min(size/4, cmp.Or(ack.Limits.Answer, size))
			if m.Passages, a.Context, err = within(size, room, m.Passages, func(passages []string) []protocol.ChatMessage {
				with := *m
				with.Passages = passages
				return q.messages(ack, &with)
			}); err != nil {
				return a, err
			}
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
	s := sieve{emit: emit}
	a.Usage, a.Finish, err = to.Chat(ctx, m, s.part)
	if failed := s.flush(); err == nil {
		err = failed
	}
	if bare(s.shown) == "" && s.marked {
		err = cmp.Or(err, emit(protocol.Part{Text: protocol.Refusal}))
	}
	a.Refused = Refuses(s.shown, s.marked)
	return a, err
}

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

// messages fills the template that the proxy announced, or the default one.
func (q *Question) messages(ack *protocol.Ack, m *protocol.Chat) []protocol.ChatMessage {
	t := Templates[Published]
	switch {
	case ack.Marked != nil:
		t = *ack.Marked
	case ack.Answer != nil:
		t = *ack.Answer
	}
	if q.System != "" {
		t.System = q.System
	}
	return Messages(t, m.Question, m.Passages, m.History)
}
