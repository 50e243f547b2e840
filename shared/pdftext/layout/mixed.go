package layout

import (
	"slices"
	"unicode"
)

// Criteria for the gaps around letters of another font: programs that take letters with
// marks, for example Vietnamese letters, from a second font often misplace them a little.
const (
	mixedRun   = 2   // maximum number of letters of the other font
	mixedShare = 0.6 // maximum gap in a word, relative to the usual gap between words of the line
	mixedGap   = 0.2 // the same in sizes, in a line without gaps between words
)

// join marks the spaces of gaps in words of l, at letters with marks of another font. The
// text of the page keeps them; see space.
func (l *line) join() {
	if l.right > 0 {
		return
	}
	var usual []float64 // gaps between words
	var odd []int       // parts that are gaps at such letters
	for i := 1; i+1 < len(l.parts); i++ {
		p, before, after := &l.parts[i], &l.parts[i-1], &l.parts[i+1]
		if p.text != " " || p.inWord || before.glyph == nil || after.glyph == nil || before.text == " " || after.text == " " {
			continue
		}
		if p.glyph == nil && (l.borrowed(i-1, -1) || l.borrowed(i+1, 1)) {
			odd = append(odd, i)
			continue
		}
		usual = append(usual, l.gap(before, after))
	}
	if len(odd) == 0 {
		return
	}
	limit := mixedGap
	if n := len(usual); n > 0 {
		slices.Sort(usual)
		limit = mixedShare * usual[n/2]
	}
	for _, i := range odd {
		if l.gap(&l.parts[i-1], &l.parts[i+1]) < limit {
			l.parts[i].inWord = true
		}
	}
}

// borrowed reports whether part i, next to a gap, belongs to a few letters with marks of
// another font than the letter on the other side of the gap. step leads away from the gap.
func (l *line) borrowed(i, step int) bool {
	font := l.parts[i].glyph.Font
	if other := &l.parts[i-2*step]; other.glyph.Font == font || !unicode.IsLetter(first(other.text)) {
		return false
	}
	for n := 0; ; n++ {
		if i < 0 || i >= len(l.parts) || l.parts[i].glyph == nil || l.parts[i].text == " " || l.parts[i].glyph.Font != font {
			return n > 0
		}
		if r := first(l.parts[i].text); n == mixedRun || r <= unicode.MaxASCII || !unicode.Is(unicode.Latin, r) {
			return false
		}
		i += step
	}
}
