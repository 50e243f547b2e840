package reading

import (
	"strings"

	"seam/shared/text"
)

// elements are the lists and tables of the view, as it is written.
type elements struct {
	list []text.Element
	open []openList // lists that are open, the outer one first
}

// openList is a list that is open, in list, and its last item.
type openList struct {
	list, item int // index of elements
	x          float64
}

func (e *elements) add(k text.ElementKind, at int) int {
	e.list = append(e.list, text.Element{Kind: k, Span: text.Span{Start: at, End: at}})
	return len(e.list) - 1
}

// item begins an item of a list at an offset of the view. One that stands further to
// the right than the one before begins a list within it.
func (e *elements) item(r *row, at int) {
	k := text.List
	mark, _, _ := strings.Cut(r.text, " ")
	if _, bullet := bulletOf(mark); !bullet {
		k = text.OrderedList
	}
	d := float64(indent * r.size)
	for n := len(e.open); n > 0; n = len(e.open) {
		l := e.open[n-1]
		if r.box.X0 > l.x+d || r.box.X0 > l.x-d && e.list[l.list].Kind == k {
			break
		}
		e.open = e.open[:n-1]
	}
	if n := len(e.open); n == 0 || r.box.X0 > e.open[n-1].x+d {
		if n == mostLevels {
			e.open = e.open[:0]
		}
		e.open = append(e.open, openList{list: e.add(k, at), x: r.box.X0})
	}
	e.open[len(e.open)-1].item = e.add(text.Item, at)
}

// mostLevels is how many lists lie within one another, at most.
const mostLevels = 6

// line says that a row of a block begins at an offset, and how it follows on the one
// before.
func (e *elements) line(k kind, r *row, relation relation, at int) {
	is, _ := r.marked()
	switch {
	case relation == wrapped:
	case is && k == list:
		e.item(r, at)
	default:
		e.close()
	}
}

// end says that the last element ends at an offset.
func (e *elements) end(at int) { e.list[len(e.list)-1].End = at }

// reach says that the last item goes on to an offset.
func (e *elements) reach(at int) {
	for _, l := range e.open {
		e.list[l.list].End, e.list[l.item].End = at, at
	}
}

// close says that what follows is of no list that is open.
func (e *elements) close() { e.open = e.open[:0] }

// tables tells of the tables of a block, as it is written.
type tables struct {
	*elements
	grids       []grid // those that are not over
	table, line int    // the elements of the last row
	open        bool   // what goes on with the last row is of it, too
}

// gridRow is a row of a table to be written.
type gridRow struct {
	kind    text.ElementKind // of its cells
	columns []int
}

// tabs is how many tabs stand before cell i.
func (r *gridRow) tabs(i int) int {
	if i == 0 {
		return r.columns[0]
	}
	return r.columns[i] - r.columns[i-1]
}

// begin begins row i of the block at an offset; nil where it is of no table, or goes on
// with the last cell of the row before.
func (t *tables) begin(i int, relation relation, at int) *gridRow {
	for len(t.grids) > 0 && i >= t.grids[0].to {
		t.grids = t.grids[1:]
	}
	if t.open && relation == wrapped {
		return nil
	}
	t.open = len(t.grids) > 0 && i >= t.grids[0].from
	if !t.open {
		return nil
	}
	g := &t.grids[0]
	if i == g.from {
		t.table = t.add(text.Table, at)
	}
	t.line = t.add(text.Row, at)
	if i -= g.from; i < g.heads {
		return &gridRow{text.HeadCell, g.columns[i]}
	}
	return &gridRow{text.Cell, g.columns[i]}
}

// reach says that the row that is open, and its last cell, go on to an offset.
func (t *tables) reach(at int) {
	if t.open {
		t.list[t.table].End, t.list[t.line].End = at, at
		t.end(at)
	}
}
