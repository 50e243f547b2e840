package reading

import (
	"fmt"
	"strings"
	"testing"
)

// Line numbers in the margin are no text, and numbers of rows are.
func TestLineNumbers(t *testing.T) {
	words := "the mill stands by the water and its wheel turns slowly in the summer when no boats are near it and all of the bees dance"
	numbered := func(from, n int, line func(i int) string) *sheet {
		s := newSheet()
		for i := range n {
			s.line(40, 100+24*float64(i), 10, false, fmt.Sprint(from+i))
			s.line(70, 100+24*float64(i), 10, false, line(i))
		}
		return s
	}
	wrapped := func(i int) string { return strings.Repeat(words[i%20:], 1)[:60] }
	rows := func(i int) string {
		return fmt.Sprintf("Ship %c of the harbour, with a long description of it, fee", 'A'+i)
	}
	for name, c := range map[string]struct {
		sheets []*sheet
		want   []string
	}{
		"prose":              {[]*sheet{numbered(1, 10, wrapped), numbered(11, 2, wrapped)}, []string{"1|2|3|4|5|6|7|8|9|10", "11|12"}},
		"a table":            {[]*sheet{numbered(1, 10, rows)}, []string{""}},
		"a few lines":        {[]*sheet{numbered(1, 4, wrapped)}, []string{""}},
		"numbers that jump":  {[]*sheet{numbered(1, 10, func(i int) string { return wrapped(i) }).renumber(7)}, []string{""}},
		"every fifth number": {[]*sheet{numbered(1, 10, wrapped).renumber(5)}, []string{"0|5|10|15|20|25|30|35|40|45"}},
	} {
		got := left(read(t, nil, c.sheets...), c.sheets...)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// renumber makes a sheet whose numbers are multiples of step.
func (s *sheet) renumber(step int) *sheet {
	out, n := newSheet(), 0
	for i := range s.lines {
		l := &s.lines[i]
		words := strings.TrimSpace(l.Of(s.page.Text))
		if digits(words) {
			words = fmt.Sprint(n * step)
			n++
		}
		out.line(l.Box.X0, l.Baseline, 10, false, words)
	}
	return out
}
