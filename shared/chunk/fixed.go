package chunk

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
	"seam/shared/token"
)

// DefaultSize is how long the chunks of Fixed and Recursive are, in units of
// Limits.Counter, where no maximum says so: half of the chunk that retrieval
// studies find best at most.
const DefaultSize = 256

// Fixed cuts windows of Limits.Max units, each Overlap units back into the one
// before. It takes no minimum: a last short window is kept, also one that lies
// whole in the window before it, as Python's slicing in the notebook gives them.
type Fixed struct{}

func (Fixed) Chunk(in Input, limits Limits) ([]Chunk, error) {
	limits = limits.within(DefaultSize)
	size, overlap := limits.Max, limits.Overlap
	switch {
	case size <= 0:
		return nil, fmt.Errorf("a chunk of %d %s is not possible", size, limits.Counter.Name())
	case overlap < 0 || overlap >= size:
		return nil, fmt.Errorf("an overlap of %d does not fit chunks of %d %s", overlap, size, limits.Counter.Name())
	}
	chunks := slide(in.View.Text, limits)
	for i := len(chunks) - 1; i >= 0 && chunks[i].End == chunks[len(chunks)-1].End; i-- {
		chunks[i].Reason = ReasonEnd
	}
	return finish(in.View, chunks, limits)
}

// slide returns the windows of t.
func slide(t string, limits Limits) (chunks []Chunk) {
	add := func(start, end, tokens int) {
		chunks = append(chunks, Chunk{Span: text.Span{Start: start, End: end}, Tokens: tokens, Reason: ReasonSize})
	}
	size, step := limits.Max, limits.Max-limits.Overlap
	if limits.Counter == token.Characters || limits.Counter == token.Estimate { // which leave nothing between them
		for at := 0; at < len(t); at += token.Fit(limits.Counter, t[at:], step) {
			add(at, at+token.Fit(limits.Counter, t[at:], size), 0)
		}
		return chunks
	}
	var units []text.Span // from where the next window begins
	emit := func() {
		start, k, less := units[0].Start, min(size, len(units)), 0
		n := limits.Counter.Count(t[start:units[k-1].End])
		if n > size {
			start = min(skipBlank(t, start), units[k-1].End)
			n = limits.Counter.Count(t[start:units[k-1].End])
		}
		// A word that is cut may have more tokens than it had parts.
		for ; n > size && k > 1; k, less = k-1, less+1 {
			n = limits.Counter.Count(t[min(start, units[k-2].End):units[k-2].End])
		}
		if start < units[k-1].End {
			add(start, units[k-1].End, n)
		}
		units = units[min(len(units), max(1, step-less)):]
	}
	for unit := range edges(t, limits.Counter) {
		if units = append(units, unit); len(units) == size {
			emit()
		}
	}
	for len(units) > 0 {
		emit()
	}
	return chunks
}

// edges yields the units of t, each with what stands between it and the next
// (a full stop, a bracket) up to the white space, so that nothing but white
// space is lost. What stands before the first unit goes with it.
func edges(t string, counter token.Counter) iter.Seq[text.Span] {
	return func(yield func(text.Span) bool) {
		var last text.Span
		first := true
		for unit := range token.Each(counter, t) {
			if first {
				first = false
				unit.Start -= len(strings.TrimLeftFunc(t[:unit.Start], unicode.IsSpace))
				last = unit
				continue
			}
			between := t[last.End:unit.Start]
			cut := len(between)
			if at := strings.LastIndexFunc(between, unicode.IsSpace); at >= 0 {
				_, n := utf8.DecodeRuneInString(between[at:])
				unit.Start = last.End + at + n
				cut = at
			}
			last.End += len(strings.TrimRightFunc(between[:cut], unicode.IsSpace))
			if !yield(last) {
				return
			}
			last = unit
		}
		if !first {
			last.End += len(strings.TrimRightFunc(t[last.End:], unicode.IsSpace))
			yield(last)
		}
	}
}
