package gateway

import (
	"context"

	"seam/shared/protocol"
)

// embed relays the texts, and sends their vectors in frames.
func (c *conn) embed(ctx context.Context, m *protocol.Embed) (*protocol.End, error) {
	limits := c.gateway.config.Limits
	if err := c.known(m.Model, protocol.Embedding); err != nil {
		return nil, err
	}
	if len(m.Texts) > limits.Texts {
		return nil, protocol.Errorf(protocol.TooLarge, "%d texts at once: at most %d are taken.", len(m.Texts), limits.Texts)
	}
	for i, t := range m.Texts {
		if len(t) > limits.TextBytes {
			return nil, protocol.Errorf(protocol.TooLarge, "Text %d has %d bytes: at most %d are taken.", i, len(t), limits.TextBytes)
		}
	}
	vectors, usage, err := c.gateway.backend.Embed(ctx, c.who, m.Model, m.Texts, m.Dimensions)
	if err != nil {
		return nil, err
	}
	dims := len(vectors[0])
	rows := make([]float32, 0, len(vectors)*dims)
	for _, v := range vectors {
		rows = append(rows, v...)
	}
	for f := range protocol.Frames(m.ID, 0, dims, rows) {
		if err := c.out.vectors(ctx, m.ID, f); err != nil {
			return nil, err
		}
	}
	return &protocol.End{Usage: usage}, nil
}

// chat relays a chat, and sends the answer as it comes.
func (c *conn) chat(ctx context.Context, m *protocol.Chat) (*protocol.End, error) {
	g := c.gateway.config
	if err := c.known(m.Model, protocol.Chatting); err != nil {
		return nil, err
	}
	if g.Prompts == protocol.ByServer && m.Template == "" {
		return nil, protocol.Errorf(protocol.PromptsOnly, "This proxy answers with its own prompts only: send a template, a question and passages.")
	}
	size := len(m.Question)
	for _, p := range m.Passages {
		size += len(p)
	}
	for _, turn := range m.Messages {
		size += len(turn.Content)
	}
	if size > g.Limits.Context {
		return nil, protocol.Errorf(protocol.TooLarge, "The question and what goes with it have %d bytes: at most %d are taken.", size, g.Limits.Context)
	}
	if m.Params.MaxTokens == 0 || m.Params.MaxTokens > g.Limits.Answer {
		m.Params.MaxTokens = g.Limits.Answer
	}
	usage, finish, err := c.gateway.backend.Chat(ctx, c.who, m, func(delta string) error { return c.out.delta(m.ID, delta) })
	if err != nil {
		return nil, err
	}
	return &protocol.End{Usage: usage, Finish: finish}, nil
}

// known checks a model against the list.
func (c *conn) known(id string, kind protocol.Kind) error {
	for _, m := range c.gateway.config.Models {
		if m.ID == id && m.Kind == kind {
			return nil
		}
	}
	return protocol.Errorf(protocol.UnknownModel, "This proxy has no %s model %.60q.", kind, id)
}
