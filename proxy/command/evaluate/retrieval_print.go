package evaluate

import (
	"bufio"
	"fmt"
	"strconv"

	"seam/proxy/command/terminal"
	"seam/shared/eval"
)

type questionScoreJSON struct {
	Method    string  `json:"method"`
	ID        string  `json:"id"`
	Corpus    string  `json:"corpus"`
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	IoU       float64 `json:"iou"`
	Omega     float64 `json:"precision_omega"`
	Made      string  `json:"made,omitempty"` // who made the question, if not a person
}

func perQuestion(all []answered, x *exam) []questionScoreJSON {
	var out []questionScoreJSON
	for _, a := range all {
		for i, s := range a.scores {
			out = append(out, questionScoreJSON{a.name, x.questions[i].ID, x.sources[x.of[i]].name, s.Recall, s.Precision, s.IoU, s.Omega, x.questions[i].Made})
		}
	}
	return out
}

// retrievalFigures are the figures by which methods are compared.
var retrievalFigures = [4]func(eval.Retrieval) float64{
	func(s eval.Retrieval) float64 { return s.Recall },
	func(s eval.Retrieval) float64 { return s.Precision },
	func(s eval.Retrieval) float64 { return s.IoU },
	func(s eval.Retrieval) float64 { return s.Omega },
}

func (c evalRetrievalCommand) print(out *bufio.Writer, all []answered, x *exam) error {
	names := make([]string, len(x.sources))
	for i, s := range x.sources {
		names[i] = s.name
	}
	tables := make([][]eval.RetrievalRow, len(all))
	for i, a := range all {
		tables[i] = eval.SummariseTexts(a.scores, x.of, names, a.chunks)
	}
	switch {
	case c.JSON:
		return c.printJSON(out, all, tables)
	case c.CSV:
		return printRetrievalCSV(out, all, tables)
	}
	fmt.Fprintf(out, "n=%d, ranker %s, per cent\n", c.N, c.Ranker)
	t := terminal.Table{{"corpus", "method", "questions", "chunks", "characters", "recall", "precision", "IoU", "omega"}}
	for corpus := range tables[0] {
		for i, a := range all {
			r := tables[i][corpus]
			t = append(t, []string{r.Corpus, a.name, strconv.Itoa(r.Questions), strconv.Itoa(r.Chunks), fixed(r.MeanChars, 1),
				fixed(100*r.Recall, 2), fixed(100*r.Precision, 2), fixed(100*r.IoU, 2), fixed(100*r.Omega, 2)})
		}
		if len(all) > 1 {
			t = append(t, nil)
		}
	}
	t.Print(out)
	if len(all) < 2 {
		return nil
	}
	fmt.Fprintf(out, "Differences from %s (questions: %d), ± standard error:\n", all[0].name, len(x.questions))
	d := terminal.Table{{"", "method", "recall", "precision", "IoU", "omega"}}
	for _, a := range all[1:] {
		row := []string{"", a.name}
		for _, y := range comparedBy(a.scores, all[0].scores, retrievalFigures) {
			row = append(row, printDifference(y, 100, 2))
		}
		d = append(d, row)
	}
	d.Print(out)
	return nil
}

func printRetrievalCSV(out *bufio.Writer, all []answered, tables [][]eval.RetrievalRow) error {
	var rows [][]string
	for i, a := range all {
		for _, r := range tables[i] {
			row := []string{a.name, r.Corpus, strconv.Itoa(r.Questions), strconv.Itoa(r.Chunks), exact(r.MeanChars)}
			for _, x := range []float64{r.Recall, r.RecallSD, r.Precision, r.PrecisionSD, r.IoU, r.IoUSD, r.Omega, r.OmegaSD} {
				row = append(row, exact(x))
			}
			rows = append(rows, row)
		}
	}
	return printCSV(out, "method,corpus,questions,chunks,mean_chars,recall,recall_sd,precision,precision_sd,iou,iou_sd,precision_omega,precision_omega_sd", rows)
}

type retrievalRowJSON struct {
	Method string `json:"method"`
	eval.RetrievalRow
}

type retrievalDifferenceJSON struct {
	Method    string         `json:"method"`
	Against   string         `json:"against"`
	Questions int            `json:"questions"`
	Recall    differenceJSON `json:"recall"`
	Precision differenceJSON `json:"precision"`
	IoU       differenceJSON `json:"iou"`
	Omega     differenceJSON `json:"precision_omega"`
}

func (c evalRetrievalCommand) printJSON(out *bufio.Writer, all []answered, tables [][]eval.RetrievalRow) error {
	rows, differences := []retrievalRowJSON{}, []retrievalDifferenceJSON{}
	for i, a := range all {
		for _, r := range tables[i] {
			rows = append(rows, retrievalRowJSON{a.name, r})
		}
		if i > 0 {
			d := comparedBy(a.scores, all[0].scores, retrievalFigures)
			differences = append(differences, retrievalDifferenceJSON{a.name, all[0].name, d[0].N, differenceOf(d[0]), differenceOf(d[1]), differenceOf(d[2]), differenceOf(d[3])})
		}
	}
	return terminal.WriteJSON(out, struct {
		N           int                       `json:"n"`
		Ranker      string                    `json:"ranker"`
		Rows        []retrievalRowJSON        `json:"rows"`
		Differences []retrievalDifferenceJSON `json:"differences"`
	}{c.N, c.Ranker, rows, differences})
}
