package edit

import (
	"strings"
	"unicode"

	"seam/shared/chunk"
	"seam/shared/text"
)

// Reasons for boundaries that do not come from the chunker.
var (
	byHand = chunk.Reason{Kind: chunk.ReasonManual}
	forced = chunk.Reason{Kind: chunk.ReasonMax}
)

// piece is a chunk under construction.
type piece struct {
	chunk.Chunk      // Start includes the overlap
	core        int  // start without the overlap
	changed     bool // its span differs from the original chunk's
}

// applier changes chunks, one after another.
type applier struct {
	*Overlay
	view   *text.View
	limits chunk.Limits
	out    []piece
	held   int
}

// Apply changes chunks of v according to the marks. A chunk without marks stays the same.
// limits.Max is the requested maximum, which edits cannot break: held counts the boundaries
// that it keeps although a mark removes them. A minimum can be broken. The errors are those
// of limits.Progress.
func (o *Overlay) Apply(v *text.View, chunks []chunk.Chunk, limits chunk.Limits) (out []chunk.Chunk, held int, err error) {
	if len(o.marks) == 0 || v.Text != o.text {
		return chunks, 0, nil
	}
	a := applier{Overlay: o, view: v, limits: limits}
	marks := o.marks
	before, end, join := -1, 0, false // the place before a chunk, the end of the last chunk, and whether a mark joins them
	for _, c := range chunks {
		p := piece{Chunk: c, core: max(c.Start, end)}
		if c.End <= end { // a window entirely within the previous one
			if n := len(a.out); n == 0 || !a.out[n-1].changed {
				a.out = append(a.out, p)
			}
			continue
		}
		for len(marks) > 0 && marks[0].At < c.End {
			if m := marks[0]; m.At > before && m.At > p.core && !m.Join && strings.TrimFunc(o.text[p.core:m.At], blank) != "" {
				left, right := p, p
				left.End, left.Reason, left.changed = trimmed(o.text, m.At), byHand, true
				right.Start, right.core, right.changed = m.At, m.At, true
				a.add(left, join)
				p, join = right, false
			}
			marks = marks[1:]
		}
		before, end = o.after(c.End), c.End
		m, ok := o.mark(before)
		if ok && !m.Join {
			p.Reason = byHand
		}
		a.add(p, join)
		join = ok && m.Join
	}
	out, err = chunk.Complete(v, a.chunks(), limits)
	return out, a.held, err
}

// add appends a piece, or joins it to the previous one if requested and within the maximum.
func (a *applier) add(p piece, join bool) {
	n := len(a.out) - 1
	if n >= 0 && p.Start < a.out[n].Start { // it overlaps no more than the previous one
		p.Start, p.changed = a.out[n].Start, true
	}
	if n < 0 || !join {
		a.out = append(a.out, p)
		return
	}
	last := a.out[n]
	last.End, last.Reason, last.changed = p.End, p.Reason, true
	if a.fit(&last) {
		a.out[n] = last
		return
	}
	a.held++
	a.out[n].Reason = a.out[n].Reason.Needed()
	a.out = append(a.out, p)
}

// fit reports whether a piece keeps the maximum. If it does only without its overlap, the
// overlap is removed.
func (a *applier) fit(p *piece) bool {
	within := func(start int) bool { return a.limits.Counter.Count(a.text[start:p.End]) <= a.limits.Max }
	if a.limits.Max == 0 || within(p.Start) {
		return true
	}
	core := min(a.after(p.core), p.End)
	if core == p.Start || !within(core) {
		return false
	}
	p.Start = core
	return true
}

// chunks returns the chunks of the pieces. A part of a word may have more tokens than the
// whole, so pieces may have to be cut further.
func (a *applier) chunks() []chunk.Chunk {
	out := make([]chunk.Chunk, 0, len(a.out))
	for _, p := range a.out {
		if !p.changed {
			out = append(out, p.Chunk)
			continue
		}
		p.Tokens = 0
		parts := []text.Span{p.Span}
		if !a.fit(&p) {
			parts = chunk.Within(a.view, p.Span, a.limits)
		} else {
			parts[0] = p.Span
		}
		for i, s := range parts {
			c := p.Chunk
			c.Span = s
			if i < len(parts)-1 {
				c.Reason = forced
			}
			out = append(out, c)
		}
	}
	return out
}

// trimmed returns the end of t[:i] without trailing white space.
func trimmed(t string, i int) int { return len(strings.TrimRightFunc(t[:i], unicode.IsSpace)) }
