package answer

import (
	"cmp"
	"slices"

	"seam/shared/protocol"
)

// Question is a question with its passages.
type Question struct {
	Text     string
	Passages []string               // best first
	Sources  []string               // a line for each passage, which is sent above it; may be nil
	Wide     []Wide                 // one for each passage; may be nil
	History  []protocol.ChatMessage // alternating earlier questions and answers; not sent if the proxy accepts no history
	System   string                 // the user's own prompt in place of the template; "" uses the template
}

// Wide is a passage with the text around it.
type Wide struct {
	Passage string // empty if there is no text around
	Source  string // the line above it
}

// chat returns the message for a question without its passages.
func (q *Question) chat(ack *protocol.Ack, model string) *protocol.Chat {
	m := &protocol.Chat{Model: model, Template: Published, Question: q.Text}
	if ack.Marked != nil {
		m.Template = Marked
	}
	if ack.Limits.Turns > 0 {
		m.History = q.History
	}
	return m
}

// fit sets the passages of m to those that the proxy accepts and a context of size tokens
// holds; 0 means an unknown size. It returns size if the context is too small for all.
func (q *Question) fit(ack *protocol.Ack, size int, m *protocol.Chat) (context int, err error) {
	if m.Passages, err = fitting(m, q.named(), ack.Limits.Context, q.System); err != nil || size <= 0 {
		return 0, err
	}
	room := size - min(size/4, cmp.Or(ack.Limits.Answer, size))
	m.Passages, context, err = within(size, room, m.Passages, func(passages []string) []protocol.ChatMessage {
		with := *m
		with.Passages = passages
		return q.messages(ack, &with)
	})
	return context, err
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

// widen puts wide passages in place of others, the best first, as long as all passages fit in
// the request and in a context of size tokens.
func (q *Question) widen(ack *protocol.Ack, size int, model string) (wider *Question, wide []bool) {
	now := *q
	now.Passages, now.Sources, now.Wide = slices.Clone(q.Passages), slices.Clone(q.Sources), nil
	for i, w := range q.Wide {
		if w.Passage == "" {
			continue
		}
		before, above := now.Passages[i], now.above(i)
		if now.Passages[i] = w.Passage; above != "" {
			now.Sources[i] = w.Source
		}
		m := now.chat(ack, model)
		if _, err := now.fit(ack, size, m); err == nil && slices.Equal(m.Passages, now.named()) {
			if wide == nil {
				wide = make([]bool, len(q.Passages))
			}
			wide[i] = true
			continue
		}
		if now.Passages[i] = before; above != "" {
			now.Sources[i] = q.Sources[i]
		}
	}
	return &now, wide
}
