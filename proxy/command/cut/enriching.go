package cut

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/embed/remote"
	"seam/shared/enrich"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/token"
)

// EnrichOptions are the options of all commands in which a model writes about a document.
type EnrichOptions struct {
	File    string `arg:"" help:"Document: a file (${formats}) or a bundle."`
	Model   string `placeholder:"M" help:"Model that writes: one of the proxy's, or a name from the provider."`
	Prompts string `placeholder:"FOLDER" help:"Folder of your own prompts, to use instead of Seam's: title.txt, knowledge.txt, questions.txt."`
	RunFile string `name:"run" placeholder:"FILE" help:"File for the model's answers, so that the same command can resume (default: a file in the cache folder; --cache off stores nothing)."`
	Out     string `name:"output" short:"o" placeholder:"FILE" help:"Output file, written at the end (default: stdout)."`
	hosted.ChatOptions
	ChunkOptions
}

// Enriching is a run of a model over a document.
type Enriching struct {
	EnrichOptions
	ctx    context.Context
	Std    terminal.IO
	Result *pipeline.Result
	Proxy  *hosted.Proxy // nil if no model is asked
	Sent   hosted.Spent
	Run    *runfile.File
	Name   string // in the run's file
	Writer enrich.Writer
	models *Models
	Failed int // number of sections without a usable answer
}

// Begin reads the document, cuts it up and connects. The caller must close it.
func (o EnrichOptions) Begin(ctx context.Context, std terminal.IO, b terminal.Build, what, how string, needed bool) (*Enriching, error) {
	plan, err := o.Plan()
	switch {
	case err != nil:
		return nil, err
	case plan.Hosted():
		return nil, terminal.Usagef("--embedder must be a local one here: only --model is hosted")
	case needed && o.Model == "":
		return nil, terminal.Usagef("set the model that writes with --model")
	case o.Model != "" && !o.Hosted():
		return nil, terminal.Usagef("--model needs " + hosted.HowHosted)
	}
	if err := cmp.Or(o.ChatOptions.Check(), files.NotOver(o.Out, o.File)); err != nil {
		return nil, err
	}
	o.Model = strings.TrimPrefix(o.Model, remote.Prefix)
	e := &Enriching{EnrichOptions: o, ctx: ctx, Std: std}
	e.Writer = enrich.Writer{Model: o.Model, Retry: true}
	if o.Prompts != "" {
		if err := hosted.ReadPrompts(o.Prompts, map[string]*string{"title.txt": &e.Writer.Prompts.Title, "knowledge.txt": &e.Writer.Prompts.Knowledge, "questions.txt": &e.Writer.Prompts.Questions}); err != nil {
			return nil, err
		}
	}
	d, private, err := files.OpenPrivate(ctx, std, o.File, o.Password)
	if err != nil {
		return nil, err
	}
	e.models = o.EmbedderOptions.Models(std)
	if how == "lines" { // sections are found without cutting
		e.Result = &pipeline.Result{Plan: plan, Document: d, Text: plan.Text(d)}
	} else if e.Result, err = pipeline.NewSession(d).Run(ctx, plan, e.models.Hooks()); err != nil {
		return nil, err
	}
	run, name, err := hosted.OpenRun(o.Unless(private), o.RunFile, o.DryRun, o.DryRun, hosted.RunHead(b, what, o.File, d, []any{o.Model, e.Writer.Prompts, how, plan}))
	if err != nil {
		return nil, err
	}
	e.Run, e.Name = run, name
	if o.Model != "" {
		if e.Proxy, err = o.Connect(ctx, b); err != nil {
			e.Close()
			return nil, hosted.RetryHint(err)
		}
		e.Writer.LLM = hosted.Spared(&hosted.ChatModel{Proxy: e.Proxy, Sent: &e.Sent}, run, false)
	}
	return e, nil
}

// Close closes the run, the proxy and the models.
func (e *Enriching) Close() {
	e.Run.Close()
	e.Proxy.Close()
	e.models.Close()
}

// Sections returns the sections that the model works through.
func (e *Enriching) Sections(how string) (rows []knowledgeJSON) {
	r := e.Result
	add := func(start, end, page int) {
		rows = append(rows, knowledgeJSON{ID: fmt.Sprintf("doc_%d", len(rows)), Start: start, End: end, Page: page, Text: r.Text.Text[start:end], Statements: []StatementJSON{}})
	}
	if how == "chunks" || how == "auto" && len(r.Document.Pages) > 1 {
		d := Document{Document: r.Document, Result: r}
		for i := range r.Chunks {
			c := d.Chunk(i)
			add(c.Start, c.End, c.Page)
		}
		return rows
	}
	for _, s := range enrich.Sections(r.Text.Text) {
		page := 0
		if first, _, ok := r.Text.PageRange(s); ok {
			page = r.Document.Pages[first].Number
		}
		add(s.Start, s.End, page)
	}
	return rows
}

// Quote prints the requests that will be sent, one for each text whose answer is not stored,
// and reports whether to go on. With --dry-run it returns false. ask makes the request of text
// i; written is the expected number of output tokens for each input token.
func (e *Enriching) Quote(texts []string, written float64, ask func(w enrich.Writer, i int) error) (bool, error) {
	tokens, n := 0, 0
	known := e.Writer
	known.LLM = hosted.OnlyStored(e.Run)
	for i, t := range texts {
		if errors.Is(ask(known, i), hosted.ErrNotStored) {
			tokens += token.Estimate.Count(t) + token.Estimate.Count(enrich.Default.Knowledge)
			n++
		}
	}
	switch {
	case len(texts) == 0 && e.DryRun:
		_, err := fmt.Fprintln(e.Std.Out, "nothing would be sent: no part of the text needs the model")
		return false, err
	case len(texts) == 0:
		return true, hosted.AnnounceRequest(e.Std, false, fmt.Sprintf("nothing to %s: no part of the text needs the model", e.Model))
	case n == 0:
		if e.DryRun {
			fmt.Fprintf(e.Std.Out, "nothing would be sent: %s already stored\n", terminal.Count(len(texts), "answer"))
		}
		return !e.DryRun, nil
	}
	in, out, err := e.Prices(e.Model)
	if err != nil {
		return false, err
	}
	var b hosted.Bill
	b.Add(tokens, in)
	b.Add(int(written*float64(tokens)), out)
	say := fmt.Sprintf("%s (about %d tokens) to %s at %s", terminal.Count(n, "request"), tokens, e.Model, e.Proxy.Host)
	stored := ""
	if n < len(texts) {
		stored = fmt.Sprintf("; %s already stored", terminal.Count(len(texts)-n, "answer"))
	}
	return !e.DryRun, hosted.AnnouncePrice(e.Std, e.DryRun, say, b.Sum(), stored+"; an unusable answer is asked for once more")
}

// Prices returns the prices of a model in dollars per million tokens, nil if unknown.
func (e *Enriching) Prices(model string) (in, out *float64, err error) {
	return hosted.ChatPrices(e.Proxy, e.Chat, model)
}

// Each calls work for 0 to n-1, several at a time. work returns true for a failure that is
// reported without ending the run.
func (e *Enriching) Each(n int, work func(i int) (failed bool, err error)) error {
	meter := terminal.NewMeter(e.ctx, e.Std, e.File)
	defer meter.Clear()
	var failed atomic.Int64
	err := llm.Each(e.ctx, n, hosted.DirectCalls, func(i int) error {
		bad, err := work(i)
		if bad {
			failed.Add(1)
		}
		return err
	}, func(done int) error { return meter.Report("section", done, n) })
	e.Failed = int(failed.Load())
	return err
}

// Warning splits off the error of an unusable answer. Such an answer is a failure with a
// reason; any other error is returned unchanged.
func Warning(err error) (reason string, failed bool, other error) {
	if reason, failed = llm.Unusable(err); failed {
		return terminal.OneLine(reason), true, nil
	}
	return "", false, err
}

// Write writes the rows to the output that the options name.
func Write[T any](e *Enriching, rows []T) error {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	if e.Out == "" || e.Out == "-" {
		_, err := e.Std.Out.Write(b.Bytes())
		return err
	}
	return terminal.WriteOut(e.Out, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}
