package command

import (
	"bufio"
	"context"
	"io"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/read"
	"seam/shared/text"
)

type textCommand struct {
	Files    []string `arg:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md); - is stdin."`
	Out      string   `short:"o" default:"-" help:"Output file, or a folder (an existing one, or a name that ends in /) for one file per input; - is stdout."`
	Format   string   `default:"txt" enum:"txt,json" help:"txt: form feeds between pages and between files; json: one line per file, with pages, words and boxes, sections, links, elements, attached files, title, author and language."`
	Document bool     `help:"Print the text that offsets of chunks refer to."`
	View     string   `default:"reading" enum:"reading,content" help:"View for --document: reading or content."`
	Attached string   `placeholder:"NAME" help:"Print the text of this file, which is attached to the PDF, instead."`
	Password string   `help:"Password of encrypted PDFs."`
	files.CacheOptions
	files.FolderOptions `group:"Files in folders:"`
}

func (textCommand) Help() string {
	return `Offsets of words are bytes in the page's text; boxes are in points from the top left. Headers, footers, page numbers, stamps of
downloads and the numbers at the axes of charts are each page's "furniture", and text that nobody sees is "hidden": the reading
view leaves both out. Offsets of sections, links and elements are bytes in the reading view (seam text --document). A link has a
"url", or the number of a "page" of the document; "to" is the place to which a url inside the document leads. start and end are
the same for a link without words. URLs are not checked: they may have any scheme. An element of the kind "image" is the
description of a picture; "references" and "contents" are lists of works and tables of contents, from heading to last entry.
"attachments" are files attached to a PDF; one line of stderr names them.

Examples:
  seam text --format json report.pdf
  seam text -o texts/ reports/ 'notes/**/*.md'
  seam text --attached data.csv report.pdf`
}

func (c textCommand) Run(ctx context.Context, std terminal.IO) error {
	inputs, err := c.InputsOf(std, c.Files)
	if err != nil {
		return err
	}
	out, err := files.OutputTo(c.Out, inputs, "."+c.Format)
	if err != nil {
		return err
	}
	kept := c.FileCache(std)
	defer kept.Close(std)
	many := !out.Apart && files.Several(c.Files, inputs)
	if many && c.Document {
		return terminal.Usagef("--document prints the text of one file: for several files, use -o FOLDER/")
	}
	return out.Write(std, func(std terminal.IO) (failed, err error) {
		if many && c.Format == "txt" {
			std.Out = &separated{w: std.Out}
		}
		b := files.Batch{Ctx: ctx, Std: std, Inputs: inputs}
		return b.Run(func(ctx context.Context, std terminal.IO, i int) error {
			doc, err := c.open(ctx, std, inputs[i], kept)
			if err != nil {
				return err
			}
			return out.WriteOne(std, i, func(w io.Writer) error {
				if many && c.Format == "txt" {
					if _, err := io.WriteString(w, "\f"); err != nil {
						return err
					}
				}
				return c.print(w, doc, many)
			})
		})
	})
}

// open reads an input, or the file attached to it, and names the attached files on stderr.
func (c textCommand) open(ctx context.Context, std terminal.IO, in files.Input, kept *files.FileCache) (*text.Document, error) {
	if c.Attached != "" {
		return files.OpenAttached(ctx, std, in, c.Attached, c.Password)
	}
	doc, err := in.Open(ctx, std, c.Password, kept)
	if err != nil {
		return nil, err
	}
	files.PrintAttachments(std, doc.Document)
	return doc.Document, nil
}

// separated drops the first byte. Each text begins with a form feed, which must appear only
// between texts.
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

// print writes the requested part of a document. If there are several documents, it names
// each.
func (c textCommand) print(w io.Writer, doc *text.Document, many bool) error {
	out := bufio.NewWriterSize(w, terminal.FlushSize)
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
	Furniture []text.Span `json:"furniture,omitempty"` // left out of the reading view
	Hidden    []text.Span `json:"hidden,omitempty"`    // nobody sees it on the page; left out, too
}

// sectionJSON is a section; its offsets are bytes of the reading view.
type sectionJSON struct {
	Title string `json:"title"`
	Level int    `json:"level"`
	text.Span
}

// elementJSON is an element; its offsets are bytes of the reading view.
type elementJSON struct {
	Kind string `json:"kind"`
	text.Span
}

func elementsOf(doc *text.Document) (out []elementJSON) {
	list, _ := read.Looks(doc)
	parts := doc.Parts()
	for _, e := range list {
		for len(parts) > 0 && parts[0].Start <= e.Start {
			out, parts = append(out, elementJSON{string(parts[0].Kind), parts[0].Span}), parts[1:]
		}
		out = append(out, elementJSON{e.Kind.String(), e.Span})
	}
	for _, p := range parts {
		out = append(out, elementJSON{string(p.Kind), p.Span})
	}
	return out
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
		pages[i] = pageJSON{p.Number, p.Label, cents(p.Width), cents(p.Height), p.Text, words, p.Furniture, p.Hidden}
	}
	sections := make([]sectionJSON, len(doc.Sections))
	for i, s := range doc.Sections {
		sections[i] = sectionJSON(s)
	}
	return terminal.WriteJSON(out, struct {
		File     string            `json:"file,omitempty"` // set if there are several files
		Title    string            `json:"title,omitempty"`
		Author   string            `json:"author,omitempty"`
		Language string            `json:"language,omitempty"`
		Sections []sectionJSON     `json:"sections,omitempty"`
		Links    []text.Link       `json:"links,omitempty"`
		Elements []elementJSON     `json:"elements,omitempty"`
		Attached []text.Attachment `json:"attachments,omitempty"`
		Pages    []pageJSON        `json:"pages"`
	}{name, doc.Title, doc.Author, doc.Language, sections, doc.Links, elementsOf(doc), doc.Attachments, pages})
}

// cents rounds points to hundredths, which is finer than any screen or printer shows.
func cents(x float64) float64 {
	if x < 0 {
		return -cents(-x)
	}
	return float64(int64(x*100+0.5)) / 100
}
