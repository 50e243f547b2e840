package engine

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"unicode/utf8"

	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

// answerTemplate is the proxy's prompt that ask uses: also where a proxy takes
// other prompts, so that answers are alike everywhere.
const answerTemplate = "answer"

// ask answers a question from the documents: event hits, then events delta, then
// how it ended. Where nothing is found nothing is sent.
func (e *Engine) ask(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	p := struct {
		Question string `json:"question"`
		Model    string `json:"model"`
		Docs     []int  `json:"docs"`
		K        int    `json:"k"`
		Mode     string `json:"mode"`
	}{K: 5}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	docs := p.Docs
	if docs == nil {
		docs = e.order
	}
	switch {
	case strings.TrimSpace(p.Question) == "":
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "the question is empty"}
	case len(docs) == 0:
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "there is no document to ask", Hint: "Open a document first."}
	}
	model, err := e.hosted(p.Model, protocol.Chatting)
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	hits, err := e.find(ctx, call, query{p.Question, p.K, p.Mode, docs})
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	call.Event("hits", map[string]any{"hits": hits})
	texts := make([]string, len(hits))
	for i, h := range hits {
		texts[i] = h.Text
	}
	to := e.proxy
	var a Answer
	err = call.Await(func() (err error) {
		a, err = Ask(ctx, to.client, model.ID, p.Question, texts, func(part string) error {
			call.Event("delta", map[string]string{"text": part})
			return ctx.Err()
		})
		return err
	})
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	return rpc.Reply{Result: map[string]any{
		"finish": a.Finish, "tokens": a.Usage.Tokens, "tokensOut": a.Usage.TokensOut, "refused": a.Refused, "passages": a.Passages,
	}}, nil
}

// Chatter is what Ask needs of client.Client.
type Chatter interface {
	Hello(ctx context.Context) (*protocol.Ack, error)
	Chat(ctx context.Context, m *protocol.Chat, emit func(delta string) error) (usage protocol.Usage, finish string, err error)
}

// Answer is how an answer ended.
type Answer struct {
	Finish   string // stop, length or filter
	Usage    protocol.Usage
	Refused  bool // the model says that the passages do not hold the answer
	Passages int  // how many were sent
}

// Ask has a question answered from passages, best first, and calls emit with the
// parts of the answer. It sends as many passages, from the first on, as the proxy
// takes; the first one shortened where it alone is too long. Without passages
// nothing is sent, and the answer is protocol.Refusal.
func Ask(ctx context.Context, to Chatter, model, question string, passages []string, emit func(part string) error) (Answer, error) {
	if len(passages) == 0 {
		return Answer{Finish: "stop", Refused: true}, emit(protocol.Refusal)
	}
	ack, err := to.Hello(ctx)
	if err != nil {
		return Answer{}, err
	}
	m := &protocol.Chat{Model: model, Template: answerTemplate, Question: question}
	if m.Passages, err = fitting(m, passages, ack.Limits.Context); err != nil {
		return Answer{}, err
	}
	var whole strings.Builder
	a := Answer{Passages: len(m.Passages)}
	a.Usage, a.Finish, err = to.Chat(ctx, m, func(delta string) error {
		whole.WriteString(delta)
		return emit(delta)
	})
	a.Refused = isRefusal(whole.String())
	return a, err
}

// fitting returns the passages that go with m into a message, and into most bytes
// of context; 0: as many as the message takes.
func fitting(m *protocol.Chat, passages []string, most int) ([]string, error) {
	empty := *m
	empty.ID, empty.Passages = math.MaxUint32, []string{""}
	frame, err := protocol.Encode(&empty)
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the question cannot be sent: %v", err)
	}
	if most <= 0 {
		most = protocol.MaxText
	}
	room, context := protocol.MaxText-len(frame), most-len(m.Question)
	n := 0
	for ; n < len(passages); n++ {
		size := escaped(passages[n]) + len(`,""`)
		if room -= size; room < 0 || len(passages[n]) > context {
			if n > 0 {
				break
			}
			if short := shorten(passages[0], context, room+size-len(`,""`)); short != "" {
				return []string{short}, nil
			}
			return nil, protocol.Errorf(protocol.TooLarge, "The question is too long: no passage has room beside it.")
		}
		context -= len(passages[n])
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

// isRefusal tells protocol.Refusal from an answer, whatever stands around it.
func isRefusal(answer string) bool {
	bare := func(s string) string { return strings.Trim(s, " \t\r\n\"'`“”„‘’«».") }
	return bare(answer) == bare(protocol.Refusal)
}
