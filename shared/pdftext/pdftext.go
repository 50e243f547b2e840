// Package pdftext turns the bytes of a PDF file into a text.Document: the
// words of each page with their boxes, and the content and the reading view.
//
// It never panics, whatever the bytes: a file that cannot be opened is one of
// the errors below, a page that cannot be read is as empty as it must be, and
// the document's notes say so. README.md is the map of the packages.
package pdftext

import (
	"context"
	"errors"
	"fmt"
	"time"

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
	ErrNotPDF   = object.ErrNotPDF   // no PDF at all
	ErrDamaged  = object.ErrDamaged  // cannot be opened
	ErrPassword = object.ErrPassword // encrypted; the text tells whether the password is missing or wrong
)

// Options says how to read a file. The zero value is fine.
type Options struct {
	// Password is the user's or the owner's. Without one, and where it is not
	// needed, files open that are encrypted with the empty password.
	Password string
	// Progress is called when the file is open, with done 0, and after each
	// page. An error from it ends Extract, which returns it as it is. It may be
	// nil.
	Progress func(done, total int) error
	// Context ends Extract early: with its error when it is cancelled, with the
	// pages read so far and a note when its deadline passes between them. Nil
	// never ends.
	Context context.Context
	// Now is a clock that only moves forward. With it a page that takes longer
	// than PageTime is left where it stands, and noted. Nil: no limit.
	Now func() time.Duration
	// OutOfTime is told where a page was left, or not begun, for want of time. It may be nil.
	OutOfTime func()
	// PageTime is the limit of one page; 0 means 4 seconds.
	PageTime time.Duration
	// Assets hands out the files that collection.Files names, each when a font
	// first needs it and then no more. Without it they are those that the program
	// brings; in a browser it brings none.
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
	pages := make([]text.Page, 0, len(tree))
	lines := make([][]layout.Line, 0, len(tree))
	var notes notes
	watch := newWatch(ctx, o)
	reader, builder := interp.NewReader(file, fonts), new(layout.Builder)
	for i, p := range tree {
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		content, err := watch.page(func(stop func() bool) (interp.Content, error) {
			return reader.Page(p, stop)
		})
		page := text.Page{Number: i + 1}
		page.Width, page.Height = p.Size()
		c, layoutErr := place(builder, content)
		page.Text, page.Words = c.Text, c.Words
		pages, lines = append(pages, page), append(lines, c.Lines)
		notes.page(i+1, content, len(c.Words), err, layoutErr)
		if err := progress(i+1, len(tree)); err != nil {
			return nil, err
		}
	}
	if len(notes.slow) > 0 && o.OutOfTime != nil {
		o.OutOfTime()
	}
	notes.missing = fonts.Collections.Missing()
	doc := document(file, tree, pages, lines)
	doc.Notes = notes.sentences()
	return doc, nil
}

// document puts together what was read of a file.
func document(file *object.File, tree []object.Page, pages []text.Page, lines [][]layout.Line) *text.Document {
	outline := file.Outline(tree)
	for i, label := range file.PageLabels(len(tree)) {
		pages[i].Label = label
	}
	r := read(pages, lines, outline)
	for i, spans := range r.Furniture {
		pages[i].Furniture = spans
	}
	doc := text.NewPaged(pages, r.View)
	m := file.Metadata()
	doc.Title, doc.Author, doc.Language = m.Title, m.Author, m.Language
	doc.Outline, doc.Sections, doc.Elements = outline, r.Sections, r.Elements
	return doc
}

// read is reading.Read; should it give up, lines stay as they are.
func read(pages []text.Page, lines [][]layout.Line, outline []text.Bookmark) (r reading.Result) {
	defer func() {
		if recover() != nil {
			r = reading.Result{View: text.JoinPages(pages, "\n", true)}
		}
	}()
	return reading.Read(pages, lines, outline)
}

// place lays out a page; should the builder give up, the page is empty.
func place(b *layout.Builder, c interp.Content) (p layout.Page, err error) {
	defer func() {
		if recover() != nil {
			p, err = layout.Page{}, errLayout
			*b = layout.Builder{}
		}
	}()
	return b.Page(c.Glyphs), nil
}
