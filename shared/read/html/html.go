// Package html reads HTML pages for package read. It is separate because of its size: the
// page runs it in the PDF worker. It reads tokens without building a tree, so its memory
// use does not grow with the depth of a page.
package html

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/charset"
	"seam/shared/read"
	"seam/shared/text"
)

// Name is the format's name in the table of package read.
const Name = "html"

// Read makes a document of the text that a person would read on a page. It reads the main
// part if the page marks one with <main>, otherwise the body. It leaves out scripts,
// styles, navigation, forms and hidden parts.
//
// Paragraphs are separated by a blank line, list items and table rows by a line end, cells
// by " | ". Text in <pre> is unchanged. Headings become sections. Lists, tables, <pre>,
// quotes, code, emphasis and the descriptions of pictures become elements, <a href> becomes a
// link. Offsets refer to this
// text, not to the file.
//
// charset.Decode finds the encoding. A note says which one, unless the page declares it.
func Read(b []byte, o read.Options) (*text.Document, error) {
	d, _, err := ReadAnchored(b, o)
	return d, err
}

// ReadAnchored is Read. It also returns the places of the page's ids in the text.
func ReadAnchored(b []byte, o read.Options) (d *text.Document, anchors map[string]int, err error) {
	source, notes, err := Decode(b, o.Decode)
	if err != nil {
		return nil, nil, err
	}
	r, err := readParts(source, o)
	if err != nil {
		return nil, nil, err
	}
	r.links.place(r.out.Len())
	r.links.inside(r.out.String())
	d = text.NewPlain(r.out.String())
	d.Notes = notes
	d.Title, d.Author, d.Language, d.Meta = oneLine(r.title.String()), r.author, r.language, r.meta
	d.Sections, d.Elements, d.Links = r.sections(), r.marking.done(), r.links.list
	if d.Title == "" && len(r.headings) > 0 && r.headings[0].level == 1 {
		d.Title = r.headings[0].title
	}
	return d, r.links.anchors, nil
}

// readParts reads the main part. If that is empty, it reads everything except elements that
// are never text, because a page may consist only of navigation or lack an end tag.
func readParts(source string, o read.Options) (*reader, error) {
	scopes := []scope{{mainOnly: true, strict: true}, {strict: true}, {}}
	if !hasMain(source) {
		scopes = scopes[1:]
	}
	var r *reader
	for _, scope := range scopes {
		r = &reader{scope: scope, depth: map[atom.Atom]int{}}
		if err := r.read(source, o); err != nil {
			return nil, err
		}
		if r.out.Len() > 0 && r.skip == "" {
			break
		}
	}
	return r, nil
}

// Decoder is a read.Options.Decode. If nil, charset.Decode finds the encoding.
type Decoder = func(b []byte) (t string, notes []string, err error)

// Decode returns the source of a page as text, as Read uses it. Its notes leave out the
// offsets, and an encoding that the page declares.
func Decode(b []byte, as Decoder) (source string, notes []string, err error) {
	if as == nil {
		as = func(b []byte) (string, []string, error) { return charset.Decode(b, charset.Options{}) }
	}
	source, all, err := as(b)
	for _, note := range all {
		note, _, _ = strings.Cut(note, charset.Offsets)
		if !strings.HasSuffix(note, charset.Declares) {
			notes = append(notes, note)
		}
	}
	return source, notes, err
}

// Source is Decode for callers that read the text once. It does not copy a page in UTF-8.
func Source(b []byte, as Decoder) (io.Reader, error) {
	if as == nil && text.Plain(b) {
		return bytes.NewReader(b), nil
	}
	t, _, err := Decode(b, as)
	return strings.NewReader(t), err
}

// hasMain reports whether a page marks its main part.
func hasMain(source string) bool {
	z := newTokens(source)
	for {
		switch z.next() {
		case html.ErrorToken:
			return false
		case html.StartTagToken:
			if t := z.Token(); isMain(t) {
				return true
			}
		}
	}
}

func isMain(t html.Token) bool {
	return t.DataAtom == atom.Main || value(t, "role") == "main"
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
