package reading

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"seam/shared/text"
)

// column is one side of a gutter, with the properties that distinguish running text from
// the cells of a table.
type column struct {
	list        []*fragment
	lines       []line
	box         text.Box
	top, bottom float64
	size        float64
	firstOrder  int // of its fragments in the content
	lastOrder   int
	prose       bool // most lines are full and long
	flowing     bool // lines continue in the middle of a sentence
	listed      bool // lines begin with list marks
	labels      bool // lines end in a colon
	marks       bool // lines are little more than a number
}

// line is the text on one baseline of a column.
type line struct {
	base, x0, x1, size float64
	letters            int
	text               string // of its first fragment
	end                string // of its last fragment
}

// Criteria for running text.
const (
	fullLine   = 0.75 // share of the width of its column
	proseShare = 0.5  // share of full lines
	proseLine  = 15   // average letters
	proseLines = 3    // minimum lines
)

func newColumn(list []*fragment) *column {
	c := &column{list: list, box: list[0].box, size: usualSize(list), firstOrder: math.MaxInt}
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(f, g *fragment) int { return cmp.Or(cmp.Compare(f.base, g.base), cmp.Compare(f.order, g.order)) })
	for _, f := range sorted {
		c.box = c.box.Union(f.box)
		c.firstOrder, c.lastOrder = min(c.firstOrder, f.order), max(c.lastOrder, f.order)
		if n := len(c.lines); n > 0 && math.Abs(c.lines[n-1].base-f.base) < sameBaseline*f.size {
			l := &c.lines[n-1]
			if f.box.X0 < l.x0 {
				l.text = f.text
			}
			if f.box.X1 > l.x1 {
				l.end = f.text
			}
			l.x0, l.x1, l.letters = min(l.x0, f.box.X0), max(l.x1, f.box.X1), l.letters+f.letters
			continue
		}
		c.lines = append(c.lines, line{f.base, f.box.X0, f.box.X1, f.size, f.letters, f.text, f.text})
	}
	c.top, c.bottom = c.box.Y0, c.box.Y1
	c.judge()
	return c
}

// judge determines the common properties of the lines of c.
func (c *column) judge() {
	full, letters, starts, marks, colons := 0, 0, 0, 0, 0
	for i, l := range c.lines {
		letters += l.letters
		if l.x1-l.x0 >= fullLine*c.width() {
			full++
		}
		if i > 0 && (unicode.IsLower(firstRune(l.text)) || endsInHyphen(c.lines[i-1].end)) {
			starts++
		}
		if is, _ := marker(l.text); is {
			marks++
		} else if r, ok := bulletOf(l.text); ok && r != '-' {
			marks++
		}
		if strings.HasSuffix(l.end, ":") {
			colons++
		}
	}
	n := len(c.lines)
	c.prose = n >= proseLines && letters >= proseLine*n && (float64(full) >= proseShare*float64(n) || c.several())
	c.flowing = 5*starts >= n
	c.listed = marks >= 2 && 4*marks >= n
	c.labels = 2*colons >= n
	c.marks = letters < 4*n
}

// several reports whether c itself consists of several columns of running text: its
// fragments begin at a few distant places, and most of them are full and long.
func (c *column) several() bool {
	sorted := slices.Clone(c.list)
	slices.SortStableFunc(sorted, func(f, g *fragment) int { return cmp.Compare(f.box.X0, g.box.X0) })
	full, letters := 0, 0
	for i := 0; i < len(sorted); {
		k, right := i, sorted[i].box.X1
		for k < len(sorted) && (k == i || sorted[k].box.X0-sorted[k-1].box.X0 < farColumn*c.width()) {
			right = max(right, sorted[k].box.X1)
			k++
		}
		for _, f := range sorted[i:k] {
			letters += f.letters
			if f.box.X1-f.box.X0 >= fullLine*(right-sorted[i].box.X0) {
				full++
			}
		}
		i = k
	}
	n := len(sorted)
	return float64(full) >= proseShare*float64(n) && letters >= proseLine*n
}

// farColumn is the minimum distance between the starts of columns within one, as a share of
// its width.
const farColumn = 0.25

func (c *column) width() float64 { return c.box.X1 - c.box.X0 }

// before reports whether all of c comes before d in the content.
func (c *column) before(d *column) bool { return c.lastOrder < d.firstOrder }

// columns reports whether a and b are read one after the other. The cells of a table, and
// the labels and values of a form, are read row by row. Wrongly splitting a table is worse
// than not splitting.
func columns(a, b *column) bool {
	shared := min(a.bottom, b.bottom) - max(a.top, b.top)
	if len(a.lines) < 2 || len(b.lines) < 2 || shared < min(a.size, b.size) {
		return false
	}
	aligned := aligned(a, b)
	inTurn := a.before(b) || b.before(a)
	switch {
	case aligned >= 0.5 && (a.labels || a.marks || b.marks):
		return false
	case a.prose && b.prose:
		switch n := switches(a, b); {
		case inTurn, n <= 2+min(len(a.lines), len(b.lines))/6:
			return true
		case a.flowing && b.flowing:
			return !rowsOfCells(a, b, n)
		}
		return aligned < 0.3
	case inTurn && (aligned < 0.3 || aligned < 0.6 && min(len(a.lines), len(b.lines)) > 2):
		return true
	case inTurn && (a.listed && b.listed || a.prose && len(b.lines) > 2 || b.prose && len(a.lines) > 2):
		return true
	case inTurn:
		return isProse(a) && isProse(b) && max(len(a.lines), len(b.lines)) <= maxAddress
	case aligned < 0.3 && (a.prose || b.prose):
		return len(a.lines) >= 3 && len(b.lines) >= 3
	}
	return false
}

// maxAddress is the maximum number of lines for two blocks of words, such as two addresses,
// to be read one after the other although their lines are level.
const maxAddress = 8

// isProse reports whether the lines of c are words rather than numbers.
func isProse(c *column) bool {
	letters, all := 0, 0
	for _, f := range c.list {
		letters += lettersIn(f.text)
		all += f.letters
	}
	return 10*letters >= 6*all && all >= 8*len(c.lines)
}

// aligned returns the share of lines in the shorter of two columns that have a line of the
// other column on their baseline.
func aligned(a, b *column) float64 {
	if len(a.lines) > len(b.lines) {
		a, b = b, a
	}
	n, k := 0, 0
	for _, l := range a.lines {
		tolerance := float64(sameBaseline * l.size)
		for k < len(b.lines) && b.lines[k].base < l.base-tolerance {
			k++
		}
		if k < len(b.lines) && b.lines[k].base <= l.base+tolerance {
			n++
		}
	}
	return float64(n) / float64(len(a.lines))
}

// switches counts how often the content switches between the columns.
func switches(a, b *column) (n int) {
	orders := make([]int, 0, len(a.list)+len(b.list)) // 2*order, odd for those of b
	for _, f := range a.list {
		orders = append(orders, 2*f.order)
	}
	for _, f := range b.list {
		orders = append(orders, 2*f.order+1)
	}
	slices.Sort(orders)
	for i := 1; i < len(orders); i++ {
		if (orders[i]^orders[i-1])&1 != 0 {
			n++
		}
	}
	return n
}

// rowsOfCells reports whether the content, which switches n times between the columns, does
// so in rows of multi-line cells. In that case there is a gap across both columns wherever
// it switches back.
func rowsOfCells(a, b *column, n int) bool {
	if n >= min(len(a.lines), len(b.lines)) {
		return false // line by line
	}
	gaps, k := 0, 0
	for i := 1; i < len(a.lines); i++ {
		top, bottom := a.lines[i-1].base, a.lines[i].base
		if bottom-top < 1.5*a.size {
			continue
		}
		for k < len(b.lines) && b.lines[k].base <= top+float64(sameBaseline*a.size) {
			k++
		}
		if k > 0 && k < len(b.lines) && b.lines[k].base >= bottom-float64(sameBaseline*a.size) {
			gaps++
		}
	}
	return gaps > 0 && 2*gaps+2 >= n
}
