package pdfworker

import (
	"context"
	"errors"

	"seam/shared/engine/rpc"
	"seam/shared/experiment"
	"seam/shared/llm"
)

// judgeItem is a question with the passages that a setting has found for it, and what
// models have said of it so far.
type judgeItem struct {
	Question   string   `json:"question"`
	Ideal      string   `json:"ideal"`
	Answerable bool     `json:"answerable"`
	Passages   []string `json:"passages"`
	Nth        int      `json:"nth"` // of the repetitions of a question, from 0
	// Replies are in the order in which they were wanted.
	Replies []llm.Reply `json:"replies"`
}

// wanted is what a model is to be asked next.
type wanted struct {
	Key string `json:"key"` // the same for the same request
	llm.Request
}

// judgedItem is what comes of an item: a request, or at the end a run.
type judgedItem struct {
	Next *wanted         `json:"next"`
	Run  *experiment.Run `json:"run"`
	// Left is about what is still to be asked for.
	Left leftJSON `json:"left"`
	// Unscored are the scores whose judgement could not be read.
	Unscored []string `json:"unscored"`
	Warnings []string `json:"warnings"`
}

// leftJSON are requests, and tokens that models read and write: the one that answers, and
// the judge.
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

// judge takes answers and their judgements on by a step: the page asks the models, and
// comes back with what they say.
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

// left is what an estimate comes to after so many replies.
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

// script is a model that says what it is given, and notes the first request for which that is
// nothing. Requests come one after another.
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
