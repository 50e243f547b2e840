package edit

import (
	"strings"

	"seam/shared/text"
)

// around is how many bytes on each side of a place tell it from others.
const around = 48

// Rebase is the overlay on another version of the text: each mark at the place
// with the same text around it. Marks whose place is not there, or there more than
// once, are dropped; lost is how many changes that concerns. What was done before
// cannot be undone in it.
func (o *Overlay) Rebase(t string) (moved *Overlay, lost int) {
	moved = &Overlay{text: t, last: o.last}
	if t == o.text {
		c := *o
		return &c, 0
	}
	same := min(len(t), len(o.text)) // how much the beginnings share
	for i := range same {
		if t[i] != o.text[i] {
			same = i
			break
		}
	}
	before := -1
	for _, m := range o.marks {
		at := m.At
		if at+around > same {
			if at = o.elsewhere(at, t); at < 0 {
				continue
			}
		}
		if p, err := moved.place(at); err == nil && p == at && at > before {
			before, m.At = at, at
			moved.marks = append(moved.marks, m)
		}
	}
	return moved, o.Count() - moved.Count()
}

// elsewhere finds a place in another text; -1 where it is not, or not the only one.
func (o *Overlay) elsewhere(at int, t string) int {
	from := text.Edge(o.text, max(0, at-around))
	context := o.text[from:text.Edge(o.text, min(len(o.text), at+around))]
	i := strings.Index(t, context)
	if i < 0 || strings.Contains(t[i+1:], context) {
		return -1
	}
	return i + at - from
}
