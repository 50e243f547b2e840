package layout

import (
	"math"
	"slices"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/text"
)

// Criteria for small letters above and below a line, in sizes of the line.
const (
	smallSize  = 0.85 // maximum size
	raisedBy   = 0.15 // minimum height of a raised letter above the baseline
	maxShift   = 0.5  // maximum distance of a letter drawn late from the baseline
	lateMargin = 0.1  // maximum overlap of a letter drawn late with those beside it
	maxLate    = 512  // number of parts of the line to examine
)

// late puts g, whose text is s, into a gap of the open line that it fits in: some programs
// draw subscripts after their line.
func (b *Builder) late(g *glyph.Glyph, s string) bool {
	if b.line == nil || b.line.right > 0 {
		return false
	}
	l := b.line
	for i := len(l.parts) - 1; i > 0 && i > len(l.parts)-maxLate; i-- {
		next, k := &l.parts[i], i-1
		if next.glyph == nil {
			continue
		}
		if l.parts[k].glyph == nil && k > 0 {
			k--
		}
		before := &l.parts[k]
		if before.glyph == nil || !l.fits(g, before.glyph, next.glyph) {
			continue
		}
		parts := make([]part, 0, 3)
		if l.dir.Dot(g.From.Sub(before.glyph.To)) >= noBlank*before.glyph.Size {
			parts = append(parts, part{text: " "})
		}
		parts = append(parts, part{text: s, glyph: g})
		if next.text != " " && l.dir.Dot(next.glyph.From.Sub(g.To)) >= noBlank*next.glyph.Size {
			parts = append(parts, part{text: " "})
		}
		l.parts = slices.Replace(l.parts, k+1, i, parts...)
		return true
	}
	return false
}

// fits reports whether g is a small letter between two letters of l.
func (l *line) fits(g, before, next *glyph.Glyph) bool {
	room, margin := l.dir.Dot(next.From.Sub(before.To)), lateMargin*g.Size
	return g.Size <= smallSize*before.Size && g.Dir.Dot(l.dir) >= sameDir && math.Abs(l.dir.Cross(g.From.Sub(before.From))) <= maxShift*before.Size &&
		room > 0 && l.dir.Dot(g.To.Sub(g.From)) > 0.5*margin && l.dir.Dot(g.From.Sub(before.To)) >= -margin && l.dir.Dot(next.From.Sub(g.To)) >= -margin
}

// raised returns the small letters of a line above its baseline. at is the start of the
// line, and size the size of most of its letters.
func raised(parts []part, at int, size float64) (spans []text.Span) {
	var base *glyph.Glyph
	for _, p := range parts {
		if p.glyph != nil && p.glyph.Size > smallSize*size {
			base = p.glyph
			break
		}
	}
	if base == nil {
		return nil
	}
	for _, p := range parts {
		end := at + len(p.text)
		if g := p.glyph; g != nil && g.Size <= smallSize*size && base.Dir.Cross(g.From.Sub(base.From)) <= -raisedBy*size {
			if n := len(spans); n > 0 && spans[n-1].End == at {
				spans[n-1].End = end
			} else if r, _ := utf8.DecodeRuneInString(p.text); r != ' ' {
				spans = append(spans, text.Span{Start: at, End: end})
			}
		}
		at = end
	}
	return spans
}
