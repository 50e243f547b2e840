package engine

import (
	"context"
	"errors"

	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

func (e *Engine) forChat() []message { return []message{{"chat", handle(e.chat)}} }

type chatParams struct {
	Model       string                 `json:"model"`
	Messages    []protocol.ChatMessage `json:"messages"`
	Temperature *float64               `json:"temperature"` // null: the model's own
	JSON        bool                   `json:"json"`        // the answer must be a JSON object
	MaxTokens   int                    `json:"maxTokens"`   // the most tokens of the answer; 0 for the proxy's own limit
}

type chatReply struct {
	Text      string `json:"text"`
	Finish    string `json:"finish"`
	Tokens    int    `json:"tokens"`
	TokensOut int    `json:"tokensOut"`
	Unusable  string `json:"unusable"` // the reason the answer is unusable; "" if it is usable
}

// chat has a model of the proxy answer messages unchanged. An answer that was cut short is
// a reply, because it is paid for. So is an error for messages longer than the model
// accepts, because other messages may still fit.
func (e *Engine) chat(ctx context.Context, call *rpc.Call, p *chatParams) (*chatReply, error) {
	model, err := e.hosted(p.Model, protocol.Chatting)
	if err != nil {
		return nil, err
	}
	to := e.proxy
	r := &chatReply{}
	var usage protocol.Usage
	err = call.Await(func() (err error) {
		usage, r.Finish, err = to.client.Chat(ctx, &protocol.Chat{Model: model.ID, Messages: p.Messages, Params: protocol.Params{Temperature: p.Temperature, MaxTokens: p.MaxTokens, JSON: p.JSON}}, func(part protocol.Part) error {
			r.Text = part.Add(r.Text)
			return nil
		})
		return err
	})
	r.Tokens, r.TokensOut = usage.Tokens, usage.TokensOut
	if why := usage.Cut(); why != "" && err == nil {
		r.Text, r.Unusable = "", why
	}
	var told *protocol.Error
	if errors.As(err, &told) && (told.Code == protocol.UpstreamCutShort || told.Code == protocol.TooLarge) {
		r.Text, r.Unusable, err = "", told.Message, nil
	}
	return r, err
}
