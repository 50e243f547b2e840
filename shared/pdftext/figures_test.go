package pdftext

import (
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// figuresOf returns the reading view of a file, and its descriptions of pictures.
func figuresOf(t *testing.T, d pdftest.Doc) (view string, figures []string, doc *text.Document) {
	t.Helper()
	doc, err := Extract(pdftest.Write(d), Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := doc.View(text.Reading)
	if err := v.Check(doc.Pages); err != nil {
		t.Error(err)
	}
	if err := text.CheckElements(v.Text, doc.Elements); err != nil {
		t.Error(err)
	}
	for _, e := range doc.Elements {
		if e.Kind == text.Image {
			figures = append(figures, e.Of(v.Text))
		}
	}
	return v.Text, figures, doc
}

func TestFigures(t *testing.T) {
	above := pdftest.Text{X: 72, Y: 700, Size: 12, S: "The mill stands by the river."}
	below := pdftest.Text{X: 72, Y: 300, Size: 12, S: "It grinds in winter, too."}
	page := pdftest.Page{Texts: []pdftest.Text{above, below}}
	second := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The second page."}}}
	const figure = "<< /S /Figure /Alt (A  red\nkite) /Pg %[1]d 0 R /A << /O /Layout /BBox [72 400 300 600] >> >>"
	two := []pdftest.Page{page, second}
	for name, c := range map[string]struct {
		tags, view, figures string
	}{
		"between two paragraphs": {"/K [" + figure + "]", "The mill stands by the river.\n\nA red kite\n\nIt grinds in winter, too.\n\nThe second page.", "A red kite"},
		"no area":                {"/K << /K [<< /S /Figure /Alt (A kite) /Pg %[1]d 0 R >>] >>", "The mill stands by the river.\n\nIt grinds in winter, too.\n\nA kite\n\nThe second page.", "A kite"},
		"two on the last page, by a page of the element around": {"/K << /Pg %[2]d 0 R /K [<< /S /Figure /Alt (a) >> << /S /Pic /ActualText (b) >>] >> /RoleMap << /Pic /Figure >>",
			"The mill stands by the river.\n\nIt grinds in winter, too.\n\nThe second page.\n\na\n\nb", "a|b"},
		"by the page of its content": {"/K << /S /Figure /Alt (a) /K [<< /Type /MCR /Pg %[2]d 0 R /MCID 0 >>] >>", "The mill stands by the river.\n\nIt grinds in winter, too.\n\nThe second page.\n\na", "a"},
		"none of these":              {"/K [<< /S /Figure /Alt ( ) /Pg %[1]d 0 R >> << /S /Figure /Alt (no page) >> << /S /P /Alt (text) /Pg %[1]d 0 R >> 7 (x)]", "The mill stands by the river.\n\nIt grinds in winter, too.\n\nThe second page.", ""},
		"a loop of roles":            {"/K << /S /A /Alt (a) /Pg %[1]d 0 R >> /RoleMap << /A /B /B /A >>", "The mill stands by the river.\n\nIt grinds in winter, too.\n\nThe second page.", ""},
	} {
		view, figures, doc := figuresOf(t, pdftest.Doc{Pages: two, Tags: c.tags})
		if view != c.view || strings.Join(figures, "|") != c.figures {
			t.Errorf("%s: %q, %q", name, view, figures)
		}
		if content := doc.View(text.Content).Text; strings.Contains(content, "kite") {
			t.Errorf("%s: the content view has %q", name, content)
		}
	}
	// A page without words has the description alone.
	if view, figures, _ := figuresOf(t, pdftest.Doc{Pages: []pdftest.Page{{Image: true}}, Tags: "/K << /S /Figure /Alt (A kite) /Pg %[1]d 0 R >>"}); strings.TrimSpace(view) != "A kite" || len(figures) != 1 {
		t.Errorf("%q, %q", view, figures)
	}
}

// A file without tags may describe a picture in the content of its page.
func TestFiguresInContent(t *testing.T) {
	above := pdftest.Text{X: 72, Y: 700, Size: 12, S: "The mill stands by the river."}
	below := pdftest.Text{X: 72, Y: 300, Size: 12, S: "It grinds in winter, too."}
	const (
		picture = "q 200 0 0 200 72 400 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q "
		box     = "72 400 200 200 re f "
		plain   = "The mill stands by the river.\n\nIt grinds in winter, too."
		between = "The mill stands by the river.\n\nA red kite\n\nIt grinds in winter, too."
	)
	for _, c := range []struct{ name, content, tags, view string }{
		{"a figure", "/Figure << /Alt (A  red\nkite) >> BDC " + picture + "EMC ", "", between},
		{"a span", "/Span << /Alt (A red kite) >> BDC " + picture + "EMC ", "", between},
		{"in UTF-16", "/Span << /Alt <FEFF0041002000720065006400200020006B006900740065> >> BDC " + picture + "EMC ", "", between},
		{"twice", strings.Repeat("/Span << /Alt (A red kite) >> BDC "+picture+"EMC ", 2), "", between},
		{"left open", "/Span << /Alt (A red kite) >> BDC " + picture, "", between},
		{"a drawing", "/Figure << /Alt (A red kite) >> BDC " + box + "EMC ", "", plain + "\n\nA red kite"},
		{"of letters", "/Span << /Alt (A red kite) >> BDC BT /F 12 Tf 72 250 Td (Kite) Tj ET EMC ", "", plain + "\n\nKite"},
		{"decoration", "/Artifact << /Alt (A red kite) >> BDC " + picture + "EMC ", "", plain},
		{"with other text in its place", "/Span << /Alt (A red kite) /ActualText (Kite) >> BDC " + picture + "EMC ", "", plain},
		{"on a hidden layer", "/OC /Off BDC /Span << /Alt (A red kite) >> BDC " + picture + "EMC EMC ", "", plain},
		{"empty", "/Span << /Alt () >> BDC " + picture + "EMC ", "", plain},
		{"in a tagged file", "/Span << /Alt (A red kite) >> BDC " + picture + "EMC ", "/K << /S /Figure /Alt (A kite) /Pg %[1]d 0 R >>", plain + "\n\nA kite"},
	} {
		d := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{above, below}, Raw: c.content}}, Tags: c.tags, Layers: true}
		if view, _, _ := figuresOf(t, d); view != c.view {
			t.Errorf("%s: %q", c.name, view)
		}
	}
}

// Sections, links and runs after a description move with their text.
func TestFiguresMoveTheRest(t *testing.T) {
	heading := pdftest.Text{X: 72, Y: 760, Size: 24, S: "Windmills"}
	page := pdftest.Page{Texts: []pdftest.Text{heading, {X: 72, Y: 700, Size: 12, S: "See the mill by the river, it is old."}, {X: 72, Y: 686, Size: 12, S: "Nobody lives there now, they say."}, {X: 72, Y: 300, Size: 12, S: "Go to the weir, which is newer by far."}},
		Links: []string{uri("https://example.org/a", "116 297 144 311")}}
	d := pdftest.Doc{Pages: []pdftest.Page{page, page}, Tags: "/K [<< /S /Figure /Alt (Kite) /Pg %[1]d 0 R /A << /BBox [72 400 300 600] >> >>]"}
	view, figures, doc := figuresOf(t, d)
	if len(figures) != 1 || len(doc.Sections) != 2 || doc.Sections[1].Start != strings.LastIndex(view, "Windmills") || doc.Sections[1].End != len(view) {
		t.Errorf("%q, %v, %+v", view, figures, doc.Sections)
	}
	plain, _, without := figuresOf(t, pdftest.Doc{Pages: d.Pages})
	if strings.Replace(view, "Kite\n\n", "", 1) != plain || len(doc.Links) != 2 || doc.Links[0].Of(view) != without.Links[0].Of(plain) {
		t.Errorf("%q, %q, %v", view, plain, doc.Links)
	}
}
