package pdfworker

import (
	"context"
	"errors"

	"seam/shared/engine/rpc"
	"seam/shared/experiment"
	"seam/shared/llm"
)

// judgeItem is a question with the passages that a setting found for it, and the models'
// replies so far.
type judgeItem struct {
	Question   string   `json:"question"`
	Ideal      string   `json:"ideal"`
	Answerable bool     `json:"answerable"`
	Passages   []string `json:"passages"`
	Nth        int      `json:"nth"` // number of the repetition of the question, from 0
	// Replies are in the order of the requests.
	Replies []llm.Reply `json:"replies"`
}

// wanted is the next request for a model.
type wanted struct {
	Key string `json:"key"` // the same for the same request
	llm.Request
}

// judgedItem is the result for an item: the next request, or at the end a run.
type judgedItem struct {
	Next *wanted         `json:"next"`
	Run  *experiment.Run `json:"run"`
	// Left is an estimate of the remaining requests.
	Left leftJSON `json:"left"`
	// Unscored lists the scores with an unreadable judgement.
	Unscored []string `json:"unscored"`
	Warnings []string `json:"warnings"`
}

// leftJSON counts the remaining requests and the tokens that models read and write,
// separately for the answering model and the judge.
type leftJSON struct {
	Answers    int `json:"answers"`
	Read       int `json:"read"`
	Written    int `json:"written"`
	Judgements int `json:"judgements"`
	JudgeRead  int `json:"judgeRead"`
	JudgeWrite int `json:"judgeWrite"`
}

type judgeReply struct {
	Items []judgedItem `json:"items"`
}

// judge advances answers and their judgements by one step: the page asks the models and
// calls again with their replies.
func judge(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Model string      `json:"model"`
		Judge string      `json:"judge"`
		Items []judgeItem `json:"items"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	all := judgeReply{make([]judgedItem, len(p.Items))}
	for i, item := range p.Items {
		var err error
		if all.Items[i], err = item.step(ctx, experiment.Options{Model: p.Model, Judge: p.Judge, First: item.Nth}); err != nil {
			return rpc.Reply{}, err
		}
	}
	return rpc.Reply{Result: all}, nil
}

func (item *judgeItem) step(ctx context.Context, o experiment.Options) (judgedItem, error) {
	f := experiment.Found{Question: experiment.Question{Text: item.Question, Ideal: item.Ideal, Answerable: item.Answerable}, Passages: []experiment.Passage{}}
	for _, text := range item.Passages {
		f.Passages = append(f.Passages, experiment.Passage{Text: text})
	}
	found := []experiment.Found{f}
	said := &script{replies: item.Replies}
	out := judgedItem{Unscored: []string{}, Warnings: []string{}}
	report, err := experiment.Judge(ctx, found, o, experiment.Host{LLM: said})
	switch {
	case errors.Is(err, errNotYet):
		out.Next = &wanted{said.next.Key(), said.next}
		out.Left = left(experiment.EstimateJudge(found, 1), len(item.Replies))
		return out, nil
	case err != nil:
		return out, err
	}
	out.Run, out.Warnings = &report.Runs[0], report.Warnings
	for _, name := range []string{experiment.Faithfulness, experiment.Relevancy} {
		if words, ok := out.Run.Judged[name]; ok {
			if _, ok := llm.Score(words); !ok {
				out.Unscored = append(out.Unscored, name)
			}
		}
	}
	return out, nil
}

// left returns the rest of an estimate after the given number of replies.
func left(e experiment.Estimate, replies int) leftJSON {
	l := leftJSON{1, e.Tokens - e.Judged, e.TokensOut - e.JudgedOut, e.Answers - 1, e.Judged, e.JudgedOut}
	if replies > 0 {
		judged := l.Judgements - (replies - 1)
		l = leftJSON{0, 0, 0, judged, l.JudgeRead * judged / l.Judgements, l.JudgeWrite * judged / l.Judgements}
	}
	return l
}

// errNotYet ends a run that waits for a reply.
var errNotYet = errors.New("unanswered")

// script is a model that returns the given replies and records the first request without
// one. Requests must come one at a time.
type script struct {
	replies []llm.Reply
	next    llm.Request
}

// Complete implements llm.Model.
func (s *script) Complete(_ context.Context, r llm.Request, _ func(string) error) (llm.Reply, error) {
	if len(s.replies) == 0 {
		s.next = r
		return llm.Reply{}, errNotYet
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	if reply.Unusable != "" {
		return reply, &llm.NoAnswer{Reason: reply.Unusable}
	}
	return reply, nil
}
