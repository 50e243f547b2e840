package layout

import (
	"math"
	"slices"
	"unicode"

	"seam/shared/pdftext/glyph"
)

// Thresholds for lines whose gaps differ from the usual ones, in sizes. They concern lines
// in which letters are spread out, as headings often are, and tightly justified lines
// without spaces.
const (
	spreadShare = 0.8  // minimum share of letters followed by a gap
	wordShare   = 0.4  // maximum share of letters that end a word
	wordStep    = 0.1  // minimum difference between gaps of letters and of words in spread text
	evenGaps    = 0.1  // maximum difference between the gaps of one spread word
	leastSpread = 4    // minimum number of letters of one spread word
	tightPairs  = 16   // minimum number of pairs of letters in a line that shows how tight it is
	tightLetter = 0.08 // maximum gap between letters of a tight line
	tightWord   = 0.2  // maximum median of the gaps between words of it
	tightStep   = 0.05 // minimum difference between gaps of letters and of words in it
	leastWords  = 3    // minimum number of gaps between words in it
	longestWord = 10   // maximum average of letters per word in it
	clearStep   = 0.1  // minimum difference between the gaps of a line that may have longer words, such as an address
	longestLine = 20   // maximum average of letters per word in such a line
)

// spread is the last line whose letters are spread out.
type spread struct {
	glyph  *glyph.Glyph // its first; nil if there is none
	letter float64      // gap between its letters
	limit  float64      // minimum gap between its words
}

// regap decides about the words of l by the distribution of its gaps, where it has two
// modes: one of gaps between letters and one of gaps between words. A short line after a
// spread one is spread out like it if it has the same gaps.
func (b *Builder) regap(l *line) {
	gaps, last := b.gaps[:0], b.spread
	b.spread = spread{}
	defer func() { b.gaps = gaps }()
	if l.right > 0 {
		return
	}
	wide, letters, signs, drawn := 0, 0, 0, 0
	var before *part
	for i := range l.parts {
		p := &l.parts[i]
		if p.glyph == nil {
			continue
		}
		r := first(p.text)
		switch {
		case r == ' ' || r == '\u00a0':
			drawn++
			before = nil
			continue
		case unspaced(r) || p.glyph.Vertical:
			return
		case unicode.IsLetter(r):
			letters++
		default:
			signs++
		}
		if before != nil {
			gap := l.gap(before, p)
			gaps = append(gaps, gap)
			if gap >= noBlank {
				wide++
			}
		}
		before = p
	}
	n := len(gaps)
	switch {
	case 0 < n && n+1 < leastSpread && last.fits(l, gaps):
		l.space(last.limit, math.Inf(1))
		b.spread = last
	case n+1 >= leastSpread && float64(wide) >= float64(spreadShare*float64(n)) && letters > 4*signs:
		slices.Sort(gaps)
		if limit, ok := l.spreadLimit(gaps); ok {
			l.space(limit, math.Inf(1))
			b.spread = spread{l.parts[0].glyph, gaps[n/2], limit}
		}
	case n >= tightPairs && drawn == 0 && letters > 4*signs:
		slices.Sort(gaps)
		if limit := tightLimit(gaps); limit < noBlank {
			l.space(limit, noBlank)
		}
	}
}

// fits reports whether l has the size and the gaps of s.
func (s *spread) fits(l *line, gaps []float64) bool {
	return s.glyph != nil && s.glyph.Size == l.parts[0].glyph.Size && s.glyph.Font == l.parts[0].glyph.Font &&
		!slices.ContainsFunc(gaps, func(gap float64) bool { return math.Abs(gap-s.letter) > evenGaps })
}

// gap returns the space between two parts of l in sizes of the second.
func (l *line) gap(a, b *part) float64 {
	return l.dir.Dot(b.glyph.From.Sub(a.glyph.To)) / b.glyph.Size
}

// spreadLimit returns the minimum gap between words of a line whose letters are spread out.
// gaps are in ascending order. Without gaps of two kinds, the line is one word if its gaps
// are even and its letters are no list, such as "A B C D".
func (l *line) spreadLimit(gaps []float64) (limit float64, ok bool) {
	n := len(gaps)
	step := 0.0
	for i := max(1, n-int(wordShare*float64(n))); i < n; i++ {
		if d := gaps[i] - gaps[i-1]; d > step {
			step, limit = d, gaps[i-1]+d/2
		}
	}
	if step >= wordStep {
		return limit, true
	}
	return math.Inf(1), gaps[n-1]-gaps[0] <= evenGaps && !l.isList()
}

// isList reports whether most letters of l follow each other in the alphabet or repeat.
func (l *line) isList() bool {
	follow, n := 0, 0
	last := rune(0)
	for _, p := range l.parts {
		if r := first(p.text); p.glyph != nil && unicode.IsLetter(r) {
			if d := r - last; d == 0 || d == 1 {
				follow++
			}
			last = r
			n++
		}
	}
	return 2*follow >= n
}

// tightLimit returns the minimum gap between words of a line without spaces, or noBlank.
// gaps are in ascending order.
func tightLimit(gaps []float64) float64 {
	n := len(gaps)
	step, words := 0.0, n
	for i := n / 2; i < n && n-i >= leastWords && (n-i)*longestLine >= n; i++ {
		d := gaps[i] - gaps[i-1]
		if d > step && ((n-i)*longestWord >= n || d >= clearStep && gaps[n-1]-gaps[i] <= tightStep) {
			step, words = d, i
		}
	}
	if step < tightStep || gaps[words-1] > tightLetter || gaps[(words+n)/2] > tightWord {
		return noBlank
	}
	return min(gaps[words-1]+step/2, noBlank)
}

// space marks the spaces of gaps of less than limit sizes, and the gaps without a space of
// at least limit. It leaves gaps of at least end as they are. The text of the page keeps the
// spaces that PyMuPDF finds; only the reading view follows the marks.
func (l *line) space(limit, end float64) {
	for i := 1; i < len(l.parts); i++ {
		p, k := &l.parts[i], i-1
		if p.glyph == nil || p.text[0] == ' ' {
			continue
		}
		blank := l.parts[k].glyph == nil
		if blank {
			k--
		}
		before := &l.parts[k]
		if before.text == " " {
			continue
		}
		switch gap := l.gap(before, p); {
		case gap >= end:
		case blank && gap < limit:
			l.parts[i-1].inWord = true
		case !blank && gap >= limit:
			p.newWord = true
		}
	}
}
