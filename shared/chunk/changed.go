package chunk

import "seam/shared/text"

// Complete fills in the ids, lengths and pages of chunks whose spans were changed;
// a chunk that has its length keeps it.
func Complete(v *text.View, chunks []Chunk, limits Limits) ([]Chunk, error) {
	return finish(v, chunks, limits)
}

// Within divides a span into parts within the maximum: behind clauses, else words,
// else graphemes.
func Within(v *text.View, s text.Span, limits Limits) []text.Span {
	b := builder{view: v, limits: limits}
	return b.splitLong(s)
}
