package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// printer writes chunks in a format, as they come.
type printer struct {
	format  string // text, json, jsonl, csv, or one that exports knows
	headed  bool   // chunks have headers
	several bool   // the chunks of several files are in one list
}

// list is where chunks are written: its head stands before the first of them.
type list struct {
	w     io.Writer
	head  []byte
	comma bool // each element brings a comma, and the first one loses it
	begun bool
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
	if l.begun {
		return nil
	}
	l.begun = true
	_, err := l.w.Write(l.head)
	return err
}

// begin begins to write. With CSV there is a row of names, which headed chunks have one
// more of.
func (p printer) begin(w io.Writer) *list {
	l := &list{w: w}
	switch {
	case p.format == "csv":
		l.head = []byte("file,id,start,end,tokens,page,pages,section,reason,text")
		if p.headed {
			l.head = append(l.head, ",header"...)
		}
		l.head = append(l.head, '\n')
	case p.format == formatPgvector:
		l.head = []byte(pgvectorHead)
		if p.headed {
			l.head = append(l.head, ",header"...)
		}
		l.head = append(l.head, '\n')
	case p.format == "json" && p.several:
		l.head, l.comma = []byte(`{"chunks":[`), true
	}
	return l
}

// fileCurve is the curve of one of several files.
type fileCurve struct {
	File  string     `json:"file"`
	Curve *curveJSON `json:"curve"`
}

// end writes what stands behind the chunks of all files; a file that was left out has no
// curve.
func (p printer) end(l *list, curves []*fileCurve) error {
	if err := l.begin(); err != nil || p.format != "json" || !p.several {
		return err
	}
	there := []*fileCurve{}
	for _, c := range curves {
		if c != nil {
			there = append(there, c)
		}
	}
	out := lines{w: l}
	out.WriteString("],\"curves\":")
	if err := out.json(there); err != nil {
		return err
	}
	out.WriteString("}\n")
	return out.flush()
}

// lines are what is written together. It ends where a line does, so that nothing is
// torn however the work ends.
type lines struct {
	bytes.Buffer
	w     io.Writer
	begun bool
}

// enough is how many bytes are written at once.
const enough = 64 << 10

// whole says that a line has ended. The first one goes out at once.
func (l *lines) whole() error {
	if l.begun && l.Len() < enough {
		return nil
	}
	l.begun = true
	return l.flush()
}

func (l *lines) flush() error {
	_, err := l.w.Write(l.Bytes())
	l.Reset()
	return err
}

// json adds v. Markup characters stay as they are: the output goes to programs, not
// into a page.
func (l *lines) json(v any) error {
	enc := json.NewEncoder(&l.Buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	l.Truncate(l.Len() - 1) // its line end
	return nil
}

// docPrinter writes the chunks of one document.
type docPrinter struct {
	printer
	out lines
	n   int // chunks that are written
}

// chunk writes chunk i, which is the next one. Text for reading is written in the end,
// as it begins with the number of chunks, and chunks with vectors, when there are these.
func (p *docPrinter) chunk(d document, i int) error {
	if p.format == "text" || exports(p.format) {
		return nil
	}
	if i == 0 {
		if err := p.open(d); err != nil {
			return err
		}
	}
	p.n++
	c := d.chunk(i)
	if d.result.Plan.Headers {
		h := d.result.Header(i)
		c.Header = &h
	}
	if p.format != "json" || p.several {
		c.File = d.Name
	}
	switch p.format {
	case "csv":
		if err := p.row(c); err != nil {
			return err
		}
		return p.out.whole()
	case "json":
		if p.several || i > 0 {
			p.out.WriteByte(',')
		}
		if err := p.out.json(c); err != nil {
			return err
		}
		return p.out.whole()
	}
	if err := p.out.json(c); err != nil {
		return err
	}
	p.out.WriteByte('\n')
	return p.out.whole()
}

// open begins the JSON object of a document that is alone.
func (p *docPrinter) open(d document) error {
	if p.format != "json" || p.several {
		return nil
	}
	head := lines{}
	err := head.json(struct {
		File   string `json:"file"`
		Method string `json:"method"`
		View   string `json:"view"`
	}{d.Name, d.result.Method.Name, string(d.result.Plan.View)})
	p.out.Write(bytes.TrimSuffix(head.Bytes(), []byte("}")))
	p.out.WriteString(`,"chunks":[`)
	return err
}

// end writes what stands behind a document's chunks, and returns its curve where that is
// to stand behind those of all.
func (p *docPrinter) end(d document) (*fileCurve, error) {
	switch {
	case p.format == "text":
		if err := p.text(d); err != nil {
			return nil, err
		}
	case p.format == "json" && !p.several:
		if p.n == 0 {
			if err := p.open(d); err != nil {
				return nil, err
			}
		}
		p.out.WriteString(`],"curve":`)
		if err := p.out.json(d.curve()); err != nil {
			return nil, err
		}
		p.out.WriteString("}\n")
	}
	if p.format == "json" && p.several {
		return &fileCurve{d.Name, d.curve()}, p.out.flush()
	}
	return nil, p.out.flush()
}

// stop writes what there is when the work has ended early, and closes what is open.
func (p *docPrinter) stop() error {
	if p.n > 0 && p.format == "json" && !p.several {
		p.out.WriteString("],\"curve\":null}\n")
	}
	return p.out.flush()
}

// curve is nil for a method without one.
func (d document) curve() *curveJSON {
	r := d.result
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
func (p *docPrinter) row(c chunkJSON) error {
	row := []string{c.File, c.ID, strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), strconv.Itoa(c.Page),
		pageList(c.Pages, ";"), c.Section, c.Reason, c.Text}
	if c.Header != nil {
		row = append(row, *c.Header)
	}
	w := csv.NewWriter(&p.out.Buffer)
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

func pageList(pages []int, sep string) string {
	var s []string
	for _, p := range pages {
		s = append(s, strconv.Itoa(p))
	}
	return strings.Join(s, sep)
}

// text adds chunks for reading: a line about each, then its text.
func (p *docPrinter) text(d document) error {
	fmt.Fprintf(&p.out, "%s: %s, %s\n", shown(d.Name), count(len(d.result.Sentences), "sentence"), count(len(d.result.Chunks), "chunk"))
	for i := range d.result.Chunks {
		c := d.chunk(i)
		fmt.Fprintf(&p.out, "\n── %d%s · %d tokens · %s\n", i+1, onPages(d, c.Pages), c.Tokens, c.Reason)
		if h := d.result.Header(i); h != "" {
			fmt.Fprintf(&p.out, "[%s]\n", h)
		}
		p.out.WriteString(c.Text)
		p.out.WriteByte('\n')
		if err := p.out.whole(); err != nil {
			return err
		}
	}
	return nil
}
