package site

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/read/html"
)

// Left is text of a page that is not in its index.
type Left struct {
	Why   string
	Words int
}

// left reports whether an element is not part of the text, and counts its words. It also
// counts the text of links.
func (s *survey) left(n *nethtml.Node) bool {
	if n.DataAtom == atom.A {
		t := strings.TrimSpace(textOf(n))
		if isPermalink(n, t) {
			return true
		}
		s.linked += letters(t)
		s.page.Linked++
	}
	why := s.whyLeft(n)
	if why != "" {
		s.count(why, words(n))
	}
	return why != ""
}

// whyLeft returns the reason why an element is not part of the text, or "" if it is.
func (s *survey) whyLeft(n *nethtml.Node) string {
	if n.DataAtom == atom.Body || n.DataAtom == atom.Html || n == s.html {
		return ""
	}
	if s.navigation[n] {
		return "links to the next and the previous page"
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "data-seam-ignore", "data-pagefind-ignore":
			return a.Key
		case "role":
			if a.Val == "banner" || a.Val == "contentinfo" || a.Val == "complementary" && s.mostlyLinked(n) {
				return fmt.Sprintf("role %q", a.Val)
			}
		case "class", "id":
			if name := s.themeName(a.Val, n); name != "" {
				return fmt.Sprintf("%s %q", a.Key, name)
			}
		}
	}
	for _, m := range s.reader.ignore {
		if m.Match(n) {
			return "--ignore"
		}
	}
	if html.Interface(n) {
		return "<" + n.Data + ">"
	}
	return ""
}

// count adds words that are left out for a reason.
func (s *survey) count(why string, words int) {
	if words == 0 {
		return
	}
	for i := range s.page.Left {
		if s.page.Left[i].Why == why {
			s.page.Left[i].Words += words
			return
		}
	}
	s.page.Left = append(s.page.Left, Left{why, words})
}

// leftAround counts the words of a page outside its bodies.
func (s *survey) leftAround(root *nethtml.Node, bodies []*nethtml.Node) {
	if len(bodies) == 1 && bodies[0] == root {
		return
	}
	n := words(root)
	for _, body := range bodies {
		n -= words(body)
	}
	s.count("outside the main part", n)
}

// themeName returns the class or id by which themes mark elements around a page's text, or
// "". Names that authors use for content too count only for an element that is mostly links.
func (s *survey) themeName(names string, n *nethtml.Node) string {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		if themes[name] || perhaps[name] && s.mostlyLinked(n) {
			return name
		}
	}
	return ""
}

// themes are names of elements of a theme or generator, which hold no content.
var themes = setOf(`sphinxsidebar breadcrumbs pagination-nav skip-link theme-doc-breadcrumbs theme-doc-footer theme-doc-version-banner
	theme-doc-version-badge theme-doc-toc-mobile md-sidebar md-header vpdocfooter site-header site-footer navheader navfooter docnav
	rst-footer-buttons sr-only visually-hidden`)

// perhaps are names of elements that may also hold content. DocBook and docutils call a box
// with further information a sidebar.
var perhaps = setOf(`sidebar breadcrumb toc table-of-contents contents navbar nav navigation pagination pager header nav-panel related
	prev-next prevnext page-nav menu`)

func setOf(names string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		out[name] = true
	}
	return out
}

// linkedFrom is the share of letters in links from which on an element is a list of links.
const linkedFrom = .6

// mostlyLinked reports whether most letters of an element are in links, or it has none.
func (s *survey) mostlyLinked(n *nethtml.Node) bool {
	m := s.measure(n)
	return float64(m.linked) >= linkedFrom*float64(m.letters)
}

// measure are counts of an element.
type measure struct {
	letters int
	linked  int // letters in links
	others  int // links that do not lead to a neighbouring page
}

// measure returns the counts of an element. It makes the counts of all at once, so that
// a page with many nested elements takes no longer.
func (s *survey) measure(n *nethtml.Node) measure {
	if s.measures == nil {
		s.measures = map[*nethtml.Node]measure{}
		all := slices.Collect(s.root.Descendants())
		for _, c := range slices.Backward(all) { // children before their parents
			m := s.measures[c]
			if c.Type == nethtml.TextNode {
				m.letters = letters(c.Data)
			}
			if c.DataAtom == atom.A {
				m.linked = m.letters
				if !leadsOn(c) {
					m.others++
				}
			}
			s.measures[c] = m
			up := s.measures[c.Parent]
			s.measures[c.Parent] = measure{up.letters + m.letters, up.linked + m.linked, up.others + m.others}
		}
	}
	return s.measures[n]
}

// findNavigation marks the largest element around a link to the next or previous page that
// has only such links, and hardly other words.
func (s *survey) findNavigation(link *nethtml.Node) {
	if !leadsOn(link) {
		return
	}
	var largest *nethtml.Node
	if !inSentence(link) {
		largest = link
	}
	for n := link.Parent; n != nil && n.DataAtom != atom.Body && !s.navigation[n] && s.isNavigation(n); n = n.Parent {
		largest = n
	}
	if largest == nil {
		return
	}
	if s.navigation == nil {
		s.navigation = map[*nethtml.Node]bool{}
	}
	s.navigation[largest] = true
}

// inSentence reports whether words come directly before or after a link.
func inSentence(link *nethtml.Node) bool {
	for _, n := range []*nethtml.Node{link.PrevSibling, link.NextSibling} {
		if n != nil && n.Type == nethtml.TextNode && letters(n.Data) > 0 {
			return true
		}
	}
	return false
}

// leadsOn reports whether a link leads to a neighbouring page, as its rel or its access key
// says. Texinfo and DocBook write both.
func leadsOn(link *nethtml.Node) bool {
	for rel := range strings.FieldsSeq(strings.ToLower(attr(link, "rel"))) {
		if ofOrder[rel] {
			return true
		}
	}
	key := attr(link, "accesskey")
	return len(key) == 1 && strings.Contains("npuhNPUH", key)
}

var ofOrder = setOf("next prev previous up start first last index contents")

// mostBeside is the maximum number of letters beside the links of a navigation: "Next: ,
// Previous: , Up:".
const mostBeside = 60

// isNavigation reports whether all links of an element lead to neighbouring pages, with
// hardly other words.
func (s *survey) isNavigation(n *nethtml.Node) bool {
	m := s.measure(n)
	return m.others == 0 && m.letters-m.linked <= mostBeside
}

// isPermalink reports whether a link leads to the heading that contains it: "¶", "#".
func isPermalink(n *nethtml.Node, t string) bool {
	return strings.HasPrefix(attr(n, "href"), "#") && len(t) <= 4 && !strings.ContainsFunc(t, isLetter)
}

// words returns the number of words that an element has, without programs and styles.
func words(n *nethtml.Node) (count int) {
	for c := range n.Descendants() {
		if c.Type != nethtml.TextNode || c.Parent != nil && html.Program(c.Parent) {
			continue
		}
		inside := false
		for _, r := range c.Data {
			is := isLetter(r) || unicode.IsMark(r)
			if is && !inside {
				count++
			}
			inside = is
		}
	}
	return count
}

// Words returns the distinct words of a page in lower case, which are its runs of letters,
// marks and digits. They are read from all of the page, but for programs and elements that
// the page or a selector marks as not to be searched.
func (r *Reader) Words(b []byte) (map[string]bool, error) {
	_, root, err := r.survey(b)
	if err != nil {
		return nil, err
	}
	var all strings.Builder
	for n := root; n != nil; n = after(n, r.unsearched(n)) {
		switch {
		case n.Type == nethtml.TextNode:
			all.WriteString(strings.ReplaceAll(n.Data, "\u00ad", ""))
		case !inline[n.DataAtom.String()]:
			all.WriteByte('\n')
		}
		if n.NextSibling == nil && n.Parent != nil && !inline[n.Parent.DataAtom.String()] {
			all.WriteByte('\n')
		}
	}
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(all.String()), func(r rune) bool { return !isLetter(r) && !unicode.IsMark(r) }) {
		out[w] = true
	}
	return out, nil
}

// inline are elements that do not end a word.
var inline = setOf("a abbr b cite code del em font i ins kbd mark q s samp small span strong sub sup tt u var wbr")

// unsearched reports whether the page or a selector keeps an element out of the search, or
// it holds a program or the page's title.
func (r *Reader) unsearched(n *nethtml.Node) bool {
	if n.Type != nethtml.ElementNode {
		return false
	}
	if html.Program(n) || n.DataAtom == atom.Head || has(n, "data-seam-ignore") || has(n, "data-pagefind-ignore") {
		return true
	}
	for _, m := range r.ignore {
		if m.Match(n) {
			return true
		}
	}
	return false
}

// after returns the node after n in the order of the page, without its children if skip is
// set; nil after the last.
func after(n *nethtml.Node, skip bool) *nethtml.Node {
	if n.FirstChild != nil && !skip {
		return n.FirstChild
	}
	for ; n != nil; n = n.Parent {
		if n.NextSibling != nil {
			return n.NextSibling
		}
	}
	return nil
}
