package reading

import (
	"cmp"
	"math"
	"slices"

	"seam/shared/text"
)

const (
	// maxChains is the most chains of one leaf that are compared with each
	// other; a leaf with more is read by its rows alone.
	maxChains = 4096
	// maxPasses is how often they are.
	maxPasses = 8
	// maxAligned is up to how many chains their lines are compared as well.
	maxAligned = 64
	// chainGap is from which distance on, in sizes, a chain ends.
	chainGap = 4
)

// chain is a part of the content that goes on downwards, or to the right.
type chain struct {
	list []*fragment
	box  text.Box
}

// chains divides a leaf where its content goes back up: each chain is a text of
// its own as far as the file knows. Those whose lines belong together, such as
// the columns of a table, become one again, and a chain that the content has
// too late goes before what stands below it. All others stay in their order;
// those that follow on each other downwards make one leaf.
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
	if len(all) == 1 || len(all) > maxChains || len(all) > maxAligned && !tells(all) {
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

// tells reports whether one of many chains is a text, so that their order means
// something: a formula is drawn sign by sign in any order.
func tells(all []*chain) bool {
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

// textChain is how many letters a chain has more than that is a text.
const textChain = 200

// belong reports whether the lines of c and d have to be read together: they lie
// between each other, or, if that is looked at, on common baselines side by side.
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

// above reports whether c stands above d, in one column with it.
func (c *chain) above(d *chain) bool {
	return c.box.X0 < d.box.X1 && d.box.X0 < c.box.X1 && c.middle() < d.box.Y0 && c.box.Y1 < d.middle()
}

func (c *chain) middle() float64 { return (c.box.Y0 + c.box.Y1) / 2 }

// What the rows of a table look like to the search for columns.
const (
	cellLetters = 12 // most cells have fewer letters
	maxCell     = 25 // no cell has more
	tableCells  = 3  // at least
	tableRow    = 3.5
	cellGap     = 1.2 // sizes between two cells, at least: by less, words of a justified line may be apart
	shortGap    = 0.6 // the same where all cells are short
)

// tableSpans returns from where to where the row of a table reaches that a
// fragment of list stands in. Only rows of several short cells count, and only
// two or more below each other.
func tableSpans(list []*fragment) map[*fragment][2]float64 {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(f, g *fragment) int { return cmp.Compare(f.base, g.base) })
	spans := map[*fragment][2]float64{}
	var before []*fragment // the row above, if it is one of a table
	for i := 0; i < len(sorted); {
		k := i + 1
		for k < len(sorted) && alongside(sorted[i], sorted[k]) {
			k++
		}
		row := sorted[i:k]
		i = k
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

// shortCells reports whether a row of fragments looks like one of a table.
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

// fillRow sets the span of all of a row.
func fillRow(row []*fragment, spans map[*fragment][2]float64) {
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, f := range row {
		x0, x1 = min(x0, f.box.X0), max(x1, f.box.X1)
	}
	for _, f := range row {
		spans[f] = [2]float64{x0, x1}
	}
}
