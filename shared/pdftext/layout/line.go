package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"seam/shared/pdftext/glyph"
	"seam/shared/text"
)

// line collects what stands on one line, in the order of the file.
type line struct {
	dir   glyph.Point
	parts []part
	right int // letters that are read from right to left
}

// part is the text of one glyph, or a blank that stands for a gap.
type part struct {
	text  string
	glyph *glyph.Glyph // nil: a gap
}

func (l *line) put(s string, g *glyph.Glyph) {
	l.parts = append(l.parts, part{s, g})
	if r, _ := utf8.DecodeRuneInString(s); rightToLeft(r) {
		l.right++
	}
}

// rightToLeft reports whether r is a letter of a script written so.
func rightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	c := class(r)
	return c == bidi.R || c == bidi.AL
}

func class(r rune) bidi.Class {
	p, _ := bidi.LookupRune(r)
	return p.Class()
}

// extent is where the glyphs of l begin and end in its direction.
func (l *line) extent() (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, p := range l.parts {
		if p.glyph != nil {
			from, to = min(from, p.from(l.dir)), max(to, p.to(l.dir))
		}
	}
	return from, to
}

func (p part) from(dir glyph.Point) float64 { return min(dir.Dot(p.glyph.From), dir.Dot(p.glyph.To)) }
func (p part) to(dir glyph.Point) float64   { return max(dir.Dot(p.glyph.From), dir.Dot(p.glyph.To)) }

// goesOnLeft reports whether m, of right-to-left text as l is, stands to the
// left of it on the same baseline, no further off than a blank.
func (l *line) goesOnLeft(m *line) bool {
	if l.right == 0 || m.right == 0 || m.dir.Dot(l.dir) < sameDir {
		return false
	}
	a, b := l.parts[0].glyph, m.parts[0].glyph
	if math.Abs(a.Dir.Cross(b.From.Sub(a.From))) >= sameLine*a.Size {
		return false
	}
	from, _ := l.extent()
	_, to := m.extent()
	return math.Abs(from-to) < maxBlank*a.Size
}

// logical returns the parts in the order in which they are read. A line with
// right-to-left letters is put in the order in which it is seen first, then
// that is undone what the Unicode Bidirectional Algorithm (UAX #9) does to
// show it.
func (l *line) logical() []part {
	if l.right == 0 {
		return l.parts
	}
	parts := l.visual()
	left := 0
	for _, p := range parts {
		if p.strong() == bidi.L {
			left++
		}
	}
	marked := brackets(parts)
	if l.right >= left {
		slices.Reverse(parts)
		reverseRuns(parts, func(c bidi.Class) bool { return c == bidi.L || c == bidi.EN || c == bidi.AN })
	} else {
		reverseRuns(parts, func(c bidi.Class) bool { return c == bidi.R })
	}
	attachMarks(parts, l.dir)
	if after := brackets(parts); after < marked {
		mirror(parts)
	}
	return parts
}

// visual returns the parts from left to right, with a blank for every gap.
func (l *line) visual() []part {
	sorted := make([]part, 0, len(l.parts))
	for _, p := range l.parts {
		if p.glyph != nil {
			sorted = append(sorted, p)
		}
	}
	slices.SortStableFunc(sorted, func(a, b part) int {
		switch x, y := a.from(l.dir), b.from(l.dir); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	out := make([]part, 0, len(l.parts))
	end := math.Inf(-1)
	for i, p := range sorted {
		if i > 0 && p.from(l.dir)-end >= noBlank*p.glyph.Size && p.text[0] != ' ' && sorted[i-1].text != " " {
			out = append(out, part{text: " "})
		}
		out = append(out, p)
		end = max(end, p.to(l.dir))
	}
	return out
}

// strong is the direction of p: L, R, a number's class, or that of neutral
// text, ON.
func (p part) strong() bidi.Class {
	r, _ := utf8.DecodeRuneInString(p.text)
	switch c := class(r); c {
	case bidi.L, bidi.EN, bidi.AN:
		return c
	case bidi.R, bidi.AL:
		return bidi.R
	case bidi.ES, bidi.CS, bidi.ET:
		return bidi.ES
	}
	return bidi.ON
}

// reverseRuns reverses the runs of parts that in holds for, with what is
// neutral inside of them. Numbers inside of a reversed run are turned back.
func reverseRuns(parts []part, in func(bidi.Class) bool) {
	for i := 0; i < len(parts); {
		if !in(parts[i].strong()) {
			i++
			continue
		}
		end := i + 1
		for k := end; k < len(parts); k++ {
			c := parts[k].strong()
			if in(c) {
				end = k + 1
			} else if c == bidi.L || c == bidi.R {
				break
			}
		}
		run := parts[i:end]
		slices.Reverse(run)
		if in(bidi.R) {
			reverseNumbers(run)
		}
		i = end
	}
}

// reverseNumbers turns the numbers of run round, with the signs inside.
func reverseNumbers(run []part) {
	number := func(c bidi.Class) bool { return c == bidi.EN || c == bidi.AN }
	for i := 0; i < len(run); i++ {
		end := i
		for k := i; k < len(run); k++ {
			if c := run[k].strong(); number(c) {
				end = k + 1
			} else if c != bidi.ES || end == i {
				break
			}
		}
		if end > i+1 {
			slices.Reverse(run[i:end])
		}
		i = max(i, end-1)
	}
}

// attachMarks puts each combining mark behind the letter that it stands on.
func attachMarks(parts []part, dir glyph.Point) {
	for i := 0; i+1 < len(parts); i++ {
		m, next := parts[i], parts[i+1]
		r, _ := utf8.DecodeRuneInString(m.text)
		if m.glyph == nil || next.glyph == nil || !unicode.Is(unicode.Mn, r) || !rightToLeft(first(next.text)) {
			continue
		}
		at := (m.from(dir) + m.to(dir)) / 2
		if next.from(dir) <= at && at <= next.to(dir) {
			parts[i], parts[i+1] = next, m
		}
	}
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

const (
	opening = "([{<«‹"
	closing = ")]}>»›"
)

// brackets is how many brackets of parts face the way of a pair, less those
// that do not.
func brackets(parts []part) int {
	open, score := 0, 0
	for _, p := range parts {
		switch {
		case p.glyph == nil || len(p.text) > 2:
		case strings.Contains(opening, p.text):
			open++
		case strings.Contains(closing, p.text) && open > 0:
			open--
			score++
		case strings.Contains(closing, p.text):
			score--
		}
	}
	return score - open
}

// mirror turns the brackets of parts round.
func mirror(parts []part) {
	from, to := []rune(opening), []rune(closing)
	for i, p := range parts {
		r, n := utf8.DecodeRuneInString(p.text)
		if n != len(p.text) || p.glyph == nil {
			continue
		}
		if k := slices.Index(from, r); k >= 0 {
			parts[i].text = string(to[k])
		} else if k := slices.Index(to, r); k >= 0 {
			parts[i].text = string(from[k])
		}
	}
}

// lineWriter writes one line of a page.
type lineWriter struct {
	*Builder
	Line
	word text.Word // open, if in is set
	in   bool
	bold int // bold letters
}

// maxSizes is how many sizes of a line are told apart.
const maxSizes = 32

// sizeCount is how many letters have a size.
type sizeCount struct {
	size float64
	n    int
}

func (w *lineWriter) write(parts []part) {
	w.Start = w.sb.Len()
	for _, p := range parts {
		g := p.glyph
		if g == nil {
			w.rune(' ', text.Box{}, nil)
			continue
		}
		if w.Dir == (glyph.Point{}) {
			w.Baseline, w.Dir = g.From.Y, g.Dir
		}
		n := float64(utf8.RuneCountInString(p.text))
		along, i := g.To.Sub(g.From), 0.0
		for _, r := range p.text {
			w.rune(r, box(g, g.From.Add(i/n, along), g.From.Add((i+1)/n, along)), g)
			i++
		}
	}
	w.endWord()
	w.sb.WriteByte('\n')
	w.End = w.sb.Len()
	most := 0
	for _, c := range w.sizes {
		if c.n > most || c.n == most && c.size > w.Size {
			most, w.Size = c.n, c.size
		}
	}
	w.Bold = 2*w.bold > w.Letters
	w.lines = append(w.lines, w.Line)
}

// rune appends r, which fills box q. g is its glyph, nil for a blank that
// stands for a gap.
func (w *lineWriter) rune(r rune, q text.Box, g *glyph.Glyph) {
	at := w.sb.Len()
	w.sb.WriteRune(r)
	if r <= ' ' || r > '~' && unicode.IsSpace(r) {
		w.endWord()
		return
	}
	if !w.in {
		w.in, w.word = true, text.Word{Span: text.Span{Start: at}, Box: q}
	}
	w.word.End = w.sb.Len()
	grow(&w.word.Box, q)
	w.Letters++
	w.count(g.Size)
	if g.Bold {
		w.bold++
	}
}

func (w *lineWriter) endWord() {
	if !w.in {
		return
	}
	if w.Box == (text.Box{}) {
		w.Box = w.word.Box
	}
	grow(&w.Box, w.word.Box)
	w.words = append(w.words, w.word)
	w.in = false
}

// grow makes b the smallest box around b and q, as text.Box.Union does: this is
// done for each letter, and the built-in min and max are slow in WebAssembly.
func grow(b *text.Box, q text.Box) {
	if q.X0 < b.X0 {
		b.X0 = q.X0
	}
	if q.Y0 < b.Y0 {
		b.Y0 = q.Y0
	}
	if q.X1 > b.X1 {
		b.X1 = q.X1
	}
	if q.Y1 > b.Y1 {
		b.Y1 = q.Y1
	}
}

// count adds a letter of a size; lines have few sizes.
func (w *lineWriter) count(size float64) {
	for i := range w.sizes {
		if w.sizes[i].size == size {
			w.sizes[i].n++
			return
		}
	}
	if len(w.sizes) < maxSizes {
		w.sizes = append(w.sizes, sizeCount{size, 1})
	}
}
