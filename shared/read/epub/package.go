package epub

import (
	"encoding/xml"
	"io"
	"strings"

	"seam/shared/read/html"
)

// maxList is the maximum unpacked size of a book's list.
const maxList = 16 << 20

// publication holds a book's metadata and its pages in reading order.
type publication struct {
	title    string
	authors  []string
	language string
	pages    []string // names of members
}

// publication reads META-INF/container.xml and the package document that it names.
func (r *reader) publication() (publication, error) {
	container, err := r.list("META-INF/container.xml")
	if err != nil {
		return publication{}, err
	}
	root := ""
	each(container, r.decoder(container), func(e xml.StartElement, _ func() string) {
		if e.Name.Local == "rootfile" && root == "" {
			root = r.member("", attribute(e, "full-path"))
		}
	})
	b, err := r.list(root)
	if err != nil {
		return publication{}, err
	}
	return r.read(root, b), r.readLocks()
}

func (r *reader) list(name string) ([]byte, error) {
	b, why, err := r.unpack(name, maxList)
	switch {
	case err != nil || why == whole:
		return b, err
	case why == locked:
		return nil, damagedf("it is locked")
	}
	return nil, damagedf("it has no list of its pages")
}

// item is a part of a book listed in its package document.
type item struct {
	name    string
	isPage  bool
	isIndex bool // the table of contents
}

// read reads the package document, the member root. A page that occurs twice in the reading
// order is read once.
func (r *reader) read(root string, b []byte) (p publication) {
	items := map[string]item{}
	var aside []string
	taken := map[string]bool{}
	each(b, r.decoder(b), func(e xml.StartElement, words func() string) {
		switch e.Name.Local {
		case "title":
			if t := words(); p.title == "" {
				p.title = t
			}
		case "creator":
			if t := words(); t != "" {
				p.authors = append(p.authors, t)
			}
		case "language":
			if t := words(); p.language == "" {
				p.language = t
			}
		case "item":
			kind, properties := attribute(e, "media-type"), strings.Fields(attribute(e, "properties"))
			it := item{name: r.member(root, attribute(e, "href")), isPage: kind == "application/xhtml+xml" || kind == "text/html"}
			for _, property := range properties {
				it.isIndex = it.isIndex || property == "nav"
			}
			items[attribute(e, "id")] = it
		case "itemref":
			it := items[attribute(e, "idref")]
			if !it.isPage || it.isIndex || taken[it.name] {
				return
			}
			taken[it.name] = true
			if attribute(e, "linear") == "no" {
				aside = append(aside, it.name)
				return
			}
			p.pages = append(p.pages, it.name)
		}
	})
	if len(p.pages) == 0 {
		p.pages = aside
	}
	return p
}

// readLocks reads the names of the encrypted members. Encrypted fonts are common and do not
// matter.
func (r *reader) readLocks() error {
	b, _, err := r.unpack("META-INF/encryption.xml", maxList)
	if err != nil {
		return err
	}
	r.locked = map[string]bool{}
	each(b, r.decoder(b), func(e xml.StartElement, _ func() string) {
		if e.Name.Local == "CipherReference" {
			r.locked[r.member("", attribute(e, "URI"))] = true
		}
	})
	return nil
}

// each decodes an XML file and calls tell for every element, as far as the file can be parsed.
// words returns the element's text.
func each(b []byte, as html.Decoder, tell func(e xml.StartElement, words func() string)) {
	t, _, err := html.Decode(b, as)
	if err != nil {
		return
	}
	d := xml.NewDecoder(strings.NewReader(t))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.Token()
		if err != nil {
			return
		}
		if e, ok := t.(xml.StartElement); ok {
			tell(e, func() string { return words(d) })
		}
	}
}

// words returns the text of the element that has begun.
func words(d *xml.Decoder) string {
	var out strings.Builder
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			break
		}
		switch t := t.(type) {
		case xml.CharData:
			out.Write(t)
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
