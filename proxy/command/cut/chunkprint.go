package cut

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/export"
	"seam/shared/pipeline"
	"seam/shared/token"
)

// FormatText is the format for reading.
const FormatText = "text"

// Printer writes chunks in a format, one by one.
type Printer struct {
	Format  string      // text, a format of package export, or a format for which Exports returns true
	Offsets export.Unit // the unit of start and end
	Headed  bool        // chunks have headers
	Several bool        // the chunks of several files are in one list
}

// list is the output of the chunks. Its head is written before the first chunk.
type list struct {
	w     io.Writer
	head  []byte
	comma bool // each element starts with a comma, which is removed from the first one
	Begun bool
	table *table // for Parquet, whose rows are written as lines
}

func (l *list) Write(b []byte) (int, error) {
	n := len(b)
	if err := l.begin(); err != nil {
		return 0, err
	}
	if l.comma && n > 0 {
		l.comma, b = false, bytes.TrimPrefix(b, []byte(","))
	}
	if l.table != nil {
		return n, l.table.lines(b)
	}
	if _, err := l.w.Write(b); err != nil {
		return 0, err
	}
	return n, nil
}

func (l *list) begin() error {
	if l.Begun {
		return nil
	}
	l.Begun = true
	if l.table != nil {
		return l.table.begin(l.w)
	}
	_, err := l.w.Write(l.head)
	return err
}

// Begin starts the output.
func (p Printer) Begin(w io.Writer) *list {
	json := p.Format == string(export.JSON)
	l := &list{w: w, comma: json}
	switch {
	case p.Format == formatParquet:
		l.table = &table{}
	case p.Format == formatPgvector && p.Headed:
		l.head = []byte(pgvectorHead + ",header\n")
	case p.Format == formatPgvector:
		l.head = []byte(pgvectorHead + "\n")
	case p.Several || json:
		l.head = []byte(export.Beginning(export.Format(p.Format), p.Headed))
	}
	return l
}

// End writes everything that follows the chunks of all files. A file that was left out has
// no end.
func (p Printer) End(l *list, ends []*export.Head) error {
	if err := l.begin(); err != nil {
		return err
	}
	if l.table != nil {
		return l.table.end()
	}
	if p.Format != string(export.JSON) {
		return nil
	}
	heads := []export.Head{}
	for _, e := range ends {
		if e != nil {
			heads = append(heads, *e)
		}
	}
	out := Lines{W: l}
	if err := export.Ending(&out.Buffer, heads); err != nil {
		return err
	}
	return out.Flush()
}

// Lines buffers output and writes it only at the ends of lines. So no line is torn, however
// the work ends.
type Lines struct {
	bytes.Buffer
	W     io.Writer
	begun bool
}

// Whole marks the end of a line. The first line is written at once, later ones when the
// buffer is full.
func (l *Lines) Whole() error {
	if l.begun && l.Len() < terminal.FlushSize {
		return nil
	}
	l.begun = true
	return l.Flush()
}

// Flush writes the buffered lines.
func (l *Lines) Flush() error {
	_, err := l.W.Write(l.Bytes())
	l.Reset()
	return err
}

// Json adds v.
func (l *Lines) Json(v any) error { return export.Value(&l.Buffer, v) }

// DocPrinter writes the chunks of one document.
type DocPrinter struct {
	Printer
	Out    Lines
	Left   int            // chunks without a vector, which the format cannot hold
	writer *export.Writer // nil before the first chunk
	of     *export.Of
}

// begin prepares the printer for its document.
func (p *DocPrinter) begin(d Document) {
	if p.writer == nil {
		p.writer = &export.Writer{Buffer: &p.Out.Buffer, Format: export.Format(p.Format), Headed: p.Headed, Listed: p.Several || p.Format == string(export.JSON)}
		p.of = d.Of(d.Name, p.Offsets)
	}
}

// Chunk writes chunk i, which must be the next one. It writes nothing in two formats: text
// starts with the number of chunks, so End writes it, and chunks with vectors have to wait
// for the vectors.
func (p *DocPrinter) Chunk(d Document, i int) error {
	if p.Format == FormatText || Exports(p.Format) {
		return nil
	}
	p.begin(d)
	if err := p.writer.Chunk(p.of, i); err != nil {
		return err
	}
	return p.Out.Whole()
}

// End writes everything that follows a document's chunks. It returns the values that belong
// after the chunks of all documents.
func (p *DocPrinter) End(d Document) (*export.Head, error) {
	if p.Format == FormatText {
		if err := p.text(d); err != nil {
			return nil, err
		}
		return nil, p.Out.Flush()
	}
	p.begin(d)
	if err := p.writer.End(p.of); err != nil {
		return nil, err
	}
	if p.Format == string(export.JSON) {
		head := p.of.Head()
		return &head, p.Out.Flush()
	}
	return nil, p.Out.Flush()
}

// Stop closes the output in the right form when the work has ended early.
func (p *DocPrinter) Stop() error {
	if p.writer != nil {
		p.writer.Stop()
	}
	return p.Out.Flush()
}

// PageList returns the page numbers, separated by sep.
func PageList(pages []int, sep string) string {
	var s []string
	for _, p := range pages {
		s = append(s, strconv.Itoa(p))
	}
	return strings.Join(s, sep)
}

// unitOf returns the unit of lengths in words.
func unitOf(r *pipeline.Result) string {
	switch unit := r.Plan.Limits.Unit; unit {
	case token.Words.Name():
		return "words"
	case token.Characters.Name():
		return "characters"
	case token.CL100K, token.O200K:
		return "tokens of " + unit
	}
	if r.Estimated() {
		return "estimated tokens"
	}
	return "tokens"
}

// text adds the chunks in readable form: for each a line about it, then its text.
func (p *DocPrinter) text(d Document) error {
	fmt.Fprintf(&p.Out, "%s: %s, %s\n", terminal.Shown(d.Name), terminal.Count(len(d.Result.Sentences), "sentence"), terminal.Count(len(d.Result.Chunks), "chunk"))
	for i := range d.Result.Chunks {
		c := d.Chunk(i)
		fmt.Fprintf(&p.Out, "\n── %d%s · %d %s · %s\n", i+1, OnPages(d, c.Pages, c.Labels), c.Tokens, unitOf(d.Result), c.Reason)
		if h := d.Result.Header(i); h != "" {
			fmt.Fprintf(&p.Out, "[%s]\n", h)
		}
		p.Out.WriteString(c.Text)
		p.Out.WriteByte('\n')
		if err := p.Out.Whole(); err != nil {
			return err
		}
	}
	return nil
}
