package layout

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/glyph"
)

// at returns a glyph that is half an em wide, at size 10.
func at(x, y float64, s string) glyph.Glyph {
	return glyph.Glyph{Text: s, From: glyph.Point{X: x, Y: y}, To: glyph.Point{X: x + 5, Y: y},
		Dir: glyph.Point{X: 1}, Up: glyph.Point{Y: -10}, Size: 10, Ascent: 0.8, Descent: -0.2}
}

// narrow returns an l with a small advance.
func narrow(x float64) glyph.Glyph {
	g := at(x, 0, "l")
	g.To.X = x + 0.6
	return g
}

func TestContent(t *testing.T) {
	tests := []struct {
		name   string
		glyphs []glyph.Glyph
		want   string
	}{
		{"nothing", nil, ""},
		{"word", []glyph.Glyph{at(0, 0, "a"), at(5, 0, "b")}, "ab\n"},
		{"kerned", []glyph.Glyph{at(0, 0, "a"), at(6.4, 0, "b"), at(10, 0, "c")}, "abc\n"},
		{"gap", []glyph.Glyph{at(0, 0, "a"), at(6.6, 0, "b")}, "a b\n"},
		{"gap before a blank", []glyph.Glyph{at(0, 0, "a"), at(7, 0, " "), at(12, 0, "b")}, "a b\n"},
		{"gap behind a blank", []glyph.Glyph{at(0, 0, "a"), at(5, 0, " "), at(12, 0, "b")}, "a b\n"},
		{"no gap in Chinese", []glyph.Glyph{at(0, 0, "漢"), at(7, 0, "字")}, "漢字\n"},
		{"wide gap in Chinese", []glyph.Glyph{at(0, 0, "漢"), at(11, 0, "字")}, "漢 字\n"},
		{"gap from Chinese to Latin", []glyph.Glyph{at(0, 0, "表"), at(7, 0, "7")}, "表 7\n"},
		{"gap in Korean", []glyph.Glyph{at(0, 0, "눈"), at(7, 0, "이")}, "눈 이\n"},
		{"gap in Vietnamese", []glyph.Glyph{at(0, 0, "ế"), at(7, 0, "b")}, "ế b\n"},
		{"no gap behind a sign", []glyph.Glyph{at(0, 0, "■"), at(7, 0, "a")}, "■a\n"},
		{"wide gap", []glyph.Glyph{at(0, 0, "a"), at(14, 0, "b")}, "a\nb\n"},
		{"raised", []glyph.Glyph{at(0, 10, "x"), at(5, 5, "2")}, "x2\n"},
		{"next line", []glyph.Glyph{at(0, 0, "a"), at(0, 12, "b")}, "a\nb\n"},
		{"twice", []glyph.Glyph{at(0, 0, "a"), at(0.5, 0, "a"), at(5, 0, "b")}, "ab\n"},
		{"narrow letters doubled", []glyph.Glyph{narrow(0), narrow(0.6), at(1.2, 0, "b")}, "llb\n"},
		{"controls", []glyph.Glyph{at(0, 0, "a\x01\t"), at(5, 0, "\x02"), at(5, 0, "b")}, "a b\n"},
		{"not UTF-8", []glyph.Glyph{at(0, 0, "a\xff")}, "a\ufffd\n"},
	}
	for _, c := range tests {
		p := Content(c.glyphs)
		if p.Text != c.want {
			t.Errorf("%s: %q, not %q", c.name, p.Text, c.want)
		}
		for i, w := range strings.Fields(p.Text) {
			if got := p.Words[i].Of(p.Text); got != w {
				t.Errorf("%s: word %q, not %q", c.name, got, w)
			}
		}
	}
}

// Letters drawn twice are in the text once: below a word, on it, and beside it.
func TestDrawnTwice(t *testing.T) {
	word := func(x, y float64) []glyph.Glyph { return drawnAt(x, y, "Surpass") }
	lone := []glyph.Glyph{at(0, 0, "S"), at(30, 0, "s")}
	for name, c := range map[string]struct {
		glyphs [][]glyph.Glyph
		want   string
	}{
		"lone letters below a word":      {[][]glyph.Glyph{lone, word(0, 0)}, "Surpass\n"},
		"lone letters on a word":         {[][]glyph.Glyph{word(0, 0), lone}, "Surpass\n"},
		"lone letters twice, and a word": {[][]glyph.Glyph{lone, lone, word(0, 0), word(0.2, 0)}, "Surpass\n"},
		"a shadow":                       {[][]glyph.Glyph{word(2, 2), word(0, 0)}, "Surpass\n"},
		"a shadow after other lines":     {[][]glyph.Glyph{word(2, 2), drawnAt(0, 40, "below"), word(0, 0)}, "Surpass\nbelow\n"},
		"the next line has the same":     {[][]glyph.Glyph{word(0, 0), word(0, 11)}, "Surpass\nSurpass\n"},
		"the next column has the same":   {[][]glyph.Glyph{word(0, 0), word(60, 0)}, "Surpass\nSurpass\n"},
		"other words at the place":       {[][]glyph.Glyph{word(2, 2), drawnAt(0, 0, "Surplus")}, "Surpass\nSurplus\n"},
	} {
		if got := Content(slices.Concat(c.glyphs...)).Text; got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// Accents drawn over letters are one letter with them, in any order.
func TestAccents(t *testing.T) {
	for _, c := range []struct {
		name   string
		glyphs []glyph.Glyph
		want   string
	}{
		{"after the letter", []glyph.Glyph{at(0, 0, "f"), at(5, 0, "e"), at(5, 0, "´"), at(10, 0, "s")}, "fés\n"},
		{"before the letter", []glyph.Glyph{at(0, 0, "f"), at(5.4, 0, "´"), at(5, 0, "e"), at(10, 0, "s")}, "fés\n"},
		{"over a capital", []glyph.Glyph{at(0, 0, "´"), at(0.2, 2, "E"), at(5.2, 2, "s")}, "És\n"},
		{"without its dot", []glyph.Glyph{at(0, 0, "¨"), at(0, 0, "ı"), at(5, 0, "s")}, "ïs\n"},
		{"after the line", append(drawnAt(0, 0, "cafe au lait"), at(15, 0, "´")), "café au lait\n"},
		{"beside the letter", []glyph.Glyph{at(0, 0, "e"), at(5, 0, "´"), at(10, 0, "e")}, "e´e\n"},
		{"a letter without such a form", []glyph.Glyph{at(0, 0, "q"), at(0, 0, "´")}, "q´\n"},
		{"no accent", []glyph.Glyph{at(0, 0, "="), at(0, 0, "/")}, "=/\n"},
	} {
		if got := Content(c.glyphs).Text; got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// small returns a glyph of size 7, half an em wide.
func small(x, y float64, s string) glyph.Glyph {
	g := at(x, y, s)
	g.To.X, g.Size = x+3.5, 7
	return g
}

// Small letters drawn after their line are put into the gaps they fit in.
func TestDrawnLate(t *testing.T) {
	gap := append(drawnAt(0, 0, "use H"), drawnAt(30, 0, "SO")...)
	gap = append(gap, drawnAt(45, 0, "now")...) // 40 to 45 is free
	for _, c := range []struct {
		name string
		late []glyph.Glyph
		want string
	}{
		{"nothing", nil, "use H SO now\n"},
		{"subscripts", []glyph.Glyph{small(25.5, 3, "2"), small(40.5, 3, "4")}, "use H2SO4now\n"},
		{"between blanks", []glyph.Glyph{small(40.8, 3, "4")}, "use H SO4now\n"},
		{"no gap", []glyph.Glyph{small(31, 3, "2")}, "use H SO now\n2\n"},
		{"too far below", []glyph.Glyph{small(25.5, 7, "2")}, "use H SO now\n2\n"},
		{"too large", []glyph.Glyph{at(25.5, 3, "2")}, "use H SO now\n2\n"},
	} {
		if got := Content(append(slices.Clone(gap), c.late...)).Text; got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestMono(t *testing.T) {
	word := func(words string, narrow float64, font int) (out []glyph.Glyph) {
		x := 0.0
		for _, r := range words {
			g := at(x, 12*float64(font), string(r))
			if g.Font = font; r == 'i' || r == 'l' {
				g.To.X = x + narrow
			}
			out = append(out, g)
			x = g.To.X
		}
		return out
	}
	p := Content(slices.Concat(word("while nil", 5, 1), word("while nil", 3, 2), word("moon", 5, 3), word("moon", 5, 1)))
	var got []bool
	for _, l := range p.Lines {
		got = append(got, l.Mono)
	}
	if want := []bool{true, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v, for %q", got, want, p.Text)
	}
}

func TestRaised(t *testing.T) {
	glyphs := []glyph.Glyph{at(0, 10, "1"), at(5, 10, "0"), small(10, 6, "−"), small(13.5, 6, "8"), at(17, 10, "m"), small(22, 12, "2")}
	p := Content(glyphs)
	if got := p.Lines[0].Raised; len(got) != 1 || got[0].Of(p.Text) != "−8" {
		t.Errorf("%v of %q", got, p.Text)
	}
	if got := Content(glyphs[:2]).Lines[0].Raised; got != nil {
		t.Errorf("%v", got)
	}
}

// drawnAt returns glyphs half an em wide from left to right.
func drawnAt(x, y float64, s string) (out []glyph.Glyph) {
	for i, r := range s {
		out = append(out, at(x+5*float64(i), y, string(r)))
	}
	return out
}

// The box of a glyph is divided among its letters, so that words in a replacement text have
// separate boxes.
func TestBoxOfParts(t *testing.T) {
	g := at(0, 0, "ab cd")
	g.To.X = 50
	p := Content([]glyph.Glyph{g})
	if len(p.Words) != 2 || p.Words[0].Box.X1 != 20 || p.Words[1].Box.X0 != 30 {
		t.Errorf("words %v", p.Words)
	}
}
