// Package html is the reader of HTML pages for package read, apart from it for its size:
// the page has it in the worker of PDFs. It reads tokens and builds no tree, so that its
// memory does not grow with the depth of a page.
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

// Name is the format's in the table of package read.
const Name = "html"

// Read makes a document of what a person would read of a page: its main part where the
// page marks one with <main>, else its body; without scripts, styles, navigation, forms
// and what is hidden. Paragraphs are apart by a blank line, items of a list and rows of a
// table by a line end, cells by " | "; text in <pre> stays as it is. Headings are
// sections; lists, tables, <pre>, quotes, code and emphasis are elements; offsets are of
// this text, not of the file.
//
// The bytes are UTF-8, UTF-16 with a byte order mark, or Windows-1252, whose other names
// are Latin-1 and ASCII. A page that says it is in another encoding, and is not UTF-8, is
// a read.ErrEncoding that tells which.
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
	d.Sections, d.Elements = r.sections(), r.marking.done()
	if d.Title == "" && len(r.headings) > 0 && r.headings[0].level == 1 {
		d.Title = r.headings[0].title
	}
	return d, nil
}

// readParts reads the main part; where there is nothing in it, all but what is never
// text: a page may be navigation alone, or forget to end it.
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

// Decode returns the text of a page, as Read takes it.
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

// Source is Decode for who reads the text once: a page in UTF-8 is not copied for it.
func Source(b []byte) (io.Reader, error) {
	if text.Plain(b) {
		return bytes.NewReader(b), nil
	}
	t, err := Decode(b)
	return strings.NewReader(t), err
}

// charset is the encoding that a page says it has, in lower case, in HTML or else in XML; the
// standard looks for it in the first 1,024 bytes (https://html.spec.whatwg.org/#determining-the-character-encoding).
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
