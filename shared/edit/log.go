package edit

import (
	"errors"
	"fmt"
	"sort"
)

// Step is one thing done by hand. Those in force, one after the other, make the marks of
// the marks that were there before.
type Step struct {
	ID     int    `json:"id"`           // ascending; see Undone
	Action string `json:"action"`       // split, merge, move or clear
	At     int    `json:"at"`           // the place; of clear 0
	To     int    `json:"to,omitempty"` // of move: the place it went to
	Stamp
	// Undone numbers what took it back, in one row with the IDs; 0: it is in force.
	Undone     int    `json:"undone,omitempty"`
	UndoneWhen int64  `json:"undoneWhen,omitempty"`
	Gone       []Mark `json:"gone,omitempty"`
	Came       []Mark `json:"came,omitempty"`
}

// places are those of its marks and its own: not 0, which is where a place was that another
// version of the text has no more.
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

// Stamp says when something was done, in milliseconds since 1970 (0: not known), and by
// whom: any name, or empty.
type Stamp struct {
	When int64  `json:"when,omitempty"`
	By   string `json:"by,omitempty"`
}

// Log is all that was done to a text, as it is kept.
type Log struct {
	Base  []Mark `json:"base,omitempty"` // marks from before the first step
	Steps []Step `json:"steps,omitempty"`
}

// Sign says when and by whom what follows is done.
func (o *Overlay) Sign(s Stamp) { o.stamp = s }

// Log is what was done; not to be changed.
func (o *Overlay) Log() Log { return Log{o.base, o.log} }

// last is the highest number of a mark.
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

// tick is the next number of what is done or taken back.
func (o *Overlay) tick() int {
	n := 0
	for _, s := range o.log {
		n = max(n, s.ID, s.Undone)
	}
	return n + 1
}

// do adds to the log, and leaves that of a copy alone.
func (o *Overlay) do(action string, at, to int, s step) {
	o.log = append(o.log[:len(o.log):len(o.log)], Step{ID: o.tick(), Action: action, At: at, To: to, Stamp: o.stamp, Gone: s.gone, Came: s.came})
	o.replay()
}

// replay makes the marks of the log. A mark that came takes the place of another there: a
// step in between may have been undone.
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

// undoable is the index of the last step in force; -1 if there is none.
func (o *Overlay) undoable() int {
	i := len(o.log) - 1
	for i >= 0 && o.log[i].Undone != 0 {
		i--
	}
	return i
}

// redoable is the index of the step that was undone last, after the last that was done.
func (o *Overlay) redoable() int {
	best := -1
	for i, s := range o.log {
		if s.Undone > o.log[len(o.log)-1].ID && (best < 0 || s.Undone > o.log[best].Undone) {
			best = i
		}
	}
	return best
}

// CanUndo reports whether there is a step that Undo takes back.
func (o *Overlay) CanUndo() bool { return o.undoable() >= 0 }

// CanRedo reports whether there is a step that Redo does again.
func (o *Overlay) CanRedo() bool { return o.redoable() >= 0 }

// Undo takes the last step in force back.
func (o *Overlay) Undo() error {
	i := o.undoable()
	if i < 0 {
		return errors.New("there is nothing to undo")
	}
	return o.UndoStep(o.log[i].ID)
}

// Redo does the step again that was undone last, unless another was done since.
func (o *Overlay) Redo() error {
	i := o.redoable()
	if i < 0 {
		return errors.New("there is nothing to redo")
	}
	return o.RedoStep(o.log[i].ID)
}

// UndoStep takes one step back, and leaves those after it.
func (o *Overlay) UndoStep(id int) error {
	return o.change(id, func(s *Step) error {
		if s.Undone != 0 {
			return errors.New("this was undone already")
		}
		s.Undone, s.UndoneWhen = o.tick(), o.stamp.When
		return nil
	})
}

// RedoStep does one step again, where it stands in the log.
func (o *Overlay) RedoStep(id int) error {
	return o.change(id, func(s *Step) error {
		if s.Undone == 0 {
			return errors.New("this was not undone")
		}
		s.Undone, s.UndoneWhen = 0, 0
		return nil
	})
}

// BackTo takes all steps back that came after the one of an ID; 0: all.
func (o *Overlay) BackTo(id int) error {
	c := *o
	for i := c.undoable(); i >= 0 && c.log[i].ID > id; i = c.undoable() {
		if err := c.UndoStep(c.log[i].ID); err != nil {
			return err
		}
	}
	if c.tick() == o.tick() {
		return errors.New("nothing was done since")
	}
	*o = c
	return nil
}

// change does something to a step of a copy of the log.
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

// AsOf is the overlay as it was at a time in milliseconds since 1970. What has no time
// was there already.
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

// SetLog puts a log in the place of what there is. One that does not fit the text is an
// error, and then nothing is taken.
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

// fits refuses what is no place of the text.
func (o *Overlay) fits(at int) error {
	p, err := o.place(at)
	if err == nil && p != at {
		err = fmt.Errorf("no chunk can begin at %d", at)
	}
	if err != nil {
		return fmt.Errorf("the changes by hand are of another text: %w", err)
	}
	return nil
}
