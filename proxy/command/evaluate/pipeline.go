package evaluate

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/embed/remote"
	"seam/shared/eval"
	"seam/shared/experiment"
)

type evalPipelineCommand struct {
	Pipeline string `arg:"" enum:"${pipelines}" help:"${pipelines}."`
	File     string `arg:"" help:"The document: a file of ${formats}."`

	Questions string   `placeholder:"FILE" help:"A question set: {\"question\",\"ideal_answer\",\"has_answer\"} as a JSON array or one a line, or a .csv with such columns; what seam eval grid takes is one, too."`
	Only      []int    `placeholder:"N" help:"Only these questions of the set, counted from 1 (default: with --faithful the one that the source asks, else all)."`
	Question  []string `placeholder:"TEXT" sep:"none" help:"Ask this, too, or instead of a set."`

	Model      string    `placeholder:"M" help:"The model that answers (default: the source's)."`
	Embedding  string    `name:"embedding-model" placeholder:"M" help:"The model of the vectors (default: the source's), or builtin, which asks nobody."`
	JudgeModel string    `placeholder:"M" help:"The model that judges (default: the one that answers)."`
	JudgePrice []float64 `placeholder:"IN,OUT" help:"What the provider of --base-url takes for the model of --judge-model, where that is another one than --model, as --chat-price has it."`
	Faithful   bool      `help:"Do all as the source does; only the prompts are in our own words."`
	Deviations string    `placeholder:"D,D" help:"Do only these otherwise than the source, instead of all that --list names."`
	List       bool      `help:"List what is done otherwise than in the source, and end."`
	K          int       `short:"k" placeholder:"K" help:"Passages a question gets (default: as many as in the source)."`
	Sizes      []int     `placeholder:"N" help:"Of chunk-size: the sizes in characters (default: 128,256,512)."`
	Header     float64   `name:"header-weight" default:"0.5" help:"Of contextual-headers: what the header's similarity counts for, 0 to 1."`
	Repeat     int       `default:"1" help:"Ask every question so often, to see the spread."`
	Prompts    string    `placeholder:"FOLDER" help:"Prompts of one's own in the place of ours: answer.txt, cited.txt, correct.txt, faithful.txt, relevant.txt, title.txt, knowledge.txt, subquestions.txt, those that there are."`

	RunFile string `name:"run" placeholder:"FILE" help:"Keep what models give in this file: the same command goes on from it (default: a file in the cache folder; --cache off keeps nothing)."`
	Replay  bool   `help:"Make the report again from --run FILE alone; nobody is asked."`
	JSON    string `name:"json" placeholder:"FILE" help:"Write the report to this file, too; - is stdout, and nothing else goes there."`
	hosted.ChatOptions

	Password string `help:"Password of encrypted PDFs."`
	DryRun   bool   `help:"Say what would be sent, and what it would cost; send nothing."`
	hosted.ProxyOptions
	files.CacheOptions
}

func (evalPipelineCommand) Help() string {
	return `Runs a published pipeline from a document to its figures: chunks, vectors, passages, answers, judgements. What the source printed for
its own document stands beside what comes out here. With --faithful all is done as there; else better ways are taken, each of which
is named (--list) and can be taken alone (--deviations).

An answer that cannot be used is told as a warning and never ends the run. A run that was stopped goes on where it was: nothing that
was paid for is asked for again.

The report is {"pipeline","deviations":[],"figures":[{"what","published","got"}],"runs":[{"setting","chunks","question","answerable",
"repeat","subQuestions":[],"passages":[{"text","header","score","statement":{"subject","description","grounded"},"start","end","page"}],
"answer","refused","scores":{},"judged":{},"tokens","tokensOut"}],"requests","tokens","tokensOut","warnings":[]}; start and end are bytes of the text, which seam text
--document prints. A statement is there where a passage was found by one; the model that answers is given the text alone.

Examples:
  OPENAI_API_KEY=… seam eval pipeline semantic-chunking AI_Information.pdf --questions val.json --faithful --base-url https://api.example.org/v1
  seam eval pipeline chunk-size manual.pdf --question "What voids the warranty?" --sizes 200,400 --embedding-model builtin --model gpt-4o-mini
  seam eval pipeline knowledge-chunks notes.txt --question "Who built it, and when?" --run knowledge.jsonl --json report.json`
}

func (c evalPipelineCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	p, _ := experiment.Find(c.Pipeline)
	o, err := c.options(p)
	if err != nil {
		return err
	}
	if c.List {
		return listDeviations(std, p)
	}
	questions, err := c.questions(std, p)
	if err != nil {
		return err
	}
	switch {
	case c.Replay && c.RunFile == "":
		return terminal.Usagef("--replay makes a report again from a file: name it with --run FILE")
	case !c.Replay && !c.Hosted():
		return terminal.Usagef("a model that answers needs " + hosted.HowHosted)
	}
	d, private, err := files.OpenPrivate(ctx, std, c.File, c.Password)
	if err != nil {
		return err
	}
	l := &laboratory{command: c, std: std, p: p, o: o}
	if err := l.keepIn(b, d, private, questions); err != nil {
		return err
	}
	defer l.run.Close()
	if !c.Replay {
		if l.proxy, err = c.Connect(ctx, b); err != nil {
			return hosted.RetryHint(err)
		}
		defer l.proxy.Close()
		if err := l.quote(d, questions); err != nil || c.DryRun {
			return err
		}
	}
	report, err := l.report(ctx, d, questions)
	l.reportSent()
	if err != nil {
		return hosted.RetryHint(err)
	}
	return c.print(std, p, report)
}

// options returns the options for the pipeline.
func (c evalPipelineCommand) options(p experiment.Pipeline) (experiment.Options, error) {
	o := experiment.Options{Model: cmp.Or(c.Model, p.Model), Sizes: c.Sizes, K: c.K, Header: c.Header, Repeat: c.Repeat}
	o.Judge = cmp.Or(c.JudgeModel, o.Model)
	for _, m := range []*string{&o.Model, &o.Judge} {
		*m = strings.TrimPrefix(*m, remote.Prefix)
	}
	if o.Embedder = cmp.Or(c.Embedding, p.EmbeddingModel); o.Embedder != "builtin" && o.Embedder != "lexical" {
		o.Embedder = remote.Prefix + strings.TrimPrefix(o.Embedder, remote.Prefix)
	}
	switch {
	case c.Faithful && c.Deviations != "":
		return o, terminal.Usagef("--faithful takes no --deviations")
	case c.Deviations != "":
		o.Deviations = strings.Split(c.Deviations, ",")
	case !c.Faithful:
		o.Deviations = p.All()
	}
	switch {
	case c.K < 0:
		return o, terminal.Usagef("-k %d: at least one passage is needed", c.K)
	case c.Repeat < 1:
		return o, terminal.Usagef("--repeat %d: once at least", c.Repeat)
	case !(c.Header >= 0 && c.Header <= 1):
		return o, terminal.Usagef("--header-weight %v: it goes from 0 to 1", c.Header)
	case slices.ContainsFunc(c.Sizes, func(n int) bool { return n < 2 }):
		return o, terminal.Usagef("--sizes: a size is at least 2 characters")
	}
	if err := cmp.Or(c.ChatOptions.Check(), hosted.CheckPrices("--judge-price", c.JudgePrice)); err != nil {
		return o, err
	}
	for _, name := range o.Deviations {
		if !slices.Contains(p.All(), name) {
			return o, terminal.Usagef("--deviations: %s has no %q, but %s", p.Name, name, strings.Join(p.All(), ", "))
		}
	}
	return o, c.readPrompts(&o.Prompts)
}

// readPrompts reads the prompts that exist in the folder.
func (c evalPipelineCommand) readPrompts(p *experiment.Prompts) error {
	if c.Prompts == "" {
		return nil
	}
	return hosted.ReadPrompts(c.Prompts, map[string]*string{"answer.txt": &p.Answer, "cited.txt": &p.Cited, "correct.txt": &p.Correct, "faithful.txt": &p.Faithful, "relevant.txt": &p.Relevant,
		"title.txt": &p.Title, "knowledge.txt": &p.Knowledge, "subquestions.txt": &p.SubQuestions})
}

func listDeviations(std terminal.IO, p experiment.Pipeline) error {
	out := bufio.NewWriter(std.Out)
	fmt.Fprintf(out, "%s (%s), done otherwise here:\n", p.Name, p.Source)
	for _, d := range p.Deviations {
		fmt.Fprintf(out, "  %-11s %s; in the source: %s\n", d.Name, d.Here, d.Source)
	}
	return out.Flush()
}

// questions returns the questions to answer.
func (c evalPipelineCommand) questions(std terminal.IO, p experiment.Pipeline) (out []experiment.Question, err error) {
	if c.Questions != "" {
		all, err := readQuestions(std, c.Questions, c.File)
		if err != nil {
			return nil, err
		}
		only := c.Only
		if len(only) == 0 && c.Faithful && p.Question > 0 {
			only = []int{min(p.Question, len(all))}
		}
		for _, n := range only {
			if n < 1 || n > len(all) {
				return nil, terminal.Usagef("--only %d: %s has the questions 1 to %d", n, terminal.Shown(c.Questions), len(all))
			}
			out = append(out, asked(all[n-1]))
		}
		if len(only) == 0 {
			if out, err = c.about(std, all); err != nil {
				return nil, err
			}
		}
	} else if len(c.Only) > 0 {
		return nil, terminal.Usagef("--only chooses from a set: name it with --questions FILE")
	}
	for _, q := range c.Question {
		if strings.TrimSpace(q) == "" {
			return nil, terminal.Usagef("--question is empty")
		}
		out = append(out, experiment.Question{Text: strings.TrimSpace(q), Answerable: true})
	}
	if len(out) == 0 {
		return nil, terminal.Usagef("name what is asked: --questions FILE, or --question TEXT")
	}
	return out, nil
}

// about returns the questions that name this document or no document.
func (c evalPipelineCommand) about(std terminal.IO, all []eval.Question) (out []experiment.Question, err error) {
	for _, q := range all {
		if c.File == "-" || filepath.Base(q.File) == filepath.Base(c.File) {
			out = append(out, asked(q))
		}
	}
	switch n := len(all) - len(out); {
	case len(out) == 0:
		return nil, fmt.Errorf("%s: no question is about %s, but about other documents, such as %s; --only N asks one all the same", terminal.Shown(c.Questions), terminal.Shown(filepath.Base(c.File)), terminal.Shown(all[0].Text))
	case n > 0:
		fmt.Fprintf(std.Err, "seam: of %s these are left out: %d about other documents\n", terminal.Count(len(all), "question"), n)
	}
	return out, nil
}

// asked converts a question for a pipeline.
func asked(q eval.Question) experiment.Question {
	return experiment.Question{Text: strings.TrimSpace(q.Question), Ideal: strings.TrimSpace(q.Ideal), Answerable: !q.Unanswerable}
}
