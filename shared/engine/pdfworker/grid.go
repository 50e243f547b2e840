package pdfworker

import (
	"context"
	"fmt"
	"slices"

	"seam/shared/engine/rpc"
	"seam/shared/eval"
	"seam/shared/experiment"
)

// gridRanking is the result of one setting. A chunk is given by its start, its end and its
// tokens, an answer by its start and its end. Places are in characters.
type gridRanking struct {
	eval.Setting
	Found [][][3]int `json:"found"` // for each question, best first
	// Runs are the judged answers of a model, with consecutive repetitions of each
	// question. Questions that the text answers come first. It is empty if some answers are
	// missing.
	Runs []experiment.Run `json:"runs"`
}

// grid compares settings by the chunks they find and by the answers of a model. It returns
// the figures of seam eval grid.
func grid(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Budgets  eval.Budgets  `json:"budgets"`
		Answers  [][][2]int    `json:"answers"` // for each question
		Rankings []gridRanking `json:"rankings"`
		Times    int           `json:"times"`
		Price    *float64      `json:"price"` // US dollars per million input tokens
		PriceOut *float64      `json:"priceOut"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	if err := gridFits(p.Budgets, len(p.Answers), p.Times, p.Rankings); err != nil {
		return rpc.Reply{}, err
	}
	refs := make([][]eval.Range, len(p.Answers))
	for q, spans := range p.Answers {
		for _, s := range spans {
			refs[q] = append(refs[q], eval.Range{Start: s[0], End: s[1]})
		}
	}
	rankings := make([]eval.Ranking, len(p.Rankings))
	var answered []eval.Ranking
	var judged []eval.Judged
	for i, r := range p.Rankings {
		rankings[i] = r.ranking(refs)
		if len(r.Runs) > 0 {
			answered = append(answered, rankings[i])
			judged = append(judged, experiment.Judged(r.Runs, p.Times, p.Price, p.PriceOut))
		}
	}
	report := eval.Grid(rankings, p.Budgets)
	report.AddAnswers(answered, judged)
	return rpc.Reply{Result: report}, nil
}

func (r gridRanking) ranking(refs [][]eval.Range) eval.Ranking {
	out := eval.Ranking{Setting: r.Setting, Refs: refs, Of: make([]int, len(refs)), Found: make([][]eval.FoundChunk, len(refs))}
	out.Tokens = eval.Round(out.Tokens, 2)
	for q, found := range r.Found {
		for _, f := range found {
			out.Found[q] = append(out.Found[q], eval.FoundChunk{Passage: eval.Passage{Range: eval.Range{Start: f[0], End: f[1]}}, Tokens: f[2]})
		}
	}
	return out
}

// gridFits returns an error if the data is inconsistent.
func gridFits(b eval.Budgets, questions, times int, rankings []gridRanking) error {
	if len(b.Depths)+len(b.Tokens) == 0 {
		return bad("settings are compared by a number of chunks or of tokens")
	}
	for _, n := range slices.Concat(b.Depths, b.Tokens) {
		if n < 1 {
			return bad("settings cannot be compared by %d chunks or tokens", n)
		}
	}
	for _, r := range rankings {
		if len(r.Found) != questions {
			return bad("%s has found something for %d of %d questions", r.Name(), len(r.Found), questions)
		}
		if len(r.Runs) > 0 && (times < 1 || len(r.Runs) < questions*times || len(r.Runs)%times != 0) {
			return bad("%s has %d answers to %d questions, %d times each", r.Name(), len(r.Runs), questions, times)
		}
		for i, run := range r.Runs {
			if run.Answerable != (i < questions*times) {
				return bad("answers to questions that the text answers come first")
			}
		}
	}
	return nil
}

func bad(format string, args ...any) error {
	return &rpc.Error{Code: rpc.BadRequest, Message: fmt.Sprintf(format, args...)}
}
