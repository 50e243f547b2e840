package engine

import (
	"context"
	"strings"

	"seam/shared/answer"
	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

type askParams struct {
	Question string `json:"question"`
	Model    string `json:"model"`
	Docs     []int  `json:"docs"` // absent: all
	K        *int   `json:"k"`    // by default 5
	Mode     string `json:"mode"`
}

// deltaEvent is a part of an answer.
type deltaEvent struct {
	Text string `json:"text"`
}

type askReply struct {
	Finish    string `json:"finish"`
	Tokens    int    `json:"tokens"`
	TokensOut int    `json:"tokensOut"`
	Refused   bool   `json:"refused"`
	Passages  int    `json:"passages"`
}

// ask answers a question from the documents: event hits (a searchReply), then events
// delta, then how it ended. Where nothing is found nothing is sent.
func (e *Engine) ask(ctx context.Context, call *rpc.Call, p *askParams) (*askReply, error) {
	if p.Docs == nil {
		p.Docs = e.order
	}
	switch {
	case strings.TrimSpace(p.Question) == "":
		return nil, badRequest("the question is empty")
	case len(p.Docs) == 0:
		return nil, &rpc.Error{Code: rpc.BadRequest, Message: "there is no document to ask", Hint: "Open a document first."}
	}
	model, err := e.hosted(p.Model, protocol.Chatting)
	if err != nil {
		return nil, err
	}
	found, err := e.find(ctx, call, searchParams{Query: p.Question, K: p.K, Mode: p.Mode, Docs: p.Docs}, 5)
	if err != nil {
		return nil, err
	}
	call.Event("hits", found)
	texts := make([]string, len(found.Hits))
	for i, h := range found.Hits {
		texts[i] = h.Text
	}
	to := e.proxy
	var a answer.Answer
	err = call.Await(func() (err error) {
		a, err = answer.Ask(ctx, to.client, model.ID, p.Question, texts, func(part string) error {
			call.Event("delta", deltaEvent{part})
			return ctx.Err()
		})
		return err
	})
	return &askReply{a.Finish, a.Usage.Tokens, a.Usage.TokensOut, a.Refused, a.Passages}, err
}
