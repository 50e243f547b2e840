package layout

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"seam/shared/pdftext/glyph"
)

// spacedOut returns the letters of s half an em wide, with letter ems between them, and word
// ems more for each space. If blanks is set, spaces are drawn.
func spacedOut(s string, letter, word float64, blanks bool) (out []glyph.Glyph) {
	x := 0.0
	for _, r := range s {
		if r == ' ' && !blanks {
			x += 10 * word
			continue
		}
		out = append(out, at(x, 0, string(r)))
		if x += 5 + 10*letter; r == ' ' {
			x += 10*word - 5
		}
	}
	return out
}

// marked returns the text of p with the marks of its lines followed.
func marked(p Page) string {
	var sb strings.Builder
	for _, l := range p.Lines {
		for i := l.Start; i < l.End; i++ {
			if slices.Contains(l.NewWords, i) {
				sb.WriteByte(' ')
			}
			if !slices.Contains(l.InWords, i) {
				sb.WriteByte(p.Text[i])
			}
		}
	}
	return sb.String()
}

func TestGaps(t *testing.T) {
	const text = "the harbour office keeps a log"
	const address = "all its pages are at https://harbour.example/manual/applications/drivers/of/languages"
	for _, c := range []struct {
		name         string
		text         string
		letter, word float64
		blanks       bool
		want         string
	}{
		{"as usual", text, 0, 0.3, false, text},
		{"tight", text, 0, 0.12, false, text},
		{"tight, and kerned", text, 0.03, 0.1, false, text},
		{"tight, with an address", address, 0, 0.12, false, address},
		{"tight, with an address, and too even to tell", address, 0.03, 0.08, false, strings.ReplaceAll(address, " ", "")},
		{"too tight to tell", text, 0.06, 0.04, false, strings.ReplaceAll(text, " ", "")},
		{"short and tight", "a log", 0, 0.12, false, "alog"},
		{"a gap in one place is kerning", "harbouroffice keepsalog", 0, 0.12, false, "harbourofficekeepsalog"},
		{"spread", text, 0.2, 0.25, false, text},
		{"spread, with spaces", text, 0.2, 0.5, true, text},
		{"one spread word", "HARBOUR", 0.3, 0, false, "HARBOUR"},
		{"three letters", "ABX", 0.3, 0, false, "A B X"},
		{"a list", "ABCDEFG", 0.3, 0, false, "A B C D E F G"},
		{"a formula", "a+b=c*d", 0.3, 0, false, "a + b = c * d"},
	} {
		p := Content(spacedOut(c.text, c.letter, c.word, c.blanks))
		if got := strings.TrimSpace(marked(p)); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
		for _, l := range p.Lines {
			for _, i := range l.InWords {
				if p.Text[i] != ' ' {
					t.Errorf("%s: %q would be left out", c.name, p.Text[i])
				}
			}
		}
	}
}

// The short rest of a spread paragraph is spread like it, and other short lines are not.
func TestSpreadRest(t *testing.T) {
	rest := func(letter float64) string {
		glyphs := spacedOut("harbour office", 0.2, 0.25, false)
		for _, g := range spacedOut("bay", letter, 0, false) {
			g.From.Y, g.To.Y = 14, 14
			glyphs = append(glyphs, g)
		}
		return marked(Content(glyphs))
	}
	if got := rest(0.2); got != "harbour office\nbay\n" {
		t.Errorf("%q", got)
	}
	if got := rest(0.35); got != "harbour office\nb a y\n" {
		t.Errorf("%q", got)
	}
}

// Letters with marks of a second font are not cut off their word by small gaps around them.
func TestGapsOfASecondFont(t *testing.T) {
	const vietnamese = "Tiếng Việt và chữ ở đây"
	set := func(s string, odd, word float64, blanks bool, fonts func(r rune) int) (out []glyph.Glyph) {
		x, last := 0.0, 0
		for _, r := range s {
			if r == ' ' && !blanks {
				x += 10 * word
				last = -1
				continue
			}
			g := at(x, 0, string(r))
			if g.Font = fonts(r); r == ' ' {
				last = -1
			} else if last >= 0 && last != g.Font {
				x += 10 * odd
				g.From.X, g.To.X = x, x+5
				last = g.Font
			} else {
				last = g.Font
			}
			out = append(out, g)
			x += 5
		}
		return out
	}
	marks := func(r rune) int {
		if r > unicode.MaxASCII {
			return 1
		}
		return 0
	}
	words := func(r rune) int { // the second word is of another font
		if strings.ContainsRune("world", r) {
			return 1
		}
		return 0
	}
	for _, c := range []struct {
		name      string
		text      string
		odd, word float64
		blanks    bool
		fonts     func(r rune) int
		want      string
	}{
		{"with gaps", vietnamese, 0.16, 0.3, false, marks, vietnamese},
		{"with spaces", vietnamese, 0.2, 0.5, true, marks, vietnamese},
		{"with gaps of words", vietnamese, 0.28, 0.3, false, marks, "Ti ế ng Vi ệ t v à ch ữ ở đâ y"},
		{"one word", "Việt", 0.17, 0, false, marks, "Việt"},
		{"two words, two fonts", "hi world", 0, 0.16, false, words, "hi world"},
		{"no marks", "abc", 0.17, 0, false, func(r rune) int { return int(r) & 1 }, "a b c"},
	} {
		if got := strings.TrimSpace(marked(Content(set(c.text, c.odd, c.word, c.blanks, c.fonts)))); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}
