package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"seam/proxy/runfile"
	"seam/shared/embed/remote"
	"seam/shared/enrich"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/token"
)

type enrichCommand struct {
	Knowledge enrichKnowledgeCommand `cmd:"" help:"Have a model take sections apart into statements, each tied to its place."`
	Headers   enrichHeadersCommand   `cmd:"" help:"Give each chunk a header: its sections, or a model's title."`
}

// enrichOptions are those of all commands that have a model write about a document.
type enrichOptions struct {
	File    string `arg:"" help:"The document: a file of ${formats}."`
	Model   string `placeholder:"M" help:"The model that writes: one of the proxy's, or the provider's name of it."`
	Prompts string `placeholder:"FOLDER" help:"Prompts of one's own in the place of ours: title.txt, knowledge.txt, questions.txt."`
	RunFile string `name:"run" placeholder:"FILE" help:"Keep what the model gives in this file: the same command goes on from it (default: a file in the cache folder; --cache off keeps nothing)."`
	Out     string `name:"output" short:"o" placeholder:"FILE" help:"Write here instead of to stdout, when all is done."`
	chatOptions
	chunkOptions
}

type enrichKnowledgeCommand struct {
	Sections string `default:"auto" enum:"auto,lines,chunks" help:"What is taken apart: lines (what stands between blank lines) or chunks; auto is chunks for documents with pages, else lines."`
	enrichOptions
}

type enrichHeadersCommand struct {
	From string `default:"auto" enum:"auto,model" help:"auto: the document's title and sections, and a model's title only for chunks that have none; model: for all."`
	enrichOptions
}

func (enrichKnowledgeCommand) Help() string {
	return `A model writes statements that can be understood by themselves, which a search finds where the text's own words do not. What it
writes is checked: "grounded" says whether the section has most of its words and all of its numbers. An answer that cannot be used is
asked for once more; then the section stays without statements, and "warning" says why. A run that was stopped goes on where it was.

Prints one JSON object a section: {"id":"doc_0","start","end","page","text","statements":[{"id":"doc_0_0","subject","description",
"grounded"}],"warning"}; start and end are bytes of the text, which seam text --document --view VIEW prints.

Example:
  OPENAI_API_KEY=… seam enrich knowledge --model gpt-4o-mini -o knowledge.jsonl manual.pdf`
}

func (enrichHeadersCommand) Help() string {
	return `Prints the chunks as seam chunk --format jsonl, each with its header beside its text, so that offsets stay exact: embed both, together or
apart. Without a model only the document's own titles and sections are used, and nothing is sent.

Example:
  seam enrich headers manual.pdf
  OPENAI_API_KEY=… seam enrich headers --model gpt-4o-mini --from model notes.txt`
}

// knowledgeJSON is a section with what a model has made of it.
type knowledgeJSON struct {
	ID         string          `json:"id"`
	Start      int             `json:"start"`
	End        int             `json:"end"`
	Page       int             `json:"page"` // the first one, 0 where there is none
	Text       string          `json:"text"`
	Statements []statementJSON `json:"statements"`
	Warning    string          `json:"warning,omitempty"`
}

type statementJSON struct {
	ID string `json:"id"`
	enrich.Statement
}

// headedJSON is a chunk with its header.
type headedJSON struct {
	chunkJSON
	Header  string `json:"header"`
	Written bool   `json:"written"` // by a model
	Warning string `json:"warning,omitempty"`
}

func (c enrichKnowledgeCommand) Run(ctx context.Context, std IO, b build) error {
	e, err := c.begin(ctx, std, b, "enrich-knowledge", c.Sections, true)
	if err != nil {
		return err
	}
	defer e.close()
	rows := e.sections(c.Sections)
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.Text
	}
	if ok, err := e.quote(texts, 2); !ok {
		return err
	}
	err = e.each(len(rows), func(i int) (bool, error) {
		r := &rows[i]
		statements, err := e.writer.Knowledge(ctx, r.Text)
		for n, s := range statements {
			r.Statements = append(r.Statements, statementJSON{fmt.Sprintf("%s_%d", r.ID, n), s})
		}
		var failed bool
		r.Warning, failed, err = warning(err)
		return failed, err
	})
	return end(e, err, rows)
}

func (c enrichHeadersCommand) Run(ctx context.Context, std IO, b build) error {
	if c.From == "model" && c.Model == "" {
		return usagef("--from model needs --model")
	}
	e, err := c.begin(ctx, std, b, "enrich-headers", c.From, false)
	if err != nil {
		return err
	}
	defer e.close()
	d := document{Document: e.result.Document, result: e.result}
	rows := make([]headedJSON, len(e.result.Chunks))
	var texts []string
	var without []int // chunks that the document has no header for
	for i := range rows {
		rows[i].chunkJSON = d.chunk(i)
		if rows[i].Header = e.result.Titles(i); c.From == "model" || rows[i].Section == "" {
			texts, without = append(texts, rows[i].Text), append(without, i)
		}
	}
	if c.Model == "" {
		without = nil
	} else if ok, err := e.quote(texts, 0.05); !ok {
		return err
	}
	err = e.each(len(without), func(i int) (failed bool, err error) {
		r := &rows[without[i]]
		title, err := e.writer.Title(ctx, r.Text)
		if r.Warning, failed, err = warning(err); title != "" {
			r.Header, r.Written = title, true
		}
		return failed, err
	})
	return end(e, err, rows)
}

// enriching is a run of a model over a document.
type enriching struct {
	enrichOptions
	ctx    context.Context
	std    IO
	result *pipeline.Result
	proxy  *proxy // nil: no model is asked
	sent   spent
	run    *runfile.File
	name   string // of the run's file
	writer enrich.Writer
	models *models
	failed int // sections without what was wanted
}

// begin reads and cuts up the document, and connects. Close it in the end.
func (o enrichOptions) begin(ctx context.Context, std IO, b build, what, how string, needed bool) (*enriching, error) {
	plan, err := o.plan()
	switch {
	case err != nil:
		return nil, err
	case plan.Hosted():
		return nil, usagef("chunks are cut by an embedder of this machine here: the model alone is asked")
	case needed && o.Model == "":
		return nil, usagef("name the model that writes with --model")
	case o.Model != "" && !o.hosted():
		return nil, usagef("a model that writes needs " + howHosted)
	}
	if err := cmp.Or(o.chatOptions.check(), notOver(o.Out, o.File)); err != nil {
		return nil, err
	}
	o.Model = strings.TrimPrefix(o.Model, remote.Prefix)
	e := &enriching{enrichOptions: o, ctx: ctx, std: std}
	e.writer = enrich.Writer{Model: o.Model, Retry: true}
	if o.Prompts != "" {
		if err := readPrompts(o.Prompts, map[string]*string{"title.txt": &e.writer.Prompts.Title, "knowledge.txt": &e.writer.Prompts.Knowledge, "questions.txt": &e.writer.Prompts.Questions}); err != nil {
			return nil, err
		}
	}
	d, private, err := openPrivate(ctx, std, o.File, o.Password)
	if err != nil {
		return nil, err
	}
	e.models = o.embedderOptions.models(std)
	if how == "lines" { // which are found without cutting
		e.result = &pipeline.Result{Plan: plan, Document: d, Text: plan.Text(d)}
	} else if e.result, err = pipeline.NewSession(d).Run(ctx, plan, e.models.hooks()); err != nil {
		return nil, err
	}
	run, name, err := openRun(o.unless(private), o.RunFile, o.DryRun, o.DryRun, runHead(b, what, o.File, d, []any{o.Model, e.writer.Prompts, how, plan}))
	if err != nil {
		return nil, err
	}
	e.run, e.name = run, name
	if o.Model != "" {
		if e.proxy, err = o.connect(ctx, b); err != nil {
			e.close()
			return nil, retryHint(err)
		}
		e.writer.LLM = spared(&chatModel{e.proxy, &e.sent}, run, false)
	}
	return e, nil
}

func (e *enriching) close() {
	e.run.Close()
	e.proxy.close()
	e.models.close()
}

// sections are what is taken apart.
func (e *enriching) sections(how string) (rows []knowledgeJSON) {
	r := e.result
	add := func(start, end, page int) {
		rows = append(rows, knowledgeJSON{ID: fmt.Sprintf("doc_%d", len(rows)), Start: start, End: end, Page: page, Text: r.Text.Text[start:end], Statements: []statementJSON{}})
	}
	if how == "chunks" || how == "auto" && len(r.Document.Pages) > 1 {
		d := document{Document: r.Document, result: r}
		for i := range r.Chunks {
			c := d.chunk(i)
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

// quote tells what is about to be sent at most; false with --dry-run, which tells what would
// be. written is how many tokens come back for one that is read.
func (e *enriching) quote(texts []string, written float64) (bool, error) {
	if len(texts) == 0 {
		return !e.DryRun, tellSending(e.std, e.DryRun, fmt.Sprintf("nothing to %s: no part of the text needs it", e.Model))
	}
	tokens := 0
	for _, t := range texts {
		tokens += token.Estimate.Count(t) + token.Estimate.Count(enrich.Default.Knowledge)
	}
	in, out, err := e.prices(e.Model)
	if err != nil {
		return false, err
	}
	var b bill
	b.add(tokens, in)
	b.add(int(written*float64(tokens)), out)
	say := fmt.Sprintf("about %s of %d tokens to %s at %s", count(len(texts), "request"), tokens, e.Model, e.proxy.host)
	return !e.DryRun, tellOffer(e.std, e.DryRun, say, b.sum())
}

// prices are a model's, in dollars for a million tokens; nil: not known.
func (e *enriching) prices(model string) (in, out *float64, err error) {
	return chatPrices(e.proxy, e.Chat, model)
}

// each does work for n things, some at a time. work reports whether it has failed in a way
// that is only told.
func (e *enriching) each(n int, work func(i int) (failed bool, err error)) error {
	meter := newMeter(e.ctx, e.std, e.File)
	defer meter.clear()
	var failed atomic.Int64
	err := llm.Each(e.ctx, n, directCalls, func(i int) error {
		bad, err := work(i)
		if bad {
			failed.Add(1)
		}
		return err
	}, func(done int) error { return meter.report("section", done, n) })
	e.failed = int(failed.Load())
	return err
}

// warning takes an answer that cannot be used for what it is.
func warning(err error) (reason string, failed bool, other error) {
	if reason, failed = llm.Unusable(err); failed {
		return oneLine(reason), true, nil
	}
	return "", false, err
}

// end prints what was made, a line each, and tells what was sent.
func end[T any](e *enriching, err error, rows []T) error {
	if e.proxy != nil {
		e.sent.tell(e.std, e.prices, nil, e.run, e.name)
	}
	if err != nil {
		return retryHint(err)
	}
	if e.failed > 0 {
		fmt.Fprintf(e.std.Err, "seam: of %d the model's answer could not be used; \"warning\" says why\n", e.failed)
	}
	return write(e, rows)
}

// write writes what was made where it is wanted.
func write[T any](e *enriching, rows []T) error {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			return err
		}
	}
	if e.Out == "" || e.Out == "-" {
		_, err := e.std.Out.Write(b.Bytes())
		return err
	}
	return writeOut(e.Out, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}
