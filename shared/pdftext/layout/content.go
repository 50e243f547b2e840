// Package layout assembles glyphs to the text of a page in content order, with its words
// and their boxes.
package layout

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/text"
)

// Thresholds for the place of the next glyph, in sizes of the glyph. With these values the
// text equals PyMuPDF's, space by space.
const (
	sameLine    = 0.8   // maximum distance from the baseline on the same line
	noBlank     = 0.15  // maximum gap within a word
	spreadBlank = 0.5   // the same between letters of scripts without spaces
	maxBlank    = 0.8   // maximum gap for a space; a larger one starts a new line (a column of a table)
	sameDir     = 0.999 // minimum cosine between the directions on one line
)

// Line is a line of a page's text.
type Line struct {
	text.Span          // in the page's text, including the final "\n"
	Box       text.Box // without white space
	Baseline  float64  // of the first glyph: distance from the top of the page
	Dir       glyph.Point
	Size      float64 // of most of its letters
	Bold      bool    // of most of its letters
	Italic    bool    // likewise
	Letters   int     // non-blank runes
	Mono      bool    // all its letters are of monospaced fonts
	Option    bool    // all its letters are of options of list boxes that are not chosen
	// Raised are its small letters above the baseline, such as exponents and note marks.
	Raised []text.Span
	// InWords are the places of spaces, in the page's text, between the letters of words that
	// are spread out. NewWords are the places where words begin without a space before them.
	InWords, NewWords []int
	// Hidden are its parts that nobody sees on the page.
	Hidden []text.Span
}

// Page is the text of a page in content order.
type Page struct {
	Text  string
	Words []text.Word
	Lines []Line
}

// Content returns the text of a page, made from its glyphs.
func Content(glyphs []glyph.Glyph) Page { return new(Builder).Page(glyphs) }

// Builder makes the texts of pages one after another, reusing its memory. The zero value is
// ready to use.
type Builder struct {
	sb    strings.Builder
	words []text.Word
	lines []Line

	pen  *glyph.Glyph // the last glyph written
	last rune         // the last rune written; 0 at the start of a line
	line *line        // the open line, which the next glyph may continue; nil at first
	held *line        // a closed line; in right-to-left text the next one may belong before it
	free []*line      // for reuse

	seen   map[uint64]int32 // index into places + 1, of the last one
	places []place
	copies []bool            // of the glyphs of the page: drawn again, and left out
	fonts  map[int]*advances // of the page, by number
	sizes  []sizeCount       // sizes of the letters in the line being written
	gaps   []float64         // of the line being written
	spread spread
}

// Page is like Content.
func (b *Builder) Page(glyphs []glyph.Glyph) Page {
	b.sb, b.words, b.lines, b.pen, b.spread = strings.Builder{}, nil, nil, nil, spread{}
	b.sb.Grow(len(glyphs) + len(glyphs)/8)
	b.words = make([]text.Word, 0, len(glyphs)/5)
	b.findCopies(glyphs)
	b.measure(glyphs)
	for i := range glyphs {
		if !b.copies[i] {
			b.add(&glyphs[i])
		}
	}
	b.endLine()
	b.flush()
	return Page{b.sb.String(), b.words, b.lines}
}

// add writes g, after the separator from the previous glyph.
func (b *Builder) add(g *glyph.Glyph) {
	s := clean(g.Text)
	if s == "" || b.accented(g, s) {
		return
	}
	switch b.step(g) {
	case newLine:
		if b.late(g, s) {
			return
		}
		b.endLine()
		b.line = b.newLine(g.Dir)
	case blank:
		b.line.put(" ", nil)
	}
	b.line.put(s, g)
	b.pen = g
	b.last, _ = utf8.DecodeLastRuneInString(s)
}

func (b *Builder) newLine(dir glyph.Point) *line {
	n := len(b.free)
	if n == 0 {
		return &line{dir: dir}
	}
	l := b.free[n-1]
	b.free = b.free[:n-1]
	l.dir, l.right, l.parts = dir, 0, l.parts[:0]
	return l
}

// clean returns s without control characters. Separators become spaces.
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

// step is the separator between two glyphs.
type step int

const (
	none step = iota
	blank
	newLine
)

// step compares g with the previous glyph.
func (b *Builder) step(g *glyph.Glyph) step {
	if b.line == nil || g.Dir.Dot(b.line.dir) < sameDir {
		return newLine
	}
	delta := g.From.Sub(b.pen.To)
	along, across := g.Dir.Dot(delta)/g.Size, g.Dir.Cross(delta)/g.Size
	if along < 0 && rightToLeft(b.last) {
		// Drawn in reading order: g ends where the previous one begins.
		if back := g.Dir.Dot(b.pen.From.Sub(g.To)) / g.Size; math.Abs(back) < -along {
			along = back
		}
	}
	switch {
	case math.Abs(across) >= sameLine, math.Abs(along) >= maxBlank:
		return newLine
	case along >= noBlank && !g.Vertical && along >= blankWidth(b.last, first(g.Text)):
		return blank
	}
	return none
}

// blankWidth returns the minimum gap between b and c, in sizes, for a space. Scripts
// without spaces are spread out to fill lines, and signs often have wide gaps.
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

// spaced reports whether the script of r has spaces between words.
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

// unspaced reports whether r is a letter of a script without spaces.
func unspaced(r rune) bool { return !spaced(r) && unicode.IsLetter(r) }

// box returns the upright rectangle around g between two points of its baseline.
func box(g *glyph.Glyph, from, to glyph.Point) text.Box {
	if g.Up.X == 0 && g.Up.Y < 0 && from.Y == to.Y && from.X <= to.X && g.Ascent >= g.Descent && !g.Vertical { // the usual case
		return text.Box{X0: from.X, Y0: from.Y + float64(g.Ascent*g.Up.Y), X1: to.X, Y1: from.Y + float64(g.Descent*g.Up.Y)}
	}
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

// endLine closes the open line. Right-to-left text is often drawn one word at a time, so a
// line that ends where the previous one begins continues it.
func (b *Builder) endLine() {
	l := b.line
	b.line, b.last = nil, 0
	if l == nil {
		return
	}
	if b.held != nil && b.held.goesOnLeft(l) {
		b.held.parts = append(b.held.parts, l.parts...)
		b.free = append(b.free, l)
		return
	}
	b.flush()
	b.held = l
}

// flush writes the line that was held back.
func (b *Builder) flush() {
	if b.held == nil {
		return
	}
	b.sizes = b.sizes[:0]
	b.regap(b.held)
	b.held.join()
	if parts := b.held.logical(); !b.isShadow(parts) {
		w := lineWriter{Builder: b}
		w.write(parts)
	}
	b.free = append(b.free, b.held)
	b.held = nil
}
