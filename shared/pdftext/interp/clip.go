package interp

import (
	"strings"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/object"
)

// area is an upright rectangle on the page. The clip is simplified to one: the box around
// the clip path. Text outside it is not visible and therefore not read.
type area struct {
	x0, y0, x1, y1 float64
	some           bool // false for an empty area
}

func (a *area) include(p glyph.Point) {
	if !a.some {
		*a = area{p.X, p.Y, p.X, p.Y, true}
		return
	}
	*a = area{min(a.x0, p.X), min(a.y0, p.Y), max(a.x1, p.X), max(a.y1, p.Y), true}
}

func (a area) intersect(b area) area {
	c := area{max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1), true}
	c.some = a.some && b.some && c.x0 <= c.x1 && c.y0 <= c.y1
	return c
}

// around returns the box around a transformed rectangle.
func around(m glyph.Matrix, r object.Rect) (a area) {
	for _, p := range [4]glyph.Point{m.Apply(r.X0, r.Y0), m.Apply(r.X1, r.Y0),
		m.Apply(r.X0, r.Y1), m.Apply(r.X1, r.Y1)} {
		a.include(p)
	}
	return a
}

func (a *area) has(p glyph.Point) bool {
	return a.some && a.x0 <= p.X && p.X <= a.x1 && a.y0 <= p.Y && p.Y <= a.y1
}

// The inked part of a letter: above and below its baseline in ems, and its margins on
// either side as a share of its advance. The letter is visible if this part is, rather than
// the box of its line.
const (
	inkAscent  = 0.7
	inkDescent = -0.2
	inkSide    = 0.1
)

// shows reports whether part of g is inside. A space has no ink, so its origin counts.
func (a *area) shows(g *glyph.Glyph) bool {
	if a.has(g.From) && a.has(g.To) { // the usual case
		return true
	}
	var q area
	if strings.TrimSpace(g.Text) == "" {
		q.include(g.From)
	} else {
		along := g.To.Sub(g.From)
		for _, p := range [2]glyph.Point{g.From.Add(inkSide, along), g.To.Add(-inkSide, along)} {
			q.include(p.Add(inkAscent, g.Up))
			q.include(p.Add(inkDescent, g.Up))
		}
	}
	return q.intersect(*a).some
}

// pathOperator tracks the box of the path, and the clip. It ignores other operators.
func (s *stream) pathOperator(op string) {
	switch op {
	case "m", "l":
		s.bent = true
		s.point(2)
	case "c":
		s.bent = true
		s.point(6)
		s.point(4)
		s.point(2)
	case "v", "y":
		s.bent = true
		s.point(4)
		s.point(2)
	case "re":
		s.rects++
		x, y, w, h := s.num(4), s.num(3), s.num(2), s.num(1)
		s.path.include(s.gs.ctm.Apply(x, y))
		s.path.include(s.gs.ctm.Apply(x+w, y))
		s.path.include(s.gs.ctm.Apply(x, y+h))
		s.path.include(s.gs.ctm.Apply(x+w, y+h))
	case "W", "W*":
		s.clips = true
	case "n", "S", "s", "f", "F", "f*", "B", "B*", "b", "b*":
		s.paintPath(op)
		if s.clips {
			s.gs.clipTo(s.path)
			s.gs.rough = s.gs.rough || s.bent || s.rects != 1 || !s.gs.upright()
		}
		s.clips, s.path, s.rects, s.bent = false, area{}, 0, false
	}
}

// point adds the point with operands i and i-1, counted as in num, to the path.
func (s *stream) point(i int) {
	s.path.include(s.gs.ctm.Apply(s.num(i), s.num(i-1)))
}
