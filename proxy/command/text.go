package command

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"seam/shared/read"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

type textCommand struct {
	File     string `arg:"" help:"File of ${formats}; - is stdin."`
	Format   string `default:"txt" enum:"txt,json" help:"txt: pages separated by form feeds; json: pages with words and boxes, sections, title, author and language."`
	Document bool   `help:"Print the very text that the offsets of chunks refer to."`
	View     string `default:"reading" enum:"reading,content" help:"The view that --document prints: reading or content."`
	Password string `help:"Password of an encrypted PDF."`
}

func (textCommand) Help() string {
	return `Word offsets are bytes into the page's text; boxes are points from the top left. Running heads and feet and page numbers are
each page's furniture: the reading view leaves them out. Offsets of sections are bytes of the reading view.

Example:
  seam text --format json report.pdf`
}

func (c textCommand) Run(ctx context.Context, std IO) error {
	doc, err := openDocument(ctx, std, c.File, c.Password)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	switch {
	case c.Document:
		out.WriteString(doc.View(text.ViewName(c.View)).Text)
	case c.Format == "json":
		err = writePages(out, doc)
	default:
		for i, p := range doc.Pages {
			if i > 0 {
				out.WriteByte('\f')
			}
			out.WriteString(p.Text)
		}
	}
	return errors.Join(err, out.Flush())
}

type pageJSON struct {
	Number    int         `json:"number"`
	Label     string      `json:"label,omitempty"`
	Width     float64     `json:"width"`
	Height    float64     `json:"height"`
	Text      string      `json:"text"`
	Words     []wordJSON  `json:"words"`
	Furniture []text.Span `json:"furniture,omitempty"` // what the reading view leaves out
}

// sectionJSON is a section of the reading view, whose bytes its offsets are.
type sectionJSON struct {
	Title string `json:"title"`
	Level int    `json:"level"`
	text.Span
}

type wordJSON struct {
	Text  string     `json:"text"`
	Start int        `json:"start"`
	End   int        `json:"end"`
	Box   [4]float64 `json:"box"`
}

func writePages(out *bufio.Writer, doc *text.Document) error {
	pages := make([]pageJSON, len(doc.Pages))
	for i, p := range doc.Pages {
		words := make([]wordJSON, len(p.Words))
		for j, w := range p.Words {
			words[j] = wordJSON{w.Of(p.Text), w.Start, w.End, [4]float64{cents(w.Box.X0), cents(w.Box.Y0), cents(w.Box.X1), cents(w.Box.Y1)}}
		}
		pages[i] = pageJSON{p.Number, p.Label, cents(p.Width), cents(p.Height), p.Text, words, p.Furniture}
	}
	sections := make([]sectionJSON, len(doc.Sections))
	for i, s := range doc.Sections {
		sections[i] = sectionJSON(s)
	}
	return writeJSON(out, struct {
		Title    string        `json:"title,omitempty"`
		Author   string        `json:"author,omitempty"`
		Language string        `json:"language,omitempty"`
		Sections []sectionJSON `json:"sections,omitempty"`
		Pages    []pageJSON    `json:"pages"`
	}{doc.Title, doc.Author, doc.Language, sections, pages})
}

// cents rounds points to hundredths: finer than any screen or printer shows.
func cents(x float64) float64 {
	if x < 0 {
		return -cents(-x)
	}
	return float64(int64(x*100+0.5)) / 100
}

// writeJSON writes v on one line. Markup characters stay as they are: the
// output goes to programs, not into a page.
func writeJSON(out *bufio.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// fileTime is how long one file may take; pages that are not read by then are
// noted.
const fileTime = 10 * time.Minute

// memory is above what the garbage collector works harder, in bytes. PDF files
// of many objects take several times their size for a moment.
const memory = 280 << 20

var limitMemory = sync.OnceFunc(func() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
})

// formats are what seam reads.
var formats = read.All().With(pdf.Name, pdf.Read)

// openDocument reads a file and extracts its text. Notes on what could not be
// read go to stderr, errors name the file.
func openDocument(ctx context.Context, std IO, name, password string) (*text.Document, error) {
	b, err := readInput(std, name)
	if err != nil {
		return nil, err
	}
	limitMemory()
	limited, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	start := time.Now()
	meter := newMeter(ctx, std, name)
	doc, err := formats.Read(name, b, read.Options{
		Password: password,
		Progress: func(done, total int) error { return meter.report("page", done, total) },
		Context:  limited,
		Now:      func() time.Duration { return time.Since(start) },
	})
	meter.clear()
	switch {
	case errors.Is(err, read.ErrPassword):
		return nil, fmt.Errorf("%s: %w; give the right one with --password", name, err)
	case errors.Is(err, read.ErrDamaged):
		return nil, fmt.Errorf("%s: %w; get another copy, or print it to a PDF again", name, err)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s: the file could not be opened within %s; it may be damaged", name, fileTime)
	case errors.Is(err, text.ErrBinary):
		return nil, fmt.Errorf("%s: %w; seam reads %s", name, err, formats.List("and"))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	doc.Name = name
	for _, note := range doc.Notes {
		fmt.Fprintf(std.Err, "seam: %s: %s\n", name, note)
	}
	if formats.Recognise(name, b).Name == pdf.Name && doc.View(text.Content).Text == "" {
		fmt.Fprintf(std.Err, "seam: %s: there is no text in this document; if it is a scan, run it through text recognition (OCR) first\n", name)
	}
	return doc, nil
}
