package chunk

import "seam/shared/text"

// Complete fills in the ID, length and pages of chunks whose spans changed. It keeps a
// length that is already set.
func Complete(v *text.View, chunks []Chunk, limits Limits) ([]Chunk, error) {
	return finish(v, chunks, limits)
}

// Within splits a span into parts no longer than the maximum: after clauses, otherwise
// words, otherwise graphemes.
func Within(v *text.View, s text.Span, limits Limits) []text.Span {
	b := builder{view: v, limits: limits}
	return b.splitLong(s)
}
