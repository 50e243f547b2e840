package reading

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Criteria for the numbers at the axes of a chart: they are evenly spaced, and so are their
// values or the logarithms of these. In a table, other cells are beside or below them.
const (
	leastTicks  = 4    // minimum number of them
	tickSpace   = 0.1  // maximum difference of two distances, relative
	tickValue   = 0.01 // the same, of two values
	tickLine    = 0.3  // maximum distance from their line, in sizes
	tickAround  = 12   // distance in sizes at which other cells of a table are searched
	tickColumns = 8    // minimum distance in sizes of two axes with the same heights
	maxAround   = 8192 // fragments of a page that is searched
)

// tick is a fragment that is a number.
type tick struct {
	*fragment
	value float64
}

// markAxes marks the numbers at the axes of charts. Turned numbers are judged in their own
// frame.
func (p *page) markAxes() {
	if len(p.fragments) > maxAround {
		return
	}
	var byTurn [turns + 1][]tick
	for k := range p.fragments {
		f := &p.fragments[k]
		if v, ok := tickOf(f.text); ok && !f.furniture && f.turn != slanted {
			byTurn[f.turn] = append(byTurn[f.turn], tick{f, v})
		}
	}
	for _, ticks := range byTurn {
		if len(ticks) < leastTicks {
			continue
		}
		across := runsOf(ticks, func(t tick) (at, along float64) { return t.base, t.centre() })
		for _, r := range across {
			if !p.hasColumns(r) {
				mark(r)
			}
		}
		down := runsOf(ticks, func(t tick) (at, along float64) { return t.box.X1, t.base })
		ticksOf := map[int]bool{} // by their order
		for _, t := range slices.Concat(down...) {
			ticksOf[t.order] = true
		}
		for _, r := range down {
			if !p.hasRows(r, ticksOf) {
				mark(r)
			}
		}
	}
}

func mark(ticks []tick) {
	for _, t := range ticks {
		t.furniture = true
	}
}

// tickOf returns the value of a number without words, units and signs around it, except for
// a minus and a per cent sign.
func tickOf(s string) (v float64, ok bool) {
	s = strings.Replace(strings.TrimSuffix(s, "%"), "−", "-", 1)
	if s == "" || len(s) > maxNumber || strings.Trim(s, "-.0123456789eE") != "" || strings.HasSuffix(s, ".") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// runsOf returns the longest runs of ticks on a line whose distances and values are even.
// place returns the place of the line, and the place of a tick on it.
func runsOf(ticks []tick, place func(tick) (at, along float64)) (runs [][]tick) {
	ticks = slices.Clone(ticks)
	slices.SortFunc(ticks, func(a, b tick) int { x, _ := place(a); y, _ := place(b); return cmp.Compare(x, y) })
	for i := 0; i < len(ticks); {
		k := i + 1
		first, _ := place(ticks[i])
		for k < len(ticks) {
			if at, _ := place(ticks[k]); at-first > tickLine*ticks[i].size {
				break
			}
			k++
		}
		line := ticks[i:k]
		i = k
		slices.SortFunc(line, func(a, b tick) int { _, x := place(a); _, y := place(b); return cmp.Compare(x, y) })
		for from := 0; from+leastTicks <= len(line); {
			to := from + 2
			for to < len(line) && even(line[to-2:to+1], place) {
				to++
			}
			if to-from >= leastTicks {
				runs = append(runs, line[from:to])
				from = to
				continue
			}
			from++
		}
	}
	return runs
}

// even reports whether three ticks are evenly spaced, and their values are, too.
func even(t []tick, place func(tick) (at, along float64)) bool {
	_, a := place(t[0])
	_, b := place(t[1])
	_, c := place(t[2])
	if b-a < t[0].size || !near(b-a, c-b, tickSpace) || !near(t[0].size, t[2].size, tickSpace) {
		return false
	}
	x, y, z := t[0].value, t[1].value, t[2].value
	return x != y && near(y-x, z-y, tickValue) || x > 0 && y > 0 && x != y && near(math.Log(y/x), math.Log(z/y), tickValue)
}

// near reports whether a and b have the same sign and differ by a share of the larger one at
// most. The distances between printed numbers are rounded.
func near(a, b, share float64) bool {
	return a*b > 0 && math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}

// hasColumns reports whether other fragments are above or below single ticks of a row, as the
// cells of a table are: two of them on one line, or some for most of the ticks. The labels in a
// chart are scattered.
func (p *page) hasColumns(row []tick) bool {
	half := (row[1].centre() - row[0].centre()) / 2
	taken, first := map[int]bool{}, map[int]int{} // first tick with a fragment, by line
	for k := range p.fragments {
		f := &p.fragments[k]
		away := math.Abs(f.base - row[0].base)
		if f.turn != row[0].turn || away < tickLine*f.size || away > tickAround*row[0].size {
			continue
		}
		at, over := 0, 0
		for i, t := range row {
			if math.Abs(t.centre()-f.centre()) < half && f.box.X1-f.box.X0 < 2*half {
				at, over = i, over+1
			}
		}
		if over != 1 {
			continue
		}
		taken[at] = true
		line := int(math.Round(f.base / (0.5 * row[0].size)))
		for _, l := range []int{line - 1, line, line + 1} {
			if other, ok := first[l]; ok && other != at {
				return true
			}
		}
		first[line] = at
	}
	return 2*len(taken) > len(row)
}

// hasRows reports whether other fragments are level with ticks of a column, as the cells of
// a table are. The ticks of other columns count if they are close.
func (p *page) hasRows(column []tick, ticks map[int]bool) bool {
	level := 0
	for _, t := range column {
		for k := range p.fragments {
			f := &p.fragments[k]
			if f.turn != t.turn || f.order == t.order || math.Abs(f.base-t.base) > 0.5*max(f.size, t.size) {
				continue
			}
			if apart := max(f.box.X0-t.box.X1, t.box.X0-f.box.X1); apart < tickColumns*t.size || !ticks[f.order] {
				level++
				break
			}
		}
	}
	return 4*level > len(column)
}
