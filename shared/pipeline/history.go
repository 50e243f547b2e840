package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/text"
)

// Log records all edits to the text of a view.
type Log = edit.Log

// Stamp records when an edit was made, and by whom.
type Stamp = edit.Stamp

// Change is one edit, with the text around its place.
type Change struct {
	edit.Step
	Before, After string // empty for a change without a place
}

// around is the approximate number of bytes of text shown on each side of a place.
const around = 40

// History returns the edits to the text of a result.
func (s *Session) History(r *Result) []Change {
	o := s.hands[editedView(r.Document, r.Plan.View)]
	if o == nil {
		return nil
	}
	t := r.Text.Text
	var out []Change
	for _, x := range o.Log().Steps {
		c := Change{Step: x}
		if at := x.At; x.Action != "clear" && at <= len(t) {
			c.Before = strings.TrimSpace(t[text.Edge(t, max(0, at-around)):at])
			c.After = strings.TrimSpace(t[at:text.Edge(t, min(len(t), at+around))])
		}
		out = append(out, c)
	}
	return out
}

// Since compares the boundaries of a result with the ones that the edits up to an earlier
// time make of the same chunks. when is in milliseconds since 1970. came holds the new ends
// of chunks, gone the former ones, as byte offsets in the text. hooks are the hooks of the
// result's run.
func (s *Session) Since(r *Result, when int64, hooks Hooks) (came, gone []int, err error) {
	o := s.hands[editedView(r.Document, r.Plan.View)]
	if o == nil {
		return nil, nil, nil
	}
	_, counter, err := hooks.needs(r.Plan, r.Method)
	if err != nil {
		return nil, nil, err
	}
	limits := chunk.Limits{Max: r.Plan.Limits.Max, Counter: counter, Memo: r.memo}
	was, _, err := o.AsOf(when).Apply(r.Text, r.plain, byHand(r.Plan, limits))
	if err != nil {
		return nil, nil, err
	}
	then, now := ends(was), ends(r.Chunks)
	return without(now, then), without(then, now), nil
}

// ends returns the byte offset at the end of each chunk.
func ends(chunks []chunk.Chunk) []int {
	out := make([]int, len(chunks))
	for i, c := range chunks {
		out[i] = c.End
	}
	return out
}

// without returns the numbers of a that are not in b.
func without(a, b []int) (out []int) {
	in := make(map[int]bool, len(b))
	for _, x := range b {
		in[x] = true
	}
	for _, x := range a {
		if !in[x] {
			out = append(out, x)
		}
	}
	return out
}
