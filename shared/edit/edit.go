// Package edit stores a user's changes to the boundaries of chunks. They are marks on the
// text rather than on chunks, so they survive another method, threshold or limit. After a
// chunker has run, Apply cuts where a mark asks for a boundary, and joins where a mark
// removes one.
package edit

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode"

	"seam/shared/chunk"
	"seam/shared/text"
)

// Mark is a requested change at a place of a text. The place is the first byte after a
// boundary and is never white space.
type Mark struct {
	At   int  `json:"at"`
	Join bool `json:"join,omitempty"` // true removes the boundary here, false requires one
	// Edit is the number of the edit. The two marks of a moved boundary share a number.
	Edit int `json:"edit"`
}

// Overlay holds the marks on a text, and the log of the edits. Make one with New. A copy is
// independent.
type Overlay struct {
	text  string
	base  []Mark // marks from before the log began
	log   []Step
	marks []Mark // in force: by ascending At, one per place
	stamp Stamp
}

// New returns an Overlay without edits.
func New(t string) *Overlay { return &Overlay{text: t} }

// Marks returns the marks in force, ascending. The result must not be changed.
func (o *Overlay) Marks() []Mark { return o.marks }

// Count returns the number of changes in force. A moved boundary counts as one.
func (o *Overlay) Count() int {
	edits := map[int]bool{}
	for _, m := range o.marks {
		edits[m.Edit] = true
	}
	return len(edits)
}

// Cut is the current state of a cut text: Plain from the method alone, Shown after Apply.
type Cut struct{ Plain, Shown []chunk.Chunk }

// Split requests a boundary before the text at a byte offset.
func (o *Overlay) Split(c Cut, at int) error {
	p, err := o.place(at)
	if err != nil {
		return err
	}
	if o.ends(c.Shown, p) {
		return errors.New("a chunk already begins here")
	}
	o.do("split", p, 0, o.want(c, p, true, o.last()+1))
	return nil
}

// Merge removes the boundary at a byte offset, where a chunk must end.
func (o *Overlay) Merge(c Cut, at int) error {
	p, err := o.boundary(c, at)
	if err != nil {
		return err
	}
	if m, ok := o.mark(p); ok && m.Join {
		return errors.New("the maximum keeps these two chunks apart: raise it to merge them")
	}
	o.do("merge", p, 0, o.want(c, p, false, o.last()+1))
	return nil
}

// Move moves a boundary from one byte offset to another, between its neighbours.
func (o *Overlay) Move(c Cut, at, to int) error {
	from, err := o.boundary(c, at)
	if err != nil {
		return err
	}
	if to, err = o.place(to); err != nil {
		return err
	}
	if to == from {
		return errors.New("the boundary is already here")
	}
	for _, x := range c.Shown {
		if p := o.after(x.End); min(from, to) <= p && p <= max(from, to) && p != from {
			return errors.New("a boundary cannot be moved over the next one: merge the chunks instead")
		}
	}
	edit := o.last() + 1
	if m, ok := o.mark(from); ok && !m.Join {
		edit = m.Edit // an edited boundary keeps its number
	}
	a, b := o.want(c, from, false, edit), o.want(c, to, true, edit)
	o.do("move", from, to, step{append(a.gone, b.gone...), append(a.came, b.came...)})
	return nil
}

// Clear removes all marks. This can be undone, too.
func (o *Overlay) Clear() error {
	if len(o.marks) == 0 {
		return errors.New("nothing was changed by hand")
	}
	o.do("clear", 0, 0, step{gone: o.marks})
	return nil
}

// step is a change of the marks: those removed and those added.
type step struct{ gone, came []Mark }

// want returns the step that puts a boundary at p, or removes one. It adds no mark if the
// method alone gives the same result.
func (o *Overlay) want(c Cut, p int, boundary bool, edit int) (s step) {
	if m, ok := o.mark(p); ok {
		s.gone = append(s.gone, m)
	}
	if o.ends(c.Plain, p) != boundary {
		s.came = append(s.came, Mark{At: p, Join: !boundary, Edit: edit})
	}
	return s
}

func (o *Overlay) mark(at int) (Mark, bool) {
	i := sort.Search(len(o.marks), func(i int) bool { return o.marks[i].At >= at })
	if i < len(o.marks) && o.marks[i].At == at {
		return o.marks[i], true
	}
	return Mark{}, false
}

// place returns the place of a boundary at a byte offset in the text.
func (o *Overlay) place(at int) (int, error) {
	if at < 0 || at > len(o.text) {
		return 0, fmt.Errorf("the text has no position %d", at)
	}
	if text.Edge(o.text, at) != at {
		return 0, fmt.Errorf("position %d of the text is inside a character", at)
	}
	p := o.after(at)
	switch {
	case p == len(o.text):
		return 0, errors.New("the text ends here")
	case strings.TrimFunc(o.text[:p], blank) == "":
		return 0, errors.New("the text begins here")
	}
	return p, nil
}

// boundary returns the place of a boundary that is shown.
func (o *Overlay) boundary(c Cut, at int) (int, error) {
	p, err := o.place(at)
	if err == nil && !o.ends(c.Shown, p) {
		err = errors.New("no chunk ends here any more")
	}
	return p, err
}

// ends reports whether a chunk ends at place p.
func (o *Overlay) ends(chunks []chunk.Chunk, p int) bool {
	i := sort.Search(len(chunks), func(i int) bool { return chunks[i].End > p })
	return i > 0 && o.after(chunks[i-1].End) == p
}

// after returns the index of the first byte at or after i that is not white space.
func (o *Overlay) after(i int) int {
	return len(o.text) - len(strings.TrimLeftFunc(o.text[i:], unicode.IsSpace))
}

// blank reports whether r may be left out of all chunks.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }
