package command

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"seam/shared/bundle"
	"seam/shared/read"
	"seam/shared/read/epub"
	"seam/shared/read/html"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

type textCommand struct {
	Files    []string `arg:"" name:"file" help:"Files of ${formats}, folders and patterns (**/*.md) of them; - is stdin."`
	Out      string   `short:"o" default:"-" help:"Where to: a file, or a folder (one that is there, or ends in /) for a file each; - is stdout."`
	Format   string   `default:"txt" enum:"txt,json" help:"txt: pages separated by form feeds, as files are; json: pages with words and boxes, sections, title, author and language, a line a file."`
	Document bool     `help:"Print the very text that the offsets of chunks refer to."`
	View     string   `default:"reading" enum:"reading,content" help:"The view that --document prints: reading or content."`
	Password string   `help:"Password of encrypted PDFs."`
	cacheOptions
}

func (textCommand) Help() string {
	return `Word offsets are bytes into the page's text; boxes are points from the top left. Running heads and feet and page numbers are
each page's furniture: the reading view leaves them out. Offsets of sections are bytes of the reading view.

Examples:
  seam text --format json report.pdf
  seam text -o texts/ reports/ 'notes/**/*.md'`
}

func (c textCommand) Run(ctx context.Context, std IO) error {
	inputs, err := inputsOf(std, c.Files)
	if err != nil {
		return err
	}
	out, err := outputTo(c.Out, inputs, "."+c.Format)
	if err != nil {
		return err
	}
	kept := c.keeper()
	defer kept.close(std)
	many := !out.apart && several(c.Files, inputs)
	if many && c.Document {
		return usagef("--document prints one text, whose bytes offsets count: give each file its own with -o FOLDER/")
	}
	return out.write(std, func(std IO) (failed, err error) {
		if many && c.Format == "txt" {
			std.Out = &separated{w: std.Out}
		}
		b := batch{ctx: ctx, std: std, inputs: inputs}
		return b.run(func(ctx context.Context, std IO, i int) error {
			doc, err := inputs[i].open(ctx, std, c.Password, kept)
			if err != nil {
				return err
			}
			return out.writeOne(std, i, func(w io.Writer) error {
				if many && c.Format == "txt" {
					if _, err := io.WriteString(w, "\f"); err != nil {
						return err
					}
				}
				return c.print(w, doc.Document, many)
			})
		})
	})
}

// separated drops the first byte: each text brings a form feed, which stands between
// them.
type separated struct {
	w     io.Writer
	begun bool
}

func (s *separated) Write(b []byte) (int, error) {
	if len(b) > 0 && !s.begun {
		s.begun = true
		n, err := s.w.Write(b[1:])
		return n + 1, err
	}
	return s.w.Write(b)
}

// print writes what is asked for of a document; one of many is named.
func (c textCommand) print(w io.Writer, doc *text.Document, many bool) error {
	out := bufio.NewWriterSize(w, enough)
	switch {
	case c.Document:
		out.WriteString(doc.View(text.ViewName(c.View)).Text)
	case c.Format == "json":
		name := ""
		if many {
			name = doc.Name
		}
		if err := writePages(out, doc, name); err != nil {
			return err
		}
	default:
		for i, p := range doc.Pages {
			if i > 0 {
				out.WriteByte('\f')
			}
			out.WriteString(p.Text)
		}
	}
	return out.Flush()
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

func writePages(out *bufio.Writer, doc *text.Document, name string) error {
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
		File     string        `json:"file,omitempty"` // where several are told of
		Title    string        `json:"title,omitempty"`
		Author   string        `json:"author,omitempty"`
		Language string        `json:"language,omitempty"`
		Sections []sectionJSON `json:"sections,omitempty"`
		Pages    []pageJSON    `json:"pages"`
	}{name, doc.Title, doc.Author, doc.Language, sections, pages})
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

// memory is above what the garbage collector works harder, in bytes: PDF files of many
// objects take several times their size for a moment. What is made of a file, its vectors
// above all, takes as much as perByte times its size: below that the collector would do
// nothing but look for what is not there, and vectors would be refused that have room.
const memory, perByte = 280 << 20, 24

var limit struct {
	sync.Mutex
	largest int64 // file
	held    int64 // bytes of all texts that stay
}

// limitMemory sets the limit for a file of that size, if none was larger.
func limitMemory(size int64) { moreMemory(size, 0) }

// holdMemory raises the limit by what a document takes that stays until the end.
func holdMemory(d *text.Document) { moreMemory(0, int64(len(d.View(text.Reading).Text))) }

func moreMemory(size, held int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit.Lock()
	defer limit.Unlock()
	limit.largest, limit.held = max(limit.largest, size), limit.held+held
	debug.SetMemoryLimit(memory + min(memory, perByte*limit.largest) + perByte*limit.held)
}

// formats are what seam reads; bundles are opened apart, as inputs with documents of their own.
var formats = read.All().With(pdf.Name, pdf.Read).With(html.Name, html.Read).With(epub.Name, epub.Read).Unread(read.Bundle)

// openDocument reads a file, or a bundle of one document, and extracts its text. Notes
// on what could not be read go to stderr, errors name the file.
func openDocument(ctx context.Context, std IO, name, password string) (*text.Document, error) {
	if name != "-" && isBundle(name) {
		return onlyDocument(std, name)
	}
	doc, _, err := openFile(ctx, std, name, &reading{password: password})
	return doc, err
}

// openPrivate is openDocument that tells, too, whether nothing of the document is to be kept
// unless a file is named for it: what a password opened, and stdin.
func openPrivate(ctx context.Context, std IO, name, password string) (doc *text.Document, private bool, err error) {
	if name != "-" && isBundle(name) {
		doc, err = onlyDocument(std, name)
		return doc, false, err
	}
	r := reading{password: password}
	doc, _, err = openFile(ctx, std, name, &r)
	return doc, r.locked || name == "-", err
}

// openFile is openDocument for a file that is no bundle.
func openFile(ctx context.Context, std IO, name string, r *reading) (*text.Document, bundle.Source, error) {
	if doc, source, ok := r.recall(name); ok {
		tell(std, name, doc, source)
		return doc, source, nil
	}
	b := r.file.b
	if b == nil {
		var err error
		if b, err = readInput(std, name); err != nil {
			return nil, bundle.Source{}, err
		}
	}
	format := formats.Recognise(name, b).Name
	if format == read.Bundle {
		return nil, bundle.Source{}, fmt.Errorf("%s: a bundle cannot be read from stdin: give it a name", shown(name))
	}
	sum := sha256.Sum256(b)
	if r.file.group != "" {
		r.file = fileOf(name, sum, nil) // it may be another by now
	}
	doc, err := r.extract(ctx, std, name, b)
	if err != nil {
		return nil, bundle.Source{}, err
	}
	source := bundle.Source{Format: format, Size: int64(len(b)), SHA256: hex.EncodeToString(sum[:])}
	if r.text && !r.secret {
		r.kept.putText(r.file, source, doc)
	}
	doc.Name = called(name)
	tell(std, name, doc, source)
	return doc, source, nil
}

// tell says what is to be known of a document that was read.
func tell(std IO, name string, doc *text.Document, source bundle.Source) {
	printNotes(std, doc)
	if source.Format == pdf.Name && doc.View(text.Content).Text == "" {
		fmt.Fprintf(std.Err, "seam: %s: there is no text in this document; if it is a scan, run it through text recognition (OCR) first\n", shown(name))
	}
}

// printNotes tells what could not be read.
func printNotes(std IO, doc *text.Document) {
	for _, note := range doc.Notes {
		fmt.Fprintf(std.Err, "seam: %s: %s\n", shown(doc.Name), note)
	}
}

// extract makes a document of the bytes of a file. It is whole unless there was no time
// for a part of it.
func extract(ctx context.Context, std IO, name, password string, b []byte) (doc *text.Document, whole bool, err error) {
	limitMemory(int64(len(b)))
	limited, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	start := time.Now()
	meter := newMeter(ctx, std, name)
	whole = true
	doc, err = formats.Read(name, b, read.Options{
		Password:  password,
		Progress:  func(done, total int) error { return meter.report("page", done, total) },
		Context:   limited,
		Now:       func() time.Duration { return time.Since(start) },
		OutOfTime: func() { whole = false },
	})
	meter.clear()
	switch {
	case errors.Is(err, read.ErrPassword):
		return nil, false, fmt.Errorf("%s: %w; give the right one with --password", shown(name), err)
	case errors.Is(err, read.ErrDamaged):
		return nil, false, fmt.Errorf("%s: %w; get another copy, or print it to a PDF again", shown(name), err)
	case errors.Is(err, context.DeadlineExceeded):
		return nil, false, fmt.Errorf("%s: the file could not be opened within %s; it may be damaged", shown(name), fileTime)
	case errors.Is(err, text.ErrBinary):
		return nil, false, fmt.Errorf("%s: %w; seam reads %s", shown(name), err, formats.List("and"))
	case err != nil:
		return nil, false, fmt.Errorf("%s: %w", shown(name), err)
	}
	return doc, whole, nil
}
