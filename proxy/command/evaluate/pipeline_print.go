package evaluate

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/experiment"
	"seam/shared/text"
)

// PipelineNames lists the pipelines for the help.
func PipelineNames() string {
	var names []string
	for _, p := range experiment.Pipelines() {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

// print prints the report, and writes it to the file that the options name.
func (c evalPipelineCommand) print(std terminal.IO, p experiment.Pipeline, r *experiment.Report) error {
	for _, w := range r.Warnings {
		fmt.Fprintln(std.Err, "seam: "+terminal.OneLine(w))
	}
	if c.JSON == "-" {
		b, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			return err
		}
		_, err = std.Out.Write(append(b, '\n'))
		return err
	}
	out := bufio.NewWriter(std.Out)
	how := "as in its source"
	if len(r.Deviations) > 0 {
		how = "with deviations: " + strings.Join(r.Deviations, ", ")
	}
	fmt.Fprintf(out, "%s (%s), %s\n", p.Name, p.Source, how)
	printFigures(out, r.Figures)
	for _, run := range r.Runs {
		printRun(out, run)
	}
	printSummary(out, r.Runs)
	return errors.Join(out.Flush(), saveJSON(c.JSON, r))
}

func printFigures(out io.Writer, figures []experiment.Figure) {
	if len(figures) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tpublished\there\t")
	for _, f := range figures {
		fmt.Fprintf(w, "%s\t%d\t%d\t\n", f.What, f.Published, f.Got)
	}
	w.Flush()
}

// shownCharacters is the number of characters of a passage shown on its line.
const shownCharacters = 72

func printRun(out io.Writer, r experiment.Run) {
	fmt.Fprintf(out, "\n[%s] %s\n", r.Setting, r.Question)
	for _, sub := range r.SubQuestions {
		fmt.Fprintln(out, "  asks: "+terminal.OneLine(sub))
	}
	switch {
	case r.Refused:
		fmt.Fprintln(out, "  not in this document")
	case r.Answer == "":
		fmt.Fprintln(out, "  no answer")
	default:
		fmt.Fprintln(out, "  "+strings.ReplaceAll(r.Answer, "\n", "\n  "))
	}
	for i, p := range r.Passages {
		fmt.Fprintf(out, "  [%d]%s %.3f %s\n", i+1, page(p), p.Score, text.Beginning(terminal.OneLine(p.Text), shownCharacters))
	}
	for _, name := range scoreNames([]experiment.Run{r}) {
		fmt.Fprintf(out, "  %s %g\n", name, r.Scores[name])
	}
}

// page names the page of a passage, as hits do.
func page(p experiment.Passage) string {
	switch {
	case p.Page == 0:
		return ""
	case p.Label != "":
		return fmt.Sprintf(" p. %s (sheet %d)", terminal.Visible(p.Label), p.Page)
	}
	return fmt.Sprintf(" p. %d", p.Page)
}

func scoreNames(runs []experiment.Run) (names []string) {
	for _, r := range runs {
		for name := range r.Scores {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// printSummary prints one line per setting: the mean scores with their spread, and how many
// of the questions without an answer were refused.
func printSummary(out io.Writer, runs []experiment.Run) {
	names := scoreNames(runs)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nsetting\tchunks\tanswered\tunanswerable, refused\t%s\n", strings.Join(names, "\t"))
	var settings []string
	for _, r := range runs {
		if slices.Contains(settings, r.Setting) {
			continue
		}
		settings = append(settings, r.Setting)
		of := slices.DeleteFunc(slices.Clone(runs), func(o experiment.Run) bool { return o.Setting != r.Setting })
		answerable, answered, without, refused := 0, 0, 0, 0
		for _, o := range of {
			switch {
			case !o.Answerable:
				without++
				if o.Refused {
					refused++
				}
			default:
				answerable++
				if !o.Refused && o.Answer != "" {
					answered++
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d of %d\t%d of %d", r.Setting, r.Chunks, answered, answerable, refused, without)
		for _, name := range names {
			fmt.Fprintf(w, "\t%s", spread(of, name))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// spread formats the mean of a score over the runs. With several runs it adds their
// standard deviation (population, ddof 0).
func spread(runs []experiment.Run, name string) string {
	var all []float64
	for _, r := range runs {
		if score, ok := r.Scores[name]; ok {
			all = append(all, score)
		}
	}
	switch len(all) {
	case 0:
		return "–"
	case 1:
		return fmt.Sprintf("%.2f", all[0])
	}
	return fmt.Sprintf("%.2f ± %.2f", eval.Mean(all), eval.Deviation(all))
}
