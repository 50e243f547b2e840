package pipeline

import (
	"strings"
	"unicode"

	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/text"
)

// hands holds the edits by hand for each view of a document.
type hands map[text.ViewName]*edit.Overlay

// editedView returns the view that holds the edits of a view. If both views have the same
// text, that is the reading view.
func editedView(d *text.Document, view text.ViewName) text.ViewName {
	if d.View(text.Content).Text == d.View(text.Reading).Text {
		return text.Reading
	}
	return view
}

// rebase carries the edits over to another document and returns the number of edits that
// have no place in it.
func (h hands) rebase(d *text.Document) (lost int) {
	for view, o := range h {
		moved, n := o.Rebase(d.View(view).Text)
		h[view] = moved
		lost += n
	}
	return lost
}

// apply applies the edits to the chunks. A requested maximum still holds; the method's own
// does not.
func (h hands) apply(r *Result) (err error) {
	r.plain = r.Chunks
	o := h[editedView(r.Document, r.Plan.View)]
	if o == nil {
		return nil
	}
	var held int
	r.Chunks, held, err = o.Apply(r.Text, r.plain, r.hand)
	r.Edits = Edits{o.Count(), held, o.CanUndo(), o.CanRedo()}
	r.mark(o.Marks())
	return err
}

// byHand returns the limits that apply to edits by hand.
func byHand(p Plan, limits chunk.Limits) chunk.Limits {
	out := chunk.Limits{Max: limits.Max, Counter: limits.Counter, Memo: limits.Memo, Progress: limits.Progress}
	if !p.Limits.Asked {
		out.Max = 0
	}
	return out
}

// Unjoinable returns, for each chunk, whether the maximum forbids joining it with the next
// by hand. Only a maximum from the user does; without one it returns nil.
func (r *Result) Unjoinable() []bool {
	most := r.hand.Max
	if most == 0 {
		return nil
	}
	out := make([]bool, len(r.Chunks))
	end := 0 // of the chunk before
	for i := range len(r.Chunks) - 1 {
		span := text.Span{Start: max(r.Chunks[i].Start, end), End: r.Chunks[i+1].End}
		end = r.Chunks[i].End
		// The overlap may go. White space after the chunk before counts in characters.
		span.Start += len(span.Of(r.Text.Text)) - len(strings.TrimLeftFunc(span.Of(r.Text.Text), unicode.IsSpace))
		out[i] = r.hand.Counter.Count(span.Of(r.Text.Text)) > most
	}
	return out
}

// mark applies the marks that lie between two sentences to the boundaries on the curve.
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
