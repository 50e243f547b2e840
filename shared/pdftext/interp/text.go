package interp

import (
	"math"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/lex"
)

// textOperator runs the operators of chapter 9 and ignores others.
func (s *stream) textOperator(op string) {
	switch op {
	case "BT":
		s.tm, s.tlm = glyph.Identity, glyph.Identity
	case "Tc":
		s.gs.char = s.num(1)
	case "Tw":
		s.gs.word = s.num(1)
	case "Tz":
		s.gs.stretch = s.num(1) / 100
	case "TL":
		s.gs.leading = s.num(1)
	case "Ts":
		s.gs.rise = s.num(1)
	case "Tf":
		if s.gs.font = s.fonts.Load(s.resource("Font", s.name(2))); s.gs.font == nil {
			s.gs.font = s.fonts.Helvetica()
		}
		s.gs.size = s.num(1)
	case "Td":
		s.newLine(s.num(2), s.num(1))
	case "TD":
		s.gs.leading = -s.num(1)
		s.newLine(s.num(2), s.num(1))
	case "Tm":
		s.tlm = s.matrix()
		s.tm = s.tlm
	case "T*":
		s.newLine(0, -s.gs.leading)
	case "Tj", "TJ":
		s.showOperand()
	case "'":
		s.newLine(0, -s.gs.leading)
		s.showOperand()
	case "\"":
		s.gs.word, s.gs.char = s.num(3), s.num(2)
		s.newLine(0, -s.gs.leading)
		s.showOperand()
	}
}

// newLine moves to the start of the next line, relative to the start of this one.
func (s *stream) newLine(x, y float64) {
	s.tlm = s.tlm.Translate(x, y)
	s.tm = s.tlm
}

// showOperand shows the last operand: a string, or an array of strings and adjustments.
func (s *stream) showOperand() {
	if len(s.args) == 0 || s.gs.font == nil {
		return
	}
	s.source++
	v := s.args[len(s.args)-1]
	if v.Kind == lex.String {
		s.show(v.Bytes)
		return
	}
	for _, x := range v.Items {
		switch x.Kind {
		case lex.String:
			s.show(x.Bytes)
		case lex.Number:
			if d := -x.Num / 1000 * s.gs.size; s.gs.font.Vertical {
				s.tm = s.tm.Translate(0, d)
			} else {
				s.tm = s.tm.Translate(d*s.gs.stretch, 0)
			}
		}
	}
}

// show appends the glyphs of b and moves the pen.
func (s *stream) show(b []byte) {
	gs, f := &s.gs, s.gs.font
	// trm transforms one em in text space to the page. From one glyph to the next only its
	// origin moves.
	trm := glyph.Matrix{gs.size * gs.stretch, 0, 0, gs.size, 0, gs.rise}.Mul(s.tm).Mul(gs.ctm)
	g := glyph.Glyph{
		Size: trm.Scale(), Font: f.ID, Source: s.source,
		Ascent: f.Ascent, Descent: f.Descent, Bold: f.Bold, Italic: f.Italic, Vertical: f.Vertical,
		Dir: glyph.Point{X: trm[0], Y: trm[1]}.Unit(), Up: glyph.Point{X: trm[2], Y: trm[3]},
	}
	if f.Vertical {
		g.Dir = glyph.Point{X: -trm[2], Y: -trm[3]}.Unit()
	}
	shown := g.Size > 0 && finite(g.Up)
	for len(b) > 0 && len(s.glyphs) <= maxGlyphs {
		c := f.Next(b)
		b = b[c.Bytes:]
		s.work++
		g.Text, g.Guess = c.Text, c.Guess
		at := s.tm.Apply(0, gs.rise)
		at = gs.ctm.Apply(at.X, at.Y)
		trm[4], trm[5] = at.X, at.Y
		spacing := gs.char
		if c.Space {
			spacing += gs.word
		}
		if f.Vertical { // the baseline is the line through the middles
			middle := c.Width/2 - c.VX
			g.From, g.To = trm.Apply(middle, 0), trm.Apply(middle, c.W1)
			s.tm = s.tm.Translate(0, c.W1*gs.size+spacing)
		} else {
			g.From, g.To = at, trm.Apply(c.Width, 0)
			s.tm = s.tm.Translate((c.Width*gs.size+spacing)*gs.stretch, 0)
		}
		if shown && finite(g.From) && finite(g.To) && gs.clip.shows(&g) {
			g.Sight = s.sight(&g)
			s.glyphs = append(s.glyphs, g)
		}
	}
}

// finite reports whether p is a possible place. The bound is due to float32, in which boxes
// are stored.
func finite(p glyph.Point) bool {
	const far = 1e9
	return math.Abs(p.X) < far && math.Abs(p.Y) < far
}
