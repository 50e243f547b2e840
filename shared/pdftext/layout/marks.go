package layout

import (
	"unicode"

	"seam/shared/pdftext/glyph"
)

// bindMarks joins each combining mark with the letter drawn before it, if the mark is on it
// or near it. In a line drawn from left to right, it may belong to the next letter.
func (l *line) bindMarks() {
	out := l.parts[:0]
	for i, p := range l.parts {
		if n := len(out); n > 0 && p.isMark() && out[n-1].glyph != nil && rightToLeft(first(out[n-1].text)) {
			at := (p.from(l.dir) + p.to(l.dir)) / 2
			on := func(q part, reach float64) bool {
				return q.glyph != nil && q.from(l.dir)-reach <= at && at <= q.to(l.dir)+reach
			}
			next := i+1 < len(l.parts) && !l.parts[i+1].isMark() && on(l.parts[i+1], 0) && l.parts[i+1].from(l.dir) > out[n-1].from(l.dir)
			if on(out[n-1], 0) || !next && on(out[n-1], nearMark*p.glyph.Size) {
				out[n-1].text += p.text
				continue
			}
		}
		out = append(out, p)
	}
	l.parts = out
}

// isMark reports whether p is a combining mark.
func (p part) isMark() bool { return p.glyph != nil && unicode.Is(unicode.Mn, first(p.text)) }

// nearMark is the maximum distance of a mark from its letter, in sizes.
const nearMark = 0.15

// attachMarks moves each combining mark after its letter.
func attachMarks(parts []part, dir glyph.Point) {
	for i := 0; i+1 < len(parts); i++ {
		m, next := parts[i], parts[i+1]
		if !m.isMark() || next.glyph == nil || !rightToLeft(first(next.text)) {
			continue
		}
		at := (m.from(dir) + m.to(dir)) / 2
		if next.from(dir) <= at && at <= next.to(dir) {
			parts[i], parts[i+1] = next, m
		}
	}
}
