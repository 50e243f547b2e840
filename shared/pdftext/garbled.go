package pdftext

import (
	"strings"
	"unicode"

	"seam/shared/pdftext/glyph"
)

// Criteria for a page with garbled text.
const (
	fewestGarbled = 20   // letters without a known text
	garbledShare  = 0.2  // of the page's letters
	usualShare    = 0.45 // minimum share of usual letters in a text that is guessed right
)

// usual are the most frequent letters of European languages. They are about two thirds of
// the letters of a text. Among letters drawn for others they are a third or less.
const usual = "eainrtso"

// garbled reports whether a part of a page's text is likely to be wrong: letters that the
// file maps to no character, or only to a private one, and guesses that read like no
// language.
func garbled(glyphs []glyph.Glyph) bool {
	all, unknown, guessed, right := 0, 0, 0, 0
	for i := range glyphs {
		g := &glyphs[i]
		for _, r := range g.Text {
			if unicode.IsSpace(r) || unicode.IsControl(r) && !g.Guess {
				continue
			}
			switch all++; {
			case r == unicode.ReplacementChar, unicode.Is(unicode.Co, r), unicode.IsControl(r):
				unknown++
			case g.Guess:
				if guessed++; strings.ContainsRune(usual, unicode.ToLower(r)) {
					right++
				}
			}
		}
	}
	if float64(right) < usualShare*float64(guessed) {
		unknown += guessed
	}
	return unknown >= fewestGarbled && float64(unknown) > garbledShare*float64(all)
}
