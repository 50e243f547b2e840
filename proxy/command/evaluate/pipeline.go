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
	Pipeline string `arg:"" optional:"" help:"${pipelines}."`
	File     string `arg:"" optional:"" help:"Document: a file (${formats}) or a bundle."`

	Questions string   `placeholder:"FILE" help:"Question set: {\"question\",\"ideal_answer\",\"has_answer\"} as a JSON array or one per line, a .csv with these columns, or a set for seam eval grid."`
	Only      []int    `placeholder:"N" help:"Only these questions of the set, counted from 1 (default: all; with --faithful, the question that the source asks)."`
	Question  []string `placeholder:"TEXT" sep:"none" help:"Question to ask in addition to a set, or instead of one."`

	Model      string    `placeholder:"M" help:"Model that answers (default: the source's)."`
	Embedding  string    `name:"embedding-model" placeholder:"M" help:"Model of the vectors (default: the source's), or builtin, which sends nothing."`
	JudgeModel string    `placeholder:"M" help:"Model that judges (default: the one that answers)."`
	JudgePrice []float64 `placeholder:"IN,OUT" help:"Price of --judge-model at --base-url, in the form of --chat-price, if it is not the model of --model."`
	Faithful   bool      `help:"Follow the source in everything except the wording of the prompts."`
	Deviations string    `placeholder:"D,D" help:"Deviate from the source only in these, instead of in all that --list shows."`
	List       bool      `help:"List the deviations from the source, of all pipelines or of one, and exit."`
	K          int       `short:"k" placeholder:"K" help:"Passages per question (default: as in the source)."`
	Sizes      []int     `placeholder:"N" help:"For chunk-size: sizes in characters (default: 128,256,512)."`
	Header     float64   `name:"header-weight" default:"0.5" help:"For contextual-headers: weight of the header's similarity, 0 to 1."`
	Repeat     int       `default:"1" help:"Runs per question, to see the spread of answers."`
	Prompts    string    `placeholder:"FOLDER" help:"Folder of your own prompts, to use instead of Seam's; any of answer.txt, cited.txt, correct.txt, faithful.txt, relevant.txt, title.txt, knowledge.txt, subquestions.txt."`

	RunFile string `name:"run" placeholder:"FILE" help:"File for the models' answers, so that the same command can resume (default: a file in the cache folder; --cache off stores nothing)."`
	Replay  bool   `help:"Print the report again from --run FILE; nothing is sent."`
	JSON    string `name:"json" placeholder:"FILE" help:"Also write the report as JSON to this file; - prints only the JSON to stdout."`
	hosted.ChatOptions

	Password string `help:"Password of encrypted PDFs."`
	DryRun   bool   `help:"Print the size and cost of the requests; send nothing."`
	hosted.ProxyOptions
	files.CacheOptions
}

func (evalPipelineCommand) Help() string {
	return `Runs a published pipeline on a document, from chunks, vectors and passages to answers and judgements, and prints the source's
published figures next to the new ones. --faithful follows the source; otherwise seam deviates where it knows a better way.
--list shows these deviations, and --deviations chooses among them.

An unusable answer causes a warning and never ends the run. A stopped run can be resumed, without paying again for stored
answers.

The report is {"pipeline","deviations":[],"figures":[{"what","published","got"}],"runs":[{"setting","chunks","question","answerable",
"repeat","subQuestions":[],"passages":[{"text","header","score","statement":{"subject","description","grounded"},"start","end","page","label"}],
"answer","refused","scores":{},"judged":{},"tokens","tokensOut"}],"requests","tokens","tokensOut","warnings":[]}. start and end are
byte offsets in the output of seam text --document. "statement" is set if it led to the passage; the model that answers gets
only the text.

Examples:
  OPENAI_API_KEY=… seam eval pipeline semantic-chunking AI_Information.pdf --questions val.json --faithful --base-url https://api.example.org/v1
  seam eval pipeline chunk-size manual.pdf --question "What voids the warranty?" --sizes 200,400 --embedding-model builtin --model gpt-4o-mini
  seam eval pipeline knowledge-chunks notes.txt --question "Who built it, and when?" --run knowledge.jsonl --json report.json`
}

func (c evalPipelineCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	p, known := experiment.Find(c.Pipeline)
	switch {
	case c.List && known:
		return listDeviations(std, p)
	case c.List:
		return listDeviations(std, experiment.Pipelines()...)
	case !known || c.File == "":
		return terminal.Usagef("give a pipeline, one of %s, and a document", strings.ReplaceAll(PipelineNames(), ",", ", "))
	}
	o, err := c.options(p)
	if err != nil {
		return err
	}
	questions, err := c.questions(std, p)
	if err != nil {
		return err
	}
	switch {
	case c.Replay && c.RunFile == "":
		return terminal.Usagef("--replay needs the file of a run: set it with --run FILE")
	case !c.Replay && !c.Hosted():
		return terminal.Usagef("--model needs " + hosted.HowHosted)
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
		return o, terminal.Usagef("--faithful and --deviations exclude each other")
	case c.Deviations != "":
		o.Deviations = strings.Split(c.Deviations, ",")
	case !c.Faithful:
		o.Deviations = p.All()
	}
	switch {
	case c.K < 0:
		return o, terminal.Usagef("-k %d: use 1 or more", c.K)
	case c.Repeat < 1:
		return o, terminal.Usagef("--repeat %d: use 1 or more", c.Repeat)
	case !(c.Header >= 0 && c.Header <= 1):
		return o, terminal.Usagef("--header-weight %v: use 0 to 1", c.Header)
	case slices.ContainsFunc(c.Sizes, func(n int) bool { return n < 2 }):
		return o, terminal.Usagef("--sizes: use 2 characters or more")
	}
	if err := cmp.Or(c.ChatOptions.Check(), hosted.CheckPrices("--judge-price", c.JudgePrice)); err != nil {
		return o, err
	}
	for _, name := range o.Deviations {
		if !slices.Contains(p.All(), name) {
			return o, terminal.Usagef("--deviations: %s has no %q; choose from %s", p.Name, name, strings.Join(p.All(), ", "))
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

func listDeviations(std terminal.IO, all ...experiment.Pipeline) error {
	out := bufio.NewWriter(std.Out)
	for _, p := range all {
		fmt.Fprintf(out, "%s (%s), deviations:\n", p.Name, p.Source)
		for _, d := range p.Deviations {
			fmt.Fprintf(out, "  %-11s %s; in the source: %s\n", d.Name, d.Here, d.Source)
		}
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
				return nil, terminal.Usagef("--only %d: %s has questions 1 to %d", n, terminal.Shown(c.Questions), len(all))
			}
			out = append(out, asked(all[n-1]))
		}
		if len(only) == 0 {
			if out, err = c.about(std, all); err != nil {
				return nil, err
			}
		}
	} else if len(c.Only) > 0 {
		return nil, terminal.Usagef("--only needs a question set: set --questions FILE")
	}
	for _, q := range c.Question {
		if strings.TrimSpace(q) == "" {
			return nil, terminal.Usagef("--question is empty")
		}
		out = append(out, experiment.Question{Text: strings.TrimSpace(q), Answerable: true})
	}
	if len(out) == 0 {
		return nil, terminal.Usagef("set --questions FILE or --question TEXT")
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
		return nil, fmt.Errorf("%s: no question is about %s; they are about other documents, such as %s; use --only N to ask one anyway", terminal.Shown(c.Questions), terminal.Shown(filepath.Base(c.File)), terminal.Shown(all[0].Text))
	case n > 0:
		fmt.Fprintf(std.Err, "seam: of %s, skipped: %d about other documents\n", terminal.Count(len(all), "question"), n)
	}
	return out, nil
}

// asked converts a question for a pipeline.
func asked(q eval.Question) experiment.Question {
	return experiment.Question{Text: strings.TrimSpace(q.Question), Ideal: strings.TrimSpace(q.Ideal), Answerable: !q.Unanswerable}
}
