package hosted

import (
	"context"
	"errors"

	"seam/proxy/command/terminal"
	"seam/proxy/upstream"
	"seam/shared/llm"
	"seam/shared/protocol"
)

// mostAnswer is the largest number of tokens in an answer. A long section has many
// statements.
const mostAnswer = 4096

// ChatModel is a model at a provider or behind a proxy. Without a Proxy, every request
// fails with ErrReplay.
type ChatModel struct {
	Proxy *Proxy
	Sent  *Spent
}

// ErrReplay means that a replay needs an answer that the run's file does not have.
var ErrReplay = errors.New("the run's file is incomplete: the run was stopped early, or had other settings; leave out --replay to resume it")

// Complete implements llm.Model.
func (m *ChatModel) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	if m.Proxy == nil {
		return llm.Reply{}, ErrReplay
	}
	chat := &protocol.Chat{Model: r.Model, Messages: r.Messages, Params: protocol.Params{Temperature: r.Temperature, MaxTokens: r.MaxTokens, JSON: r.JSON}}
	if chat.Params.MaxTokens == 0 && m.Proxy.ack == nil {
		chat.Params.MaxTokens = mostAnswer
	}
	text := ""
	usage, finish, err := m.Proxy.Client.Chat(ctx, chat, func(p protocol.Part) error {
		text = p.Add(text)
		if emit != nil && !p.Reasoning {
			return emit(p.Text)
		}
		return nil
	})
	m.Sent.chat(r.Model, usage)
	if none := unusable(err); none != nil {
		return llm.Reply{Tokens: usage.Tokens, TokensOut: usage.TokensOut}, none
	}
	if why := usage.Cut(); why != "" && err == nil {
		return llm.Reply{Tokens: usage.Tokens, TokensOut: usage.TokensOut}, &llm.NoAnswer{Reason: why}
	}
	return llm.Reply{Text: text, Finish: finish, Tokens: usage.Tokens, TokensOut: usage.TokensOut}, err
}

// unusable returns the error of an answer that arrived, and was paid for, but cannot be used. It
// returns nil for other errors.
func unusable(err error) *llm.NoAnswer {
	var failed *upstream.Error
	var told *protocol.Error
	if errors.As(err, &failed) && failed.Unusable() || errors.As(err, &told) && told.Code == protocol.UpstreamCutShort {
		return &llm.NoAnswer{Reason: terminal.OneLine(err.Error())}
	}
	return nil
}
