// Package epub is the reader of EPUB books for package read: a zip file of HTML pages and
// the order to read them in. It is apart for its size, as package read/html is, which reads
// the pages.
package epub

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"seam/shared/read"
	"seam/shared/read/html"
	"seam/shared/text"
)

// Name is the format's in the table of package read.
const Name = "epub"

// What a book may unpack to: a page, which is far longer than any of a real book, and all
// that is read of it. A zip file of 1 MB can hold 1 GB of blanks.
const (
	maxPage  = 64 << 20
	maxBook  = 256 << 20
	maxParts = 100_000
)

// ErrBook is what is wrong with a book; its text is for people, and says what.
var ErrBook = errors.New("the book cannot be opened")

// Read makes a document of the pages of a book in their order (the spine of EPUB 3.3), one
// blank line apart, each read as an HTML page. The table of contents and what is outside of
// the order, such as notes, are left out. Headings are sections, which may go on from page
// to page. Title, authors and language are those of the book.
//
// A file that is no zip file, or whose package cannot be found, is an ErrBook; so is a book
// that a shop has locked, as its pages are no text.
func Read(b []byte, o read.Options) (*text.Document, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(z.File) > maxParts {
		return nil, damagedf("it is no zip file")
	}
	r := &reader{files: map[string]*zip.File{}, options: o}
	for _, f := range z.File {
		r.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	p, err := r.publication()
	if err != nil {
		return nil, err
	}
	for i, name := range p.pages {
		if err := r.report(i, len(p.pages)); err != nil {
			return nil, err
		}
		if err := r.page(name); err != nil {
			return nil, err
		}
	}
	d := text.NewPlain(r.out.String())
	d.Title, d.Author, d.Language = p.title, strings.Join(p.authors, ", "), cmp.Or(p.language, r.language)
	d.Sections = text.EndSections(r.sections, r.out.Len()) // a page has ended them
	d.Elements = r.elements[:min(len(r.elements), text.MostElements(r.out.Len()))]
	return d, r.report(len(p.pages), len(p.pages))
}

func damagedf(why string, args ...any) error {
	return read.As(ErrBook, fmt.Errorf("this book cannot be opened: %s", fmt.Sprintf(why, args...)))
}

// reader puts the pages of a book together.
type reader struct {
	files    map[string]*zip.File
	options  read.Options
	unpacked int64

	out      strings.Builder
	sections []text.Section
	elements []text.Element
	language string
}

func (r *reader) report(done, total int) error {
	ctx := r.options.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if err := ctx.Err(); err != nil || r.options.Progress == nil {
		return err
	}
	return r.options.Progress(done, total)
}

// page adds one. One that is not in the file, or is damaged, is left out: a book with a
// missing page is still a book.
func (r *reader) page(name string) error {
	b, err := r.unpack(name, maxPage)
	if err != nil || b == nil {
		return err
	}
	o := r.options
	o.Progress = nil
	d, err := html.Read(b, o)
	if errors.Is(err, text.ErrBinary) {
		return nil
	}
	if err != nil {
		return err
	}
	t := d.View(text.Reading).Text
	if strings.TrimSpace(t) == "" {
		return nil
	}
	if r.out.Len() > 0 {
		r.out.WriteString("\n\n")
	}
	at := r.out.Len()
	r.out.WriteString(t)
	for _, s := range d.Sections {
		s.Start, s.End = s.Start+at, s.End+at
		r.sections = append(r.sections, s)
	}
	for _, e := range d.Elements {
		e.Start, e.End = e.Start+at, e.End+at
		r.elements = append(r.elements, e)
	}
	r.language = cmp.Or(r.language, d.Language)
	return nil
}

// unpack returns the bytes of a member; nil where there is none, or it is damaged.
func (r *reader) unpack(name string, most int64) ([]byte, error) {
	f := r.files[name]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 > 0 {
		return nil, damagedf("it is locked")
	}
	in, err := f.Open()
	if err != nil {
		return nil, nil
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if r.unpacked += int64(len(b)); int64(len(b)) > most || r.unpacked > maxBook {
		return nil, damagedf("it would take more than %d MB unpacked", maxBook>>20)
	}
	if err != nil {
		return nil, nil
	}
	return b, nil
}

// member is the name in the file of what an address in the member from names; "" where it
// is not in the file. The address may be the bare name of a member, with characters that
// addresses do not have.
func (r *reader) member(from, address string) string {
	below := func(name string) string {
		return strings.TrimPrefix(path.Join("/", path.Dir(from), name), "/")
	}
	name := ""
	if u, err := url.Parse(address); err == nil && u.Scheme == "" && u.Host == "" && u.Path != "" {
		name = below(u.Path)
	}
	if bare := below(address); r.files[name] == nil && r.files[bare] != nil {
		return bare
	}
	return name
}
