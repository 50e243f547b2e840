// Package edit keeps what a user did by hand to the boundaries of chunks: as
// marks on the text, not on chunks, so that it survives another method, threshold
// or limit. After a chunker has run, Apply cuts where a mark wants a boundary and
// joins where a mark wants none.
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

// Mark is a wish about one place of a text. A place is the first byte of what
// follows a boundary, which is never white space.
type Mark struct {
	At   int  `json:"at"`
	Join bool `json:"join,omitempty"` // no boundary here; else there must be one
	// Edit numbers what was done: the two marks of a boundary that was moved have
	// the same number.
	Edit int `json:"edit"`
}

// Overlay is the marks on one text, and the log of what was done to them. Make one with
// New. A copy of it changes by itself.
type Overlay struct {
	text  string
	base  []Mark // that were there when the log began
	log   []Step
	marks []Mark // in force: by ascending At, one a place
	stamp Stamp
}

// New begins with nothing done to a text.
func New(t string) *Overlay { return &Overlay{text: t} }

// Marks are those in force, ascending; not to be changed.
func (o *Overlay) Marks() []Mark { return o.marks }

// Count is how many changes are in force: a boundary that was moved is one.
func (o *Overlay) Count() int {
	edits := map[int]bool{}
	for _, m := range o.marks {
		edits[m.Edit] = true
	}
	return len(edits)
}

// Cut is a text as it is cut now: by its method alone, and as Apply has changed
// that.
type Cut struct{ Plain, Shown []chunk.Chunk }

// Split wants a boundary before the text at a byte.
func (o *Overlay) Split(c Cut, at int) error {
	p, err := o.place(at)
	if err != nil {
		return err
	}
	if o.ends(c.Shown, p) {
		return errors.New("a chunk begins here already")
	}
	o.do("split", p, 0, o.want(c, p, true, o.last()+1))
	return nil
}

// Merge wants no boundary at a byte, where a chunk ends.
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

// Move wants the boundary at a byte at another one, between those beside it.
func (o *Overlay) Move(c Cut, at, to int) error {
	from, err := o.boundary(c, at)
	if err != nil {
		return err
	}
	if to, err = o.place(to); err != nil {
		return err
	}
	if to == from {
		return errors.New("the boundary is here already")
	}
	for _, x := range c.Shown {
		if p := o.after(x.End); min(from, to) <= p && p <= max(from, to) && p != from {
			return errors.New("a boundary cannot be moved over the next one: merge the chunks instead")
		}
	}
	edit := o.last() + 1
	if m, ok := o.mark(from); ok && !m.Join {
		edit = m.Edit // one that was moved, or made, by hand is so still
	}
	a, b := o.want(c, from, false, edit), o.want(c, to, true, edit)
	o.do("move", from, to, step{append(a.gone, b.gone...), append(a.came, b.came...)})
	return nil
}

// Clear takes all marks away; that can be undone as well.
func (o *Overlay) Clear() error {
	if len(o.marks) == 0 {
		return errors.New("nothing was changed by hand")
	}
	o.do("clear", 0, 0, step{gone: o.marks})
	return nil
}

// step is what becomes of the marks: these go, those come.
type step struct{ gone, came []Mark }

// want is the step after which there is a boundary at p, or none: without a mark
// where the method alone has it so.
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

// place is that of a boundary at a byte of the text.
func (o *Overlay) place(at int) (int, error) {
	if at < 0 || at > len(o.text) {
		return 0, fmt.Errorf("the text has no place %d", at)
	}
	if text.Edge(o.text, at) != at {
		return 0, fmt.Errorf("place %d of the text is inside of a character", at)
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

// boundary is the place of one that is shown.
func (o *Overlay) boundary(c Cut, at int) (int, error) {
	p, err := o.place(at)
	if err == nil && !o.ends(c.Shown, p) {
		err = errors.New("no chunk ends here any more")
	}
	return p, err
}

// ends reports whether one of chunks ends at place p.
func (o *Overlay) ends(chunks []chunk.Chunk, p int) bool {
	i := sort.Search(len(chunks), func(i int) bool { return chunks[i].End > p })
	return i > 0 && o.after(chunks[i-1].End) == p
}

// after is the first byte from i on that is not of white space.
func (o *Overlay) after(i int) int {
	return len(o.text) - len(strings.TrimLeftFunc(o.text[i:], unicode.IsSpace))
}

// blank is what no chunk needs to hold.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }
