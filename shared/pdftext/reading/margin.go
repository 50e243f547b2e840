package reading

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Criteria for the line numbers in the margin of pleadings, bills and manuscripts.
const (
	leastNumbers = 6   // on a page
	sameColumn   = 2.5 // maximum difference of their edges, in points
	counting     = 0.9 // minimum share of numbers that count on from the one above
	goingOn      = 0.3 // minimum share of lines beside them that go on with the sentence of the line above
)

// markLineNumbers sets apart the line numbers in the margins of a document. A column of
// numbers in a table is beside rows that do not go on with each other. Where one page proves
// the numbers, shorter columns at the same place of other pages are line numbers, too.
func markLineNumbers(pages []page) {
	var places []*fragment
	for i := range pages {
		if column := pages[i].lineNumbers(func(column, others []*fragment) bool {
			return len(column) >= leastNumbers && counts(column) && prose(others)
		}); column != nil {
			places = append(places, column[len(column)-1])
		}
	}
	for i := range pages {
		pages[i].lineNumbers(func(column, _ []*fragment) bool {
			return counts(column) && slices.ContainsFunc(places, func(f *fragment) bool {
				return math.Abs(f.box.X0-column[0].box.X0) <= sameColumn || math.Abs(f.box.X1-column[0].box.X1) <= sameColumn
			})
		})
	}
}

// lineNumbers marks a column of numbers beside the text of p that is, and returns it, or nil
// if there is none.
func (p *page) lineNumbers(is func(column, others []*fragment) bool) []*fragment {
	var numbers, others []*fragment
	for k := range p.fragments {
		switch f := &p.fragments[k]; {
		case f.furniture || f.turn != p.frame.turn:
		case digits(f.text) && len(f.text) <= 4:
			numbers = append(numbers, f)
		default:
			others = append(others, f)
		}
	}
	if len(numbers) == 0 || len(others) == 0 {
		return nil
	}
	column := widestColumn(numbers, func(f *fragment) float64 { return f.box.X1 })
	if left := widestColumn(numbers, func(f *fragment) float64 { return f.box.X0 }); len(left) > len(column) {
		column = left
	}
	if !beside(column, others) || !is(column, others) {
		return nil
	}
	for _, f := range column {
		f.furniture = true
	}
	return column
}

// widestColumn returns most numbers with the same edge, from top to bottom.
func widestColumn(numbers []*fragment, edge func(f *fragment) float64) (column []*fragment) {
	slices.SortStableFunc(numbers, func(f, g *fragment) int { return cmp.Compare(edge(f), edge(g)) })
	from := 0
	for i := range numbers {
		for edge(numbers[i])-edge(numbers[from]) > sameColumn {
			from++
		}
		if i+1-from > len(column) {
			column = numbers[from : i+1]
		}
	}
	column = slices.Clone(column)
	slices.SortStableFunc(column, func(f, g *fragment) int { return cmp.Compare(f.base, g.base) })
	return column
}

// counts reports whether numbers count lines, or every fifth line.
func counts(column []*fragment) bool {
	steps := map[int]int{}
	for i := range column[1:] {
		a, _ := strconv.Atoi(column[i].text)
		b, _ := strconv.Atoi(column[i+1].text)
		steps[b-a]++
	}
	return float64(max(steps[1], steps[5])) >= float64(counting*float64(len(column)-1))
}

// beside reports whether column is to the left or to the right of all others.
func beside(column, others []*fragment) bool {
	from, to, left, right := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, f := range column {
		from, to = min(from, f.box.X0), max(to, f.box.X1)
	}
	for _, f := range others {
		left, right = min(left, f.box.X0), max(right, f.box.X1)
	}
	return to <= left || from >= right
}

// prose reports whether the lines of list go on with each other.
func prose(list []*fragment) bool {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(f, g *fragment) int { return cmp.Compare(f.base, g.base) })
	n := 0
	for i := range sorted[1:] {
		if !sameLine(sorted[i], sorted[i+1]) && goesOn(sorted[i].text, sorted[i+1].text) {
			n++
		}
	}
	return float64(n) >= float64(goingOn*float64(len(sorted)))
}
