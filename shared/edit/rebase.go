package edit

import (
	"sort"
	"strings"

	"seam/shared/text"
)

// around is the number of bytes on each side of a place that identify it.
const around = 48

// Rebase returns the overlay for another version of the text, with each mark moved to the
// place with the same text around it. A mark is dropped if there is no such place or more
// than one, and so is a step that loses its marks. lost is the number of changes in force
// that are affected.
func (o *Overlay) Rebase(t string) (moved *Overlay, lost int) {
	if t == o.text {
		c := *o
		return &c, 0
	}
	moved = &Overlay{text: t, stamp: o.stamp}
	to := o.places(t)
	moved.base = follow(o.base, to)
	for _, s := range o.log {
		had := len(s.Gone) + len(s.Came)
		s.Gone, s.Came = follow(s.Gone, to), follow(s.Came, to)
		if had > 0 && len(s.Gone)+len(s.Came) == 0 {
			continue
		}
		s.At, s.To = max(0, to[s.At]), max(0, to[s.To])
		moved.log = append(moved.log, s)
	}
	moved.replay()
	return moved, o.Count() - moved.Count()
}

// places returns the places of all marks and steps in another text, or -1 if they no longer
// exist there. They keep their order.
func (o *Overlay) places(t string) map[int]int {
	same := min(len(t), len(o.text)) // length of the common beginning
	for i := range same {
		if t[i] != o.text[i] {
			same = i
			break
		}
	}
	var all []int
	for _, m := range o.base {
		all = append(all, m.At)
	}
	for _, s := range o.log {
		all = append(all, s.places()...)
	}
	sort.Ints(all)
	moved, before, out := New(t), -1, map[int]int{}
	for _, at := range all {
		if _, known := out[at]; known {
			continue
		}
		p := at
		if at+around > same {
			p = o.elsewhere(at, t)
		}
		out[at] = -1
		if p <= before {
			continue
		}
		if q, err := moved.place(p); err == nil && q == p {
			before, out[at] = p, p
		}
	}
	return out
}

// follow moves marks to their new places, and drops marks without one.
func follow(marks []Mark, to map[int]int) (out []Mark) {
	for _, m := range marks {
		if p := to[m.At]; p >= 0 {
			m.At = p
			out = append(out, m)
		}
	}
	return out
}

// elsewhere finds a place in another text. It returns -1 if the place does not exist or is
// not unique.
func (o *Overlay) elsewhere(at int, t string) int {
	from := text.Edge(o.text, max(0, at-around))
	context := o.text[from:text.Edge(o.text, min(len(o.text), at+around))]
	i := strings.Index(t, context)
	if i < 0 || strings.Contains(t[i+1:], context) {
		return -1
	}
	return i + at - from
}
