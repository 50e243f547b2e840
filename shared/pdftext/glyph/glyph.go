// Package glyph holds the data passed from the content interpreter to the layout: glyphs
// with their places on the page.
package glyph

import "math"

// Matrix is a PDF transformation [a b c d e f]: x' = ax+cy+e, y' = bx+dy+f.
type Matrix [6]float64

// Identity changes nothing.
var Identity = Matrix{1, 0, 0, 1, 0, 0}

// Mul returns m followed by n.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		float64(m[0]*n[0]) + float64(m[1]*n[2]), float64(m[0]*n[1]) + float64(m[1]*n[3]),
		float64(m[2]*n[0]) + float64(m[3]*n[2]), float64(m[2]*n[1]) + float64(m[3]*n[3]),
		float64(m[4]*n[0]) + float64(m[5]*n[2]) + n[4], float64(m[4]*n[1]) + float64(m[5]*n[3]) + n[5],
	}
}

// Translate returns m with its origin moved to (x, y) in its own coordinates.
func (m Matrix) Translate(x, y float64) Matrix {
	m[4] += float64(x*m[0]) + float64(y*m[2])
	m[5] += float64(x*m[1]) + float64(y*m[3])
	return m
}

// Apply transforms a point.
func (m Matrix) Apply(x, y float64) Point {
	return Point{float64(x*m[0]) + float64(y*m[2]) + m[4], float64(x*m[1]) + float64(y*m[3]) + m[5]}
}

// Scale returns the average factor by which m changes lengths: the square root of the area
// of a transformed unit square.
func (m Matrix) Scale() float64 {
	return math.Sqrt(math.Abs(float64(m[0]*m[3]) - float64(m[1]*m[2])))
}

// Point is a point or a vector, in points from the top left of the displayed page, with y
// downwards.
type Point struct{ X, Y float64 }

// Sub returns p - q.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Add returns p + k q.
func (p Point) Add(k float64, q Point) Point {
	return Point{p.X + float64(k*q.X), p.Y + float64(k*q.Y)}
}

// Dot returns the scalar product of p and q.
func (p Point) Dot(q Point) float64 { return float64(p.X*q.X) + float64(p.Y*q.Y) }

// Cross returns the length of q perpendicular to p. It is positive if q points to the right
// of p on the displayed page.
func (p Point) Cross(q Point) float64 { return float64(p.X*q.Y) - float64(p.Y*q.X) }

// Len returns the length of p.
func (p Point) Len() float64 { return math.Hypot(p.X, p.Y) }

// Unit returns p scaled to length 1, or (1, 0) if p has no length.
func (p Point) Unit() Point {
	l := p.Len()
	if l == 0 || math.IsNaN(l) || math.IsInf(l, 0) {
		return Point{1, 0}
	}
	return Point{p.X / l, p.Y / l}
}

// RightToLeft reports whether r is in a Unicode block of right-to-left scripts, including
// their marks and digits.
func RightToLeft(r rune) bool {
	return 0x590 <= r && r < 0x900 || 0xfb1d <= r && r < 0xfe00 || 0xfe70 <= r && r < 0xff00
}

// Sight says whether a glyph can be seen.
type Sight uint8

// The sights. NoInk is the interpreter's; the page decides whether it is hidden.
const (
	Visible Sight = iota
	NoInk
	Hidden
)

// Glyph is the display of one character code.
type Glyph struct {
	Text     string  // Unicode, more than one rune for ligatures; "" if unknown
	From, To Point   // on the baseline: the pen before and after the glyph, without extra spacing
	Dir      Point   // unit vector in text direction
	Up       Point   // one em towards the ascenders
	Size     float64 // of the font as displayed, in points
	Ascent   float64 // above the baseline, in ems
	Descent  float64 // below the baseline, in ems; negative
	Font     int     // number of the font in the document
	Bold     bool
	Italic   bool
	Vertical bool
	Sight    Sight
	Guess    bool // nothing in the file says that Text is right
	Option   bool // belongs to an option of a list box that is not chosen
	// Source is the number of the operator that shows the text.
	Source int
}
