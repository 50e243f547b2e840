// Package pdftext converts the bytes of a PDF file to a text.Document: the words of each
// page with their boxes, and the content and reading views.
//
// It never panics, for any bytes. A file that cannot be opened gives one of the errors
// below. A page that cannot be read keeps as much text as possible, and the document's
// notes mention it. README.md describes the packages.
package pdftext

import (
	"context"
	"fmt"
	"slices"

	"seam/shared/pdftext/collection"
	"seam/shared/pdftext/font"
	"seam/shared/pdftext/interp"
	"seam/shared/pdftext/layout"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/reading"
	"seam/shared/text"
)

// The errors of Extract, for errors.Is.
var (
	ErrNotPDF   = object.ErrNotPDF   // not a PDF
	ErrDamaged  = object.ErrDamaged  // cannot be opened
	ErrPassword = object.ErrPassword // encrypted; the text says whether the password is missing or wrong
	ErrCipher   = object.ErrCipher   // encrypted, and no password opens it
)

// Options configures Extract. The zero value is valid.
type Options struct {
	// Password is the user's or the owner's password. Without one, files open that are not
	// encrypted or are encrypted with the empty password.
	Password string
	// Progress, if not nil, is called with done 0 when the file is open, and after each
	// page. If it returns an error, Extract stops and returns that error unchanged.
	Progress func(done, total int) error
	// Context ends Extract early, with its error. Nil never ends.
	Context context.Context
	// HiddenText has the reading view include the text that nobody sees on a page; see
	// text.Page.
	HiddenText bool
	// Assets returns the files named by collection.Files, each at most once, when a font
	// needs it. If it is nil, the files in the program are used; a browser program has
	// none.
	Assets func(file string) ([]byte, error)
}

// Extract reads the PDF file b, which it does not change.
func Extract(b []byte, o Options) (*text.Document, error) {
	ctx := o.Context
	if ctx == nil {
		ctx = context.Background()
	}
	file, err := object.Open(ctx, b, o.Password)
	if err != nil {
		return nil, err
	}
	tree, err := file.Pages()
	if err != nil || len(tree) == 0 {
		return nil, fmt.Errorf("%w: it has no pages", ErrDamaged)
	}
	progress := o.Progress
	if progress == nil {
		progress = func(int, int) error { return nil }
	}
	if err := progress(0, len(tree)); err != nil {
		return nil, err
	}
	fonts := font.NewLoader(file)
	fonts.Collections = collection.NewSet(o.Assets)
	notes := notes{withHidden: o.HiddenText, lost: file.Lost}
	all, err := readPages(ctx, file, fonts, tree, o.HiddenText, &notes, progress)
	if err != nil {
		return nil, err
	}
	notes.missing = fonts.Collections.Missing()
	doc := document(file, tree, all)
	doc.Notes = notes.sentences()
	list, more := file.Attachments(tree)
	if note := attach(doc, list, more); note != "" {
		doc.Notes = append(doc.Notes, note)
	}
	return doc, nil
}

// pagesRead holds the pages of a file, their lines, and the figures that their content describes.
type pagesRead struct {
	pages     []text.Page
	lines     [][]layout.Line
	described []object.Figure
}

// readPages reads the pages of a file and their lines, and collects notes about them.
func readPages(ctx context.Context, file *object.File, fonts *font.Loader, tree []object.Page, withHidden bool, notes *notes, progress func(done, total int) error) (pagesRead, error) {
	pages := make([]text.Page, 0, len(tree))
	lines := make([][]layout.Line, 0, len(tree))
	var described []object.Figure
	var effort effort
	reader, builder := interp.NewReader(file, fonts), new(layout.Builder)
	for i, p := range tree {
		content, err := effort.page(func(most int) (interp.Content, error) {
			return reader.Page(ctx, p, most)
		})
		if ctx.Err() != nil {
			return pagesRead{}, ctx.Err()
		}
		page := text.Page{Number: i + 1}
		page.Width, page.Height = p.Size()
		c, layoutErr := place(builder, content)
		page.Text, page.Words, page.Hidden = c.Text, c.Words, hidden(c.Lines)
		if withHidden {
			for k := range c.Lines {
				c.Lines[k].Hidden = nil
			}
		}
		pages, lines = append(pages, page), append(lines, c.Lines)
		notes.page(i+1, content, len(c.Words), err, layoutErr)
		for _, d := range content.Described {
			described = object.AddFigure(described, d.Text, i, d.Area)
		}
		if garbled(content.Glyphs) {
			notes.garbled = append(notes.garbled, i+1)
		}
		if len(page.Hidden) > 0 {
			notes.hidden = append(notes.hidden, i+1)
		}
		if slices.ContainsFunc(c.Lines, func(l layout.Line) bool { return l.Option }) {
			notes.options = append(notes.options, i+1)
		}
		if err := progress(i+1, len(tree)); err != nil {
			return pagesRead{}, err
		}
	}
	return pagesRead{pages, lines, described}, nil
}

// hidden returns the parts of lines that nobody sees.
func hidden(lines []layout.Line) (out []text.Span) {
	for i := range lines {
		out = append(out, lines[i].Hidden...)
	}
	return out
}

// document assembles the data read from a file.
func document(file *object.File, tree []object.Page, all pagesRead) *text.Document {
	pages, outline := all.pages, file.Outline(tree)
	for i, label := range file.PageLabels(len(tree)) {
		pages[i].Label = label
	}
	figures := file.Figures(tree)
	if len(figures) == 0 {
		figures = all.described
	}
	r := withFigures(read(pages, all.lines, outline), figures, tree, pages)
	for i, spans := range r.Furniture {
		pages[i].Furniture = spans
	}
	doc := text.NewPaged(pages, r.View)
	m := file.Metadata()
	doc.Title, doc.Author, doc.Language = m.Title, m.Author, m.Language
	if m.Date != "" {
		doc.Meta = map[string][]string{"date": {m.Date}}
	}
	doc.Outline, doc.Sections, doc.Elements = outline, r.Sections, r.Elements
	doc.Links = links(file.Links(tree), tree, doc)
	return doc
}

// read is reading.Read. If that panics, lines stay as they are.
func read(pages []text.Page, lines [][]layout.Line, outline []text.Bookmark) (r reading.Result) {
	defer func() {
		if recover() != nil {
			r = reading.Result{View: text.JoinPages(pages, "\n", true)}
		}
	}()
	return reading.Read(pages, lines, outline)
}

// place lays out a page. If the builder panics, the page is empty.
func place(b *layout.Builder, c interp.Content) (p layout.Page, err error) {
	defer func() {
		if recover() != nil {
			p, err = layout.Page{}, errLayout
			*b = layout.Builder{}
		}
	}()
	return b.Page(c.Glyphs), nil
}
