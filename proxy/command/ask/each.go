package ask

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/index"
	"seam/shared/pipeline"
)

// eachOptions are the options of seam ask --each.
type eachOptions struct {
	Each      bool   `help:"Ask each file by itself, and print a table: a row per file, a column per question."`
	Questions string `placeholder:"FILE" help:"File of questions, one per line, instead of the question; blank lines and lines that begin with # are ignored."`
	Format    string `default:"text" enum:"text,csv,json,jsonl" help:"Format of the table with --each: text, csv (for a spreadsheet, without formulas), json or jsonl."`
	Out       string `name:"output" short:"o" placeholder:"FILE" help:"Output file with --each (default: stdout)."`
	RunFile   string `name:"run" placeholder:"FILE" help:"File for the answers with --each, so that the same command can resume (default: a file in the cache folder; --cache off, --password and stdin store nothing)."`
	hosted.ChatOptions
}

// checkEach refuses options that do not work with --each.
func (c Command) checkEach() error {
	switch {
	case c.Questions == "" && strings.TrimSpace(c.Question) == "":
		return terminal.Usagef("the question is empty")
	case c.Questions == "" && len(c.Files) == 0:
		return terminal.Usagef("give a file or folder, after the question %q", c.Question)
	case c.K < 1:
		return terminal.Usagef("-k %d: use 1 or more", c.K)
	case c.Model == "" && !c.Local:
		return terminal.Usagef("--each needs --model or --local: a model answers")
	case !c.Hosted():
		return terminal.Usagef("--model needs " + hosted.HowHosted)
	case c.Parts:
		return terminal.Usagef("--each does not work with --parts: leave one out")
	case c.Reason:
		return terminal.Usagef("--each does not work with --reasoning: leave one out")
	}
	return c.ChatOptions.Check()
}

// questions returns the questions and the names of the files to ask.
func (c Command) questions(std terminal.IO) (questions, names []string, err error) {
	if c.Questions == "" {
		return []string{c.Question}, c.Files, nil
	}
	b, err := files.ReadText(std, c.Questions, "questions")
	if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			questions = append(questions, line)
		}
	}
	if len(questions) == 0 {
		return nil, nil, terminal.Usagef("--questions %s has no question: write one per line", terminal.Shown(c.Questions))
	}
	if c.Question == "" && len(c.Files) == 0 {
		return nil, nil, terminal.Usagef("give a file or folder")
	}
	return questions, append([]string{c.Question}, c.Files...), nil
}

// each asks each file by itself.
func (c Command) each(ctx context.Context, std terminal.IO, b terminal.Build, plan pipeline.Plan) error {
	questions, names, err := c.questions(std)
	if err != nil {
		return err
	}
	inputs, err := c.InputsOf(std, names)
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if err := files.NotOver(c.Out, in.Name); err != nil {
			return err
		}
	}
	m, model, err := c.asked(ctx, std, b, plan)
	if err != nil {
		return err
	}
	defer m.Close()
	t := &table{Command: c, ctx: ctx, std: std, models: m, questions: questions}
	t.asking = hosted.Asking{Proxy: m.Proxy, Model: model, Sent: &hosted.Spent{}}
	if t.asking.Run, t.name, err = t.open(b, names); err != nil {
		return err
	}
	defer t.asking.Run.Close()
	failed, err := t.read(plan, inputs)
	switch {
	case c.DryRun && errors.Is(err, terminal.ErrDry):
		_, bad := m.QuoteQueries(ctx, nil, plan, index.Mode(c.Mode), questions)
		return errors.Join(err, cmp.Or(hosted.RetryHint(bad), t.atMost(len(inputs))))
	case err != nil:
		return err
	}
	if c.DryRun {
		mode := m.ModeFor(ctx, t.documents(), index.Mode(c.Mode))
		if sent, err := m.QuoteQueries(ctx, t.documents(), plan, mode, questions); err != nil || len(sent) > 0 {
			return errors.Join(failed, cmp.Or(hosted.RetryHint(err), t.atMost(len(t.documents()))))
		}
	}
	if err := t.prepare(); err != nil {
		return err
	}
	if err := t.announce(); err != nil || c.DryRun {
		return errors.Join(failed, cmp.Or(err, terminal.ErrDry))
	}
	return t.run(failed)
}
