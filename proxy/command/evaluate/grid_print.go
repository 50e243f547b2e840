package evaluate

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"strconv"

	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/experiment"
)

// gridReport is the result of a grid, with the documents it is about.
type gridReport struct {
	eval.GridReport
	Documents []gridDocument `json:"documents"`
	Made      int            `json:"made,omitempty"` // number of questions made by a model
	Seam      string         `json:"seam"`           // the version
	// Runs holds a model's answers for all settings. It is empty if no model answered.
	Runs     []experiment.Run `json:"runs,omitempty"`
	Warnings []string         `json:"warnings,omitempty"`
}

func (g *grid) print(r gridReport) error {
	out := bufio.NewWriter(g.std.Out)
	var err error
	switch c := g.command; {
	case c.JSON:
		err = terminal.WriteJSON(out, r)
	case c.CSV:
		err = printGridCSV(out, r)
	default:
		printGrid(out, r)
	}
	if g.command.Report != "" {
		err = errors.Join(err, terminal.WriteOut(g.command.Report, g.html(r)))
	}
	return errors.Join(err, out.Flush())
}

// span formats a mean and its interval in per cent: "71.2 [66.0, 76.1]".
func span(i eval.Interval) string {
	s := fixed(100*i.Mean, 1)
	if math.IsNaN(i.Low) {
		return s
	}
	return fmt.Sprintf("%s [%s, %s]", s, fixed(100*i.Low, 1), fixed(100*i.High, 1))
}

// verdict compares row i with the first one: "tie" or the difference. For the first row it
// returns "best" if it is the winner.
func (r gridReport) verdict(i int) string {
	row := r.Rows[i]
	switch {
	case i == 0 && r.Winner != "":
		return "best"
	case i == 0:
		return "–"
	case row.Tie:
		return "tie"
	}
	return span(row.Against)
}

// heads returns the column names of the table printed for people.
func (r gridReport) heads() []string {
	heads := []string{"", "setting", "to the first", "chunks", "tokens"}
	for _, b := range r.Rows[0].Budgets {
		heads = append(heads, fmt.Sprintf("in %d tokens", b.Tokens))
	}
	if r.Rows[0].Answers != nil {
		heads = append(heads, answerHeads(r)...)
	}
	for _, d := range r.Rows[0].Depths {
		heads = append(heads, fmt.Sprintf("recall@%d", d.K), fmt.Sprintf("success@%d", d.K))
	}
	return append(heads, "MRR", "ms")
}

func (r gridReport) cells(i int) []string {
	row := r.Rows[i]
	cells := []string{"", row.Name(), r.verdict(i), strconv.Itoa(row.Chunks), fixed(row.Tokens, 0)}
	for _, b := range row.Budgets {
		cells = append(cells, span(b.Recall))
	}
	if row.Answers != nil {
		cells = append(cells, answerCells(r, i)...)
	}
	for _, d := range row.Depths {
		cells = append(cells, span(d.Recall), fixed(100*d.Success.Mean, 1))
	}
	return append(cells, fixed(row.Reciprocal.Mean, 3), fixed(row.Millis, 1))
}

// summary returns a line about the documents and questions.
func (r gridReport) summary() string {
	names := terminal.Count(len(r.Documents), "document")
	if len(r.Documents) == 1 {
		names = r.Documents[0].Name
	}
	return fmt.Sprintf("%s about %s; per cent, with 95 %% intervals; ordered by %s", terminal.Count(r.Questions, "question"), names, r.Goal)
}

// advice explains how far a choice by these figures can be trusted.
func (r gridReport) advice() (lines []string) {
	if len(r.Rows) > 1 {
		if r.Winner != "" {
			lines = append(lines, fmt.Sprintf("The best setting is %s: it is ahead of all others in at least 9 of 10 samples of the questions.", r.Winner))
		} else {
			lines = append(lines, "No best setting: "+undecided(r.Questions, r.Needed))
		}
	}
	ties := 0
	for _, row := range r.Rows[1:] {
		if row.Tie {
			ties++
		}
	}
	if ties > 0 {
		lines = append(lines, fmt.Sprintf("%s tied with the first on these questions: choose the one with fewer or shorter chunks, or ask more questions.", terminal.Count(ties, "setting")))
	}
	if h := r.Halves; h != nil {
		chosen := h.Odd + " and " + h.Even
		if h.Odd == h.Even {
			chosen = h.Odd + " by both halves"
		}
		lines = append(lines, fmt.Sprintf("Chosen on one half of the questions and scored on the other (%s): %s; the first, scored on the questions that chose it: %s.", chosen, span(h.Unseen), span(h.Seen)))
	}
	return append(lines, r.answerAdvice()...)
}

// undecided returns the sentence for questions that single out no setting. needed is about
// how many would, or 0 if that is unknown.
func undecided(questions, needed int) string {
	line := fmt.Sprintf("no difference can be told with %s", terminal.Count(questions, "question"))
	if needed > 0 {
		line += fmt.Sprintf("; about %d would tell it", needed)
	}
	return line + "."
}

func printGrid(out *bufio.Writer, r gridReport) {
	fmt.Fprintln(out, r.summary())
	t := terminal.Table{r.heads()}
	for i := range r.Rows {
		t = append(t, r.cells(i))
	}
	t.Print(out)
	for _, line := range r.advice() {
		fmt.Fprintln(out, line)
	}
}

func printGridCSV(out *bufio.Writer, r gridReport) error {
	head := "method,size,embedder,ranker,chunks,tokens"
	figure := func(name string) { head += "," + name + "," + name + "_low," + name + "_high" }
	for _, b := range r.Rows[0].Budgets {
		figure(fmt.Sprintf("recall_in_%d", b.Tokens))
	}
	for _, d := range r.Rows[0].Depths {
		for _, name := range []string{"recall", "precision", "iou", "success"} {
			figure(fmt.Sprintf("%s_at_%d", name, d.K))
		}
		head += fmt.Sprintf(",read_at_%d", d.K)
	}
	figure("mrr")
	figure("against_best")
	head += ",tie,millis"
	if r.Rows[0].Answers != nil {
		for _, name := range []string{"faithfulness", "relevancy", "quality", "quality_against_best"} {
			figure(name)
		}
		head += ",quality_tie,refused,unanswerable,refused_rightly,answer_read,answer_written,answer_dollars,quality_spread,made"
	}
	var rows [][]string
	for _, row := range r.Rows {
		line := []string{row.Method, strconv.Itoa(row.Size), row.Embedder, row.Ranker, strconv.Itoa(row.Chunks), exact(row.Tokens)}
		add := func(i eval.Interval) {
			line = append(line, exact(eval.Round(i.Mean, 5)))
			for _, x := range []float64{i.Low, i.High} {
				if math.IsNaN(x) {
					line = append(line, "")
				} else {
					line = append(line, exact(eval.Round(x, 5)))
				}
			}
		}
		for _, b := range row.Budgets {
			add(b.Recall)
		}
		for _, d := range row.Depths {
			for _, i := range []eval.Interval{d.Recall, d.Precision, d.IoU, d.Success} {
				add(i)
			}
			line = append(line, exact(eval.Round(d.Read, 2)))
		}
		add(row.Reciprocal)
		add(row.Against)
		line = append(line, strconv.FormatBool(row.Tie), exact(row.Millis))
		if a := row.Answers; a != nil {
			for _, i := range []eval.Interval{a.Faithful, a.Relevant, a.Quality, a.Against} {
				add(i)
			}
			line = append(line, strconv.FormatBool(a.Tie), strconv.Itoa(a.Refused), strconv.Itoa(a.Unanswerable), strconv.Itoa(a.Rightly), exact(a.Read), exact(a.Written), exactly(a.Dollars), exactly(a.Spread), strconv.Itoa(r.Made))
		}
		rows = append(rows, line)
	}
	return printCSV(out, head, rows)
}
