package command

import (
	"context"
	"fmt"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/enrich"
	"seam/shared/export"
)

type enrichCommand struct {
	Knowledge enrichKnowledgeCommand `cmd:"" help:"Write statements for each section with a model."`
	Headers   enrichHeadersCommand   `cmd:"" help:"Add a header to each chunk: its sections, or a title from a model."`
}

type enrichKnowledgeCommand struct {
	Sections string `default:"auto" enum:"auto,lines,chunks" help:"Split the text by lines (text between blank lines) or by chunks; auto: chunks for documents with pages, otherwise lines."`
	cut.EnrichOptions
}

type enrichHeadersCommand struct {
	From string `default:"auto" enum:"auto,model" help:"auto: the document's title and sections, and a model's title for chunks without any; model: a model's title for all."`
	cut.EnrichOptions
}

func (enrichKnowledgeCommand) Help() string {
	return `A model writes self-contained statements about each section, which a search finds even where the text's own words differ.
Statements are checked: "grounded" is true if the section has most of the words and all numbers of the statement. After an
unusable answer seam asks once more; then the section gets no statements, and "warning" is the reason. A stopped run can
be resumed.

Prints one JSON object per section: {"id":"doc_0","start","end","page","text","statements":[{"id":"doc_0_0","subject",
"description","grounded"}],"warning"}. start and end are byte offsets in the output of seam text --document --view VIEW.

Example:
  OPENAI_API_KEY=… seam enrich knowledge --model gpt-4o-mini -o knowledge.jsonl manual.pdf`
}

func (enrichHeadersCommand) Help() string {
	return `Prints the chunks like seam chunk --format jsonl, with the header in its own field, so that offsets stay exact. Embed header
and text together or separately. Without a model, headers come from the document's titles and sections, and nothing is sent.

Example:
  seam enrich headers manual.pdf
  OPENAI_API_KEY=… seam enrich headers --model gpt-4o-mini --from model notes.txt`
}

// headedJSON is a chunk with its header.
type headedJSON struct {
	export.Chunk
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
	if ok, err := e.Quote(texts, 2, func(w enrich.Writer, i int) error { _, err := w.Knowledge(ctx, texts[i]); return err }); !ok {
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
		rows[i].Chunk = d.Chunk(i)
		if rows[i].Header = e.Result.Titles(i); c.From == "model" || rows[i].Section == "" {
			texts, without = append(texts, rows[i].Text), append(without, i)
		}
	}
	switch {
	case c.Model == "" && c.DryRun:
		fmt.Fprintln(std.Out, "nothing would be sent")
		return terminal.ErrDry
	case c.Model == "":
		without = nil
	default:
		if ok, err := e.Quote(texts, 0.05, func(w enrich.Writer, i int) error { _, err := w.Title(ctx, texts[i]); return err }); !ok {
			return err
		}
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
		fmt.Fprintf(e.Std.Err, "seam: %d without a usable answer from the model; see \"warning\" for the reason\n", e.Failed)
	}
	return cut.Write(e, rows)
}
