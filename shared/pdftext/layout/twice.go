package layout

import (
	"math"
	"strings"

	"seam/shared/pdftext/glyph"
)

// overprint is the maximum distance, in sizes, of the same character drawn again to look
// bold.
const overprint = 0.1

// Criteria for a line drawn again as a shadow. If both were text, their
// letters would lie on each other.
const (
	shadowShift = 0.3 // maximum distance, in sizes
	shadowNear  = 8   // number of lines before it to examine
	shadowLeast = 3   // bytes
)

// isShadow reports whether the parts of a line are a line before it, drawn again beside it.
func (b *Builder) isShadow(parts []part) bool {
	g := parts[0].glyph
	if g == nil {
		return false
	}
	for i := max(0, len(b.lines)-shadowNear); i < len(b.lines); i++ {
		l := &b.lines[i]
		at := box(g, g.From, g.To)
		if l.Dir != g.Dir || math.Abs(l.Baseline-g.From.Y) > shadowShift*g.Size || min(math.Abs(l.Box.X0-at.X0), math.Abs(l.Box.X1-at.X1)) > shadowShift*g.Size {
			continue
		}
		rest, same := strings.TrimSuffix(l.Of(b.sb.String()), "\n"), true
		for _, p := range parts {
			if rest, same = strings.CutPrefix(rest, p.text); !same {
				break
			}
		}
		if same && rest == "" && l.Len() > shadowLeast {
			if g.Sight != glyph.Hidden {
				b.lines[i].Hidden = nil // it was the shadow
			}
			return true
		}
	}
	return false
}

// Maximum number of characters compared in one cell, and number of cells on either side.
const (
	maxNear  = 32
	maxReach = 3
)

// letter identifies a character by its font, its first rune and its length.
type letter struct{ first, n, font int32 }

// spot returns a number for a letter in a cell of the page. It may not be unique.
func (l letter) spot(x, y int32) uint64 {
	h := uint64(uint32(l.first))<<32 | uint64(uint32(l.font))<<8 | uint64(uint8(l.n))
	return h*0x9e3779b97f4a7c15 ^ (uint64(uint32(x))<<32 | uint64(uint32(y)))
}

// place is a place where a letter was drawn, linked to the previous one with the same spot.
type place struct {
	glyph.Point
	letter letter
	glyph  int32 // index
	before int32 // as in Builder.seen; 0 if there is none
}

// findCopies sets b.copies. Of two glyphs with the same text at the same place, the second
// is the copy, unless only the second can be seen, or the first is a lone letter below a
// word.
func (b *Builder) findCopies(glyphs []glyph.Glyph) {
	if b.seen == nil {
		b.seen = make(map[uint64]int32, len(glyphs))
	}
	clear(b.seen)
	b.places = b.places[:0]
	b.copies = append(b.copies[:0], make([]bool, len(glyphs))...)
	var pen *glyph.Glyph
	for i := range glyphs {
		g := &glyphs[i]
		if clean(g.Text) == "" {
			continue
		}
		before := b.drawn(g, pen, int32(i))
		if before == nil {
			pen = g
			continue
		}
		switch other := glyphs[before.glyph].Sight; {
		case other > g.Sight, other == g.Sight && lone(glyphs, int(before.glyph)) && !lone(glyphs, i):
			b.copies[before.glyph] = true
			before.glyph, pen = int32(i), g
		default:
			b.copies[i] = true
		}
	}
}

// lone reports whether no glyph directly before or after glyph i goes on with its word.
func lone(glyphs []glyph.Glyph, i int) bool {
	beside := func(a, c *glyph.Glyph) bool {
		delta := c.From.Sub(a.To)
		return a.Dir.Dot(c.Dir) >= sameDir && math.Abs(a.Dir.Dot(delta)) < noBlank*a.Size && math.Abs(a.Dir.Cross(delta)) < noBlank*a.Size
	}
	return !(i > 0 && beside(&glyphs[i-1], &glyphs[i])) && !(i+1 < len(glyphs) && beside(&glyphs[i], &glyphs[i+1]))
}

// drawn returns the place of the same text that was drawn before glyph i, which is g, or nil
// if it is the first there. pen is the last glyph before g that is no copy.
func (b *Builder) drawn(g, pen *glyph.Glyph, i int32) *place {
	d := overprint * g.Size
	// A narrow letter repeated in the text is not the same letter drawn twice.
	narrow := pen != nil && pen.Source == g.Source && pen.To.Sub(g.From).Len() < 0.5*pen.To.Sub(pen.From).Len()
	const cell = 8 // points
	at := func(v float64) int32 { return int32(math.Floor(v / cell)) }
	l := letter{first(g.Text), int32(len(g.Text)), int32(g.Font)}
	reach := min(d, maxReach*cell)
	x1, y0, y1 := at(g.From.X+reach), at(g.From.Y-reach), at(g.From.Y+reach)
	for x := at(g.From.X - reach); x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			k := b.seen[l.spot(x, y)]
			for n := 0; k > 0 && n < maxNear; n++ {
				p := &b.places[k-1]
				if p.letter == l && !(narrow && p.Point == pen.From) && math.Abs(p.X-g.From.X) < d && math.Abs(p.Y-g.From.Y) < d {
					return p
				}
				k = p.before
			}
		}
	}
	here := l.spot(at(g.From.X), at(g.From.Y))
	b.places = append(b.places, place{g.From, l, i, b.seen[here]})
	b.seen[here] = int32(len(b.places))
	return nil
}
