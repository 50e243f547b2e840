package cut

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/pipeline"
	"seam/shared/token"
)

// Printer writes chunks in a format, one by one.
type Printer struct {
	Format  string // text, json, jsonl, csv, or a format for which Exports returns true
	Headed  bool   // chunks have headers
	Several bool   // the chunks of several files are in one list
}

// list is the output of the chunks. Its head is written before the first chunk.
type list struct {
	w     io.Writer
	head  []byte
	comma bool // each element starts with a comma, which is removed from the first one
	Begun bool
}

func (l *list) Write(b []byte) (int, error) {
	n := len(b)
	if err := l.begin(); err != nil {
		return 0, err
	}
	if l.comma && n > 0 {
		l.comma, b = false, bytes.TrimPrefix(b, []byte(","))
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
	_, err := l.w.Write(l.head)
	return err
}

// Begin starts the output. CSV gets a row of column names, with one more column if chunks
// have headers.
func (p Printer) Begin(w io.Writer) *list {
	l := &list{w: w}
	switch {
	case p.Format == "csv":
		l.head = []byte("file,id,start,end,tokens,page,pages,section,reason,text")
		if p.Headed {
			l.head = append(l.head, ",header"...)
		}
		l.head = append(l.head, '\n')
	case p.Format == formatPgvector:
		l.head = []byte(pgvectorHead)
		if p.Headed {
			l.head = append(l.head, ",header"...)
		}
		l.head = append(l.head, '\n')
	case p.Format == "json" && p.Several:
		l.head, l.comma = []byte(`{"chunks":[`), true
	}
	return l
}

// FileCurve is the curve of one of several files.
type FileCurve struct {
	File  string     `json:"file"`
	Curve *curveJSON `json:"curve"`
}

// End writes everything that follows the chunks of all files. A file that was left out has
// no curve.
func (p Printer) End(l *list, curves []*FileCurve) error {
	if err := l.begin(); err != nil || p.Format != "json" || !p.Several {
		return err
	}
	there := []*FileCurve{}
	for _, c := range curves {
		if c != nil {
			there = append(there, c)
		}
	}
	out := Lines{W: l}
	out.WriteString("],\"curves\":")
	if err := out.Json(there); err != nil {
		return err
	}
	out.WriteString("}\n")
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

// Json adds v. It does not escape HTML characters, because the output goes to programs and
// not into a page.
func (l *Lines) Json(v any) error {
	enc := json.NewEncoder(&l.Buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l.Truncate(l.Len() - 1) // the line break after it
	return nil
}

// DocPrinter writes the chunks of one document.
type DocPrinter struct {
	Printer
	Out Lines
	n   int // chunks written so far
}

// Chunk writes chunk i, which must be the next one. It writes nothing in two formats: text
// starts with the number of chunks, so End writes it, and chunks with vectors have to wait
// for the vectors.
func (p *DocPrinter) Chunk(d Document, i int) error {
	if p.Format == "text" || Exports(p.Format) {
		return nil
	}
	if i == 0 {
		if err := p.open(d); err != nil {
			return err
		}
	}
	p.n++
	c := d.Chunk(i)
	if d.Result.Plan.Headers {
		h := d.Result.Header(i)
		c.Header = &h
	}
	if p.Format != "json" || p.Several {
		c.File = d.Name
	}
	switch p.Format {
	case "csv":
		if err := p.row(c); err != nil {
			return err
		}
		return p.Out.Whole()
	case "json":
		if p.Several || i > 0 {
			p.Out.WriteByte(',')
		}
		if err := p.Out.Json(c); err != nil {
			return err
		}
		return p.Out.Whole()
	}
	if err := p.Out.Json(c); err != nil {
		return err
	}
	p.Out.WriteByte('\n')
	return p.Out.Whole()
}

// open begins the JSON object of a single document.
func (p *DocPrinter) open(d Document) error {
	if p.Format != "json" || p.Several {
		return nil
	}
	head := Lines{}
	err := head.Json(struct {
		File   string `json:"file"`
		Method string `json:"method"`
		View   string `json:"view"`
	}{d.Name, d.Result.Method.Name, string(d.Result.Plan.View)})
	p.Out.Write(bytes.TrimSuffix(head.Bytes(), []byte("}")))
	p.Out.WriteString(`,"chunks":[`)
	return err
}

// End writes everything that follows a document's chunks. It returns the curve if that
// belongs after the chunks of all documents.
func (p *DocPrinter) End(d Document) (*FileCurve, error) {
	switch {
	case p.Format == "text":
		if err := p.text(d); err != nil {
			return nil, err
		}
	case p.Format == "json" && !p.Several:
		if p.n == 0 {
			if err := p.open(d); err != nil {
				return nil, err
			}
		}
		p.Out.WriteString(`],"curve":`)
		if err := p.Out.Json(d.curve()); err != nil {
			return nil, err
		}
		p.Out.WriteString("}\n")
	}
	if p.Format == "json" && p.Several {
		return &FileCurve{d.Name, d.curve()}, p.Out.Flush()
	}
	return nil, p.Out.Flush()
}

// Stop closes the output in the right form when the work has ended early.
func (p *DocPrinter) Stop() error {
	if p.n > 0 && p.Format == "json" && !p.Several {
		p.Out.WriteString("],\"curve\":null}\n")
	}
	return p.Out.Flush()
}

// curve returns the curve of a document, or nil for a method without one.
func (d Document) curve() *curveJSON {
	r := d.Result
	if r.Method.Curve == "" {
		return nil
	}
	c := &curveJSON{Kind: string(r.Method.Curve), Values: append([]float64{}, r.Found.Curve...),
		Boundaries: append([]int{}, r.Found.Boundaries...), Sentences: len(r.Sentences)}
	if threshold := r.Found.Threshold; !math.IsNaN(threshold) { // a copy, because a pointer into the result would keep all of it in memory
		c.Threshold = &threshold
	}
	return c
}

// row adds a row of CSV.
func (p *DocPrinter) row(c ChunkJSON) error {
	row := []string{c.File, c.ID, strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), strconv.Itoa(c.Page),
		PageList(c.Pages, ";"), c.Section, c.Reason, c.Text}
	if c.Header != nil {
		row = append(row, *c.Header)
	}
	w := csv.NewWriter(&p.Out.Buffer)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
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
		fmt.Fprintf(&p.Out, "\n── %d%s · %d %s · %s\n", i+1, OnPages(d, c.Pages), c.Tokens, unitOf(d.Result), c.Reason)
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
