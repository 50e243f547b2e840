package experiment

import (
	"context"
	"encoding/json"

	"seam/shared/eval"
	"seam/shared/token"
)

// Found is the result of one setting for a question.
type Found struct {
	Setting  string
	Chunks   int
	Question Question
	Passages []Passage
}

// The names of the scores of Judge.
const (
	Faithfulness = "faithfulness"
	Relevancy    = "relevancy"
)

// Judge has questions answered from passages found elsewhere, and each answer judged as in
// chunk-size. If several settings found the same passages, the model is asked once. Answers
// to unanswerable questions are not judged. A refusal of any other question scores 0
// without a judge. The runs are in the order of found, Repeat runs each.
func Judge(ctx context.Context, found []Found, o Options, h Host) (*Report, error) {
	o.Repeat = max(1, o.Repeat)
	o.Deviations = []string{citedPrompt.Name, "scoring", apart.Name}
	l := &lab{ctx: ctx, host: h, o: o, refusedIsNothing: true}
	l.report = Report{Deviations: o.Deviations, Figures: []Figure{}, Runs: []Run{}, Warnings: []string{}}
	first, of := distinct(found)
	runs := make([]Run, len(first)*o.Repeat)
	judges := l.sizeJudges()
	err := l.each(StageQuestions, len(runs), func(i int, warn func(string, ...any)) error {
		f := found[first[i/o.Repeat]]
		runs[i] = Run{Passages: f.Passages, Scores: map[string]float64{}}
		return l.answer(f.Question, &runs[i], o.First+i%o.Repeat, warn, judges)
	})
	if err != nil {
		return nil, err
	}
	for i, f := range found {
		for n := range o.Repeat {
			r := runs[of[i]*o.Repeat+n]
			r.Setting, r.Chunks, r.Question, r.Answerable, r.Passages, r.SubQuestions = f.Setting, f.Chunks, f.Question.Text, f.Question.Answerable, f.Passages, []string{}
			if o.Repeat > 1 {
				r.Repeat = n + 1
			}
			l.report.Runs = append(l.report.Runs, r)
		}
	}
	return &l.report, nil
}

// EstimateJudge returns the approximate demand of Judge, if nothing is stored.
func EstimateJudge(found []Found, repeat int) (e Estimate) {
	first, _ := distinct(found)
	for _, i := range first {
		e.Answers++
		e.Tokens += promptTokens + token.Estimate.Count(found[i].Question.Text)
		for _, p := range found[i].Passages {
			e.Tokens += token.Estimate.Count(p.Text)
		}
		e.TokensOut += answerTokens
		if found[i].Question.Answerable {
			const judges = 2
			e.Answers += judges
			e.Judged, e.JudgedOut = e.Judged+judges*judgementTaken, e.JudgedOut+judges
		}
	}
	for _, n := range []*int{&e.Answers, &e.Tokens, &e.TokensOut, &e.Judged, &e.JudgedOut} {
		*n *= max(1, repeat)
	}
	e.Tokens, e.TokensOut = e.Tokens+e.Judged, e.TokensOut+e.JudgedOut
	return e
}

// distinct returns the indexes of entries that differ in more than their setting, and for
// each entry of found its place among these.
func distinct(found []Found) (first, of []int) {
	seen := map[string]int{}
	for i, f := range found {
		texts := make([]string, len(f.Passages))
		for n, p := range f.Passages {
			texts[n] = p.Text
		}
		key, err := json.Marshal([]any{f.Question, texts})
		if err != nil {
			panic(err) // strings cannot fail
		}
		at, ok := seen[string(key)]
		if !ok {
			at = len(first)
			seen[string(key)], first = at, append(first, i)
		}
		of = append(of, at)
	}
	return first, of
}

// Judged sums up the runs of one setting, with times consecutive runs per question.
// Questions that the text answers come first, the others last. in and out are the prices in
// dollars per million input and output tokens, or nil if unknown.
func Judged(runs []Run, times int, in, out *float64) eval.Judged {
	n := 0
	for _, r := range runs {
		if r.Answerable {
			n++
		}
	}
	n /= times
	j := eval.Judged{Faithful: make([]float64, n), Relevant: make([]float64, n), Repeats: make([]float64, times)}
	for i, r := range runs {
		j.Read += float64(r.Tokens) / float64(len(runs))
		j.Written += float64(r.TokensOut) / float64(len(runs))
		if !r.Answerable {
			j.Unanswerable++
			if r.Refused {
				j.Rightly++
			}
			continue
		}
		if r.Refused {
			j.Refused++
		}
		q, faithful, relevant := i/times, r.Scores[Faithfulness], r.Scores[Relevancy]
		j.Faithful[q] += faithful / float64(times)
		j.Relevant[q] += relevant / float64(times)
		j.Repeats[i%times] += (faithful + relevant) / 2 / float64(n)
	}
	if in != nil && out != nil {
		dollars := eval.Round((j.Read**in+j.Written**out)/1e6, 9)
		j.Dollars = &dollars
	}
	return j
}
