package pdftext_test

import (
	"slices"
	"strings"

	"seam/shared/pdftext/pdftest"
)

// Pages that are read or written in another direction.

// hebrew is a column of words, one per line, which read the same in both directions: this
// tests the order of columns and lines.
func hebrew(letters string) string {
	var words []string
	for _, r := range letters {
		words = append(words, strings.Repeat(string(r), 20))
	}
	words = append(words, strings.Repeat("ת", 6)) // a last line
	return strings.Join(words, " ")
}

func rightToLeft() pdftest.Doc {
	var p sheet
	for i, letters := range []string{"ונסמל", "אבגדה"} { // the left column comes first in the file
		for k, word := range strings.Fields(hebrew(letters)) {
			right := 200 + 200*float64(i) // right end, where lines begin
			p = append(p, pdftest.Text{X: right - 5*float64(len([]rune(word))), Y: 700 - 12*float64(k), Size: 10, Font: "Unicode", S: word})
		}
	}
	return doc(p)
}

func upsideDown() pdftest.Doc {
	d := acrossPage()
	d.Pages[0].Rotate = 180
	return d
}

func bottomUp() pdftest.Doc {
	d := acrossPage()
	slices.Reverse(d.Pages[0].Texts)
	return d
}

// acrossPage is a page of two paragraphs that was scanned sideways.
func acrossPage() pdftest.Doc {
	c := column(100, 700, 400)
	c.After = 8
	return doc(c.Set(mills, looms))
}
