package command

import (
	"context"
	"fmt"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
)

type enrichCommand struct {
	Knowledge enrichKnowledgeCommand `cmd:"" help:"Have a model take sections apart into statements, each tied to its place."`
	Headers   enrichHeadersCommand   `cmd:"" help:"Give each chunk a header: its sections, or a model's title."`
}

type enrichKnowledgeCommand struct {
	Sections string `default:"auto" enum:"auto,lines,chunks" help:"What is taken apart: lines (what stands between blank lines) or chunks; auto is chunks for documents with pages, else lines."`
	cut.EnrichOptions
}

type enrichHeadersCommand struct {
	From string `default:"auto" enum:"auto,model" help:"auto: the document's title and sections, and a model's title only for chunks that have none; model: for all."`
	cut.EnrichOptions
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

// headedJSON is a chunk with its header.
type headedJSON struct {
	cut.ChunkJSON
	Header  string `json:"header"`
	Written bool   `json:"written"` // whether a model wrote it
	Warning string `json:"warning,omitempty"`
}

func (c enrichKnowledgeCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	e, err := c.Begin(ctx, std, b, "enrich-knowledge", c.Sections, true)
	if err != nil {
		return err
	}
	defer e.Close()
	rows := e.Sections(c.Sections)
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.Text
	}
	if ok, err := e.Quote(texts, 2); !ok {
		return err
	}
	err = e.Each(len(rows), func(i int) (bool, error) {
		r := &rows[i]
		statements, err := e.Writer.Knowledge(ctx, r.Text)
		for n, s := range statements {
			r.Statements = append(r.Statements, cut.StatementJSON{ID: fmt.Sprintf("%s_%d", r.ID, n), Statement: s})
		}
		var failed bool
		r.Warning, failed, err = cut.Warning(err)
		return failed, err
	})
	return end(e, err, rows)
}

func (c enrichHeadersCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if c.From == "model" && c.Model == "" {
		return terminal.Usagef("--from model needs --model")
	}
	e, err := c.Begin(ctx, std, b, "enrich-headers", c.From, false)
	if err != nil {
		return err
	}
	defer e.Close()
	d := cut.Document{Document: e.Result.Document, Result: e.Result}
	rows := make([]headedJSON, len(e.Result.Chunks))
	var texts []string
	var without []int // chunks without a header from the document
	for i := range rows {
		rows[i].ChunkJSON = d.Chunk(i)
		if rows[i].Header = e.Result.Titles(i); c.From == "model" || rows[i].Section == "" {
			texts, without = append(texts, rows[i].Text), append(without, i)
		}
	}
	if c.Model == "" {
		without = nil
	} else if ok, err := e.Quote(texts, 0.05); !ok {
		return err
	}
	err = e.Each(len(without), func(i int) (failed bool, err error) {
		r := &rows[without[i]]
		title, err := e.Writer.Title(ctx, r.Text)
		if r.Warning, failed, err = cut.Warning(err); title != "" {
			r.Header, r.Written = title, true
		}
		return failed, err
	})
	return end(e, err, rows)
}

// end prints the rows, one per line, and a summary of the requests sent.
func end[T any](e *cut.Enriching, err error, rows []T) error {
	if e.Proxy != nil {
		e.Sent.Report(e.Std, e.Prices, nil, e.Run, e.Name)
	}
	if err != nil {
		return hosted.RetryHint(err)
	}
	if e.Failed > 0 {
		fmt.Fprintf(e.Std.Err, "seam: of %d the model's answer could not be used; \"warning\" says why\n", e.Failed)
	}
	return cut.Write(e, rows)
}
