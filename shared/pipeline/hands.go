package pipeline

import (
	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/text"
)

// hands are what was done by hand to the views of a document.
type hands map[text.ViewName]*edit.Overlay

// editedView is the view whose edits are those of a view: of two that have the same
// text, one.
func editedView(d *text.Document, view text.ViewName) text.ViewName {
	if d.View(text.Content).Text == d.View(text.Reading).Text {
		return text.Reading
	}
	return view
}

// rebase takes the edits along to another document: those whose places are in it.
// It returns how many are not.
func (h hands) rebase(d *text.Document) (lost int) {
	for view, o := range h {
		moved, n := o.Rebase(d.View(view).Text)
		h[view] = moved
		lost += n
	}
	return lost
}

// apply changes the chunks as it was done by hand. A maximum that was asked for
// holds, the method's own does not.
func (h hands) apply(r *Result, limits chunk.Limits) (err error) {
	r.plain = r.Chunks
	o := h[editedView(r.Document, r.Plan.View)]
	if o == nil {
		return nil
	}
	var held int
	r.Chunks, held, err = o.Apply(r.Text, r.plain, byHand(r.Plan, limits))
	r.Edits = Edits{o.Count(), held, o.CanUndo(), o.CanRedo()}
	r.mark(o.Marks())
	return err
}

// byHand are the limits that hold for changes by hand to chunks of a plan.
func byHand(p Plan, limits chunk.Limits) chunk.Limits {
	out := chunk.Limits{Max: limits.Max, Counter: limits.Counter, Memo: limits.Memo, Progress: limits.Progress}
	if !p.Limits.Asked {
		out.Max = 0
	}
	return out
}

// mark changes the boundaries of the curve as marks want it, where they stand
// between two sentences.
func (r *Result) mark(marks []edit.Mark) {
	if r.Method.Curve == "" {
		return
	}
	var after []int
	var reasons []chunk.Reason
	found, m := r.Found, 0
	for i := range max(0, len(r.Sentences)-1) {
		boundary, reason := false, chunk.Reason{Kind: chunk.ReasonManual}
		if len(found.Boundaries) > 0 && found.Boundaries[0] == i {
			boundary, reason = true, found.Reasons[0]
			found.Boundaries, found.Reasons = found.Boundaries[1:], found.Reasons[1:]
		}
		next := r.Sentences[i+1].Start
		for m < len(marks) && marks[m].At < next {
			m++
		}
		if m < len(marks) && marks[m].At == next {
			boundary, reason = !marks[m].Join, chunk.Reason{Kind: chunk.ReasonManual}
		}
		if boundary {
			after, reasons = append(after, i), append(reasons, reason)
		}
	}
	r.Found.Boundaries, r.Found.Reasons = after, reasons
}
