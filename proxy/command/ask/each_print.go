package ask

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/export"
)

// The statuses of a cell.
const (
	answered = "answered"
	absent   = "absent" // the passages do not hold the answer
	unsent   = "unsent" // no passage has anything of the question
	failed   = "failed"
)

// fileJSON is a row of the table.
type fileJSON struct {
	File  string     `json:"file"`
	Cells []cellJSON `json:"cells"`
}

// cellJSON is a cell of the table.
type cellJSON struct {
	Question string         `json:"question"`
	Status   string         `json:"status"`
	Answer   string         `json:"answer,omitempty"`
	Finish   string         `json:"finish,omitempty"` // stop, length or filter
	Error    string         `json:"error,omitempty"`
	Passages int            `json:"passages"`       // number sent
	Left     []string       `json:"left,omitempty"` // ids of the chunks that did not fit
	Evidence []evidenceJSON `json:"evidence"`
}

// evidenceJSON is a passage that was sent. Offsets are bytes in the text of the document.
type evidenceJSON struct {
	Number  int      `json:"number"` // in the answer's citations
	Cited   bool     `json:"cited"`
	ID      string   `json:"id"` // of the chunk
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Page    int      `json:"page"`
	Pages   []int    `json:"pages"`
	Labels  []string `json:"labels,omitempty"` // printed numbers of Pages, unless they are the same
	Section string   `json:"section"`
	Quote   string   `json:"quote,omitempty"` // the sentence with most of the question's words
	Text    string   `json:"text"`
	place   string   // for people
}

// files returns the table.
func (t *table) files() []fileJSON {
	all := make([]fileJSON, len(t.rows))
	for i, r := range t.rows {
		all[i].File = terminal.Called(r.name)
		for n, q := range t.questions {
			c := cellJSON{Question: q, Evidence: []evidenceJSON{}}
			switch {
			case r.in == nil:
				c.Status, c.Error = failed, hosted.Sentence(r.why)
			case r.cells[n].request == nil:
				c.Status = unsent
			default:
				t.invented += c.fill(r.doc, &r.cells[n])
			}
			all[i].Cells = append(all[i].Cells, c)
		}
	}
	return all
}

// fill takes the answer to the request of a cell. It returns the number of citations of passages
// that were not sent, which it removes.
func (c *cellJSON) fill(doc []cut.Document, from *cell) (invented int) {
	r := from.request
	switch {
	case !r.done:
		c.Status, c.Error = failed, "not asked, because the run ended early"
		return 0
	case r.err != nil:
		c.Status, c.Error = failed, hosted.Sentence(r.err)
		return 0
	}
	c.Passages = min(r.answer.Passages, len(from.hits))
	for _, h := range from.hits[c.Passages:] {
		c.Left = append(c.Left, h.ID)
	}
	if r.answer.Refused {
		c.Status = absent
		return 0
	}
	var text strings.Builder
	out := hosted.NewCitations(&text, c.Passages)
	out.Piece(r.answer.Text) // into memory, so it cannot fail
	out.End()
	c.Status, c.Answer, c.Finish = answered, strings.TrimSpace(text.String()), r.answer.Finish
	for i, h := range from.hits[:c.Passages] {
		if cited := out.Used[i+1]; cited || len(out.Used) == 0 {
			if i < len(r.answer.Wide) && r.answer.Wide[i] {
				h = h.Around(doc)
			}
			e := evidenceOf(doc, h)
			e.Number, e.Cited = i+1, cited
			if r.answer.Shortened != "" {
				if e.Text = r.answer.Shortened; !strings.Contains(e.Text, e.Quote) {
					e.Quote = ""
				}
			}
			c.Evidence = append(c.Evidence, e)
		}
	}
	return out.Invented
}

func evidenceOf(doc []cut.Document, h cut.HitJSON) evidenceJSON {
	e := evidenceJSON{ID: h.ID, Start: h.Start, End: h.End, Page: h.Page, Pages: h.Pages, Labels: h.Labels, Section: h.Section, Text: h.Text}
	if e.place = h.Place(doc); h.Section != "" {
		e.place += " · " + h.Section
	}
	if e.place = strings.TrimPrefix(e.place, " · "); e.place == "" {
		e.place = h.ID
	}
	if h.Passage != nil {
		e.Quote = h.Passage.Of(h.Text)
	}
	return e
}

// text returns the cell for people, without its evidence.
func (c cellJSON) text() string {
	switch {
	case c.Status == absent:
		return "not in it"
	case c.Status == unsent:
		return "not in it (nothing sent)"
	case c.Status == failed:
		return "error: " + c.Error
	case c.Finish == "length":
		return c.Answer + " (cut off: the answer is too long)"
	case c.Finish == "filter":
		return c.Answer + " (cut off by the provider's filter)"
	}
	return c.Answer
}

// evidence returns the evidence for people, a line for each passage.
func (c cellJSON) evidence() (lines []string) {
	for _, e := range c.Evidence {
		quote := e.Quote
		if quote == "" {
			quote = e.Text
		}
		note := ""
		if !e.Cited {
			note = "sent, not cited: "
		}
		lines = append(lines, fmt.Sprintf("[%d] %s%s: %s", e.Number, note, terminal.Visible(e.place), cut.Preview(quote)))
	}
	return lines
}

// write writes the table to the output.
func (t *table) write() error {
	var b bytes.Buffer
	all := t.files()
	var err error
	switch t.Format {
	case "csv":
		err = printCSV(&b, t.questions, all)
	case "json":
		err = printJSON(&b, struct {
			Model     string     `json:"model"`
			Questions []string   `json:"questions"`
			Files     []fileJSON `json:"files"`
		}{t.asking.Model, t.questions, all})
	case "jsonl":
		for _, f := range all {
			if err = printJSON(&b, f); err != nil {
				break
			}
		}
	default:
		printText(&b, all)
	}
	if err != nil {
		return err
	}
	if t.Out == "" || t.Out == "-" {
		_, err := t.std.Out.Write(b.Bytes())
		return err
	}
	return terminal.WriteOut(t.Out, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err })
}

func printJSON(b *bytes.Buffer, v any) error {
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

// printCSV prints a row per file: its name, the answers, and the evidence of each. It is for a
// spreadsheet, like the format of that name of seam chunk.
func printCSV(b *bytes.Buffer, questions []string, all []fileJSON) error {
	head := slices.Concat([]string{"file"}, questions)
	for _, q := range questions {
		head = append(head, "evidence: "+q)
	}
	b.WriteString("\ufeff")
	out := csv.NewWriter(b)
	out.UseCRLF = true
	write := func(cells []string) error {
		for i, s := range cells {
			cells[i] = export.Harmless(s)
		}
		return out.Write(cells)
	}
	if err := write(head); err != nil {
		return err
	}
	for _, f := range all {
		row := []string{f.File}
		for _, c := range f.Cells {
			row = append(row, c.text())
		}
		for _, c := range f.Cells {
			row = append(row, strings.Join(c.evidence(), "\n"))
		}
		if err := write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// printText prints a list by file.
func printText(b *bytes.Buffer, all []fileJSON) {
	for i, f := range all {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(b, terminal.Shown(f.File))
		for _, c := range f.Cells {
			fmt.Fprintf(b, "  %s\n", cut.Preview(c.Question))
			for line := range strings.Lines(terminal.Visible(c.text())) {
				fmt.Fprintf(b, "    %s\n", strings.TrimRight(line, "\n"))
			}
			for _, line := range c.evidence() {
				fmt.Fprintf(b, "      %s\n", line)
			}
		}
	}
}
