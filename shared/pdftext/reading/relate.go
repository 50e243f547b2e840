package reading

import (
	"math"
	"strings"
	"unicode"
)

// relation is how a row follows on the one before.
type relation int

const (
	apart   relation = iota // another block
	wrapped                 // the same paragraph
	item                    // a line of its own, in the same block
)

// When a row begins a new paragraph.
const (
	wideGap    = 1.4  // further below than this many usual distances of lines
	formulaGap = 1.8  // the same, in the middle of a sentence
	indent     = 0.8  // further to the right by this many sizes
	slack      = 0.6  // sizes by which an estimate of a width may be off
	shortRow   = 0.7  // of the width between its margins: a line that nothing wraps
	bigRow     = 1.25 // times the size of the document: the lines of one heading
)

// relater decides how the rows of a leaf follow on each other. Its state is
// about the block that is open.
type relater struct {
	pitch map[int]float64
	body  float64 // size of most of the document's text

	start *row // first row of the block
	item  *row // first row of the list item, nil outside of one
	lines bool // the block is lines that nothing wraps
}

// relate decides how row b follows on row a.
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
		if is, _ := b.marked(); is && p.item != nil && sameSize(p.item, b) && nearTable(a, b) {
			return item // the items of a list may stand apart
		}
		return apart
	}
	is, bare := caption(b.text)
	switch {
	case is && (!bare || b.size < 0.95*p.body) && (endsSentence(a.text) || p.endsEarly(a, b)):
		return apart
	case a.tabular() && b.tabular(), leader(a.text):
		return item
	case p.lists(a, b), a.tabular() != b.tabular() && !goesOn(a.text, b.text) && (len(a.cells)+len(b.cells) > 3 || p.endsEarly(a, b)):
		return item
	case a.bold != b.bold && (p.endsEarly(a, b) || b.bold && b.box.X1 < b.right-float64(2*b.size)):
		return apart // a heading in the size of the text
	case a.size >= bigRow*p.body && !b.tabular() && !endsSentence(a.text):
		return wrapped
	case strings.HasSuffix(a.text, ":") && a.letters < longLine && !unicode.IsLower(firstRune(b.text)):
		return item // the label of a form, the question above its answers
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

// sameTable reports whether a and b are rows of one table: near each other, and
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

// nearTable reports whether b is near enough below a for a row of its table.
func nearTable(a, b *row) bool {
	return a.leaf == b.leaf && b.upper > a.base && b.upper-a.base <= tableRow*b.size && b.box.Y0-a.box.Y1 <= 2*b.size
}

// lists reports whether b begins an item of a list. A dash, a number or a letter
// may stand at the beginning of a line by chance: those count where a has
// ended, where b stands in or out, or in a list.
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

// afterItem decides how b, which begins no item, follows on a in one.
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

// afterShort decides how b follows on a line that nothing wraps: as another
// such line, of an address or a poem, or as a new paragraph.
func (p *relater) afterShort(a, b *row) relation {
	if (p.lines || p.start == a) && a.short() && b.short() && a.bold == b.bold && sameSize(p.start, b) {
		p.lines = true
		return item
	}
	return apart
}

func (r *row) short() bool { return r.box.X1-r.left < shortRow*(r.right-r.left) }

// indented reports whether b is the first line of a paragraph because it stands
// in, or out where the paragraphs hang.
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

// centred reports whether a and b are lines that are centred, not wrapped.
func centred(a, b *row) bool {
	left, right := a.box.X0-b.box.X0, b.box.X1-a.box.X1
	return math.Abs(left-right) < 0.5*b.size && math.Abs(left) > b.size && math.Abs(right) > b.size
}

// overlaps reports whether a and b share a part of the width of the page.
func overlaps(a, b *row) bool { return a.box.X0 < b.box.X1 && b.box.X0 < a.box.X1 }

// endsEarly reports whether the first word of b would have had room in row a.
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
