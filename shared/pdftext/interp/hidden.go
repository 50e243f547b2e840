package interp

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/object"
)

// Text that nobody sees is known as a way to put words into a model's prompt: text without
// ink, with the colour of the area below it, or too small. Wherever the page does not decide,
// text counts as visible.

// Criteria for hidden text.
const (
	tinySize   = 1.0  // maximum size in points
	tinyShare  = 0.25 // the same, relative to the average size on the page
	largeSize  = 20.0 // larger sizes count as this one
	faint      = 0.05 // maximum opacity
	sameColour = 0.03 // maximum difference of each component
	leastSide  = 2.0  // minimum width and height of a painted area, in points
	wideStroke = 5.0  // minimum width of a line that serves as a background, in points
	maxOutline = 60.0 // maximum height of a path that may be a letter, in points
)

// maxPaints is the maximum number of areas and letters remembered of a page. With more, the
// colour of text decides nothing.
const maxPaints = 1 << 12

// colour is a colour in RGB, from 0 to 1.
type colour struct {
	r, g, b float64
	known   bool
}

var (
	black = colour{known: true}
	white = colour{1, 1, 1, true}
)

func (c colour) is(d colour) bool {
	return c.known && d.known && math.Abs(c.r-d.r) <= sameColour && math.Abs(c.g-d.g) <= sameColour && math.Abs(c.b-d.b) <= sameColour
}

// space is a kind of colour space, as far as it affects colours here.
type space int

const (
	otherSpace space = iota
	gray
	rgb
	cmyk
	tint // of one ink
)

// paint is an area that the page painted. A plain one is a rectangle of one colour.
type paint struct {
	area
	colour
	plain bool
}

// canvas holds the areas that a page painted so far.
type canvas struct {
	paints   []paint
	colours  []colour // of plain areas
	pictures []area
	outlines []area // small paths: letters, perhaps
}

// colourOperator tracks the colour of fills. It ignores other operators.
func (s *stream) colourOperator(op string) {
	switch op {
	case "g":
		s.fill(gray)
	case "rg":
		s.fill(rgb)
	case "k":
		s.fill(cmyk)
	case "cs":
		s.gs.space, s.gs.colour = s.colourSpace(s.name(1)), black
		if s.gs.space == otherSpace {
			s.gs.colour = colour{}
		}
	case "sc", "scn":
		s.fill(s.gs.space)
	case "w":
		s.gs.width = s.num(1)
	case "Tr":
		s.gs.mode = int(s.num(1))
	case "sh":
		s.picture(s.gs.clip)
	}
}

// fill sets the colour of fills to the operands, in space k.
func (s *stream) fill(k space) {
	s.gs.space, s.gs.colour = k, colour{}
	switch k {
	case gray:
		s.gs.colour = colour{s.num(1), s.num(1), s.num(1), true}
	case rgb:
		s.gs.colour = colour{s.num(3), s.num(2), s.num(1), true}
	case cmyk:
		light := 1 - s.num(1)
		s.gs.colour = colour{(1 - s.num(4)) * light, (1 - s.num(3)) * light, (1 - s.num(2)) * light, true}
	case tint:
		if s.num(1) == 0 {
			s.gs.colour = white
		}
	}
}

// colourSpace returns the kind of a named colour space.
func (s *stream) colourSpace(name string) space {
	switch name {
	case "DeviceGray":
		return gray
	case "DeviceRGB":
		return rgb
	case "DeviceCMYK":
		return cmyk
	}
	a := s.file.Array(s.resource("ColorSpace", name))
	if len(a) < 2 {
		return otherSpace
	}
	switch s.file.Name(a[0]) {
	case "CalGray":
		return gray
	case "CalRGB":
		return rgb
	case "Separation":
		return tint
	case "ICCBased":
		if profile, ok := s.file.Resolve(a[1]).(object.Stream); ok {
			return map[int]space{1: gray, 3: rgb, 4: cmyk}[s.file.Int(profile.Dict["N"])]
		}
	}
	return otherSpace
}

// paint remembers an area.
func (s *stream) paint(p paint) {
	p.area = p.intersect(s.gs.clip)
	if !p.some || p.x1-p.x0 < leastSide || p.y1-p.y0 < leastSide || len(s.paints) > maxPaints {
		return
	}
	p.plain = p.plain && s.gs.plain && !s.gs.rough && s.gs.opacity == 1
	s.paints = append(s.paints, p)
	if p.plain && !slices.ContainsFunc(s.colours, p.is) {
		s.colours = append(s.colours, p.colour)
	}
}

// image counts an image and remembers its place.
func (s *stream) image() {
	s.images++
	s.picture(around(s.gs.ctm, object.Rect{X1: 1, Y1: 1}).intersect(s.gs.clip))
}

// picture remembers an area of many colours.
func (s *stream) picture(a area) {
	if len(s.pictures) <= maxPaints {
		s.pictures = append(s.pictures, a)
	}
	s.paint(paint{area: a})
}

// paintPath remembers the path painted by op.
func (s *stream) paintPath(op string) {
	p := paint{area: s.path, colour: s.gs.colour, plain: s.rects == 1 && !s.bent && s.gs.upright()}
	switch {
	case op == "n":
		return
	case op == "S" || op == "s":
		w := s.gs.width * s.gs.ctm.Scale() / 2
		if p.colour = (colour{}); w >= wideStroke/2 {
			p.area = area{p.x0 - w, p.y0 - w, p.x1 + w, p.y1 + w, p.some}
			s.paint(p)
		}
	default:
		s.paint(p)
	}
	if p.some && p.y1-p.y0 < maxOutline && s.bent && len(s.outlines) <= maxPaints {
		s.outlines = append(s.outlines, p.area)
	}
}

// upright reports whether the sides of rectangles are parallel to the page's.
func (gs *state) upright() bool {
	m := gs.ctm
	return m[1] == 0 && m[2] == 0 || m[0] == 0 && m[3] == 0
}

// sight returns how g can be seen, as far as the page is known yet.
func (s *stream) sight(g *glyph.Glyph) glyph.Sight {
	switch gs := &s.gs; {
	case gs.font.Type3, !gs.plain:
		return glyph.Visible
	case gs.opacity <= faint:
		return glyph.Hidden
	case gs.mode == 3 || gs.mode == 7:
		return glyph.NoInk
	case gs.mode == 0 || gs.mode == 4:
		if s.blends(g) {
			return glyph.Hidden
		}
	}
	return glyph.Visible
}

// blends reports whether g has the colour of the area below it.
func (s *stream) blends(g *glyph.Glyph) bool {
	c := s.gs.colour
	if !c.is(white) && !slices.ContainsFunc(s.colours, c.is) || len(s.paints) > maxPaints {
		return false
	}
	at := middle(g)
	for i := len(s.paints) - 1; i >= 0; i-- {
		p := &s.paints[i]
		if i%glance == 0 {
			s.work++
		}
		if !p.has(at) {
			continue
		}
		// Below another shape of the same colour the page may look different.
		if same := p.is(c); p.plain || !same {
			return same
		}
	}
	return c.is(white)
}

// middle returns the middle of the inked part of g.
func middle(g *glyph.Glyph) glyph.Point {
	return g.From.Add(0.5, g.To.Sub(g.From)).Add((inkAscent+inkDescent)/2, g.Up)
}

// settle decides about the glyphs of a page whose sight depends on the whole page.
func (in *interp) settle() {
	sizes, noInk, all := 0.0, 0, 0
	for i := range in.glyphs {
		g := &in.glyphs[i]
		if isSpace(g) {
			continue
		}
		all++
		sizes += min(g.Size, largeSize)
		if g.Sight == glyph.NoInk {
			noInk++
		}
	}
	tiny := min(tinySize, tinyShare*sizes/float64(max(all, 1)))
	drawn := 2*noInk > all && len(in.outlines) > 0 // in ink: the page has other text
	for i := 0; i < len(in.glyphs); {
		n, seen := i, false
		for ; n < len(in.glyphs) && in.glyphs[n].Source == in.glyphs[i].Source; n++ {
			g := &in.glyphs[n]
			switch {
			case g.Sight == glyph.NoInk && (drawn || in.over(in.outlines, g)):
				g.Sight = glyph.Visible
			case g.Sight == glyph.NoInk, g.Size <= tiny:
				g.Sight = glyph.Hidden
			}
			// The text of a scanned picture is often written like this, to be searched.
			if g.Sight == glyph.Hidden && in.over(in.pictures, g) {
				g.Sight = glyph.Visible
			}
			seen = seen || g.Sight == glyph.Visible && !isSpace(g)
		}
		before := glyph.Visible
		if i > 0 {
			before = in.glyphs[i-1].Sight
		}
		for ; i < n; i++ {
			g := &in.glyphs[i]
			switch {
			case seen: // a part of it at least
				g.Sight = glyph.Visible
			case isSpace(g): // as the letter before it
				g.Sight = before
			}
			before = g.Sight
		}
	}
}

// over reports whether g is over one of the areas, or may be.
func (in *interp) over(areas []area, g *glyph.Glyph) bool {
	at := middle(g)
	in.work += len(areas) / glance
	return len(areas) > maxPaints || slices.ContainsFunc(areas, func(a area) bool { return a.has(at) })
}

// isSpace reports whether g has nothing to see.
func isSpace(g *glyph.Glyph) bool {
	return strings.IndexFunc(g.Text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }) < 0
}
