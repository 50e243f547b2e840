// Package text holds the types that every other package of Seam uses: a Document with its
// pages, the two texts ("views") made from them, and spans of those texts.
//
// There is one rule about offsets. A Span is a half-open range of UTF-8 bytes in one view
// or in one page, and is valid only for the text it was made with. JavaScript counts in
// UTF-16 units; UTF16 converts once, at the edge.
package text

import (
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Span is the half-open byte range [Start, End) of a UTF-8 text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Of returns the part of t that s covers. It panics if s is not inside t.
func (s Span) Of(t string) string { return t[s.Start:s.End] }

// Edge returns the last rune boundary in t at or before i. Each byte that is not valid
// UTF-8 counts as a rune.
func Edge(t string, i int) int {
	if i >= len(t) {
		return len(t)
	}
	for k := 1; k < utf8.UTFMax && k <= i; k++ {
		if utf8.RuneStart(t[i-k]) {
			if _, n := utf8.DecodeRuneInString(t[i-k:]); n > k {
				return i - k
			}
			break
		}
	}
	return max(i, 0)
}

// Box is a rectangle on a page in points (1/72 inch), measured from the top left corner of
// the page as displayed, after rotation and cropping. X0, Y0 is the upper left corner, X1,
// Y1 the lower right one.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Union returns the smallest box around b and c.
func (b Box) Union(c Box) Box {
	return Box{min(b.X0, c.X0), min(b.Y0, c.Y0), max(b.X1, c.X1), max(b.Y1, c.Y1)}
}

// Word is a run of non-blank text on a page, with its place. Its span refers to the page's
// text.
type Word struct {
	Span
	Box Box
}

// Page is a page in content order, the order in which the file draws it.
type Page struct {
	Number        int     // counted from 1
	Width, Height float64 // in points, as displayed; 0 for formats without a page size
	Text          string  // lines end in "\n"; spaces at line ends are kept
	Words         []Word  // by ascending Start
	Label         string  // the document's own page number, such as "iv"; may be empty
	// Furniture holds the parts of Text that the reading view leaves out: running heads and
	// feet, page numbers, stamps of downloads, the numbers of charts. They are in ascending order and do not overlap.
	Furniture []Span
	// Hidden holds the parts of Text that nobody sees on the page: white on white, without
	// ink, or too small. They are ordered as in Furniture, and the reading view leaves them
	// out, too, unless its reader was asked for them.
	Hidden []Span
}

// Bookmark is an entry of the file's outline.
type Bookmark struct {
	Title string
	Level int     // from 1 at the top
	Page  int     // index into Document.Pages; -1 if it leads to no page
	Y     float64 // points below the top of the page; 0 if unknown
}

// Section is a heading with the text below it.
type Section struct {
	Title string
	Level int // from 1 at the top
	Span      // in the reading view: from the heading to the next one of the same or a higher level
}

// Attachment is a file attached to another.
type Attachment struct {
	Name  string `json:"name"`            // no two of a document are equal
	Type  string `json:"type,omitempty"`  // as the file states it, such as "text/csv"
	Bytes int    `json:"bytes,omitempty"` // as the file states it; 0 if it does not
}

// ViewName names one of the two texts of a document.
type ViewName string

const (
	// Content is the pages in content order, like PyMuPDF's get_text("text"), each followed
	// by one space, with both ends stripped. The notebook-* methods and fixed use it by
	// default, because their published figures depend on it.
	Content ViewName = "content"
	// Reading is the text as a person reads it: wrapped lines joined into paragraphs,
	// line-end hyphens removed, and paragraphs separated by a blank line. Every other
	// method uses it by default.
	Reading ViewName = "reading"
)

// Document is a file as the engine sees it. Make one with NewPaged or NewPlain. The zero
// value is an empty document.
type Document struct {
	Name     string   // the user's name for it, usually the file's name
	Title    string   // from the file's metadata, like Author and Language; may be empty
	Author   string   // several are separated by ", "
	Language string   // a tag such as "de-AT"
	Notes    []string // sentences about parts that could not be read
	// Meta holds other metadata of the file, such as Markdown front matter or the date of a
	// PDF: values by lower-case name. It is nil if there is none.
	Meta     map[string][]string
	Pages    []Page
	Outline  []Bookmark
	Sections []Section // of the reading view, by ascending Start
	Elements []Element // see CheckElements; nil if the format or its reader has none
	Links    []Link    // by ascending Start; see CheckLinks
	// Attachments are the files attached to a PDF. They are not part of its text.
	Attachments []Attachment

	content, reading View
}

// NewPaged makes a document from pages. reading is the reading view. Its runs must refer to
// pages (see View.Check).
func NewPaged(pages []Page, reading View) *Document {
	return &Document{Pages: pages, content: JoinPages(pages, " ", true), reading: reading}
}

// NewPlain makes a document from plain text. Both views are exactly t, so offsets are
// offsets into the user's file. Form feeds in t begin new pages.
func NewPlain(t string) *Document {
	d := &Document{}
	v := View{Text: t}
	for at, n := 0, 0; ; n++ {
		end := len(t)
		if i := strings.IndexByte(t[at:], '\f'); i >= 0 {
			end = at + i
		}
		d.Pages = append(d.Pages, Page{Number: n + 1, Text: t[at:end]})
		if end > at {
			v.Runs = append(v.Runs, Run{Start: at, Page: n, From: 0, Len: end - at})
		}
		if end == len(t) {
			break
		}
		at = end + 1
	}
	d.content, d.reading = v, v
	return d
}

// NewPlainAfter makes a document from plain text whose reading view is exactly the text
// after head, without the white space in between. Its first page has head as furniture.
// NewPlainAfter panics if head is not on the first page.
func NewPlainAfter(t string, head Span) *Document {
	d := NewPlain(t)
	_ = head.Of(d.Pages[0].Text)
	d.Pages[0].Furniture = []Span{head}
	from := len(t) - len(strings.TrimLeft(t[head.End:], "\r\n\f\v\t "))
	return NewPaged(d.Pages, d.reading.cut(Span{from, len(t)}))
}

// View returns the named view, or the reading view for any other name. The result belongs
// to d and must not be changed.
func (d *Document) View(name ViewName) *View {
	if name == Content {
		return &d.content
	}
	return &d.reading
}

// SectionPath returns the titles of the sections around byte at of the named view,
// outermost first. It returns nil if there are none. It always returns nil for the content
// view, whose order may differ from the headings' order.
func (d *Document) SectionPath(name ViewName, at int) []string {
	if name == Content {
		return nil
	}
	return d.path(sort.Search(len(d.Sections), func(i int) bool { return d.Sections[i].Start > at })-1, at)
}

// Titles returns the titles of section i and the sections around it, outermost first.
func (d *Document) Titles(i int) []string { return d.path(i, d.Sections[i].Start) }

// path returns the titles of the sections around byte at, outermost first. Section i is the
// last that begins at or before it.
func (d *Document) path(i, at int) (path []string) {
	for level := math.MaxInt; i >= 0 && level > 1; i-- {
		if s := d.Sections[i]; s.Level < level && at < s.End {
			path, level = append(path, s.Title), s.Level
		}
	}
	slices.Reverse(path)
	return path
}

// Enclosing returns the index of the innermost section with all of a span of the named view,
// or -1 if there is none, as always in the content view.
func (d *Document) Enclosing(name ViewName, s Span) int {
	if name == Content {
		return -1
	}
	i := sort.Search(len(d.Sections), func(i int) bool { return d.Sections[i].Start > s.Start }) - 1
	for i >= 0 && d.Sections[i].End < s.End {
		i--
	}
	return i
}

// SectionTitles returns the titles of the sections that a span belongs to, outermost first,
// as SectionPath does for the span's start. If the span covers several sections, the titles
// they share come first, and the last title combines the first and the last section: "Looms
// – Wheels". A section that contains one of the others counts as that section.
func (d *Document) SectionTitles(name ViewName, s Span) []string {
	paths := [][]string{d.SectionPath(name, s.Start)}
	if paths[0] == nil && name == Content {
		return nil
	}
	next := sort.Search(len(d.Sections), func(i int) bool { return d.Sections[i].Start > s.Start })
	for _, section := range d.Sections[next:] {
		if section.Start >= s.End {
			break
		}
		path, last := d.SectionPath(name, section.Start), len(paths)-1
		if n := len(paths[last]); n <= len(path) && slices.Equal(paths[last], path[:n]) {
			paths[last] = path
		} else {
			paths = append(paths, path)
		}
	}
	first, last := paths[0], paths[len(paths)-1]
	common := len(first)
	for _, p := range paths[1:] {
		n := 0
		for n < min(common, len(p)) && p[n] == first[n] {
			n++
		}
		common = n
	}
	if common == len(first) || common == len(last) {
		return first[:common]
	}
	return append(slices.Clone(first[:common]), first[common]+" – "+last[common])
}
