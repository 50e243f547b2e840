package reading

import (
	"cmp"
	"math"
	"slices"
)

// Criteria for dividing a page into columns, with lengths in text sizes.
const (
	minGutter  = 0.7  // width
	minRun     = 2.5  // height
	binWidth   = 0.25 // of the strips in which gutters are searched
	maxBins    = 400
	maxDepth   = 24
	maxGutters = 16 // of one region that are examined closely, the highest ones
	maxTitle   = 4  // fragments above the columns
	titleGap   = 1  // height of the gap below them
)

// cutter divides the fragments of a page into leaves: parts that are read from top to
// bottom, in reading order.
type cutter struct{ leaves [][]*fragment }

// cut divides a region at its best gutter, and continues with the parts above the gutter,
// on both sides, and below. A full-width title or table ends a gutter without splitting it;
// another one may begin below.
func (c *cutter) cut(list []*fragment, depth int) {
	if len(list) == 0 {
		return
	}
	if depth < maxDepth {
		if g, ok := bestGutter(list); ok {
			for _, part := range g.parts {
				c.cut(part, depth+1)
			}
			return
		}
	}
	c.leaves = append(c.leaves, chains(list)...)
}

// run is a strip of a region that is free from y0 to y1.
type run struct{ x, y0, y1 float64 }

// gutter divides a region. Its parts are in reading order: above, one side, the other side,
// below.
type gutter struct{ parts [4][]*fragment }

// bestGutter returns the highest gutter between two columns of list. It sorts list from top
// to bottom. If there is none, a title above one of the columns may hide it.
func bestGutter(list []*fragment) (gutter, bool) {
	slices.SortFunc(list, func(f, g *fragment) int {
		return cmp.Or(cmp.Compare(f.box.Y0, g.box.Y0), cmp.Compare(f.order, g.order))
	})
	g, ok := highestGutter(list)
	if n := titleEnd(list); !ok && n > 0 {
		if g, ok = highestGutter(list[n:]); ok {
			g.parts[0] = slices.Concat(list[:n], g.parts[0])
		}
	}
	return g, ok
}

// titleEnd returns the number of fragments at the top of list that a gap across the whole
// region parts from the others, or 0 if they are more than a title. list is sorted from top
// to bottom.
func titleEnd(list []*fragment) int {
	for i := 1; i < min(len(list), maxTitle+1); i++ {
		if list[i].box.Y0-lowest(list[:i]) >= titleGap*list[i].size {
			return i
		}
	}
	return 0
}

// highestGutter returns the highest gutter between two columns of list, which is sorted from
// top to bottom.
func highestGutter(list []*fragment) (gutter, bool) {
	if len(list) < 4 {
		return gutter{}, false
	}
	runs := freeRuns(list, usualSize(list))
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(b.y1-b.y0, a.y1-a.y0) })
	for _, r := range runs[:min(len(runs), maxGutters)] {
		if g, ok := divide(list, r); ok {
			return g, true
		}
	}
	return gutter{}, false
}

// usualSize returns the median size of fragments.
func usualSize(list []*fragment) float64 {
	return median(list, func(f *fragment) float64 { return f.size })
}

// usualOrder returns the median position of fragments in the content.
func usualOrder(list []*fragment) int {
	return median(list, func(f *fragment) int { return f.order })
}

func median[T cmp.Ordered](list []*fragment, of func(*fragment) T) T {
	values := make([]T, len(list))
	for i, f := range list {
		values[i] = of(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// freeRuns returns the strips that may contain a gutter, from left to right. Neighbouring
// strips with the same extent are merged. The gaps in table rows count as filled.
func freeRuns(list []*fragment, size float64) (runs []run) {
	left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, f := range list {
		left, right, top, bottom = min(left, f.box.X0), max(right, f.box.X1), min(top, f.box.Y0), max(bottom, f.box.Y1)
	}
	n := int(min(maxBins, (right-left)/(binWidth*size))) + 1
	width := (right - left) / float64(n)
	if !(width > 0) {
		return nil
	}
	bin := func(x float64) int { return int(min(max((x-left)/width, 0), float64(n-1))) }
	free := make([]float64, n) // lower end of the obstacles in each strip so far
	for i := range free {
		free[i] = top
	}
	found := make([][]run, n)
	block := func(x0, x1, y0, y1 float64) {
		for b := bin(x0); b <= bin(x1+float64(minGutter*size)); b++ {
			if y0-free[b] > minRun*size {
				found[b] = append(found[b], run{left + float64(float64(b)*width), free[b], y0})
			}
			free[b] = max(free[b], y1)
		}
	}
	tables := tableSpans(list)
	for _, f := range list {
		x0, x1 := f.box.X0, f.box.X1
		if t, ok := tables[f]; ok {
			x0, x1 = t[0], t[1]
		}
		block(x0, x1, f.box.Y0, f.box.Y1)
	}
	block(left, right, bottom, bottom)
	var last []run
	for _, here := range found {
		for _, r := range here {
			if !slices.ContainsFunc(last, func(l run) bool { return l.y0 == r.y0 && l.y1 == r.y1 }) {
				runs = append(runs, r)
			}
		}
		last = here
	}
	return runs
}

// divide tries the strip r as a gutter between two columns.
func divide(list []*fragment, r run) (g gutter, ok bool) {
	var first, second []*fragment
	for _, f := range list {
		switch y := f.middle(); {
		case y < r.y0:
			g.parts[0] = append(g.parts[0], f)
		case y > r.y1:
			g.parts[3] = append(g.parts[3], f)
		case f.centre() < r.x:
			first = append(first, f)
		default:
			second = append(second, f)
		}
	}
	if len(first) < 2 || len(second) < 2 {
		return gutter{}, false
	}
	first, second = endTitle(&g, first), endTitle(&g, second)
	if len(first) < 2 || len(second) < 2 {
		return gutter{}, false
	}
	a, b := newColumn(first), newColumn(second)
	if !columns(a, b) {
		return gutter{}, false
	}
	if above, below, ok := bands(a, b); ok {
		g.parts[1], g.parts[2] = above, below
		return g, true
	}
	if len(g.parts[0]) > 0 {
		first = raise(&g, first, b.top)
	}
	g.parts[1], g.parts[2] = first, second
	if a.beside(b) || b.before(a) && !b.beside(a) && !(a.prose && b.prose) {
		g.parts[1], g.parts[2] = second, first
	}
	return g, len(first) > 0
}

// bands divides two columns at a gap across both, if the second column above the gap comes
// before the first one below it in the content. An example is a two-column abstract above a
// two-column text. The lists are sorted from top to bottom.
func bands(a, b *column) (above, below []*fragment, ok bool) {
	first, second := a.list, b.list
	if switches(a, b) > 3+(len(first)+len(second))/10 {
		return nil, nil, false
	}
	bottom, k := first[0].box.Y1, 0
	for i, f := range first {
		if f.box.Y0-bottom > bandGap*f.size && i > 1 && len(first)-i > 1 {
			for k < len(second) && second[k].box.Y0 < bottom {
				k++
			}
			if k > 1 && len(second)-k > 1 && second[k].box.Y0 > f.box.Y0-float64(bandGap*f.size) && lowest(second[:k]) < f.box.Y0 &&
				usualOrder(second[:k]) < min(f.order, first[i+1].order) {
				return slices.Concat(first[:i], second[:k]), slices.Concat(first[i:], second[k:]), true
			}
		}
		bottom = max(bottom, f.box.Y1)
	}
	return nil, nil, false
}

func lowest(list []*fragment) float64 {
	y := math.Inf(-1)
	for _, f := range list {
		y = max(y, f.box.Y1)
	}
	return y
}

// bandGap is the minimum gap between two bands of columns, in sizes.
const bandGap = 0.35

// beside reports whether c is a sidebar of d: narrower, and in smaller type.
func (c *column) beside(d *column) bool {
	return d.prose && c.width() < 0.6*d.width() && c.size < 0.95*d.size
}

// endTitle moves the line at the head of a column to the part above, if it is the last line of
// a title there, and returns the other lines. It has the title's type, which is larger than
// the column's. list is sorted from top to bottom.
func endTitle(g *gutter, list []*fragment) []*fragment {
	if len(list) < 2 || len(g.parts[0]) == 0 || len(g.parts[0]) > maxTitle || !hasWord(list[0].text) {
		return list
	}
	f, last := list[0], lowestLine(g.parts[0])
	if f.bold != last.bold || math.Abs(f.size-last.size) > 0.02*f.size || f.base <= last.base || f.base-last.base > 1.6*f.size || !inside(f, last) ||
		slices.ContainsFunc(list[1:], func(o *fragment) bool { return f.size < bigRow*o.size }) {
		return list
	}
	g.parts[0] = append(g.parts[0], f)
	return list[1:]
}

// inside reports whether f is not wider than g on either side.
func inside(f, g *fragment) bool { return f.box.X0 >= g.box.X0 && f.box.X1 <= g.box.X1 }

// lowestLine returns the fragment of list with the lowest baseline.
func lowestLine(list []*fragment) *fragment {
	return slices.MaxFunc(list, func(f, g *fragment) int { return cmp.Compare(f.base, g.base) })
}

// raise moves lines at the head of a column to the part above, if they belong to the
// full-width paragraph there, and returns the other lines. Such lines are above the other
// column, and nearer to the text above than to the text below.
func raise(g *gutter, first []*fragment, other float64) []*fragment {
	last := lowestLine(g.parts[0])
	for len(first) > 1 {
		f, next := first[0], first[1]
		if f.box.Y1 > other+float64(0.3*f.size) || f.size > 1.08*last.size || last.size > 1.08*f.size ||
			f.base-last.base > 1.6*f.size || next.base-f.base < 1.15*(f.base-last.base) {
			break
		}
		g.parts[0] = append(g.parts[0], f)
		first, last = first[1:], f
	}
	return first
}
