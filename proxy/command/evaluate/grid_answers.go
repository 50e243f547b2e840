package evaluate

import (
	"fmt"

	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/experiment"
)

// exactly formats a number, or returns "" if it is unknown.
func exactly(x *float64) string {
	if x == nil {
		return ""
	}
	return exact(*x)
}

// answerHeads returns the names of the columns about answers.
func answerHeads(r gridReport) []string {
	heads := []string{"faithful", "relevant", "quality", "to the highest quality", "refused", "rightly refused"}
	if r.Rows[0].Answers.Spread != nil {
		heads = append(heads, "±")
	}
	return append(heads, r.costName())
}

// costName returns the unit in which the cost of an answer is printed.
func (r gridReport) costName() string {
	if r.Rows[0].Answers.Dollars != nil {
		return "$ for 1000 answers"
	}
	return "tokens read"
}

// cost returns the price of 1000 answers in dollars, or the number of tokens read for an
// answer if no price is known.
func cost(row eval.GridRow) float64 {
	if row.Answers.Dollars != nil {
		return 1000 * *row.Answers.Dollars
	}
	return row.Answers.Read
}

func answerCells(r gridReport, i int) []string {
	row := r.Rows[i]
	a := row.Answers
	verdict := span(a.Against)
	switch {
	case row.Name() == r.BestAnswers && r.AnswersWin:
		verdict = "best"
	case row.Name() == r.BestAnswers:
		verdict = "–"
	case a.Tie:
		verdict = "tie"
	}
	cells := []string{span(a.Faithful), span(a.Relevant), span(a.Quality), verdict, fmt.Sprint(a.Refused), fmt.Sprintf("%d of %d", a.Rightly, a.Unanswerable)}
	if a.Spread != nil {
		cells = append(cells, fixed(100**a.Spread, 1))
	}
	if a.Dollars != nil {
		return append(cells, fixed(cost(row), 4))
	}
	return append(cells, fixed(cost(row), 0))
}

// answerAdvice explains how far a choice by the answers can be trusted, and which model
// made the questions.
func (r gridReport) answerAdvice() (lines []string) {
	if r.BestAnswers != "" {
		ties := 0
		for _, row := range r.Rows {
			if row.Name() != r.BestAnswers && row.Answers.Tie {
				ties++
			}
		}
		switch {
		case r.AnswersWin:
			lines = append(lines, "The best answers are from "+r.BestAnswers+".")
		case len(r.Rows) > 1:
			lines = append(lines, "Answers: "+undecided(r.Questions, r.AnswersNeeded))
		}
		if ties > 0 {
			lines = append(lines, fmt.Sprintf("These answers show no difference between %s and %s.", r.BestAnswers, terminal.Count(ties, "other setting")))
		}
	}
	if h := r.AnswerHalves; h != nil {
		lines = append(lines, fmt.Sprintf("Answers, chosen on one half of the questions and scored on the other (%s and %s): quality %s; the highest quality, scored on the questions that chose it: %s.", h.Odd, h.Even, span(h.Unseen), span(h.Seen)))
	}
	if r.Made > 0 {
		verb := "were"
		if r.Made == 1 {
			verb = "was"
		}
		lines = append(lines, fmt.Sprintf("%s %s written by a model; such questions are usually easier than people's.", terminal.Count(r.Made, "question"), verb))
	}
	return lines
}

// judgedQuestion is a question with the answers of all settings, for the HTML page.
type judgedQuestion struct {
	Question, Made string
	Answerable     bool
	Answers        []judgedAnswer
}

type judgedAnswer struct {
	experiment.Run
	Number     int // of the row
	Judgements []judgement
}

type judgement struct {
	Name, Score, Said string
}

// judgedQuestions returns the questions in order, each with the answers in the order of the
// rows.
func (g *grid) judgedQuestions(r gridReport) (out []judgedQuestion) {
	if len(r.Runs) == 0 {
		return nil
	}
	numbers := map[string]int{}
	for i, row := range r.Rows {
		numbers[row.Name()] = i + 1
	}
	bySetting := make([][]experiment.Run, len(r.Rows))
	for _, run := range r.Runs {
		i := numbers[run.Setting] - 1
		bySetting[i] = append(bySetting[i], run)
	}
	times := g.command.Repeat
	for k, q := range g.exam.asked() {
		one := judgedQuestion{Question: q.Question, Made: q.Made, Answerable: !q.Unanswerable}
		for i, runs := range bySetting {
			for _, run := range runs[k*times : (k+1)*times] {
				a := judgedAnswer{Run: run, Number: i + 1}
				for _, name := range []string{experiment.Faithfulness, experiment.Relevancy} {
					if score, ok := run.Scores[name]; ok {
						a.Judgements = append(a.Judgements, judgement{name, exact(score), run.Judged[name]})
					}
				}
				one.Answers = append(one.Answers, a)
			}
		}
		out = append(out, one)
	}
	return out
}
