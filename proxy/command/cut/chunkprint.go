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
)

// Printer writes chunks in a format, as they come.
type Printer struct {
	Format  string // text, json, jsonl, csv, or one that exports knows
	Headed  bool   // chunks have headers
	Several bool   // the chunks of several files are in one list
}

// list is where chunks are written: its head stands before the first of them.
type list struct {
	w     io.Writer
	head  []byte
	comma bool // each element brings a comma, and the first one loses it
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

// Begin begins to write. With CSV there is a row of names, which headed chunks have one
// more of.
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

// End writes what stands behind the chunks of all files; a file that was left out has no
// curve.
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

// Lines are what is written together. It ends where a line does, so that nothing is
// torn however the work ends.
type Lines struct {
	bytes.Buffer
	W     io.Writer
	begun bool
}

// Whole says that a line has ended. The first one goes out at once.
func (l *Lines) Whole() error {
	if l.begun && l.Len() < terminal.Enough {
		return nil
	}
	l.begun = true
	return l.Flush()
}

// Flush writes what waits.
func (l *Lines) Flush() error {
	_, err := l.W.Write(l.Bytes())
	l.Reset()
	return err
}

// Json adds v. Markup characters stay as they are: the output goes to programs, not
// into a page.
func (l *Lines) Json(v any) error {
	enc := json.NewEncoder(&l.Buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l.Truncate(l.Len() - 1) // its line end
	return nil
}

// DocPrinter writes the chunks of one document.
type DocPrinter struct {
	Printer
	Out Lines
	n   int // chunks that are written
}

// Chunk writes chunk i, which is the next one. Text for reading is written in the end,
// as it begins with the number of chunks, and chunks with vectors, when there are these.
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

// open begins the JSON object of a document that is alone.
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

// End writes what stands behind a document's chunks, and returns its curve where that is
// to stand behind those of all.
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

// Stop writes what there is when the work has ended early, and closes what is open.
func (p *DocPrinter) Stop() error {
	if p.n > 0 && p.Format == "json" && !p.Several {
		p.Out.WriteString("],\"curve\":null}\n")
	}
	return p.Out.Flush()
}

// curve is nil for a method without one.
func (d Document) curve() *curveJSON {
	r := d.Result
	if r.Method.Curve == "" {
		return nil
	}
	c := &curveJSON{Kind: string(r.Method.Curve), Values: append([]float64{}, r.Found.Curve...),
		Boundaries: append([]int{}, r.Found.Boundaries...), Sentences: len(r.Sentences)}
	if threshold := r.Found.Threshold; !math.IsNaN(threshold) { // a copy: a pointer into the result would hold all of it
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

// PageList returns the numbers of pages with sep between them.
func PageList(pages []int, sep string) string {
	var s []string
	for _, p := range pages {
		s = append(s, strconv.Itoa(p))
	}
	return strings.Join(s, sep)
}

// text adds chunks for reading: a line about each, then its text.
func (p *DocPrinter) text(d Document) error {
	fmt.Fprintf(&p.Out, "%s: %s, %s\n", terminal.Shown(d.Name), terminal.Count(len(d.Result.Sentences), "sentence"), terminal.Count(len(d.Result.Chunks), "chunk"))
	for i := range d.Result.Chunks {
		c := d.Chunk(i)
		fmt.Fprintf(&p.Out, "\n── %d%s · %d tokens · %s\n", i+1, OnPages(d, c.Pages), c.Tokens, c.Reason)
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
