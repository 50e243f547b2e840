package reading

import (
	"cmp"
	"math"
	"slices"

	"seam/shared/text"
)

// row is the text on one baseline of a leaf: a line of a paragraph, or the cells of a table
// row.
type row struct {
	page     int // index
	leaf     int // number of the leaf in the document
	cells    []cell
	text     string // text of the cells, separated by spaces
	box      text.Box
	base     float64 // of its last line
	upper    float64 // of its first line, if its cells have several
	size     float64
	bold     bool
	italic   bool
	mono     bool
	letters  int
	order    int     // of its first fragment in the content
	first    float64 // width of its first word
	left     float64 // margins of its block
	right    float64
	entry    int // number of the outline entry for which it is the heading, from 1; 0 for none
	relation relation
}

// cell is one fragment, or several adjacent ones: side by side, or as the lines of a table
// cell.
type cell struct {
	list []*fragment
	box  text.Box
}

const (
	maxCells     = 256 // of a row
	maxCellLines = 64  // fragments of a cell before another line is added
)

// rowsOf returns the rows of a leaf, from top to bottom.
func rowsOf(page, leaf int, list []*fragment) (rows []row) {
	list = dropCaps(list)
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(f, g *fragment) int { return cmp.Compare(f.line, g.line) })
	for i := 0; i < len(sorted); {
		k := i + 1
		for k < len(sorted) && k-i < maxCells && sameLine(sorted[i], sorted[k]) {
			k++
		}
		rows = append(rows, newRow(page, leaf, sorted[i:k]))
		i = k
	}
	return mergeCells(rows)
}

// newRow makes a row from the fragments on one baseline.
func newRow(page, leaf int, list []*fragment) row {
	slices.SortStableFunc(list, func(f, g *fragment) int { return cmp.Compare(f.box.X0, g.box.X0) })
	r := row{page: page, leaf: leaf, box: list[0].box, order: math.MaxInt, bold: true, italic: true, mono: true}
	most, gap := 0, cellGap
	switch {
	case isJustified(list):
		gap = maxPlace
	case shortCells(list):
		gap = shortGap
	}
	for _, f := range list {
		r.box, r.order, r.letters = r.box.Union(f.box), min(r.order, f.order), r.letters+f.letters
		r.bold, r.italic, r.mono = r.bold && f.bold, r.italic && f.italic, r.mono && f.mono
		if f.letters > most {
			most, r.size, r.base, r.upper = f.letters, f.size, f.base, f.base
		}
		if n := len(r.cells); n > 0 && (f.glued || f.box.X0-r.cells[n-1].box.X1 < gap*f.size) {
			c := &r.cells[n-1]
			c.list, c.box = append(c.list, f), c.box.Union(f.box)
			continue
		}
		r.cells = append(r.cells, cell{[]*fragment{f}, f.box})
	}
	r.setText()
	return r
}

// isJustified reports whether a row consists of the words of a justified line: it has four or
// more equal gaps, and it is not mostly numbers like a table row.
func isJustified(list []*fragment) bool {
	least, most, figures := math.Inf(1), 0.0, 0
	for i, f := range list[1:] {
		gap := (f.box.X0 - list[i].box.X1) / f.size
		least, most = min(least, gap), max(most, gap)
		if figure(f.text) {
			figures++
		}
	}
	return len(list) > 3 && most-least < 0.15 && most < 4 && 2*figures < len(list)
}

func (r *row) setText() {
	b := make([]byte, 0, 2*r.letters)
	for _, c := range r.cells {
		for _, f := range c.list {
			if len(b) > 0 && !f.glued {
				b = append(b, ' ')
			}
			b = append(b, f.text...)
		}
	}
	r.text = string(b)
	first := r.cells[0].list[0]
	r.first = firstWidth(first.text, first.box)
}

// firstWidth returns the approximate width of the first word of s.
func firstWidth(s string, b text.Box) float64 {
	n := 0
	for n < len(s) && s[n] != ' ' {
		n++
	}
	return (b.X1 - b.X0) * float64(n) / float64(len(s))
}

// marked reports whether r begins with a list mark, which may be a separate cell.
func (r *row) marked() (is, sure bool) { return marker(r.text) }

// x0 returns the start of r's text, after a list mark that is a separate fragment.
func (r *row) x0() float64 {
	c := r.cells[0]
	if is, _ := r.marked(); is {
		switch {
		case len(c.list) > 1 && !containsBlank(c.list[0].text):
			return c.list[1].box.X0
		case len(r.cells) > 1 && !containsBlank(c.list[0].text):
			return r.cells[1].box.X0
		}
	}
	return r.box.X0
}

// tabular reports whether r has cells. A list mark and the number of a heading do not count
// as cells.
func (r *row) tabular() bool {
	n := len(r.cells)
	if n > 1 && len(r.cells[0].list) == 1 && !containsBlank(r.cells[0].list[0].text) {
		if is, _ := r.marked(); is || sectionNumber(r.text) > 0 && n == 2 {
			n--
		}
	}
	return n > 1
}

func containsBlank(s string) bool {
	for i := range len(s) {
		if s[i] == ' ' {
			return true
		}
	}
	return false
}

// mergeCells joins rows that are the lines of one table row's cells.
func mergeCells(rows []row) []row {
	right := wrapsAt(rows)
	out := rows[:0]
	for i := range rows {
		if n := len(out); n > 0 && out[n-1].holds(&rows[i], right) {
			out[n-1].merge(&rows[i])
			continue
		}
		out = append(out, rows[i])
	}
	return out
}

// wrapsAt returns the right edge at which the lines of a leaf are wrapped: the place that a
// minimum number of rows reach.
func wrapsAt(rows []row) float64 {
	const full = 3
	if len(rows) < full {
		return maxPlace
	}
	right := make([]float64, len(rows))
	for i := range rows {
		right[i] = rows[i].box.X1
	}
	slices.Sort(right)
	return right[len(right)-full]
}

// holds reports whether b contains further lines of r's cells. It does if the content has a
// line of b directly after the line above it, before the end of r, or if b is empty in the
// first column. If the rows have the same cells, or only the place is evidence, more is
// needed. b must then continue a sentence, or continue the last cell of r after a line
// without room for another word.
func (r *row) holds(b *row, right float64) bool {
	last := r.cells[0].box.Y1
	for _, c := range r.cells {
		last = max(last, c.box.Y1)
	}
	if r.mono && b.mono || len(r.cells) < 2 || len(b.cells) > len(r.cells) || b.box.Y0-last > 0.5*b.size || b.size > 1.08*r.size {
		return false
	}
	inside, any, all := false, false, b.box.X0 > r.cells[0].box.X1
	for i := range b.cells {
		c := &b.cells[i]
		k := r.under(c)
		if k < 0 || r.cells[k].box.Y1 > c.box.Y1 || len(r.cells[k].list) > maxCellLines {
			return false
		}
		up := r.cells[k].list
		above, here := up[len(up)-1], c.list[0]
		for later := k + 1; later < len(r.cells) && here.order == above.order+1; later++ {
			inside = inside || r.cells[later].list[0].order > here.order
		}
		goes := goesOn(above.text, here.text)
		full := k == len(r.cells)-1 && above.letters >= proseLine && above.box.X1+firstWidth(here.text, here.box) > right
		any, all = any || goes, all && (goes || full && math.Abs(above.box.X0-here.box.X0) < 0.5*b.size)
	}
	return all || inside && (any || len(b.cells) < len(r.cells))
}

// under returns the index of the only cell of r above c, or -1 if there are none or
// several.
func (r *row) under(c *cell) int {
	found := -1
	for i := range r.cells {
		if d := &r.cells[i]; d.box.X0 < c.box.X1 && c.box.X0 < d.box.X1 {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

func (r *row) merge(b *row) {
	for i := range b.cells {
		c := &b.cells[i]
		d := &r.cells[r.under(c)]
		d.list, d.box = append(d.list, c.list...), d.box.Union(c.box)
	}
	r.box, r.letters, r.base = r.box.Union(b.box), r.letters+b.letters, max(r.base, b.base)
	r.setText()
}

// sizeKey groups sizes that are equal except for rounding.
func sizeKey(size float64) int { return int(math.Round(size * 2)) }

func sameSize(a, b *row) bool {
	return max(a.size, b.size) <= 1.08*min(a.size, b.size)
}

// pitches returns the usual distance of baselines for each size: the lower quartile of the
// plausible distances.
func pitches(rows []row) map[int]float64 {
	all := map[int][]float64{}
	for i := 1; i < len(rows); i++ {
		a, b := &rows[i-1], &rows[i]
		d := b.upper - a.base
		if a.leaf == b.leaf && sameSize(a, b) && d > 0.7*a.size && d < 2.6*a.size {
			all[sizeKey(b.size)] = append(all[sizeKey(b.size)], d)
		}
	}
	pitch := map[int]float64{}
	for size, list := range all {
		slices.Sort(list)
		pitch[size] = list[len(list)/4]
	}
	return pitch
}

// pitchOf returns the usual line distance for the size of r.
func pitchOf(r *row, pitch map[int]float64) float64 {
	if p, ok := pitch[sizeKey(r.size)]; ok {
		return p
	}
	return 1.2 * r.size
}

// follows reports whether b is directly below a, at the usual distance.
func follows(a, b *row, pitch map[int]float64) bool {
	if a.leaf != b.leaf || !sameSize(a, b) {
		return false
	}
	d, gap := b.upper-a.base, wideGap
	if goesOn(a.text, b.text) {
		gap = formulaGap
	}
	return d > 0.3*b.size && d <= gap*pitchOf(b, pitch)
}

// setMargins sets the margins of every row of a leaf to those of its block: consecutive
// rows that overlap horizontally. Blocks with the same left margin and size share the
// widest right margin, because a paragraph of one short line does not show where lines end.
func setMargins(rows []row, pitch map[int]float64) {
	type key struct{ left, size int }
	at := func(r *row) key { return key{int(math.Round(r.left / 4)), sizeKey(r.size)} }
	widest := map[key]float64{}
	for i := 0; i < len(rows); {
		k := i + 1
		left, right := rows[i].box.X0, rows[i].box.X1
		for k < len(rows) && follows(&rows[k-1], &rows[k], pitch) &&
			rows[k].box.X0 < right && rows[k].box.X1 > left {
			left, right = min(left, rows[k].box.X0), max(right, rows[k].box.X1)
			k++
		}
		for ; i < k; i++ {
			rows[i].left, rows[i].right = left, right
		}
	}
	for i := range rows {
		k := at(&rows[i])
		if w, ok := widest[k]; !ok || rows[i].right > w {
			widest[k] = rows[i].right
		}
	}
	for i := range rows {
		rows[i].right = widest[at(&rows[i])]
	}
}
