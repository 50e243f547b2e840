package reading

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// fragment is a line of the content order without surrounding white space: a line of a
// paragraph, or a part of it if wide gaps divide it.
//
// Box and baseline are in the frame of its page: x grows in the direction of the text, y
// from line to line. All decisions are made in that frame, so turned pages and
// right-to-left pages are not special cases.
type fragment struct {
	text.Span // in the page's text
	text      string
	box       text.Box
	base      float64 // y of its baseline
	line      float64 // y of the baseline that it belongs to: differs for small signs above and below a line
	size      float64
	bold      bool
	italic    bool
	mono      bool // in a monospaced font, unlike most of the document
	letters   int
	order     int  // in the content of the page
	turn      turn // of its text
	glued     bool // directly after a drop cap that may begin its first word
	furniture bool
	source    *layout.Line
}

// turn is the direction of a text on its page, in quarter turns clockwise.
type turn int

const (
	level turn = iota
	down
	upsideDown
	up
	slanted
	turns = int(slanted)
)

// Limits of plausible measures, in points.
const (
	maxPlace = 1e6
	minSize  = 0.01
	maxSize  = 1e4
)

// straight is the minimum cosine between a text and the direction of its turn.
const straight = 0.999

func turnOf(l *layout.Line) turn {
	switch {
	case l.Dir.X > straight:
		return level
	case l.Dir.Y > straight:
		return down
	case l.Dir.X < -straight:
		return upsideDown
	case l.Dir.Y < -straight:
		return up
	}
	return slanted
}

// frame is the orientation in which a page is read.
type frame struct {
	turn     turn
	mirrored bool // text runs from right to left
}

// fragments makes the fragments of a page, each in the frame of its own turn. The returned
// frame is that for most of its text.
func fragments(t string, lines []layout.Line) ([]fragment, frame) {
	out := make([]fragment, 0, len(lines))
	var letters [turns + 1]int
	leftward, strong := 0, 0
	for i := range lines {
		l := &lines[i]
		part := visible(t, l)
		s := part.Of(t)
		if s == "" {
			continue
		}
		f := fragment{Span: part, text: s, size: within(l.Size, minSize, maxSize),
			bold: l.Bold, italic: l.Italic, mono: l.Mono, letters: max(l.Letters, 1), order: len(out), turn: turnOf(l), source: l}
		letters[f.turn] += f.letters
		n, all := rightToLeft(s)
		leftward, strong = leftward+n, strong+all
		f.box, f.base = l.Box, l.Baseline
		out = append(out, f)
	}
	main := frame{mirrored: 2*leftward > strong}
	for t := range turns {
		if letters[t] > letters[main.turn] {
			main.turn = turn(t)
		}
	}
	for i := range out {
		out[i].enter(main.mirrored)
		if i > 0 {
			raiseSigns(&out[i-1], &out[i])
		}
	}
	return out, main
}

// visible returns the part of l from its first to its last letter that can be seen.
func visible(t string, l *layout.Line) text.Span {
	s := l.Span
	for {
		trimmed := strings.TrimSpace(s.Of(t))
		s.Start += strings.Index(s.Of(t), trimmed)
		s.End = s.Start + len(trimmed)
		before := s
		for _, h := range l.Hidden {
			if h.Start <= s.Start && s.Start < h.End {
				s.Start = min(h.End, s.End)
			}
			if h.Start < s.End && s.End <= h.End {
				s.End = max(h.Start, s.Start)
			}
		}
		if s == before {
			return s
		}
	}
}

// enter transforms the place of f to the frame of its turn.
func (f *fragment) enter(mirrored bool) {
	b := text.Box{X0: within(f.box.X0, -maxPlace, maxPlace), Y0: within(f.box.Y0, -maxPlace, maxPlace),
		X1: within(f.box.X1, -maxPlace, maxPlace), Y1: within(f.box.Y1, -maxPlace, maxPlace)}
	switch f.turn {
	case down:
		b = text.Box{X0: b.Y0, Y0: -b.X1, X1: b.Y1, Y1: -b.X0}
	case upsideDown:
		b = text.Box{X0: -b.X1, Y0: -b.Y1, X1: -b.X0, Y1: -b.Y0}
	case up:
		b = text.Box{X0: -b.Y1, Y0: b.X0, X1: -b.Y0, Y1: b.X1}
	}
	if mirrored {
		b.X0, b.X1 = -b.X1, -b.X0
	}
	f.box = text.Box{X0: min(b.X0, b.X1), Y0: min(b.Y0, b.Y1), X1: max(b.X0, b.X1), Y1: max(b.Y0, b.Y1)}
	if f.base = within(f.base, -maxPlace, maxPlace); f.turn != level {
		f.base = f.box.Y1 - float64(usualDescent*f.size)
	}
	f.line = f.base
}

// raiseSigns moves the smaller of two adjacent fragments to the line of the larger one: the
// parts of a formula.
func raiseSigns(f, g *fragment) {
	size := max(f.size, g.size)
	gap := g.box.X0 - f.box.X1
	if f.turn != g.turn || gap < -0.5*size || gap > cellGap*size || math.Abs(f.base-g.base) > sign*size || f.letters > maxSign && g.letters > maxSign {
		return
	}
	if g.size < smallSign*f.size && g.letters <= maxSign {
		g.line = f.line
	} else if f.size < smallSign*g.size && f.letters <= maxSign {
		f.line = g.line
	}
}

// Criteria for the small signs of a formula.
const (
	sign      = 0.7  // maximum distance from its baseline, in sizes of the line
	smallSign = 0.85 // maximum size, relative to the line's
	maxSign   = 12   // letters
)

// usualDescent is the approximate extent of fonts below the baseline, in sizes.
const usualDescent = 0.2

// within returns x clamped to two limits, or the lower one if x is NaN.
func within(x, low, high float64) float64 {
	if math.IsNaN(x) {
		return low
	}
	return min(max(x, low), high)
}

// rightToLeft returns the number of right-to-left letters in s, and of all its letters.
func rightToLeft(s string) (n, all int) {
	for _, r := range s {
		switch {
		case glyph.RightToLeft(r):
			n++
			all++
		case unicode.IsLetter(r):
			all++
		}
	}
	return n, all
}

func (f *fragment) middle() float64 { return (f.box.Y0 + f.box.Y1) / 2 }
func (f *fragment) centre() float64 { return (f.box.X0 + f.box.X1) / 2 }

// alongside reports whether f and g are on one baseline.
func alongside(f, g *fragment) bool {
	return math.Abs(f.base-g.base) < sameBaseline*max(f.size, g.size)
}

// sameLine reports whether f and g belong to one baseline.
func sameLine(f, g *fragment) bool {
	return math.Abs(f.line-g.line) < sameBaseline*max(f.size, g.size)
}

// sameBaseline is the maximum difference, in sizes, between baselines of one row.
const sameBaseline = 0.3

// dropCaps finds large initials. It moves each one directly before the fragment with the
// rest of its word, and sets that fragment as glued.
func dropCaps(list []*fragment) []*fragment {
	taken := map[*fragment]*fragment{} // first line -> initial
	gone := map[*fragment]bool{}
	for i, c := range list {
		initial := strings.TrimLeft(c.text, opening)
		if utf8.RuneCountInString(initial) > maxInitial || !unicode.IsUpper(firstRune(initial)) && !digits(initial) {
			continue
		}
		var line *fragment
		for k := max(0, i-nearInitial); k < min(len(list), i+nearInitial); k++ {
			f := list[k]
			apart := f.box.X0 - c.box.X1
			if f == c || c.size < initialSize*f.size || apart < -0.5*f.size || apart > 1.5*f.size || f.letters < 8 ||
				f.base < c.box.Y0 || f.base > c.base {
				continue
			}
			if line == nil || f.base < line.base {
				line = f
			}
		}
		if line != nil && taken[line] == nil {
			taken[line], gone[c] = c, true
		}
	}
	if len(taken) == 0 {
		return list
	}
	out := make([]*fragment, 0, len(list))
	for _, f := range list {
		if gone[f] {
			continue
		}
		if c := taken[f]; c != nil {
			number := digits(strings.TrimLeft(c.text, opening))
			c.box, c.base, c.line, c.size, c.bold, c.order = f.box, f.base, f.line, f.size, f.bold, f.order
			c.box.X1 = c.box.X0
			f.glued = !number && unicode.IsLetter(firstRune(f.text)) || number && unicode.IsDigit(firstRune(f.text))
			out = append(out, c)
		}
		out = append(out, f)
	}
	return out
}

// digits reports whether s consists of digits.
func digits(s string) bool {
	return s != "" && strings.TrimLeft(s, "0123456789") == ""
}

// opening are signs that may be before a drop cap.
const opening = "\"'“”„‘’‚«»‹›(¿¡"

// Criteria for drop caps.
const (
	maxInitial  = 2   // runes without quotation marks before them
	initialSize = 1.8 // minimum size, relative to the line beside it
	nearInitial = 12  // number of following fragments in the content to examine
)
