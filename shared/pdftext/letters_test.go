package pdftext_test

import (
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// Ligatures and other forms of letters are their letters in the reading view. The content
// view has them as the file does.
func TestLigatures(t *testing.T) {
	for _, c := range []struct{ name, shown, want string }{
		{"Latin", "The o\ufb03ce \ufb01rst \ufb02oats o\ufb00", "The office first floats off"},
		{"a lone one", "\ufb01", "fi"},
		{"after a hyphen", "o\ufb00-\ufb01eld", "off-field"},
		{"Armenian", "\u0561\ufb13", "\u0561\u0574\u0576"},
		{"Hebrew, with a point", "\ufb2a", "\u05e9\u05c1"},
		{"Arabic, from the left as it looks", "\ufee1\ufefc\ufeb3", "\u0633\u0644\u0627\u0645"},
		{"fullwidth letters stay", "\uff21\uff11", "\uff21\uff11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, Font: "Unicode", S: c.shown}}}}}), pdftext.Options{})
			complete(t, d)
			if got := d.View(text.Reading).Text; got != c.want {
				t.Errorf("reading view %q, not %q", got, c.want)
			}
			if c.name == "Latin" && !strings.Contains(d.View(text.Content).Text, c.shown) {
				t.Errorf("content view %q", d.View(text.Content).Text)
			}
		})
	}
}

// A word with a ligature has its place, from its first letter to its last one.
func TestLigaturesHavePlaces(t *testing.T) {
	d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, Font: "Unicode", S: "an o\ufb03ce \ufb01rst"}}}}}), pdftext.Options{})
	v := d.View(text.Reading)
	for _, word := range []string{"office", "first"} {
		at := strings.Index(v.Text, word)
		boxes := d.Boxes(text.Reading, text.Span{Start: at, End: at + len(word)})
		if len(boxes) != 1 || boxes[0].Box.X1-boxes[0].Box.X0 < 3*6 {
			t.Errorf("%s: boxes %v", word, boxes)
		}
	}
}
