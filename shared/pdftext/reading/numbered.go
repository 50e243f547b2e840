package reading

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Criteria for the numbers of lines of code.
const (
	codeNumbers = 3   // minimum number in a document
	codeBeside  = 3.5 // maximum distance in sizes of a number and its line
	codeSkip    = 5   // maximum number of empty lines between two
	codeCounts  = 0.9 // minimum share of numbers that count on, or begin with 1
)

// codeNumber is the number of a line of code.
type codeNumber struct {
	*fragment
	page, value int
	empty       bool // there is no code on the line
}

// markCodeNumbers sets apart the numbers beside lines of code. They are in another font than
// the code, nothing else is on the line, and they count. Empty lines of code have numbers,
// too.
func markCodeNumbers(pages []page) {
	var all []codeNumber
	for i := range pages {
		all = append(all, pages[i].codeNumbersOf(i)...)
	}
	lines, counting := 0, 0
	var last []codeNumber // of each column
	for i := range all {
		n := &all[i]
		at := slices.IndexFunc(last, func(l codeNumber) bool { return math.Abs(l.box.X1-n.box.X1) <= 2*sameColumn })
		counts := n.value == 1 || at >= 0 && last[at].value < n.value && n.value <= last[at].value+codeSkip
		if n.empty {
			n.empty = at >= 0 && last[at].page == n.page && n.value == last[at].value+1 && sameKind(&last[at], n)
			if !n.empty {
				n.value = 0 // another number
				continue
			}
		} else if lines++; counts {
			counting++
		}
		if at < 0 {
			last = append(last, *n)
		} else {
			last[at] = *n
		}
	}
	if lines < codeNumbers || float64(counting) < codeCounts*float64(lines) {
		return
	}
	for _, n := range all {
		if n.value > 0 {
			n.furniture = true
		}
	}
}

// sameKind reports whether b may be in the column of numbers that a is in.
func sameKind(a, b *codeNumber) bool {
	return b.base-a.base < codeGap*b.size*1.2 && sizeKey(a.size) == sizeKey(b.size)
}

// codeNumbersOf returns the numbers of lines of code of p, and those alone on a line, from
// top to bottom.
func (p *page) codeNumbersOf(index int) (found []codeNumber) {
	list := make([]*fragment, 0, len(p.fragments))
	code := false
	for k := range p.fragments {
		f := &p.fragments[k]
		code = code || f.mono
		if f.turn == p.frame.turn && !f.furniture {
			list = append(list, f)
		}
	}
	if !code {
		return nil
	}
	for _, line := range baselines(list) {
		slices.SortStableFunc(line, func(f, g *fragment) int { return cmp.Compare(f.box.X0, g.box.X0) })
		number := line[0]
		if number.mono || !digits(number.text) || len(number.text) > 4 || slices.ContainsFunc(line[1:], func(f *fragment) bool { return !f.mono }) ||
			len(line) > 1 && line[1].box.X0-number.box.X1 > codeBeside*line[1].size {
			continue
		}
		value, _ := strconv.Atoi(number.text)
		found = append(found, codeNumber{number, index, value, len(line) == 1})
	}
	return found
}
