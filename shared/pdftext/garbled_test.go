package pdftext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
)

// Pages whose fonts do not say which letters they show must be reported, unless the guess
// reads like a language.
func TestGarbledText(t *testing.T) {
	const (
		english = "The mill stands where the water falls, and the wheel turns the stones all day."
		note    = "the text may be garbled, because fonts do not say which letters they show: page 1"
	)
	shifted := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return 'a' + (r-'a'+3)%26
		}
		return r
	}, strings.ToLower(english))
	names := func(name string) (s string) {
		for c := 'a'; c <= 'z'; c++ {
			s += fmt.Sprintf(" /"+name, c)
		}
		return "<< /Type /Font /Subtype /Type1 /BaseFont /Own /Encoding << /Differences [97" + s + "] >> >>"
	}
	hex := func(shift int) (s string) {
		for _, c := range english {
			s += fmt.Sprintf("%04x", int(c)+shift)
		}
		return "<" + s + ">"
	}
	const composite = "<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /BaseFont /Own >>] >>"
	private := composite[:len(composite)-2] + "/ToUnicode 6 0 R >>"
	for _, c := range []struct {
		name, font, shown string
		garbled           bool
	}{
		{"private names", names("g%d"), "(" + shifted + ")", true},
		{"private names, as they are", names("g%d"), "(" + strings.ToLower(english) + ")", false},
		{"names of letters", names("%c"), "(" + shifted + ")", false},
		{"glyphs without a map", composite, hex(0x400), true},
		{"a map to private characters", private, hex(0), true},
		{"a few letters without a map", names("g%d"), "(" + shifted[:16] + ")", false},
	} {
		d := must(t, pdftest.Raw(onePage("/Resources << /Font << /F 5 0 R >> >>", pdftest.Stream("", "BT /F 12 Tf 20 700 Td "+c.shown+" Tj ET"), c.font,
			pdftest.Stream("", "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <00ff> <e000> endbfrange"))...), pdftext.Options{})
		if got := slices.Contains(d.Notes, note); got != c.garbled {
			t.Errorf("%s: notes %q of %q", c.name, d.Notes, d.Pages[0].Text)
		}
	}
}
