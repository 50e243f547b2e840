// Package site makes the search index of a built web site. It extracts the readable text of
// HTML pages, cuts it into chunks, and writes the files that a widget searches (package
// shards).
package site

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/andybalholm/cascadia"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/read/html"
	"seam/shared/site/shards"
	"seam/shared/text"
)

// Page is the readable content of a page of a site.
type Page struct {
	URL         string // from the site's root, without a leading slash
	Title       string
	Language    string // as the page says, or as its text shows: "", "en", "pt-BR"
	Description string
	Text        string
	Headings    []html.Heading
	Anchors     []html.Anchor
	Keywords    []string            // search terms chosen by its authors
	Filters     map[string][]string // values by which a search can be narrowed
	Versioned   bool                // its generator states its version
	Meta        map[string]string   // data to show in a result: "image", and the page's own
	Date        string              // as in the page: 2026-11-24, or ""
	Weight      float64             // 1 unless the page says otherwise
	// Marked reports whether the page itself marks its body.
	Marked bool
	// Links is the share of the text in links, 0 to 1. Linked is the number of links.
	Links  float64
	Linked int
	// Left lists the text of its body that is not in Text.
	Left []Left
	// Versions lists the versions of the page, newest first; nil if it has only one. See Tidy.
	Versions []shards.Version
	// Canonical is the address that the page names as its own.
	Canonical string
}

// ErrNoIndex is the error for a page that asks not to be indexed, or redirects to another.
var ErrNoIndex = errors.New("the page is marked noindex, or leads to another")

// Reader reads pages. Make one with NewReader.
type Reader struct {
	// Decode converts the bytes of pages to text. If nil, charset.Decode does.
	Decode html.Decoder

	body, ignore []cascadia.Matcher
}

// NewReader returns a Reader. The body of a page is everything found by the first selector
// in body that matches anything. Otherwise it is determined by the page's own marks and
// elements. Elements matching ignore are left out. Selectors are CSS selectors.
func NewReader(body, ignore []string) (*Reader, error) {
	r := &Reader{}
	for _, list := range []struct {
		from []string
		to   *[]cascadia.Matcher
	}{{body, &r.body}, {ignore, &r.ignore}} {
		for _, s := range list.from {
			m, err := cascadia.ParseGroup(s)
			if err != nil {
				return nil, fmt.Errorf("the selector %q: %w", s, err)
			}
			*list.to = append(*list.to, m)
		}
	}
	return r, nil
}

// Read reads a page. It returns ErrNoIndex for a page that asks not to be indexed, or
// redirects to another.
func (r *Reader) Read(url string, b []byte) (*Page, error) {
	s, root, err := r.survey(b)
	if err != nil {
		return nil, err
	}
	if s.noindex {
		return nil, ErrNoIndex
	}
	p := s.page
	p.URL = url
	bodies := s.bodies(root)
	tree := html.ReadTree(bodies, s.left)
	s.leftAround(root, bodies)
	p.Text, p.Headings, p.Anchors = tree.Text, tree.Headings, tree.Anchors
	if n := letters(p.Text); n > 0 {
		p.Links = float64(s.linked) / float64(n)
	}
	s.product()
	p.Language = s.languageOf(bodies[0], p.Text)
	if s.title != "" {
		p.Title = s.title
	}
	if p.Title == "" && len(p.Headings) > 0 {
		p.Title = p.Headings[0].Title
	}
	return p, nil
}

// survey parses a page and collects information about it.
func (r *Reader) survey(b []byte) (*survey, *nethtml.Node, error) {
	source, err := html.Source(b, r.Decode)
	if err != nil {
		return nil, nil, err
	}
	root, err := nethtml.Parse(source)
	if err != nil {
		return nil, nil, fmt.Errorf("read as HTML: %w", err)
	}
	s := &survey{page: &Page{Weight: 1}, reader: r, root: root}
	s.look(root)
	return s, root, nil
}

// survey holds the results of one pass over a page before it is read.
type survey struct {
	page    *Page
	reader  *Reader
	root    *nethtml.Node
	noindex bool
	title   string // title that the page marks for the search
	marked  []*nethtml.Node
	main    []*nethtml.Node
	html    *nethtml.Node
	linked  int // letters of the body in links
	// navigation are elements that only lead to the next page, the previous one and the like.
	navigation map[*nethtml.Node]bool
	measures   map[*nethtml.Node]measure // made on demand
	// language and tag are values that the generator writes into a <meta>. header is the
	// language of a <meta http-equiv>.
	language, tag, header string
}

// look records the page's metadata and the candidates for its body.
func (s *survey) look(root *nethtml.Node) {
	for n := range root.Descendants() {
		if n.Type != nethtml.ElementNode {
			continue
		}
		switch n.DataAtom {
		case atom.Html:
			s.html = n
		case atom.Title:
			if n.Namespace == "" && s.page.Title == "" {
				s.page.Title = oneLine(textOf(n))
			}
		case atom.Meta:
			s.meta(n)
		case atom.A:
			s.findNavigation(n)
		case atom.Link:
			if strings.EqualFold(attr(n, "rel"), "canonical") {
				s.page.Canonical = attr(n, "href")
			}
		case atom.Time:
			if s.page.Date == "" {
				s.page.Date = dateOf(attr(n, "datetime"))
			}
		}
		switch {
		case has(n, "data-seam-body") || has(n, "data-pagefind-body"):
			if !within(n, s.marked) {
				s.marked = append(s.marked, n)
			}
		case n.DataAtom == atom.Main || attr(n, "role") == "main":
			if !within(n, s.main) {
				s.main = append(s.main, n)
			}
		}
		s.readAttributes(n)
	}
}

// meta records the content of a <meta>.
func (s *survey) meta(n *nethtml.Node) {
	name, content := strings.ToLower(attr(n, "name")+attr(n, "property")), oneLine(attr(n, "content"))
	p := s.page
	switch strings.ToLower(attr(n, "http-equiv")) {
	case "refresh":
		s.noindex = s.noindex || strings.Contains(strings.ToLower(content), "url=") // it redirects to another page
	case "content-language":
		s.header = content
	}
	switch name {
	case "robots", "seam":
		if lower := strings.ToLower(content); strings.Contains(lower, "noindex") || lower == "none" {
			s.noindex = true
		}
	case "description":
		p.Description = content
	case "keywords":
		for _, k := range strings.Split(content, ",") {
			if k = strings.TrimSpace(k); k != "" {
				p.Keywords = append(p.Keywords, k)
			}
		}
	case "date", "article:published_time", "article:modified_time":
		if d := dateOf(content); d != "" {
			p.Date = d
		}
	case "og:image":
		s.put("image", content)
	default:
		s.generated(name, content)
	}
}

// bodies returns the elements with the page's text: the matches of the selectors, otherwise
// the parts marked by the page, otherwise its main part, otherwise its only article,
// otherwise the whole page.
func (s *survey) bodies(root *nethtml.Node) []*nethtml.Node {
	for _, m := range s.reader.body {
		var found []*nethtml.Node
		for _, n := range cascadia.QueryAll(root, m) {
			if !within(n, found) {
				found = append(found, n)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	switch {
	case len(s.marked) > 0:
		s.page.Marked = true
		return s.marked
	case len(s.main) > 0:
		return s.main
	}
	if articles := cascadia.QueryAll(root, article); len(articles) == 1 {
		return articles
	}
	return []*nethtml.Node{root}
}

var article = cascadia.MustCompile("article")

func textOf(n *nethtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == nethtml.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func attr(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func has(n *nethtml.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// within reports whether a node is inside one of others. It checks only the last one,
// because they are in page order.
func within(n *nethtml.Node, others []*nethtml.Node) bool {
	if len(others) == 0 {
		return false
	}
	last := others[len(others)-1]
	for ; n != nil; n = n.Parent {
		if n == last {
			return true
		}
	}
	return false
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// document returns the page as a document for package pipeline.
func (p *Page) document() *text.Document {
	d := text.NewPlain(p.Text)
	d.Title, d.Language = p.Title, p.Language
	for _, h := range p.Headings {
		d.Sections = append(d.Sections, text.Section{Title: h.Title, Level: h.Level, Span: h.Span})
	}
	d.Sections = text.EndSections(d.Sections, len(p.Text))
	return d
}

// letters returns the number of letters and digits in a text.
func letters(s string) (n int) {
	for _, r := range s {
		if isLetter(r) {
			n++
		}
	}
	return n
}

// isLetter reports whether a character is a letter or a digit. It is fast for ASCII, which
// nearly all characters are.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
