package layout

import (
	"strings"
	"testing"
	"unicode"

	"seam/shared/pdftext/glyph"
)

// drawn returns glyphs half an em wide from left to right, with "_" for a gap.
func drawn(x float64, s string) (out []glyph.Glyph) {
	for _, r := range s {
		if r != '_' {
			out = append(out, at(x, 0, string(r)))
		}
		x += 5
	}
	return out
}

// leftwards draws s in reading order, each glyph to the left of the previous one. A point
// has no width. Its place is given in points from the start of its letter.
func leftwards(x float64, s string, point float64) (out []glyph.Glyph) {
	for _, r := range s {
		if unicode.Is(unicode.Mn, r) {
			g := at(x+5+point, 0, string(r))
			g.To = g.From
			out = append(out, g)
			continue
		}
		if r != '_' {
			out = append(out, at(x, 0, string(r)))
		}
		x -= 5
	}
	return out
}

// The expected text is as typed on a keyboard for the language.
func TestRightToLeft(t *testing.T) {
	ligature := drawn(0, "םע")
	ligature[1].Text = "לא"
	for _, c := range []struct {
		name   string
		glyphs []glyph.Glyph
		want   string
	}{
		{"as shown", drawn(0, "םלוע םולש"), "שלום עולם"},
		{"gaps", drawn(0, "םלוע_םולש"), "שלום עולם"},
		{"as read", leftwards(100, "שלום עולם", 0), "שלום עולם"},
		{"as read, with gaps", leftwards(100, "שלום_עולם", 0), "שלום עולם"},
		{"word by word", append(drawn(50, "םולש"), drawn(25, "םלוע")...), "שלום עולם"},
		{"number", drawn(0, ".1948 תנשב"), "בשנת 1948."},
		{"number with signs", drawn(0, "12,345.6 ריחמ"), "מחיר 12,345.6"},
		{"Latin inside", drawn(0, "שדח Go 1.26 יצחא"), "אחצי Go 1.26 חדש"},
		{"inside Latin", drawn(0, "the word םולש means peace"), "the word שלום means peace"},
		{"brackets", drawn(0, "(םלוע) םולש"), "שלום (עולם)"},
		{"brackets as read", drawn(0, ")םלוע( םולש"), "שלום (עולם)"},
		{"points as read", leftwards(100, "שָׁלוֹם עוֹלָם", 0), "שָׁלוֹם עוֹלָם"},
		{"points beside their letters", leftwards(100, "שָׁלוֹם עוֹלָם", -0.6), "שָׁלוֹם עוֹלָם"},
		{"ligature", ligature, "לאם"},
		{"Arabic", drawn(0, "مالسلا"), "السلام"},
		{"two lines", append(drawn(0, "םולש"), at(0, 12, "a")), "שלום\na"},
		{"another column", append(drawn(100, "םולש"), drawn(20, "םלוע")...), "שלום\nעולם"},
	} {
		p := Content(c.glyphs)
		if got := strings.TrimSuffix(p.Text, "\n"); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
		for i, w := range strings.Fields(p.Text) {
			if got := p.Words[i].Of(p.Text); got != w {
				t.Errorf("%s: word %q, not %q", c.name, got, w)
			}
		}
	}
}

// A mark must follow its letter, wherever it is in the file.
func TestMarksFollowLetters(t *testing.T) {
	mark := glyph.Glyph{Text: "\u05b8", From: glyph.Point{X: 7}, To: glyph.Point{X: 7}, Dir: glyph.Point{X: 1},
		Up: glyph.Point{Y: -10}, Size: 10, Ascent: 0.8, Descent: -0.2}
	for name, g := range map[string][]glyph.Glyph{
		"behind": {at(0, 0, "ב"), at(5, 0, "א"), mark},
		"before": {at(0, 0, "ב"), mark, at(5, 0, "א")},
	} {
		if got := Content(g).Text; got != "א\u05b8ב\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
