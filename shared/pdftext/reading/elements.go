package reading

import (
	"strings"

	"seam/shared/text"
)

// elements collects the lists and tables of the view while it is written.
type elements struct {
	list []text.Element
	open []openList // open lists, outer first
	code int        // index of the open listing + 1; 0 for none
}

// openList is an open list and its last item.
type openList struct {
	list, item int // index of elements
	x          float64
}

func (e *elements) add(k text.ElementKind, at int) int {
	e.list = append(e.list, text.Element{Kind: k, Span: text.Span{Start: at, End: at}})
	return len(e.list) - 1
}

// item begins a list item at an offset of the view. An item further to the right than the
// previous one begins a nested list.
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

// mostLevels is the maximum nesting of lists.
const mostLevels = 6

// line records that a row of a block begins at an offset, and its relation to the previous
// row.
func (e *elements) line(k kind, r *row, relation relation, at int) {
	is, _ := r.marked()
	if k != code || relation == apart {
		e.code = 0
	}
	switch {
	case k == code && relation == apart:
		e.close()
		e.code = e.add(text.Listing, at) + 1
	case k == code, relation == wrapped:
	case is && k == list:
		e.item(r, at)
	default:
		e.close()
	}
}

// end records that the last element ends at an offset.
func (e *elements) end(at int) { e.list[len(e.list)-1].End = at }

// reach records that the last item or the listing extends to an offset.
func (e *elements) reach(at int) {
	if e.code > 0 {
		e.list[e.code-1].End = at
	}
	for _, l := range e.open {
		e.list[l.list].End, e.list[l.item].End = at, at
	}
}

// close ends all open lists.
func (e *elements) close() { e.open = e.open[:0] }

// tables adds the tables of a block while it is written.
type tables struct {
	*elements
	grids       []grid // unfinished tables
	table, line int    // the elements of the last row
	open        bool   // text that continues the last row belongs to it
}

// gridRow is a table row to write.
type gridRow struct {
	kind    text.ElementKind // of its cells
	columns []int
}

// tabs returns the number of tabs before cell i.
func (r *gridRow) tabs(i int) int {
	if i == 0 {
		return r.columns[0]
	}
	return r.columns[i] - r.columns[i-1]
}

// begin begins row i of the block at an offset. It returns nil if the row is not part of a
// table, or continues the last cell of the previous row.
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

// reach records that the open row and its last cell extend to an offset.
func (t *tables) reach(at int) {
	if t.open {
		t.list[t.table].End, t.list[t.line].End = at, at
		t.end(at)
	}
}
