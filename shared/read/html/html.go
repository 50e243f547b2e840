// Package html reads HTML pages for package read. It is separate because of its size: the
// page runs it in the PDF worker. It reads tokens without building a tree, so its memory
// use does not grow with the depth of a page.
package html

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
// quotes, code and emphasis become elements, <a href> becomes a link. Offsets refer to this text, not to the file.
//
// The bytes are UTF-8, UTF-16 with a byte order mark, or Windows-1252, also known as
// Latin-1 or ASCII. If a page declares another encoding and is not UTF-8, Read returns a
// read.ErrEncoding that names it.
func Read(b []byte, o read.Options) (*text.Document, error) {
	source, err := Decode(b)
	if err != nil {
		return nil, err
	}
	r, err := readParts(source, o)
	if err != nil {
		return nil, err
	}
	d := text.NewPlain(r.out.String())
	d.Title, d.Author, d.Language, d.Meta = oneLine(r.title.String()), r.author, r.language, r.meta
	d.Sections, d.Elements, d.Links = r.sections(), r.marking.done(), r.links.list
	if d.Title == "" && len(r.headings) > 0 && r.headings[0].level == 1 {
		d.Title = r.headings[0].title
	}
	return d, nil
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

// Decode returns the source of a page as text, as Read uses it.
func Decode(b []byte) (string, error) {
	t, note, err := text.Decode(b)
	if err != nil || note != text.AsWindows1252 {
		return t, err
	}
	switch name := charset(t); name {
	case "", "utf-8", "utf8", "windows-1252", "cp1252", "iso-8859-1", "latin1", "us-ascii", "ascii":
		return t, nil
	default:
		return "", read.As(read.ErrEncoding, fmt.Errorf("the page is in the encoding %.40q, which Seam does not read; save it as UTF-8", name))
	}
}

// Source is Decode for callers that read the text once. It does not copy a page in UTF-8.
func Source(b []byte) (io.Reader, error) {
	if text.Plain(b) {
		return bytes.NewReader(b), nil
	}
	t, err := Decode(b)
	return strings.NewReader(t), err
}

// charset returns the encoding that a page declares, in lower case, in HTML or otherwise in
// XML. The standard looks for it in the first 1,024 bytes
// (https://html.spec.whatwg.org/#determining-the-character-encoding).
func charset(t string) string {
	head := strings.ToLower(t[:text.Edge(t, 1024)])
	_, after, found := strings.Cut(head, "charset=")
	if declaration, _, ok := strings.Cut(head, "?>"); !found && ok && strings.HasPrefix(head, "<?xml") {
		_, after, found = strings.Cut(declaration, "encoding=")
	}
	if !found {
		return ""
	}
	after = strings.TrimLeft(after, `"' `)
	if end := strings.IndexAny(after, `"'> ;/`); end >= 0 {
		after = after[:end]
	}
	return after
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
