package pipeline

import (
	"context"
	"fmt"

	"seam/shared/edit"
	"seam/shared/text"
)

// Edit is a change of boundaries by hand. Places are byte offsets in the view's text.
type Edit struct {
	Action string `json:"action"` // split, merge, move, undo, redo, back or clear
	At     int    `json:"at"`     // for split, the start of the new chunk; for merge and move, the end of a chunk
	To     int    `json:"to"`     // for move, the new end of the chunk
	Step   int    `json:"step"`   // for undo and redo, the step of the log, 0 for the last; for back, the step to return to, 0 for the beginning
	edit.Stamp
}

// Edit changes boundaries by hand and runs the plan. Edits belong to the text of one view
// and apply with every method that cuts this text. A refused edit changes nothing.
func (s *Session) Edit(ctx context.Context, p Plan, e Edit, hooks Hooks) (*Result, error) {
	before, err := s.Run(ctx, p, hooks)
	if err != nil {
		return nil, err
	}
	view := editedView(s.Document, p.View)
	old := s.hands[view]
	if old == nil {
		old = edit.New(before.Text.Text)
	}
	o := *old
	s.hands[view] = &o
	r, err := s.tryEdit(ctx, before, &o, e, hooks)
	if err != nil {
		s.hands[view] = old
		return nil, err
	}
	return r, nil
}

// tryEdit is Edit without the rollback on failure.
func (s *Session) tryEdit(ctx context.Context, before *Result, o *edit.Overlay, e Edit, hooks Hooks) (*Result, error) {
	cut := edit.Cut{Plain: before.plain, Shown: before.Chunks}
	o.Sign(e.Stamp)
	if err := act(o, cut, e); err != nil {
		return nil, badf("%v", err)
	}
	r, err := s.Run(ctx, before.Plan, hooks)
	if err == nil && r.Edits.Held > before.Edits.Held && (e.Action == "merge" || e.Action == "move") {
		err = badf("that chunk would have more than the maximum of %d tokens: raise it first", before.Plan.Limits.Max)
	}
	return r, err
}

// act applies e to o.
func act(o *edit.Overlay, cut edit.Cut, e Edit) error {
	switch e.Action {
	case "split":
		return o.Split(cut, e.At)
	case "merge":
		return o.Merge(cut, e.At)
	case "move":
		return o.Move(cut, e.At, e.To)
	case "undo":
		if e.Step != 0 {
			return o.UndoStep(e.Step)
		}
		return o.Undo()
	case "redo":
		if e.Step != 0 {
			return o.RedoStep(e.Step)
		}
		return o.Redo()
	case "back":
		return o.UndoTo(e.Step)
	case "clear":
		return o.Clear()
	}
	return fmt.Errorf("unknown action %q: choose split, merge, move, undo, redo, back or clear", e.Action)
}

// Marks returns the edits in force, by view. It returns nil if there are none.
func (s *Session) Marks() map[text.ViewName][]edit.Mark {
	var all map[text.ViewName][]edit.Mark
	for view, o := range s.hands {
		if marks := o.Marks(); len(marks) > 0 {
			if all == nil {
				all = map[text.ViewName][]edit.Mark{}
			}
			all[view] = marks
		}
	}
	return all
}

// Logs returns the log of all edits, by view. It returns nil if there are none.
func (s *Session) Logs() map[text.ViewName]edit.Log {
	var all map[text.ViewName]edit.Log
	for view, o := range s.hands {
		if log := o.Log(); len(log.Base)+len(log.Steps) > 0 {
			if all == nil {
				all = map[text.ViewName]edit.Log{}
			}
			all[view] = log
		}
	}
	return all
}

// Load replaces all edits with the given logs. A log that does not fit the text is an
// error, and then nothing is loaded.
func (s *Session) Load(all map[text.ViewName]edit.Log) error {
	loaded := hands{}
	for view, log := range all {
		if view != text.Reading && view != text.Content {
			return fmt.Errorf("the changes by hand are for an unknown view %q", view)
		}
		o := edit.New(s.Document.View(view).Text)
		if err := o.SetLog(log); err != nil {
			return err
		}
		loaded[editedView(s.Document, view)] = o
	}
	s.hands = loaded
	return nil
}
