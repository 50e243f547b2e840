package pdfworker

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/experiment"
	"seam/shared/llm"
	"seam/shared/protocol"
)

// model is a function that implements llm.Model.
type model func(r llm.Request) (llm.Reply, error)

func (m model) Complete(_ context.Context, r llm.Request, _ func(string) error) (llm.Reply, error) {
	return m(r)
}

func said(text string) (llm.Reply, error) {
	return llm.Reply{Text: text, Finish: "stop", Tokens: 7, TokensOut: 2}, nil
}

// Judging in steps must give the same result as experiment.Judge in one call.
func TestStepsComeToTheSameRuns(t *testing.T) {
	o := experiment.Options{Model: "c", Judge: "d"}
	passages := []experiment.Passage{{Text: "The miller opens the weir."}, {Text: "It is cold."}}
	for name, tt := range map[string]struct {
		question experiment.Question
		answers  model
		requests int
		unscored []string
	}{
		"judged":       {experiment.Question{Text: "What?", Ideal: "The weir.", Answerable: true}, func(llm.Request) (llm.Reply, error) { return said("0.5") }, 3, []string{}},
		"not a number": {experiment.Question{Text: "What?", Ideal: "The weir.", Answerable: true}, func(llm.Request) (llm.Reply, error) { return said("8/10") }, 3, []string{"faithfulness", "relevancy"}},
		"no ideal":     {experiment.Question{Text: "What?", Answerable: true}, func(llm.Request) (llm.Reply, error) { return said("1") }, 2, []string{}},
		"refused":      {experiment.Question{Text: "What?", Ideal: "The weir.", Answerable: true}, func(llm.Request) (llm.Reply, error) { return said(protocol.Refusal) }, 1, []string{}},
		"no answer":    {experiment.Question{Text: "Who?"}, func(llm.Request) (llm.Reply, error) { return said("Me.") }, 1, []string{}},
		"cut short":    {experiment.Question{Text: "What?", Ideal: "The weir.", Answerable: true}, func(llm.Request) (llm.Reply, error) { return llm.Reply{}, &llm.NoAnswer{Reason: "it broke off"} }, 3, []string{"faithfulness", "relevancy"}},
		"only judge":   {experiment.Question{Text: "What?", Ideal: "The weir.", Answerable: true}, func(r llm.Request) (llm.Reply, error) { return said("Score: 1 of " + r.Model) }, 3, []string{}},
	} {
		want, err := experiment.Judge(t.Context(), []experiment.Found{{Question: tt.question, Passages: passages}}, o, experiment.Host{LLM: tt.answers})
		if err != nil {
			t.Fatal(err)
		}
		item := judgeItem{Question: tt.question.Text, Ideal: tt.question.Ideal, Answerable: tt.question.Answerable, Passages: []string{passages[0].Text, passages[1].Text}}
		for {
			got, err := item.step(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got.Next == nil {
				if !reflect.DeepEqual(*got.Run, want.Runs[0]) || !reflect.DeepEqual(got.Warnings, want.Warnings) || !reflect.DeepEqual(got.Unscored, tt.unscored) || got.Left != (leftJSON{}) {
					t.Errorf("%s: %+v %v %v, at once %+v %v", name, got.Run, got.Unscored, got.Warnings, want.Runs[0], want.Warnings)
				}
				break
			}
			if n := got.Left.Answers + got.Left.Judgements; len(item.Replies) == 0 && tt.question.Answerable && n != 3 || got.Next.Key != got.Next.Request.Key() {
				t.Errorf("%s: %+v", name, got)
			}
			reply, err := tt.answers(got.Next.Request)
			if reason, ok := llm.Unusable(err); ok {
				reply.Unusable = reason
			}
			item.Replies = append(item.Replies, reply)
		}
		if len(item.Replies) != tt.requests {
			t.Errorf("%s: %d requests", name, len(item.Replies))
		}
	}
}

// The rest must be counted for the answering model and the judge, and be zero after all
// replies.
func TestLeft(t *testing.T) {
	e := experiment.Estimate{Answers: 3, Tokens: 800, TokensOut: 152, Judged: 600, JudgedOut: 2}
	for replies, want := range []leftJSON{{1, 200, 150, 2, 600, 2}, {0, 0, 0, 2, 600, 2}, {0, 0, 0, 1, 300, 1}} {
		if got := left(e, replies); got != want {
			t.Errorf("after %d replies %+v", replies, got)
		}
	}
}

func TestJudgeCall(t *testing.T) {
	for request, want := range map[string]string{
		`{"id":1,"method":"judge","params":{"model":"c","judge":"c","items":[]}}`:  `"items":[]`,
		`{"id":1,"method":"judge","params":{"model":"c","judge":"c","itms":[]}}`:   `"code":"bad-request"`,
		`{"id":1,"method":"judge","params":{"model":"c","judge":"c","items":[1]}}`: `"code":"bad-request"`,
	} {
		var got []byte
		s := rpc.NewServer(rpc.Host{Post: func(b []byte, _ [][]byte) { got = b }, Now: func() time.Duration { return 0 }}, Methods(nil, nil, nil))
		<-s.Receive([]byte(request), nil)
		if !json.Valid(got) || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s", request, got)
		}
	}
}
