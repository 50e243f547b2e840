package html

import (
	"golang.org/x/net/html/atom"

	"seam/shared/text"
)

// kinds maps the elements of a page to the elements of a text.
var kinds = map[atom.Atom]text.ElementKind{
	atom.Ul: text.List, atom.Menu: text.List, atom.Ol: text.OrderedList, atom.Li: text.Item, atom.Table: text.Table, atom.Tr: text.Row,
	atom.Td: text.Cell, atom.Th: text.HeadCell, atom.Pre: text.Listing, atom.Blockquote: text.Quote,
	atom.Code: text.Code, atom.Kbd: text.Code, atom.Samp: text.Code, atom.Tt: text.Code, atom.B: text.Strong, atom.Strong: text.Strong,
	atom.I: text.Emphasis, atom.Em: text.Emphasis, atom.Cite: text.Emphasis, atom.Dfn: text.Emphasis, atom.Var: text.Emphasis,
}

// set is a set of element kinds.
type set uint32

func of(list ...text.ElementKind) (s set) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

func (s set) has(k text.ElementKind) bool { return s>>k&1 > 0 }

var (
	inLine = of(text.Code, text.Strong, text.Emphasis, text.Image)
	cells  = of(text.Cell, text.HeadCell)
	rows   = of(text.Row)
	tables = of(text.Table)
	items  = of(text.Item)
	lists  = of(text.List, text.OrderedList)
)

// deepest is the maximum depth of nested blocks. Deeper ones are ignored.
const deepest = 64

// marking records the parts of a text that are elements of the page. Blocks, such as lists
// and cells, nest as in the page, including end tags that it may omit. Elements within a
// line are split where a block or a line ends, so that nothing overlaps on any page.
type marking struct {
	elements []text.Element
	end      int    // length of the text so far
	blocks   []open // outermost first; blocks with words come before those without
	beyond   int    // number of open blocks beyond the maximum depth
	outer    int    // number of blocks that begin before the marks due before the next word
	line     []open // at most one of each kind, in order of their start
	count    counts // number of open elements of each kind within lines
}

// open is an element that has not ended.
type open struct {
	kind  text.ElementKind
	place int    // index in elements; -1 before its first word
	count counts // as before the block
}

type counts [text.Image + 1]int

// start begins an element of the page, and ends open elements that cannot contain it.
func (m *marking) start(a atom.Atom, empty bool) {
	kind := kinds[a]
	switch {
	case a == atom.Tbody || a == atom.Thead || a == atom.Tfoot || kind == text.Row:
		m.endBlock(rows, tables)
	case cells.has(kind):
		m.endBlock(cells, tables)
		m.outer = len(m.blocks)
	case kind == text.Item:
		m.endBlock(items, ^items)
	}
	switch {
	case kind == 0 || empty:
	case inLine.has(kind):
		m.startInLine(kind)
	case len(m.blocks) == deepest:
		m.beyond++
	default:
		m.cut(0)
		m.blocks = append(m.blocks, open{kind, -1, m.count})
	}
	if kind == text.Item {
		m.outer = len(m.blocks)
	}
}

// finish ends an element of the page and everything open in it.
func (m *marking) finish(a atom.Atom) {
	kind := kinds[a]
	switch {
	case kind == 0:
	case inLine.has(kind):
		m.endInLine(kind)
	case m.beyond > 0:
		m.beyond--
	case kind == text.Table:
		m.endBlock(tables, 0)
	case cells.has(kind):
		m.endBlock(cells, tables)
	case kind == text.Row:
		m.endBlock(rows, tables)
	case kind == text.Item:
		m.endBlock(items, lists|cells|tables)
	default:
		m.endBlock(of(kind), cells|tables)
	}
}

// endBlock ends the innermost block of these kinds, unless an open block of the kinds in
// apart lies in between.
func (m *marking) endBlock(these, apart set) {
	for i := len(m.blocks) - 1; i >= 0; i-- {
		b := m.blocks[i]
		switch {
		case these.has(b.kind):
			m.cut(0)
			m.close(m.blocks[i:])
			m.blocks, m.outer = m.blocks[:i], min(m.outer, i)
			if cells.has(b.kind) { // an unclosed element ends with its cell
				m.count = b.count
				m.line = m.counted()
			}
			return
		case apart.has(b.kind):
			return
		}
	}
}

func (m *marking) startInLine(kind text.ElementKind) {
	if m.count[kind]++; m.count[kind] == 1 {
		m.line = append(m.line, open{kind: kind, place: -1})
	}
}

func (m *marking) endInLine(kind text.ElementKind) {
	if m.count[kind] == 0 {
		return
	}
	if m.count[kind]--; m.count[kind] > 0 {
		return
	}
	for i, o := range m.line {
		if o.kind == kind {
			m.cut(i)
		}
	}
	m.line = m.counted()
}

// counted returns the elements within the line that are still open.
func (m *marking) counted() []open {
	kept := m.line[:0]
	for _, o := range m.line {
		if m.count[o.kind] > 0 {
			kept = append(kept, o)
		}
	}
	return kept
}

// cut ends the open elements within the line, from index i inwards. They continue with the
// next word.
func (m *marking) cut(i int) {
	m.close(m.line[i:])
	for ; i < len(m.line); i++ {
		m.line[i].place = -1
	}
}

// close sets the end of elements.
func (m *marking) close(list []open) {
	for _, o := range list {
		if o.place >= 0 {
			m.elements[o.place].End = m.end
		}
	}
}

// word is called before a word is written. marks is the offset of the list marks before the
// word, letters the offset of the word.
func (m *marking) word(marks, letters int) {
	first := len(m.blocks)
	for first > 0 && m.blocks[first-1].place < 0 {
		first--
	}
	for i := first; i < len(m.blocks); i++ {
		start := letters
		if i < m.outer {
			start = marks
		}
		m.begin(&m.blocks[i], start)
	}
	for i := range m.line {
		if m.line[i].place < 0 && (m.line[i].kind != text.Code || !m.listing()) {
			m.begin(&m.line[i], letters)
		}
	}
}

// begin assigns an element its place. If there are too many elements, it waits for a later
// word, and so do the elements after it.
func (m *marking) begin(o *open, start int) {
	if len(m.elements) >= text.MostElements(m.end) {
		return
	}
	o.place = len(m.elements)
	m.elements = append(m.elements, text.Element{Kind: o.kind, Span: text.Span{Start: start}})
}

// done returns all elements at the end of the page.
func (m *marking) done() []text.Element {
	m.cut(0)
	m.close(m.blocks)
	return m.elements
}

// listing reports whether the next word is in a listing, which is already code.
func (m *marking) listing() bool {
	for _, b := range m.blocks {
		if b.kind == text.Listing {
			return true
		}
	}
	return false
}
