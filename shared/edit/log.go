package edit

import (
	"errors"
	"fmt"
	"sort"
)

// Step is one edit. Applying the steps in force, in order, to the base marks gives the
// current marks.
type Step struct {
	ID     int    `json:"id"`           // ascending; see Undone
	Action string `json:"action"`       // split, merge, move or clear
	At     int    `json:"at"`           // the place; 0 for clear
	To     int    `json:"to,omitempty"` // for move: the new place
	Stamp
	// Undone is the number of the undo, from the same sequence as the IDs; 0 if the step is
	// in force.
	Undone     int    `json:"undone,omitempty"`
	UndoneWhen int64  `json:"undoneWhen,omitempty"`
	Gone       []Mark `json:"gone,omitempty"`
	Came       []Mark `json:"came,omitempty"`
}

// places returns the places of its marks and its own. It omits a place of 0, which stands
// for a place missing in another version of the text.
func (s *Step) places() (all []int) {
	for _, marks := range [][]Mark{s.Gone, s.Came} {
		for _, m := range marks {
			all = append(all, m.At)
		}
	}
	for _, at := range []int{s.At, s.To} {
		if at != 0 {
			all = append(all, at)
		}
	}
	return all
}

// Stamp records when an edit was made, in milliseconds since 1970 (0 if unknown), and by
// whom: any name, or "".
type Stamp struct {
	When int64  `json:"when,omitempty"`
	By   string `json:"by,omitempty"`
}

// Log is the complete history of a text's edits, in stored form.
type Log struct {
	Base  []Mark `json:"base,omitempty"` // marks from before the first step
	Steps []Step `json:"steps,omitempty"`
}

// Sign sets the time and author of the following edits.
func (o *Overlay) Sign(s Stamp) { o.stamp = s }

// Log returns the history of edits. The result must not be changed.
func (o *Overlay) Log() Log { return Log{o.base, o.log} }

// last returns the highest number of a mark.
func (o *Overlay) last() int {
	n := 0
	for _, m := range o.base {
		n = max(n, m.Edit)
	}
	for _, s := range o.log {
		for _, m := range s.Came {
			n = max(n, m.Edit)
		}
	}
	return n
}

// tick returns the next number for an edit or an undo.
func (o *Overlay) tick() int {
	n := 0
	for _, s := range o.log {
		n = max(n, s.ID, s.Undone)
	}
	return n + 1
}

// do adds a step to the log without changing the log of a copy.
func (o *Overlay) do(action string, at, to int, s step) {
	o.log = append(o.log[:len(o.log):len(o.log)], Step{ID: o.tick(), Action: action, At: at, To: to, Stamp: o.stamp, Gone: s.gone, Came: s.came})
	o.replay()
}

// replay computes the marks from the log. An added mark replaces any other mark at its
// place, because a step in between may have been undone.
func (o *Overlay) replay() {
	places := map[int]Mark{}
	for _, m := range o.base {
		places[m.At] = m
	}
	for _, s := range o.log {
		if s.Undone != 0 {
			continue
		}
		for _, m := range s.Gone {
			if places[m.At] == m {
				delete(places, m.At)
			}
		}
		for _, m := range s.Came {
			places[m.At] = m
		}
	}
	o.marks = nil
	for _, m := range places {
		o.marks = append(o.marks, m)
	}
	sort.Sort(byPlace(o.marks))
}

// byPlace sorts marks by At.
type byPlace []Mark

func (m byPlace) Len() int           { return len(m) }
func (m byPlace) Swap(i, j int)      { m[i], m[j] = m[j], m[i] }
func (m byPlace) Less(i, j int) bool { return m[i].At < m[j].At }

// undoable returns the index of the last step in force, or -1.
func (o *Overlay) undoable() int {
	i := len(o.log) - 1
	for i >= 0 && o.log[i].Undone != 0 {
		i--
	}
	return i
}

// redoable returns the index of the step undone last, if no step was made since. Otherwise
// it returns -1.
func (o *Overlay) redoable() int {
	best := -1
	for i, s := range o.log {
		if s.Undone > o.log[len(o.log)-1].ID && (best < 0 || s.Undone > o.log[best].Undone) {
			best = i
		}
	}
	return best
}

// CanUndo reports whether there is a step to undo.
func (o *Overlay) CanUndo() bool { return o.undoable() >= 0 }

// CanRedo reports whether there is a step to redo.
func (o *Overlay) CanRedo() bool { return o.redoable() >= 0 }

// Undo undoes the last step in force.
func (o *Overlay) Undo() error {
	i := o.undoable()
	if i < 0 {
		return errors.New("nothing to undo")
	}
	return o.UndoStep(o.log[i].ID)
}

// Redo redoes the step undone last, unless another step was made since.
func (o *Overlay) Redo() error {
	i := o.redoable()
	if i < 0 {
		return errors.New("nothing to redo")
	}
	return o.RedoStep(o.log[i].ID)
}

// UndoStep undoes one step and keeps those after it.
func (o *Overlay) UndoStep(id int) error {
	return o.change(id, func(s *Step) error {
		if s.Undone != 0 {
			return errors.New("this was already undone")
		}
		s.Undone, s.UndoneWhen = o.tick(), o.stamp.When
		return nil
	})
}

// RedoStep redoes one step at its place in the log.
func (o *Overlay) RedoStep(id int) error {
	return o.change(id, func(s *Step) error {
		if s.Undone == 0 {
			return errors.New("this was not undone")
		}
		s.Undone, s.UndoneWhen = 0, 0
		return nil
	})
}

// UndoTo undoes all steps after the one with the given ID. 0 undoes all.
func (o *Overlay) UndoTo(id int) error {
	c := *o
	for i := c.undoable(); i >= 0 && c.log[i].ID > id; i = c.undoable() {
		if err := c.UndoStep(c.log[i].ID); err != nil {
			return err
		}
	}
	if c.tick() == o.tick() {
		return errors.New("nothing was changed since then")
	}
	*o = c
	return nil
}

// change changes a step in a copy of the log.
func (o *Overlay) change(id int, f func(*Step) error) error {
	log := append([]Step{}, o.log...)
	for i := range log {
		if log[i].ID == id {
			if err := f(&log[i]); err != nil {
				return err
			}
			o.log = log
			o.replay()
			return nil
		}
	}
	return errors.New("that is not in the list of changes")
}

// AsOf returns the overlay at an earlier time, in milliseconds since 1970. Steps without a
// time are included.
func (o *Overlay) AsOf(when int64) *Overlay {
	was := &Overlay{text: o.text, base: o.base}
	for _, s := range o.log {
		if s.When > when {
			continue
		}
		if s.UndoneWhen > when {
			s.Undone, s.UndoneWhen = 0, 0
		}
		was.log = append(was.log, s)
	}
	was.replay()
	return was
}

// SetLog replaces the log. A log that does not fit the text is an error, and then nothing
// changes.
func (o *Overlay) SetLog(l Log) error {
	for i, m := range l.Base {
		if err := o.fits(m.At); err != nil {
			return err
		} else if i > 0 && m.At <= l.Base[i-1].At {
			return fmt.Errorf("the changes by hand are damaged: %d comes after %d", m.At, l.Base[i-1].At)
		}
	}
	id := 0
	for _, s := range l.Steps {
		if s.ID <= id || s.Undone < 0 {
			return fmt.Errorf("the changes by hand are damaged: step %d comes after %d", s.ID, id)
		}
		id = s.ID
		for _, at := range s.places() {
			if err := o.fits(at); err != nil {
				return err
			}
		}
	}
	*o = Overlay{text: o.text, base: l.Base, log: l.Steps}
	o.replay()
	return nil
}

// fits returns an error if at is not a valid place of the text.
func (o *Overlay) fits(at int) error {
	p, err := o.place(at)
	if err == nil && p != at {
		err = fmt.Errorf("no chunk can begin at %d", at)
	}
	if err != nil {
		return fmt.Errorf("the changes by hand belong to another text: %w", err)
	}
	return nil
}
