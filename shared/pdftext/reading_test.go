package pdftext_test

import (
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

const long = "The river comes down from the hills in the north and turns to the east before it reaches the plain, " +
	"where three villages stand on its left bank. In spring the meadows on the other side are under water for weeks."

// paragraphsOf are the paragraphs of an article with every kind of block.
var paragraphsOf = []string{
	"# The river", long, "Short one.", long + " " + long, "## Bridges", long, "There are three:",
	"- the old one of stone, which the flood of the last century has left standing while all the others went down with the water",
	"- the new one", "- the ferry", long,
}

// The paragraphs of an article must be restored, wherever page breaks are.
func TestReadingArticle(t *testing.T) {
	var many, want []string
	for range 8 {
		many = append(many, paragraphsOf...)
	}
	for _, p := range many {
		want = append(want, strings.TrimLeft(p, "# "))
	}
	d := must(t, pdftest.Article(many...), pdftext.Options{})
	if len(d.Pages) < 3 {
		t.Fatalf("only %d pages", len(d.Pages))
	}
	got := d.View(text.Reading).Text
	flat := strings.NewReplacer("\n\n", "\n", "• ", "- ").Replace(got)
	lines := strings.Split(flat, "\n")
	for i := range min(len(lines), len(want)) {
		if lines[i] != want[i] {
			t.Fatalf("paragraph %d is %q, not %q", i, lines[i], want[i])
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d paragraphs, not %d", len(lines), len(want))
	}
	if !strings.Contains(got, "\n\nBridges\n\n") || !strings.Contains(got, "There are three:\n• the old") {
		t.Error("heading or list is glued to its neighbours")
	}
}

func TestReading(t *testing.T) {
	at := func(x, y float64, s string) pdftest.Text { return pdftest.Text{X: x, Y: y, Size: 10, S: s} }
	tests := []struct {
		name  string
		pages [][]pdftest.Text
		want  string
	}{
		{"joined", [][]pdftest.Text{{at(72, 700, "A line of some words that go "), at(72, 688, "on in the next.")}},
			"A line of some words that go on in the next."},
		{"hyphen undone", [][]pdftest.Text{{at(72, 700, "The words are hyphen-"), at(72, 688, "ated here.")}},
			"The words are hyphenated here."},
		{"hyphen kept before a capital", [][]pdftest.Text{{at(72, 700, "The capital of Baden-"), at(72, 688, "Baden is itself.")}},
			"The capital of Baden-Baden is itself."},
		{"hyphen kept in a chain", [][]pdftest.Text{{at(72, 700, "This is a state-of-the-"), at(72, 688, "art example.")}},
			"This is a state-of-the-art example."},
		{"gap", [][]pdftest.Text{{at(72, 700, "One paragraph of words."), at(72, 688, "More of it is written here."), at(72, 666, "Another one.")}},
			"One paragraph of words. More of it is written here.\n\nAnother one."},
		{"indented", [][]pdftest.Text{{at(72, 700, "One paragraph of words."), at(72, 688, "More of it stands here too."), at(84, 676, "Another one it is here."), at(72, 664, "It has two lines of text.")}},
			"One paragraph of words. More of it stands here too.\n\nAnother one it is here. It has two lines of text."},
		{"size", [][]pdftest.Text{{{X: 72, Y: 700, Size: 13, S: "A heading"}, at(72, 686, "Its text.")}}, "A heading\n\nIts text."},
		{"over a page", [][]pdftest.Text{{at(72, 80, "The sentence goes on")}, {at(72, 700, "over the page.")}}, "The sentence goes on over the page."},
		{"hyphen over a page", [][]pdftest.Text{{at(72, 80, "The sentence contin-")}, {at(72, 700, "ues over the page.")}}, "The sentence continues over the page."},
		{"not over a page", [][]pdftest.Text{{at(72, 80, "The sentence ends.")}, {at(72, 700, "A new one.")}}, "The sentence ends.\n\nA new one."},
		{"numbered", [][]pdftest.Text{{at(72, 700, "1. one"), at(72, 688, "2. two"), at(72, 676, "3. three")}}, "1. one\n2. two\n3. three"},
		{"table", [][]pdftest.Text{{at(72, 700, "a"), at(150, 700, "b"), at(72, 688, "c"), at(150, 688, "d")}}, "a\tb\nc\td"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			var doc pdftest.Doc
			for _, texts := range c.pages {
				doc.Pages = append(doc.Pages, pdftest.Page{Texts: texts})
			}
			d := must(t, pdftest.Write(doc), pdftext.Options{})
			if got := d.View(text.Reading).Text; got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}
