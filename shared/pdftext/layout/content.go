// Package layout puts glyphs together to the text of a page in content order,
// with its words and their boxes.
package layout

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/text"
)

// Where a glyph goes on, in sizes of the glyph. The figures are those after
// which PyMuPDF's text comes out the same, blank by blank.
const (
	sameLine    = 0.8   // off the baseline by less: still the same line
	noBlank     = 0.15  // ahead by less: still the same word
	spreadBlank = 0.5   // the same between letters of scripts without blanks
	maxBlank    = 0.8   // ahead by less: a blank; by more: a new line (a column of a table)
	sameDir     = 0.999 // cosine between the directions of one line
	overprint   = 0.1   // the same character again within: drawn twice to look bold
)

// Line is a line of a page's text.
type Line struct {
	text.Span          // in the page's text, with the "\n" at its end
	Box       text.Box // of what is not blank
	Baseline  float64  // of the first glyph: distance from the top of the page
	Dir       glyph.Point
	Size      float64 // of most of its letters
	Bold      bool    // most of its letters
	Letters   int     // runes that are not blank
}

// Page is the text of a page in content order.
type Page struct {
	Text  string
	Words []text.Word
	Lines []Line
}

// Content makes the text of a page from its glyphs.
func Content(glyphs []glyph.Glyph) Page {
	b := &builder{seen: make(map[spot][]glyph.Point, len(glyphs))}
	for i := range glyphs {
		b.add(&glyphs[i])
	}
	b.endLine()
	b.flush()
	return Page{b.sb.String(), b.words, b.lines}
}

// builder writes one page.
type builder struct {
	sb    strings.Builder
	words []text.Word
	lines []Line

	pen  *glyph.Glyph // put down last
	last rune         // put down last; 0 at the start of a line
	line *line        // open: the next glyph may go on in it
	held *line        // closed: the next one may belong before it, in right-to-left text
	seen map[spot][]glyph.Point
}

// How many of the characters in one cell are compared, and how many cells on
// either side.
const (
	maxNear  = 32
	maxReach = 3
)

// spot is a character in a cell of the page, to find where it was drawn twice.
type spot struct {
	text       string
	font, x, y int
}

// add puts g down, with what separates it from the glyph before.
func (b *builder) add(g *glyph.Glyph) {
	s := clean(g.Text)
	if s == "" || b.drawnTwice(g) {
		return
	}
	switch b.step(g) {
	case newLine:
		b.endLine()
		b.line = &line{dir: g.Dir}
	case blank:
		b.line.put(" ", nil)
	}
	b.line.put(s, g)
	b.pen = g
	b.last, _ = utf8.DecodeLastRuneInString(s)
}

// clean is s without control characters; those that separate become blanks.
func clean(s string) string {
	if len(s) == 1 && s[0] >= ' ' && s[0] < 0x7f {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r == '\u2028', r == '\u2029':
			return ' '
		case r < ' ', 0x7f <= r && r < 0xa0, r == '\ufeff':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// step is what comes between two glyphs.
type step int

const (
	none step = iota
	blank
	newLine
)

// step compares g with the glyph before.
func (b *builder) step(g *glyph.Glyph) step {
	if b.line == nil || g.Dir.Dot(b.line.dir) < sameDir {
		return newLine
	}
	delta := g.From.Sub(b.pen.To)
	along, across := g.Dir.Dot(delta)/g.Size, g.Dir.Cross(delta)/g.Size
	if along < 0 && rightToLeft(b.last) {
		// Drawn in the order of reading: g ends where the one before begins.
		if back := g.Dir.Dot(b.pen.From.Sub(g.To)) / g.Size; math.Abs(back) < -along {
			along = back
		}
	}
	switch {
	case math.Abs(across) >= sameLine, math.Abs(along) >= maxBlank:
		return newLine
	case along >= blankWidth(b.last, first(g.Text)) && !g.Vertical:
		return blank
	}
	return none
}

// blankWidth is how far ahead of b, in sizes, c must stand for a blank between
// them. Scripts that are written without blanks are spread out to fill lines,
// and signs are often set with wide gaps.
func blankWidth(b, c rune) float64 {
	switch {
	case b == ' ' || c == ' ':
		return math.Inf(1)
	case spaced(b):
		return noBlank
	case unspaced(b) && unspaced(c):
		return spreadBlank
	case unspaced(b) && spaced(c):
		return noBlank
	}
	return math.Inf(1)
}

// spaced reports whether words of the script of r stand apart.
func spaced(r rune) bool {
	switch {
	case r < 0xe00, 0x2000 <= r && r <= 0x20cf:
		return true
	case r < 0x10a0, 0x1780 <= r && r < 0x1800: // Thai, Lao, Tibetan, Myanmar, Khmer
		return false
	case r < 0x1d00, 0x1e00 <= r && r < 0x2000: // Georgian to phonetic letters, Latin and Greek ones
		return true
	case 0x2c00 <= r && r < 0x2e80, 0xa4d0 <= r && r < 0xac00, 0x10000 <= r && r < 0x20000:
		return unicode.IsLetter(r)
	case 0xac00 <= r && r < 0xd800, 0xfb00 <= r && r < 0xfe00, 0xfe70 <= r && r < 0xff00: // Hangul, ligatures, Arabic forms
		return true
	}
	return false
}

// unspaced reports whether r is a letter of a script without blanks.
func unspaced(r rune) bool { return !spaced(r) && unicode.IsLetter(r) }

// drawnTwice reports whether the same text was drawn at the same place before.
func (b *builder) drawnTwice(g *glyph.Glyph) bool {
	d := overprint * g.Size
	// A narrow letter that follows on itself is no second one over the first.
	narrow := b.pen != nil && b.pen.Source == g.Source && b.pen.To.Sub(g.From).Len() < 0.5*b.pen.To.Sub(b.pen.From).Len()
	const cell = 8 // points
	at := func(v float64) int { return int(math.Floor(v / cell)) }
	reach := min(d, maxReach*cell)
	for x := at(g.From.X - reach); x <= at(g.From.X+reach); x++ {
		for y := at(g.From.Y - reach); y <= at(g.From.Y+reach); y++ {
			near := b.seen[spot{g.Text, g.Font, x, y}]
			for _, p := range near[max(0, len(near)-maxNear):] {
				if !(narrow && p == b.pen.From) && math.Abs(p.X-g.From.X) < d && math.Abs(p.Y-g.From.Y) < d {
					return true
				}
			}
		}
	}
	here := spot{g.Text, g.Font, at(g.From.X), at(g.From.Y)}
	b.seen[here] = append(b.seen[here], g.From)
	return false
}

// box is the upright rectangle around g between two points of its baseline.
func box(g *glyph.Glyph, from, to glyph.Point) text.Box {
	p := [4]glyph.Point{from.Add(g.Ascent, g.Up), from.Add(g.Descent, g.Up),
		to.Add(g.Ascent, g.Up), to.Add(g.Descent, g.Up)}
	if g.Vertical { // a square em, centred
		side := glyph.Point{X: -g.Up.Y, Y: g.Up.X}
		p = [4]glyph.Point{from.Add(-0.5, side), from.Add(0.5, side), to.Add(-0.5, side), to.Add(0.5, side)}
	}
	return text.Box{
		X0: min(p[0].X, p[1].X, p[2].X, p[3].X), Y0: min(p[0].Y, p[1].Y, p[2].Y, p[3].Y),
		X1: max(p[0].X, p[1].X, p[2].X, p[3].X), Y1: max(p[0].Y, p[1].Y, p[2].Y, p[3].Y),
	}
}

// endLine closes the open line. Right-to-left text is often drawn one word at
// a time: a line that ends where the one before begins goes on with it.
func (b *builder) endLine() {
	l := b.line
	b.line, b.last = nil, 0
	if l == nil {
		return
	}
	if b.held != nil && b.held.goesOnLeft(l) {
		b.held.parts = append(b.held.parts, l.parts...)
		return
	}
	b.flush()
	b.held = l
}

// flush writes the line that was held back.
func (b *builder) flush() {
	if b.held == nil {
		return
	}
	w := lineWriter{builder: b, sizes: map[float64]int{}}
	w.write(b.held.logical())
	b.held = nil
}
