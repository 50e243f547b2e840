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
	Wide    []bool // passages of which Question.Wide was sent; nil if there are none
}

// Ask has the question answered from its passages, and calls emit with the parts of the
// answer. If emit is nil, nothing is sent, and Messages shows what would be sent. Ask sends
// the first passages, as many as the proxy accepts and the model's context holds, and wide
// ones in their place if all fit. If even the first is too long, it is shortened. Without passages nothing is sent, and the answer is
// protocol.Refusal.
func Ask(ctx context.Context, to Chatter, model string, q *Question, emit func(protocol.Part) error) (a Answer, err error) {
	ack, err := to.Hello(ctx)
	if err != nil {
		return a, err
	}
	q, a.Wide = q.widen(ack, to.Context(model), model)
	m := q.chat(ack, model)
	if len(q.Passages) > 0 {
		if a.Context, err = q.fit(ack, to.Context(model), m); err != nil {
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

// Widen returns q with the wide passages that Ask would send in place of others, and without
// Wide.
func Widen(ctx context.Context, to Chatter, model string, q *Question) (*Question, error) {
	ack, err := to.Hello(ctx)
	if err != nil {
		return nil, err
	}
	q, _ = q.widen(ack, to.Context(model), model)
	return q, nil
}
