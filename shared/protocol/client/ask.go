package client

import (
	"context"
	"errors"
	"strings"

	"seam/shared/protocol"
)

// Chat asks for an answer and calls emit with its parts as they arrive. It sets m's ID.
// finish is stop, length or filter. Chat retries only until the first call of emit: an
// answer that breaks off is an error.
func (c *Client) Chat(ctx context.Context, m *protocol.Chat, emit func(protocol.Part) error) (usage protocol.Usage, finish string, err error) {
	ack, err := c.Hello(ctx)
	if err != nil {
		return usage, "", err
	}
	parts, came := 0, false
	end, err := c.ask(ctx, func(id uint32) protocol.Message {
		chat := *m
		chat.ID, chat.Reasoning = id, ack.Reasoning
		return &chat
	}, func(f frame) error {
		came = true
		if r, ok := f.message.(*protocol.Reason); ok {
			return emit(protocol.Part{Text: r.Delta, Reasoning: true, Moved: r.Moved})
		}
		d, ok := f.message.(*protocol.Delta)
		if !ok {
			return violated("it sent a wrong answer to a chat")
		}
		if d.Seq != parts {
			return violated("part %d of an answer after %d parts", d.Seq, parts)
		}
		parts++
		return emit(protocol.Part{Text: d.Delta})
	}, func() bool { return !came })
	var e *protocol.Error
	if came && errors.As(err, &e) && e.Code != protocol.Cancelled {
		told := *e
		if !strings.Contains(e.Message, "broke off") {
			told.Message = "The answer broke off: " + e.Message
		}
		err = &told
	}
	if err != nil {
		return usage, "", err
	}
	c.learn(m.Model, end.Usage)
	return end.Usage, end.Finish, nil
}

// learn remembers the context of a model, if a chat has shown it.
func (c *Client) learn(model string, u protocol.Usage) {
	n := u.Context
	if n == 0 && u.Sent > u.Read {
		n = u.Read
	}
	if n > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.contexts == nil {
			c.contexts = map[string]int{}
		}
		c.contexts[model] = n
	}
}

// Context returns the tokens of a model's context, for prompt and answer together, or 0 if
// it is unknown. If an answer has shown that the model reads less than the proxy says, it
// returns that number.
func (c *Client) Context(model string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := c.contexts[model]; n > 0 {
		return n
	}
	if c.ack != nil {
		for i := range c.ack.Models {
			if c.ack.Models[i].ID == model {
				return c.ack.Models[i].Context
			}
		}
	}
	return 0
}

// Search searches the collection behind the proxy. It sets m's ID.
func (c *Client) Search(ctx context.Context, m *protocol.Search) ([]protocol.Hit, error) {
	var hits []protocol.Hit
	found := false
	_, err := c.ask(ctx, func(id uint32) protocol.Message {
		search := *m
		search.ID = id
		return &search
	}, func(f frame) error {
		h, ok := f.message.(*protocol.Hits)
		if !ok || found {
			return violated("it sent a wrong answer to a search")
		}
		hits, found = h.Hits, true
		return nil
	}, func() bool { found = false; return true })
	if err == nil && !found {
		err = protocol.Errorf(protocol.Internal, "The proxy ended a search without an answer.")
	}
	return hits, err
}

// ask runs a request. It retries after a temporary error if may returns true. A user is
// waiting for the answer, so a failing provider is reported at once.
func (c *Client) ask(ctx context.Context, message func(id uint32) protocol.Message, use func(frame) error, may func() bool) (*protocol.End, error) {
	if frame, err := protocol.Encode(message(1<<32 - 1)); err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "%v", err)
	} else if len(frame) > protocol.MaxText {
		return nil, protocol.Errorf(protocol.TooLarge, "The request is %d bytes: the limit is %d.", len(frame), protocol.MaxText)
	}
	for try := 0; ; try++ {
		s, err := c.place(ctx, false)
		if err != nil {
			return nil, err
		}
		end, err := s.do(ctx, false, message, use)
		if err == nil || ofProvider(err) || !again(err, try+1) || !may() {
			return end, err
		}
		if err := c.pause(ctx, err, try); err != nil {
			return nil, err
		}
	}
}

// place waits for a free slot on a connection and connects if there is none. Its errors are
// final.
func (c *Client) place(ctx context.Context, batch bool) (*session, error) {
	for try := 0; ; try++ {
		s, err := c.session(ctx)
		if err != nil {
			return nil, err
		}
		if err = s.place(ctx, batch); err == nil {
			return s, nil
		}
		if !again(err, try+1) {
			return nil, err
		}
		if err := c.pause(ctx, err, try); err != nil {
			return nil, err
		}
	}
}
