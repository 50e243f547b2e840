package html

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/read"
	"seam/shared/text"
)

// scope selects the parts of a page to read.
type scope struct {
	mainOnly bool // only the content of <main>
	strict   bool // no navigation, controls or hidden parts
	closed   bool // but parts that a reader can open
}

// heading is an <h1> to <h6> with its place in the text.
type heading struct {
	title string
	level int
	text.Span
}

// reader turns tokens into a text.
type reader struct {
	scope
	out      strings.Builder
	title    strings.Builder
	author   string
	language string
	meta     map[string][]string
	headings []heading

	depth map[atom.Atom]int // number of open elements of these kinds
	// skip is the name of the element being left out with its content. inner counts open
	// elements of the same name within it.
	skip  string
	inner int
	main  struct {
		name string // of the open main part
		open int
	}
	level   int  // of the open heading
	begun   int  // where it began
	want    int  // line ends due before the next word
	lines   int  // the same in <pre>, where all of them are written
	fresh   bool // no word of the open <pre> has been written
	blank   bool
	before  string // the list mark due before it
	lists   []list
	cells   int // number of cells in this row so far
	skipped int // cell ends due before the next word

	marking marking
	links   links
	math    *formula // the open one, or nil
	told    bool     // a formula has just ended, and may be drawn again

	due     []Anchor // of elements whose first word has not been written
	anchors []Anchor
}

type list struct {
	ordered bool
	item    int  // the number of the last item
	some    bool // the list has an item
}

// read reads all tokens.
func (r *reader) read(source string, o read.Options) error {
	z := newTokens(source)
	for n := 0; ; n++ {
		if n%4096 == 0 && o.Context != nil && o.Context.Err() != nil {
			return o.Context.Err()
		}
		switch z.next() {
		case html.ErrorToken:
			r.endFormula()
			r.endHeading()
			r.links.finish(r.out.Len())
			return nil
		case html.TextToken:
			r.text(string(z.Text()))
		case html.StartTagToken:
			if r.skip == "svg" && z.pictures == 0 {
				r.skip = "" // its end tag is missing
			}
			r.start(z.Token(), false)
		case html.SelfClosingTagToken:
			t := z.Token()
			r.start(t, z.inXML() || !raw[t.DataAtom])
		case html.EndTagToken:
			r.end(z.Token())
		}
	}
}

func (r *reader) start(t html.Token, closed bool) {
	if r.skip != "" && !(isRuby(t.Data) && isRuby(r.skip)) {
		if t.Data == r.skip && !closed {
			r.inner++
		}
		return
	}
	if r.math != nil {
		r.math.start(t, closed)
		return
	}
	r.about(t)
	if !ofHead[t.DataAtom] {
		r.depth[atom.Head] = 0
	}
	empty := closed || void[t.DataAtom]
	if leftOut[t.DataAtom] || r.strict && (around[t.DataAtom] && !(r.closed && t.DataAtom == atom.Dialog) || r.ofSite(t) || r.hidden(t)) {
		if !empty {
			r.skip, r.inner = t.Data, 1
		}
		r.breakBefore(blocks[t.DataAtom])
		return
	}
	if !empty {
		r.depth[t.DataAtom]++
		r.enterMain(t)
	}
	if r.outside() {
		return
	}
	r.links.anchor(t, r.out.Len())
	r.edge(t.DataAtom)
	r.marking.start(t.DataAtom, empty)
	switch t.DataAtom {
	case atom.A:
		r.links.start(t, r.out.Len())
	case atom.Math:
		if !empty {
			r.math = &formula{open: []mathElement{{name: t.Data}}}
		}
	case atom.Br:
		if r.depth[atom.Pre] > 0 && !r.fresh {
			r.lines++
			r.breakBefore(1)
		} else {
			r.breakBefore(r.want + 1)
		}
	case atom.Pre:
		r.lines, r.fresh = 0, true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.level, r.begun = int(t.Data[1]-'0'), -1
	case atom.Ul, atom.Ol, atom.Menu:
		l := list{ordered: t.DataAtom == atom.Ol}
		if k, err := strconv.ParseInt(value(t, "start"), 10, 32); err == nil {
			l.item = int(k) - 1
		}
		r.lists = append(r.lists, l)
	case atom.Li:
		r.item(value(t, "value"))
	case atom.Tr:
		r.cells, r.before, r.skipped = 0, "", 0
	case atom.Td, atom.Th:
		r.cell()
	case atom.Img:
		r.picture(value(t, "alt"))
	}
}

// isRuby reports whether elements of this name hold pronunciation. They end at the next
// such element, or with the word.
func isRuby(name string) bool { return name == "rt" || name == "rp" }

func (r *reader) end(t html.Token) {
	if r.skip != "" {
		if t.Data == "ruby" && isRuby(r.skip) {
			r.skip = ""
		} else if t.Data == r.skip {
			if r.inner--; r.inner == 0 {
				r.skip = ""
			}
		}
		return
	}
	if r.math != nil && t.DataAtom != atom.Math {
		r.math.end(t.Data)
		return
	}
	r.endFormula()
	if r.depth[t.DataAtom] > 0 {
		r.depth[t.DataAtom]--
	}
	r.edge(t.DataAtom)
	r.marking.finish(t.DataAtom)
	switch t.DataAtom {
	case atom.A:
		r.links.finish(r.out.Len())
	case atom.Ul, atom.Ol, atom.Menu:
		if n := len(r.lists); n > 0 {
			if r.lists[n-1].some {
				r.before = "" // of an item without words
			}
			r.lists = r.lists[:n-1]
		}
	case atom.Li:
		r.before = ""
	case atom.Pre:
		r.want, r.lines = max(r.want, r.lines), 0 // text after it is not code
	case atom.Tr, atom.Table:
		r.before, r.skipped = "", 0 // empty cells at its end
		if r.depth[atom.Table] == 0 {
			r.depth[atom.Td], r.depth[atom.Th] = 0, 0 // their end tags may be omitted
		}
	}
	if t.Data == r.main.name {
		if r.main.open--; r.main.open == 0 {
			r.main.name = ""
		}
	}
}

// edge handles the start or end of an element. An element on separate lines ends an
// unclosed heading, unless the heading begins with it. In a cell it is separated by a
// space.
func (r *reader) edge(a atom.Atom) {
	if blocks[a] == 0 {
		return
	}
	if r.level == 0 || r.begun >= 0 || a != atom.Div && a != atom.P && a != atom.Center {
		r.endHeading()
	}
	if n := r.gap(a); n > 0 {
		r.breakBefore(n)
	} else if r.skipped == 0 {
		r.blank = true
	}
}

// gap returns the number of line ends around an element. A nested list is not a paragraph,
// and nothing in a cell begins a line.
func (r *reader) gap(a atom.Atom) int {
	n := blocks[a]
	if n == 0 || a != atom.Table && a != atom.Tr && r.depth[atom.Td]+r.depth[atom.Th] > 0 && r.depth[atom.Table] > 0 {
		return 0
	}
	if n == 2 && len(r.lists) > 0 && (a == atom.Ul || a == atom.Ol || a == atom.Menu || a == atom.P || a == atom.Div) {
		return 1
	}
	return n
}

// ofSite reports whether an element is the footer of the page, rather than of an article on
// it.
func (r *reader) ofSite(t html.Token) bool {
	return t.DataAtom == atom.Footer && r.main.name == "" && r.depth[atom.Article]+r.depth[atom.Section]+r.depth[atom.Blockquote] == 0
}

// outside reports whether the next text is outside the part being read.
func (r *reader) outside() bool { return r.mainOnly && r.main.name == "" }

// enterMain counts open elements with the main part's name, to find its end.
func (r *reader) enterMain(t html.Token) {
	switch {
	case r.main.name == "" && isMain(t):
		r.main.name, r.main.open = t.Data, 1
	case t.Data == r.main.name:
		r.main.open++
	}
}

// about records the page's metadata.
func (r *reader) about(t html.Token) {
	switch t.DataAtom {
	case atom.Html:
		r.language = value(t, "lang")
	case atom.Base:
		r.links.startBase(t)
	case atom.Meta:
		name, content := strings.ToLower(value(t, "name")), oneLine(value(t, "content"))
		switch {
		case content == "":
		case name == "author":
			r.author = content
		case name == "description" || name == "keywords" || name == "date":
			if r.meta == nil {
				r.meta = map[string][]string{}
			}
			r.meta[name] = []string{content}
		}
	}
}

// endFormula writes the open formula.
func (r *reader) endFormula() {
	if r.math != nil {
		line := r.math.finish()
		r.math, r.told = nil, true
		r.text(line)
	}
}

// hidden reports whether an element is not to be read. The drawing of a formula is, unless
// the formula comes before it.
func (r *reader) hidden(t html.Token) bool {
	told := r.told
	if strings.Contains(value(t, "class"), "katex-html") {
		r.told = false
		return told
	}
	return hidden(t, r.closed)
}

// hidden reports whether an element is invisible or should not be read. With closed, parts
// that a reader can open are read.
func hidden(t html.Token, closed bool) bool {
	for _, a := range t.Attr {
		switch {
		case a.Key == "hidden" && a.Val != "until-found" && !closed, a.Key == "role" && (a.Val == "navigation" || a.Val == "search"),
			a.Key == "style" && undisplayed(a.Val) && !(closed && opens(t)), a.Key == "aria-hidden" && a.Val == "true" && again(t):
			return true
		}
	}
	return false
}

// opens reports whether an element is a part that a reader can open, by its role or class.
func opens(t html.Token) bool {
	role, class := value(t, "role"), strings.ToLower(value(t, "class"))
	return role == "tabpanel" || role == "dialog" ||
		slices.ContainsFunc(opened, func(part string) bool { return strings.Contains(class, part) })
}

// opened are parts of class names of elements that a reader can open.
var opened = []string{"tab", "panel", "collaps", "accordion", "toggle", "detail", "spoiler"}

// undisplayed reports whether a style attribute hides its element.
func undisplayed(style string) bool {
	style = strings.ToLower(strings.Join(strings.Fields(style), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// drawn are parts of class names of elements that draw the text next to them in another
// form, or draw a sign: formulas, icons, links to a heading.
var drawn = []string{"katex", "mathjax", "mjx", "icon", "fa-", "emoji", "anchor", "headerlink", "hash-link", "permalink"}

// again reports whether an element that is hidden from screen readers has no text of its own.
// Other such elements are visible text.
func again(t html.Token) bool {
	if t.DataAtom == atom.I || t.DataAtom == atom.Svg || t.DataAtom == atom.A || t.Data == "nobr" {
		return true
	}
	class := strings.ToLower(value(t, "class"))
	return strings.HasPrefix(t.Data, "mjx-") || slices.ContainsFunc(drawn, func(part string) bool { return strings.Contains(class, part) })
}

func value(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
