package reading

import (
	"cmp"
	"math"
	"slices"

	"seam/shared/text"
)

const (
	// maxChains is the maximum number of chains of a leaf that are compared with each
	// other. A leaf with more is read only by its rows.
	maxChains = 4096
	// maxPasses is the maximum number of comparison passes.
	maxPasses = 8
	// maxAligned is the maximum number of chains for which lines are compared, too.
	maxAligned = 64
	// chainGap is the distance in sizes at which a chain ends.
	chainGap = 4
)

// chain is a part of the content that continues downwards or to the right.
type chain struct {
	list []*fragment
	box  text.Box
}

// chains divides a leaf where its content goes back up. In the file's order, each chain is
// a separate text. Chains with related lines, such as the columns of a table, are merged. A
// chain that comes too late in the content moves before the text below it. All others keep
// their order. Consecutive chains that continue downwards form one leaf.
func chains(list []*fragment) [][]*fragment {
	slices.SortFunc(list, func(f, g *fragment) int { return cmp.Compare(f.order, g.order) })
	var all []*chain
	for i, f := range list {
		if i > 0 && (f.base > list[i-1].base && f.box.Y0-list[i-1].box.Y1 < chainGap*f.size || alongside(f, list[i-1])) {
			c := all[len(all)-1]
			c.list, c.box = append(c.list, f), c.box.Union(f.box)
			continue
		}
		all = append(all, &chain{[]*fragment{f}, f.box})
	}
	if len(all) == 1 || len(all) > maxChains || len(all) > maxAligned && !isText(all) {
		return [][]*fragment{list}
	}
	for pass, merged := 0, true; merged && pass < maxPasses; pass++ {
		merged = false
		for i := 0; i < len(all); i++ {
			for k := i + 1; k < len(all); k++ {
				if belong(all[i], all[k], len(all) <= maxAligned) {
					all[i].list, all[i].box = append(all[i].list, all[k].list...), all[i].box.Union(all[k].box)
					all = slices.Delete(all, k, k+1)
					merged, k = true, k-1
				}
			}
		}
	}
	var sorted []*chain
	for _, c := range all {
		at := slices.IndexFunc(sorted, func(d *chain) bool { return c.above(d) })
		if at < 0 {
			at = len(sorted)
		}
		sorted = slices.Insert(sorted, at, c)
	}
	out := [][]*fragment{sorted[0].list}
	box := sorted[0].box
	for _, c := range sorted[1:] {
		if box.Y1 < c.box.Y0+float64(0.5*c.list[0].size) && box.X0 < c.box.X1 && c.box.X0 < box.X1 {
			out[len(out)-1] = append(out[len(out)-1], c.list...)
			box = box.Union(c.box)
			continue
		}
		out, box = append(out, c.list), c.box
	}
	return out
}

// isText reports whether one of many chains is a text, so that their order has a meaning.
// The signs of a formula may be drawn in any order.
func isText(all []*chain) bool {
	for _, c := range all {
		letters := 0
		for _, f := range c.list {
			letters += f.letters
		}
		if letters > textChain {
			return true
		}
	}
	return false
}

// textChain is the number of letters above which a chain counts as a text.
const textChain = 200

// belong reports whether the lines of c and d must be read together. They do if they lie
// between each other or, with lines, if they are on common baselines side by side.
func belong(c, d *chain, lines bool) bool {
	height := min(c.box.Y1, d.box.Y1) - max(c.box.Y0, d.box.Y0)
	if height <= 0.5*min(c.list[0].size, d.list[0].size) {
		return false
	}
	width := min(c.box.X1, d.box.X1) - max(c.box.X0, d.box.X0)
	if width > 0.3*min(c.box.X1-c.box.X0, d.box.X1-d.box.X0) {
		return true
	}
	if !lines {
		return false
	}
	a, b := newColumn(c.list), newColumn(d.list)
	return aligned(a, b) >= 0.5 && !(a.prose && b.prose)
}

// above reports whether c is above d in the same column.
func (c *chain) above(d *chain) bool {
	return c.box.X0 < d.box.X1 && d.box.X0 < c.box.X1 && c.middle() < d.box.Y0 && c.box.Y1 < d.middle()
}

func (c *chain) middle() float64 { return (c.box.Y0 + c.box.Y1) / 2 }

// Criteria for rows of a table in the search for columns.
const (
	cellLetters = 12 // most cells have fewer letters
	maxCell     = 25 // maximum letters of a cell
	tableCells  = 3  // minimum number
	tableRow    = 3.5
	cellGap     = 1.2 // minimum gap in sizes between two cells; words of a justified line may be up to this far apart
	shortGap    = 0.6 // the same if all cells are short
)

// tableSpans returns the horizontal extent of the table row that contains each fragment of
// list. Only rows of several short cells count, and only if two or more are below each
// other.
func tableSpans(list []*fragment) map[*fragment][2]float64 {
	rows := baselines(list)
	cells := map[int]*fragment{} // by their order
	byOrder := map[int]*fragment{}
	for _, row := range rows {
		short := shortCells(row)
		for _, f := range row {
			byOrder[f.order] = f
			if short {
				cells[f.order] = f
			}
		}
	}
	spans := map[*fragment][2]float64{}
	var before []*fragment // the row above, if it is part of a table
	for _, row := range rows {
		row = inTable(row, cells, byOrder)
		if !shortCells(row) {
			before = nil
			continue
		}
		if before != nil && row[0].base-before[0].base < tableRow*row[0].size {
			fillRow(before, spans)
			fillRow(row, spans)
		}
		before = row
	}
	return spans
}

// baselines returns the fragments of each baseline, from top to bottom.
func baselines(list []*fragment) (rows [][]*fragment) {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(f, g *fragment) int { return cmp.Compare(f.base, g.base) })
	for i := 0; i < len(sorted); {
		k := i + 1
		for k < len(sorted) && alongside(sorted[i], sorted[k]) {
			k++
		}
		rows = append(rows, sorted[i:k])
		i = k
	}
	return rows
}

// inTable returns a row without the line of a paragraph beside it. Such a line is at one end
// of the row, not next to its cells in the content, and next to a line above or below it
// that has no cells beside it.
func inTable(row []*fragment, cells, all map[int]*fragment) []*fragment {
	if len(row) <= tableCells || !shortCells(row) {
		return row
	}
	row = slices.Clone(row)
	slices.SortFunc(row, func(f, g *fragment) int { return cmp.Compare(f.box.X0, g.box.X0) })
	lone := func(f, next *fragment) bool {
		if f.order-next.order == 1 || next.order-f.order == 1 {
			return false
		}
		for _, order := range [...]int{f.order - 1, f.order + 1} {
			if g := all[order]; g != nil && cells[order] == nil && g.box.X0 < f.box.X1 && f.box.X0 < g.box.X1 {
				return true
			}
		}
		return false
	}
	if n := len(row); lone(row[0], row[1]) {
		row = row[1:]
	} else if lone(row[n-1], row[n-2]) {
		row = row[:n-1]
	}
	return row
}

// shortCells reports whether a row of fragments looks like a table row.
func shortCells(row []*fragment) bool {
	short := 0
	for _, f := range row {
		if f.letters > maxCell {
			return false
		}
		if f.letters < cellLetters {
			short++
		}
	}
	return len(row) >= tableCells && 3*short >= 2*len(row)
}

// fillRow sets the extent of every fragment of a row.
func fillRow(row []*fragment, spans map[*fragment][2]float64) {
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, f := range row {
		x0, x1 = min(x0, f.box.X0), max(x1, f.box.X1)
	}
	for _, f := range row {
		spans[f] = [2]float64{x0, x1}
	}
}
