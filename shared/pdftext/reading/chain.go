package reading

import (
	"cmp"
	"math"
	"slices"

	"seam/shared/text"
)

// maxChains is the most chains of one leaf that are compared with each other;
// a leaf with more is read by its rows alone.
const maxChains = 64

// chain is a part of the content that goes on downwards, or to the right.
type chain struct {
	list []*fragment
	box  text.Box
}

// chains divides a leaf where its content goes back up: each chain is a text of
// its own as far as the file knows. Those whose lines belong together, such as
// the columns of a table, become one again, and a chain that the content has
// too late goes before what stands below it. All others stay in their order.
func chains(list []*fragment) [][]*fragment {
	slices.SortFunc(list, func(f, g *fragment) int { return cmp.Compare(f.order, g.order) })
	var all []*chain
	for i, f := range list {
		if i > 0 && (f.base > list[i-1].base || alongside(f, list[i-1])) {
			c := all[len(all)-1]
			c.list, c.box = append(c.list, f), c.box.Union(f.box)
			continue
		}
		all = append(all, &chain{[]*fragment{f}, f.box})
	}
	if len(all) == 1 || len(all) > maxChains {
		return [][]*fragment{list}
	}
	for merged := true; merged; {
		merged = false
		for i := 0; i < len(all); i++ {
			for k := i + 1; k < len(all); k++ {
				if belong(all[i], all[k]) {
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
	out := make([][]*fragment, len(sorted))
	for i, c := range sorted {
		out[i] = c.list
	}
	return out
}

// belong reports whether the lines of c and d have to be read together: they lie
// between each other, or on common baselines side by side.
func belong(c, d *chain) bool {
	height := min(c.box.Y1, d.box.Y1) - max(c.box.Y0, d.box.Y0)
	if height <= 0.5*min(c.list[0].size, d.list[0].size) {
		return false
	}
	width := min(c.box.X1, d.box.X1) - max(c.box.X0, d.box.X0)
	if width > 0.3*min(c.box.X1-c.box.X0, d.box.X1-d.box.X0) {
		return true
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
)

// tableSpans returns from where to where the row of a table reaches that a
// fragment of list stands in, by the fragment's index. Only rows of several
// short cells count, and only two or more below each other.
func tableSpans(list []*fragment) map[int][2]float64 {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int { return cmp.Or(cmp.Compare(list[i].base, list[k].base), cmp.Compare(i, k)) })
	spans := map[int][2]float64{}
	var before []int // the row above, if it is one of a table
	for i := 0; i < len(order); {
		k := i + 1
		for k < len(order) && alongside(list[order[i]], list[order[k]]) {
			k++
		}
		row := order[i:k]
		i = k
		if !shortCells(list, row) {
			before = nil
			continue
		}
		if before != nil && list[row[0]].base-list[before[0]].base < tableRow*list[row[0]].size {
			fillRow(list, before, spans)
			fillRow(list, row, spans)
		}
		before = row
	}
	return spans
}

// shortCells reports whether a row of fragments looks like one of a table.
func shortCells(list []*fragment, row []int) bool {
	cells, short := 0, 0
	for _, i := range row {
		cells++
		if list[i].letters > maxCell {
			return false
		}
		if list[i].letters < cellLetters {
			short++
		}
	}
	return cells >= tableCells && 3*short >= 2*cells
}

// fillRow sets the span of all of a row.
func fillRow(list []*fragment, row []int, spans map[int][2]float64) {
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, i := range row {
		x0, x1 = min(x0, list[i].box.X0), max(x1, list[i].box.X1)
	}
	for _, i := range row {
		spans[i] = [2]float64{x0, x1}
	}
}
