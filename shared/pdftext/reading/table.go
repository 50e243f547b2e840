package reading

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// grid is a table within a block, with the columns of its cells.
type grid struct {
	from, to int     // rows of the block; to is exclusive
	columns  [][]int // for each row, the column of each cell, ascending, from 0
	heads    int     // number of head rows at the top
}

// Criteria for a table, in addition to gaps in lines.
const (
	gridRows    = 2   // minimum rows with cells
	gridColumns = 40  // maximum
	gridFill    = 0.3 // minimum share of places with a cell
	gridWords   = 0.6 // minimum share of cells with words or numbers, unlike the parts of formulas
	gridEdges   = 0.6 // minimum share of a column's cells that begin, end or are centred at one place
	gridEdge    = 0.5 // tolerance around that place, in sizes
	gridOverlap = 0.3 // share of the narrower of a cell and a column
	gridNumbers = 0.5 // minimum share of numbers in a column, for a head without a number
)

// grids returns the tables in the rows of a block, from top to bottom.
func grids(rows []row) (out []grid) {
	for from := 0; from < len(rows); from++ {
		if !gridded(&rows[from]) {
			continue
		}
		to, n := from+1, 1 // after the last row with cells
		for i := to; i < len(rows) && (gridded(&rows[i]) || len(rows[i].cells) == 1 && !leader(rows[i].text)); i++ {
			if gridded(&rows[i]) {
				to, n = i+1, n+1
			}
		}
		if n >= gridRows {
			if g, ok := newGrid(from, rows[from:to]); ok {
				out = append(out, g)
			}
		}
		from = to - 1
	}
	return out
}

// gridded reports whether r may be a table row. It must have cells, and not be a form label
// with its value or a line of a table of contents. It must also not be a bibliography entry
// or a line of source code, which may have wide gaps, too.
func gridded(r *row) bool {
	return r.tabular() && !leader(r.text) && !strings.HasSuffix(r.cells[0].text(), ":") && r.text[0] != '[' &&
		!slices.ContainsFunc(r.cells, func(c cell) bool { return strings.ContainsRune("{}", rune(c.text()[len(c.text())-1])) })
}

func (c *cell) text() string { return c.list[len(c.list)-1].text }

// newGrid assigns the cells of rows to columns. The result is false if there are no
// columns, as for words scattered over a drawing.
func newGrid(from int, rows []row) (grid, bool) {
	g := grid{from: from, to: from + len(rows), columns: make([][]int, len(rows))}
	columns := columnsOfCells(rows)
	cells := 0
	for i := range rows {
		last := -1
		for k := range rows[i].cells {
			at := max(last+1, columnUnder(columns, &rows[i].cells[k]))
			if at >= len(columns) {
				return grid{}, false
			}
			g.columns[i] = append(g.columns[i], at)
			last = at
		}
		cells += len(rows[i].cells)
	}
	if len(columns) < 2 || len(columns) > gridColumns || float64(cells) < float64(gridFill)*float64(len(rows)*len(columns)) || !g.aligned(rows, len(columns)) {
		return grid{}, false
	}
	g.heads = headRows(rows, g.columns)
	return g, true
}

// aligned reports whether the cells of g are aligned in more than half of its columns, and
// in at least two, and have meaningful contents.
func (g *grid) aligned(rows []row, columns int) bool {
	says, all, good := 0, 0, 0
	for at := range columns {
		var edges [3][]float64
		size := 0.0
		for i := range rows {
			if k := slices.Index(g.columns[i], at); k >= 0 && len(rows[i].cells) > 1 {
				c := &rows[i].cells[k]
				all++
				if s := c.text(); figure(s) || hasWord(s) {
					says++
				}
				edges[0], edges[1], edges[2] = append(edges[0], c.box.X0), append(edges[1], c.box.X1), append(edges[2], (c.box.X0+c.box.X1)/2)
				size = max(size, rows[i].size)
			}
		}
		if n := len(edges[0]); n > 1 && float64(max(most(edges[0], gridEdge*size), most(edges[1], gridEdge*size), most(edges[2], gridEdge*size))) >= float64(gridEdges)*float64(n) {
			good++
		}
	}
	return good >= 2 && 2*good >= columns && float64(says) >= float64(gridWords)*float64(all)
}

// most returns the largest number of values within d of one another. It sorts the list.
func most(list []float64, d float64) (n int) {
	slices.Sort(list)
	from := 0
	for i, x := range list {
		for x-list[from] > d {
			from++
		}
		n = max(n, i+1-from)
	}
	return n
}

// reach is the horizontal extent of a column.
type reach struct{ x0, x1 float64 }

// columnsOfCells finds the columns, starting with the rows that have most cells. A cell
// under one column widens it, a cell under none is a new column, and a cell under several
// is ignored.
func columnsOfCells(rows []row) (columns []reach) {
	order := make([]*row, len(rows))
	for i := range rows {
		order[i] = &rows[i]
	}
	slices.SortStableFunc(order, func(a, b *row) int { return cmp.Compare(len(b.cells), len(a.cells)) })
	for _, r := range order {
		if len(r.cells) < 2 {
			break
		}
		for i := range r.cells {
			b := &r.cells[i].box
			first, n := 0, 0
			for k, c := range columns {
				if c.holds(b.X0, b.X1) {
					if n++; n == 1 {
						first = k
					}
				}
			}
			switch n {
			case 0:
				at := 0
				for at < len(columns) && columns[at].x0 <= b.X0 {
					at++
				}
				columns = slices.Insert(columns, at, reach{b.X0, b.X1})
			case 1:
				columns[first] = reach{min(columns[first].x0, b.X0), max(columns[first].x1, b.X1)}
			}
			if len(columns) > gridColumns {
				return columns
			}
		}
	}
	return slices.DeleteFunc(columns, func(c reach) bool { return c.lone(rows) })
}

// lone reports whether c has at most one cell, in a row with fewer cells than others. Such
// a cell is the head of two columns, centred between them.
func (c reach) lone(rows []row) bool {
	n, cells, full := 0, 0, 0
	for i := range rows {
		full = max(full, len(rows[i].cells))
		for k := range rows[i].cells {
			if b := &rows[i].cells[k].box; len(rows[i].cells) > 1 && c.holds(b.X0, b.X1) {
				n, cells = n+1, len(rows[i].cells)
			}
		}
	}
	return n < 2 && cells < full
}

// holds reports whether something from x0 to x1 is under c.
func (c reach) holds(x0, x1 float64) bool {
	shared := min(c.x1, x1) - max(c.x0, x0)
	return shared > 0 && shared >= gridOverlap*min(c.x1-c.x0, x1-x0)
}

// columnUnder returns the first column above a cell, or the nearest one.
func columnUnder(columns []reach, c *cell) (at int) {
	nearest := maxPlace * 4
	for i, r := range columns {
		if r.holds(c.box.X0, c.box.X1) {
			return i
		}
		if away := max(r.x0-c.box.X1, c.box.X0-r.x1); away < nearest {
			at, nearest = i, away
		}
	}
	return at
}

// headRows returns the number of bold rows at the top of a table, if other rows are not
// bold. Otherwise it looks for one row without a number above a column of numbers.
func headRows(rows []row, columns [][]int) (n int) {
	for n < len(rows) && rows[n].bold {
		n++
	}
	if n > 0 && n < len(rows) {
		return n
	}
	if slices.ContainsFunc(rows[0].cells, func(c cell) bool { return numeric(c.text()) }) {
		return 0
	}
	for _, at := range columns[0] {
		all, numbers := 0, 0
		for i := 1; i < len(rows); i++ {
			if k := slices.Index(columns[i], at); k >= 0 {
				all++
				if numeric(rows[i].cells[k].text()) {
					numbers++
				}
			}
		}
		if numbers > 0 && float64(numbers) >= float64(gridNumbers)*float64(all) {
			return 1
		}
	}
	return 0
}

// figure reports whether s begins like a number.
func figure(s string) bool {
	r := firstRune(strings.TrimLeft(s, "+-−–±(<>≤≥~≈#$€£¥ "))
	return unicode.IsDigit(r)
}

// numeric reports whether s is a number: it has a digit and no word.
func numeric(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && !hasWord(s)
}
