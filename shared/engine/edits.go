package engine

import (
	"context"

	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/engine/rpc"
	"seam/shared/text"
	"seam/shared/token"
)

// Edits tell what was done by hand to the boundaries of a document.
type Edits struct {
	Count   int  `json:"count"` // changes in force; a boundary that was moved is one
	Held    int  `json:"held"`  // boundaries that are to be none, and that the maximum keeps
	CanUndo bool `json:"canUndo"`
	CanRedo bool `json:"canRedo"`
}

// Edit is something done by hand. Places are bytes of the view's text.
type Edit struct {
	Action string `json:"action"` // split, merge, move, undo, redo or clear
	At     int    `json:"at"`     // to split: where a chunk is to begin; to merge and move: where one ends
	To     int    `json:"to"`     // to move: where it is to end instead
}

// Edit changes boundaries by hand, and cuts the document with the given settings.
// What is done belongs to the text of one view, and stays with every method that
// cuts this text. An edit that is refused has changed nothing.
func (s *Session) Edit(ctx context.Context, set Settings, e Edit, hooks Hooks) (*Result, error) {
	before, err := s.Chunk(ctx, set, hooks)
	if err != nil {
		return nil, err
	}
	view := s.edited(before.View)
	old := s.edits[view]
	if old == nil {
		old = edit.New(before.Text.Text)
	}
	o := *old
	s.edits[view] = &o
	r, err := s.try(ctx, before, set, e, hooks)
	if err != nil {
		s.edits[view] = old
		return nil, err
	}
	return r, nil
}

// try is Edit without the way back.
func (s *Session) try(ctx context.Context, before *Result, set Settings, e Edit, hooks Hooks) (*Result, error) {
	o, cut := s.edits[s.edited(before.View)], edit.Cut{Plain: before.plain, Shown: before.Chunks}
	var err error
	switch e.Action {
	case "split":
		err = o.Split(cut, e.At)
	case "merge":
		err = o.Merge(cut, e.At)
	case "move":
		err = o.Move(cut, e.At, e.To)
	case "undo":
		err = o.Undo()
	case "redo":
		err = o.Redo()
	case "clear":
		err = o.Clear()
	default:
		return nil, badf("unknown action %q: choose split, merge, move, undo, redo or clear", e.Action)
	}
	if err != nil {
		return nil, badf("%v", err)
	}
	r, err := s.Chunk(ctx, set, hooks)
	if err == nil && r.Edits.Held > before.Edits.Held && (e.Action == "merge" || e.Action == "move") {
		err = badf("that chunk would have more than the maximum of %d tokens: raise it first", set.MaxTokens)
	}
	return r, err
}

// rebase takes the edits along to another document: those whose places are in it.
// It returns how many are not.
func (s *Session) rebase(d *text.Document) (lost int) {
	for view, o := range s.edits {
		moved, n := o.Rebase(d.View(view).Text)
		s.edits[view] = moved
		lost += n
	}
	return lost
}

// edited is the view whose edits are those of a view: of two that have the same
// text, one.
func (s *Session) edited(view text.ViewName) text.ViewName {
	if s.Document.View(text.Content).Text == s.Document.View(text.Reading).Text {
		return text.Reading
	}
	return view
}

// byHand changes the chunks as it was done by hand. The maximum of the settings
// holds, the method's own does not.
func (s *Session) byHand(r *Result, set Settings, counter token.Counter, hooks Hooks) (err error) {
	r.plain = r.Chunks
	o := s.edits[s.edited(r.View)]
	if o == nil {
		return nil
	}
	limits := chunk.Limits{Max: set.MaxTokens, Counter: counter, Memo: s.memo(r, counter), Progress: hooks.stage(StageChunks)}
	var held int
	r.Chunks, held, err = o.Apply(r.Text, r.plain, limits)
	r.Edits = Edits{o.Count(), held, o.CanUndo(), o.CanRedo()}
	r.mark(o.Marks())
	return err
}

// mark changes the boundaries of the curve as marks want it, where they stand
// between two sentences.
func (r *Result) mark(marks []edit.Mark) {
	if r.Method.Curve == "" {
		return
	}
	var after []int
	found, m := r.Found.Boundaries, 0
	for i := range max(0, len(r.Sentences)-1) {
		boundary := len(found) > 0 && found[0] == i
		if boundary {
			found = found[1:]
		}
		next := r.Sentences[i+1].Start
		for m < len(marks) && marks[m].At < next {
			m++
		}
		if m < len(marks) && marks[m].At == next {
			boundary = !marks[m].Join
		}
		if boundary {
			after = append(after, i)
		}
	}
	r.Found.Boundaries = after
}

// edit changes boundaries by hand and answers as chunk does, with the settings of
// its last call.
func (e *Engine) edit(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Doc int `json:"doc"`
		Edit
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	d, err := e.document(p.Doc)
	if err != nil {
		return rpc.Reply{}, err
	}
	if d.current == nil {
		return rpc.Reply{}, coded(badf("this document has no chunks yet"))
	}
	units := d.utf16(d.current.View)
	if most := units.Len(); min(p.At, p.To) < 0 || max(p.At, p.To) > most {
		return rpc.Reply{}, coded(badf("the text has no place %d", max(p.At, p.To)))
	}
	p.At, p.To = units.ToByte(p.At), units.ToByte(p.To)
	d.calls++
	r, err := d.Edit(ctx, d.settings, p.Edit, e.hooks(call))
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	d.current, e.searcher = r, nil
	return d.reply(p.Doc, r, d.settings), nil
}
