package reading

import (
	"math"
	"strings"
	"unicode"
)

// relation is the relation of a row to the previous one.
type relation int

const (
	apart   relation = iota // another block
	wrapped                 // the same paragraph
	item                    // a separate line in the same block
)

// Criteria for a new paragraph.
const (
	wideGap    = 1.4  // minimum distance from the previous row, relative to the usual distance
	formulaGap = 1.8  // the same, in the middle of a sentence
	indent     = 0.8  // minimum indentation, in sizes
	slack      = 0.6  // possible error of an estimated width, in sizes
	shortRow   = 0.7  // share of the width between margins below which a line was not wrapped
	bigRow     = 1.25 // minimum size relative to the document's, for the lines of one heading
)

// relater determines the relations between the rows of a leaf. Its state describes the open
// block.
type relater struct {
	pitch map[int]float64
	body  float64 // size of most of the document's text

	start *row // first row of the block
	item  *row // first row of the list item; nil outside one
	lines bool // the block consists of lines that are not wrapped
}

// relate determines the relation of row b to row a.
func (p *relater) relate(a, b *row) relation {
	r := p.decide(a, b)
	switch r {
	case apart:
		p.open(b)
	case item:
		if is, _ := b.marked(); is {
			p.item = b
		}
	case wrapped:
		p.lines = false
	}
	return r
}

func (p *relater) decide(a, b *row) relation {
	if a.entry != b.entry {
		return apart
	}
	if a.entry > 0 {
		return wrapped // lines of one heading
	}
	if !follows(a, b, p.pitch) {
		if a.tabular() && b.tabular() && sameTable(a, b) || leader(a.text) && leader(b.text) && nearTable(a, b) {
			return item
		}
		if is, _ := b.marked(); is && p.item != nil && sameSize(p.item, b) && p.item.italic == b.italic && nearTable(a, b) {
			return item // the items of a list may be apart
		}
		return apart
	}
	is, bare := caption(b.text)
	switch {
	case is && (!bare || b.size < 0.95*p.body) && (endsSentence(a.text) || p.endsEarly(a, b)):
		return apart
	case (a.bold && b.bold || a.size >= bigRow*p.body) && sectionNumber(b.text) > 0 && (division(a.text) || 0 < sectionNumber(a.text) && sectionNumber(a.text) < sectionNumber(b.text)):
		return apart // a heading and the first one below it
	case a.tabular() && b.tabular(), leader(a.text):
		return item
	case p.titles(a, b):
		return apart
	case p.lists(a, b), a.tabular() != b.tabular() && !goesOn(a.text, b.text) && (len(a.cells)+len(b.cells) > 3 || p.endsEarly(a, b)):
		return item
	case a.bold != b.bold && (p.endsEarly(a, b) || b.bold && b.box.X1 < b.right-float64(2*b.size)):
		return apart // a heading in the size of the text
	case a.size >= bigRow*p.body && !b.tabular() && !endsSentence(a.text):
		return wrapped
	case strings.HasSuffix(a.text, ":") && a.letters < longLine && !unicode.IsLower(firstRune(b.text)):
		return item // the label of a form, or a question above its answers
	case p.item != nil:
		return p.afterItem(a, b)
	case goesOn(a.text, b.text) && overlaps(a, b):
		return wrapped
	case centred(a, b):
		return item
	case p.endsEarly(a, b):
		return p.afterShort(a, b)
	case p.indented(a, b):
		return apart
	}
	return wrapped
}

// titles reports whether a is an italic line that opens the block and is the heading of b:
// "A. Sensors".
func (p *relater) titles(a, b *row) bool {
	return a.italic && !b.italic && p.start == a && a.letters <= maxBold && !endsSentence(a.text) && p.endsEarly(a, b) && unicode.IsUpper(firstRune(b.text))
}

// sameTable reports whether a and b are rows of one table: they are near each other, and
// two of their cells begin or end at the same places.
func sameTable(a, b *row) bool {
	if !nearTable(a, b) {
		return false
	}
	n, near := 0, 0.5*b.size
	for _, c := range b.cells {
		for _, d := range a.cells {
			if math.Abs(c.box.X0-d.box.X0) < near || math.Abs(c.box.X1-d.box.X1) < near {
				n++
				break
			}
		}
	}
	return n >= 2
}

// nearTable reports whether b is close enough below a for a row of the same table.
func nearTable(a, b *row) bool {
	return a.leaf == b.leaf && b.upper > a.base && b.upper-a.base <= tableRow*b.size && b.box.Y0-a.box.Y1 <= 2*b.size
}

// lists reports whether b begins a list item. A dash, a number or a letter may be at the
// beginning of a line by chance. Those count only if a has ended, if b is indented or
// outdented, or in a list.
func (p *relater) lists(a, b *row) bool {
	is, sure := b.marked()
	switch {
	case !is:
		return false
	case sure, endsSentence(a.text), p.endsEarly(a, b):
		return true
	case p.item != nil:
		return math.Abs(b.box.X0-p.item.box.X0) < 0.5*b.size || b.box.X0 > a.box.X0+float64(indent*b.size)
	}
	return math.Abs(b.box.X0-a.box.X0) > indent*b.size && b.box.X0 > b.left+float64(indent*b.size)
}

// afterItem determines the relation of b, which begins no item, to a in an item.
func (p *relater) afterItem(a, b *row) relation {
	hangs := b.box.X0 > p.item.box.X0+float64(0.3*b.size)
	switch {
	case hangs, goesOn(a.text, b.text):
		return wrapped
	case p.endsEarly(a, b), p.item.x0() > p.item.box.X0+float64(0.3*b.size) && endsSentence(a.text),
		b.box.X0 < p.item.box.X0-float64(0.5*b.size):
		return apart
	}
	return wrapped
}

// afterShort determines the relation of b to a line that is not wrapped: another such line,
// as in an address or a poem, or a new paragraph.
func (p *relater) afterShort(a, b *row) relation {
	if (p.lines || p.start == a) && a.short() && b.short() && a.bold == b.bold && sameSize(p.start, b) {
		p.lines = true
		return item
	}
	return apart
}

func (r *row) short() bool { return r.box.X1-r.left < shortRow*(r.right-r.left) }

// indented reports whether b is the first line of a paragraph because it is indented, or
// outdented if paragraphs have a hanging indent.
func (p *relater) indented(a, b *row) bool {
	d := float64(indent * b.size)
	switch {
	case b.box.X0 > a.box.X0+d:
		return a.box.X0 < a.left+d && (endsSentence(a.text) || p.start != a)
	case p.start != nil && a.box.X0 > p.start.box.X0+d && math.Abs(b.box.X0-p.start.box.X0) < d/4 && b.box.X0 < b.left+d:
		return p.start.leaf == b.leaf && endsSentence(a.text)
	}
	return false
}

// centred reports whether a and b are centred lines rather than wrapped ones.
func centred(a, b *row) bool {
	left, right := a.box.X0-b.box.X0, b.box.X1-a.box.X1
	return math.Abs(left-right) < 0.5*b.size && math.Abs(left) > b.size && math.Abs(right) > b.size
}

// overlaps reports whether a and b overlap horizontally.
func overlaps(a, b *row) bool { return a.box.X0 < b.box.X1 && b.box.X0 < a.box.X1 }

// endsEarly reports whether row a had room for the first word of b.
func (p *relater) endsEarly(a, b *row) bool {
	return a.right-a.box.X1 > b.first+float64(slack*b.size)
}

// open begins a block with r.
func (p *relater) open(r *row) {
	p.start, p.item, p.lines = r, nil, false
	if is, _ := r.marked(); is {
		p.item = r
	}
}
