// Package epub reads EPUB books for package read. A book is a zip file of HTML pages with a
// reading order. The package is separate because of its size, as is package read/html,
// which reads the pages.
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
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/read"
	"seam/shared/read/html"
	"seam/shared/text"
)

// Name is the format's name in the table of package read.
const Name = "epub"

// Limits on unpacked data: one page, far longer than in any real book, and everything read
// from a book. A zip file of 1 MB can hold 1 GB of spaces.
const (
	maxPage  = 64 << 20
	maxBook  = 256 << 20
	maxParts = 100_000
)

// ErrBook reports a book that cannot be opened. Its text explains the reason to users.
var ErrBook = errors.New("the book cannot be opened")

// Read makes a document from the pages of a book in reading order (the spine of EPUB 3.3).
// Each page is read as an HTML page, and pages are separated by a blank line. The table of
// contents and parts outside the reading order, such as notes, are left out. Headings
// become sections, which may continue across pages. Title, authors and language come from
// the book. Pages that are damaged, encrypted or missing are left out and named in the notes.
//
// Read returns an ErrBook if the file is not a zip file, if its package document cannot be
// found, or if pages are encrypted and no other page has text.
func Read(b []byte, o read.Options) (*text.Document, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(z.File) > maxParts {
		return nil, damagedf("it is not a zip file")
	}
	r := &reader{files: map[string]*zip.File{}, starts: map[string]int{}, anchors: map[string]map[string]int{}, options: o}
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
	if r.out.Len() == 0 && len(r.lost[locked]) > 0 {
		return nil, damagedf("its shop has locked it (DRM)")
	}
	d := text.NewPlain(r.out.String())
	d.Notes = append(r.notes(), r.said...)
	d.Title, d.Author, d.Language = p.title, strings.Join(p.authors, ", "), cmp.Or(p.language, r.language)
	d.Sections = text.EndSections(r.sections, r.out.Len()) // they end with their page
	r.inside(r.out.String())
	d.Links = r.links
	d.Elements = r.elements[:min(len(r.elements), text.MostElements(r.out.Len()))]
	return d, r.report(len(p.pages), len(p.pages))
}

func damagedf(why string, args ...any) error {
	return read.As(ErrBook, fmt.Errorf("this book cannot be opened: %s", fmt.Sprintf(why, args...)))
}

// reader assembles the pages of a book.
type reader struct {
	files    map[string]*zip.File
	locked   map[string]bool // names of encrypted members
	options  read.Options
	unpacked int64
	lost     [missing + 1][]string // names of pages left out, by reason

	out      strings.Builder
	sections []text.Section
	elements []text.Element
	links    []text.Link
	from     []string                  // pages of links
	starts   map[string]int            // of pages in the text
	anchors  map[string]map[string]int // places of ids in the text, by page
	said     []string                  // notes of the pages
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

// page adds one page, or records why it is left out, because the rest of the book is still
// useful.
func (r *reader) page(name string) error {
	b, why, err := r.unpack(name, maxPage)
	if err != nil {
		return err
	}
	if why != whole {
		r.lost[why] = append(r.lost[why], name)
		return nil
	}
	o := r.options
	o.Progress = nil
	o.Decode = r.decoder(b)
	d, anchors, err := html.ReadAnchored(b, o)
	if errors.Is(err, text.ErrBinary) {
		r.lost[damaged] = append(r.lost[damaged], name)
		return nil
	}
	if err != nil {
		return err
	}
	for _, note := range d.Notes {
		if !slices.Contains(r.said, note) {
			r.said = append(r.said, note)
		}
	}
	t := d.View(text.Reading).Text
	if strings.TrimSpace(t) == "" {
		r.starts[name] = r.out.Len()
		return nil
	}
	if r.out.Len() > 0 {
		r.out.WriteString("\n\n")
	}
	at := r.out.Len()
	for id := range anchors {
		anchors[id] += at
	}
	r.starts[name], r.anchors[name] = at, anchors
	r.out.WriteString(t)
	for _, s := range d.Sections {
		s.Start, s.End = s.Start+at, s.End+at
		r.sections = append(r.sections, s)
	}
	for _, e := range d.Elements {
		e.Start, e.End = e.Start+at, e.End+at
		r.elements = append(r.elements, e)
	}
	for _, l := range d.Links {
		l.Start, l.End = l.Start+at, l.End+at
		r.links, r.from = append(r.links, l), append(r.from, name)
	}
	r.language = cmp.Or(r.language, d.Language)
	return nil
}

// inside sets the places of links between the pages and within them. t is the text.
func (r *reader) inside(t string) {
	for i := range r.links {
		l := &r.links[i]
		address, id, _ := strings.Cut(l.URL, "#")
		page := r.from[i]
		if address != "" {
			page = r.member(page, address)
		}
		l.To = 0
		start, ok := r.starts[page]
		if !ok {
			continue
		}
		if name, err := url.PathUnescape(id); err == nil {
			id = name
		}
		if at, found := r.anchors[page][id]; found {
			start = at
		}
		l.To = text.PlaceIn(t, start)
	}
}

// decoder returns the decoder of a member. One for another encoding is not for pages in
// UTF-8, as a book's pages should be.
func (r *reader) decoder(b []byte) html.Decoder {
	if utf8.Valid(b) {
		return nil
	}
	return r.options.Decode
}

// unpack returns the bytes of a member, or why there are none.
func (r *reader) unpack(name string, most int64) ([]byte, state, error) {
	f := r.files[name]
	if f == nil {
		return nil, missing, nil
	}
	if f.Flags&1 > 0 || r.locked[name] {
		return nil, locked, nil
	}
	in, err := f.Open()
	if err != nil {
		return nil, damaged, nil
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if r.unpacked += int64(len(b)); int64(len(b)) > most || r.unpacked > maxBook {
		return nil, whole, damagedf("it would be larger than %d MB unpacked", maxBook>>20)
	}
	if err != nil {
		return nil, damaged, nil
	}
	return b, whole, nil
}

// member resolves an address in the member from to a member's name. It returns "" if the
// address is outside the file. The address may also be a member's plain name, with
// characters that are invalid in addresses.
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
