package export

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Writer appends the chunks of a document to a buffer, in pieces, so that a caller can
// write each chunk once it is made.
type Writer struct {
	*bytes.Buffer
	Format Format
	Listed bool // the file has the chunks of several documents, and the caller wrote Beginning
	Headed bool // for CSV: there is a column for headers; without Listed the document decides
	begun  bool
}

// Value appends v as JSON without a line break. It does not escape HTML characters, because
// files go to programs and not into a page.
func Value(b *bytes.Buffer, v any) error {
	out, err := json.Marshal(v) // an Encoder would not escape them, but takes 2 kB of the browser's engine
	if err != nil {
		return err
	}
	for {
		at := bytes.IndexByte(out, '\\')
		if at < 0 {
			b.Write(out)
			return nil
		}
		b.Write(out[:at])
		n := 6
		switch string(out[at:min(at+n, len(out))]) {
		case `\u003c`:
			b.WriteByte('<')
		case `\u003e`:
			b.WriteByte('>')
		case `\u0026`:
			b.WriteByte('&')
		default:
			n = 2
			b.Write(out[at : at+n])
		}
		out = out[at+n:]
	}
}

// Beginning returns the bytes before the chunks of several documents in one file.
func Beginning(f Format, headed bool) string {
	switch f {
	case CSV:
		return Columns(headed) + "\n"
	case Spreadsheet: // the byte order mark makes Excel read UTF-8
		return "\ufeff" + Columns(headed) + "\r\n"
	case JSON:
		return `{"schema":"` + ID + `","chunks":[`
	}
	return ""
}

// Chunk appends chunk i, which must be the next one.
func (w *Writer) Chunk(o *Of, i int) error {
	if err := w.begin(o); err != nil {
		return err
	}
	c := o.Chunk(i)
	switch w.Format {
	case CSV, Spreadsheet:
		w.row(c)
		return nil
	case JSON:
		if w.Listed || i > 0 {
			w.WriteByte(',')
		}
		return Value(w.Buffer, c)
	case LangChain:
		if err := Value(w.Buffer, o.record(c)); err != nil {
			return err
		}
	default:
		if err := Value(w.Buffer, c); err != nil {
			return err
		}
	}
	return w.WriteByte('\n')
}

// begin appends everything before the first chunk.
func (w *Writer) begin(o *Of) error {
	if w.begun || w.Listed {
		return nil
	}
	w.begun, w.Headed = true, o.Plan.Headers
	_, err := w.WriteString(Beginning(w.Format, w.Headed))
	return err
}

// End appends everything after the chunks of the document.
func (w *Writer) End(o *Of) error {
	if err := w.begin(o); err != nil || w.Format != JSON || w.Listed {
		return err
	}
	return Ending(w.Buffer, []Head{o.Head()})
}

// Ending appends everything after the chunks of the documents in JSON.
func Ending(b *bytes.Buffer, documents []Head) error {
	var curve *Curve
	if len(documents) == 1 {
		curve = documents[0].Curve
	}
	b.WriteString(`],"curve":`)
	if err := Value(b, curve); err != nil {
		return err
	}
	b.WriteString(`,"documents":`)
	if err := Value(b, documents); err != nil {
		return err
	}
	_, err := b.WriteString("}\n")
	return err
}

// Stop appends the end of the document after an early end of the work.
func (w *Writer) Stop() {
	if w.begun && w.Format == JSON {
		_ = Ending(w.Buffer, []Head{}) // it has no numbers that could fail
	}
}

// row appends a row of CSV.
func (w *Writer) row(c Chunk) {
	w.text(c.File)
	w.text(c.ID)
	for _, n := range []int{c.Start, c.End, c.Tokens, c.Page} {
		w.cell(strconv.Itoa(n))
	}
	pages := ""
	for i, p := range c.Pages {
		if i > 0 {
			pages += ";"
		}
		pages += strconv.Itoa(p)
	}
	w.cell(pages)
	w.text(c.Section)
	w.text(c.Reason)
	w.text(c.Text)
	if w.Headed {
		header := ""
		if c.Header != nil {
			header = *c.Header
		}
		w.text(header)
	}
	w.cell(strconv.Itoa(c.Index))
	label, topic := "", ""
	if c.Place != nil {
		label = c.Place.Label
	}
	if c.Topic > 0 {
		topic = strconv.Itoa(c.Topic)
	}
	w.text(label)
	w.cell(string(c.View))
	w.cell(topic)
	w.text(strings.Join(c.Labels, ";"))
	w.cell(string(c.Part))
	start, end := "", ""
	if p := c.Parent; p != nil {
		start, end = strconv.Itoa(p.Start), strconv.Itoa(p.End)
	}
	w.cell(start)
	w.cell(end)
	w.text(c.Document)
	w.cell(c.Origin)
	w.Truncate(w.Len() - 1) // the comma after the last cell
	if w.Format == Spreadsheet {
		w.WriteByte('\r')
	}
	w.WriteByte('\n')
}

// text appends a cell with a text.
func (w *Writer) text(s string) {
	if w.Format == Spreadsheet {
		s = Harmless(s)
	}
	w.cell(s)
}

// Harmless returns a text for a cell of a spreadsheet. An apostrophe before a formula makes it a
// text: the document is not trusted, and a formula can send data away.
func Harmless(s string) string {
	if s != "" && strings.IndexByte("=+-@\t\r", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// cell appends a cell and a comma, with the quotes of encoding/csv, which is too large for
// the browser's engine.
func (w *Writer) cell(s string) {
	if s != `\.` && !strings.ContainsAny(s, ",\"\r\n") && !leadingBlank(s) {
		w.WriteString(s)
		w.WriteByte(',')
		return
	}
	w.WriteByte('"')
	for i := range len(s) {
		if s[i] == '"' {
			w.WriteByte('"')
		}
		w.WriteByte(s[i])
	}
	w.WriteString(`",`)
}

// leadingBlank reports whether a text begins with white space.
func leadingBlank(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// All returns the file of a document. The format and the unit must pass Check.
func All(o *Of, f Format) ([]byte, error) {
	w := Writer{Buffer: &bytes.Buffer{}, Format: f}
	for i := range o.Chunks {
		if err := w.Chunk(o, i); err != nil {
			return nil, err
		}
	}
	if err := w.End(o); err != nil {
		return nil, err
	}
	return w.Bytes(), nil
}

// Encode returns the file of settings.
func (b Beside) Encode() ([]byte, error) {
	var out bytes.Buffer
	err := Value(&out, b)
	out.WriteByte('\n')
	return out.Bytes(), err
}
