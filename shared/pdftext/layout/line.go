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

// line collects the glyphs of one line, in file order.
type line struct {
	dir   glyph.Point
	parts []part
	right int // number of right-to-left letters
}

// part is the text of one glyph, or a space for a gap.
type part struct {
	text    string
	glyph   *glyph.Glyph // nil for a gap
	inWord  bool         // a gap between letters of a word that is spread out
	newWord bool         // begins a word, after a gap too narrow for a space
}

func (l *line) put(s string, g *glyph.Glyph) {
	l.parts = append(l.parts, part{text: s, glyph: g})
	if r, _ := utf8.DecodeRuneInString(s); rightToLeft(r) {
		l.right++
	}
}

// rightToLeft reports whether r is a letter of a right-to-left script.
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

// extent returns the start and end of l's glyphs along its direction.
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

// goesOnLeft reports whether m continues l to the left, on the same baseline and at most a
// space away. Both must be right-to-left text.
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

// logical returns the parts in reading order. A line with right-to-left letters is first
// put in visual order. Then the reordering of the Unicode Bidirectional Algorithm (UAX #9)
// is undone.
func (l *line) logical() []part {
	if l.right == 0 {
		return l.parts
	}
	l.bindMarks()
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

// visual returns the parts from left to right, with a space for every gap.
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

// strong returns the direction of p: L, R, a number's class, or ON for neutral text.
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

// reverseRuns reverses the runs of parts for which in returns true, including neutral parts
// inside them. Numbers inside a reversed run keep their order.
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

// reverseNumbers reverses the numbers of run, including the signs inside.
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

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

const (
	opening = "([{<«‹"
	closing = ")]}>»›"
)

// brackets returns the number of brackets that face the way of a pair, minus the number of
// those that do not.
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

// mirror replaces the brackets of parts by their counterparts.
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
	word text.Word // open if in is set
	in   bool
	bold int // number of bold letters
	lean int // number of italic letters
	font int // number of the last letter's font
	opts int // number of letters of options that are not chosen
}

// maxSizes is the maximum number of sizes counted in a line.
const maxSizes = 32

// sizeCount is the number of letters of a size.
type sizeCount struct {
	size float64
	n    int
}

func (w *lineWriter) write(parts []part) {
	w.Start, w.Mono, w.font = w.sb.Len(), true, -1
	for _, p := range parts {
		g := p.glyph
		if p.newWord {
			w.NewWords = append(w.NewWords, w.sb.Len())
		}
		if p.inWord {
			w.InWords = append(w.InWords, w.sb.Len())
		}
		if g == nil {
			w.rune(' ', text.Box{}, nil)
			continue
		}
		if w.Dir == (glyph.Point{}) {
			w.Baseline, w.Dir = g.From.Y, g.Dir
		}
		n := float64(utf8.RuneCountInString(p.text))
		along, i := g.To.Sub(g.From), 0.0
		if g.Sight == glyph.Hidden {
			w.hide(text.Span{Start: w.sb.Len(), End: w.sb.Len() + len(p.text)})
		}
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
	w.Bold, w.Italic, w.Mono = 2*w.bold > w.Letters, 2*w.lean > w.Letters, w.Mono && w.Letters > 0
	w.Option = w.Letters > 0 && w.opts == w.Letters
	if len(w.sizes) > 1 {
		w.Raised = raised(parts, w.Start, w.Size)
	}
	w.lines = append(w.lines, w.Line)
}

// hide notes that nobody sees s, which follows the text written so far. It joins two parts
// with only a space between them.
func (w *lineWriter) hide(s text.Span) {
	if n := len(w.Hidden); n > 0 && strings.TrimSpace(w.sb.String()[w.Hidden[n-1].End:s.Start]) == "" {
		w.Hidden[n-1].End = s.End
		return
	}
	w.Hidden = append(w.Hidden, s)
}

// rune appends r, which fills box q. g is its glyph, or nil for a space in a gap.
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
	if g.Italic {
		w.lean++
	}
	if g.Option {
		w.opts++
	}
	if g.Font != w.font {
		w.font = g.Font
		w.Mono = w.Mono && w.Builder.mono(g.Font)
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

// grow extends b to include q, like text.Box.Union. It runs for each letter, and the
// built-in min and max are slow in WebAssembly.
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

// count counts a letter of a size. Lines have few sizes.
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
