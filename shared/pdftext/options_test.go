package pdftext_test

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// A form asks for a colour, with a list box whose appearance shows all its options.
func TestOptions(t *testing.T) {
	const note = "options of list boxes that are not chosen are left out of the reading view: page 1"
	const options = "/Opt [(Red) [(g) (Dark green)] (Blue)] "
	for _, c := range []struct {
		name, field, view string
		notes             []string
	}{
		{"one", options + "/V (Blue)", "Colour\n\nBlue", []string{note}},
		{"by its value", options + "/V (g)", "Colour\n\nDark green", []string{note}},
		{"two", options + "/V [(Red) (Blue)]", "Colour\n\nRed\n\nBlue", []string{note}},
		{"by number", options + "/I [0]", "Colour\n\nRed", []string{note}},
		{"none", options, "Colour", []string{note}},
		{"all", options + "/V [(Red) (g) (Blue)]", "Colour\n\nRed Dark green Blue", nil},
		{"other texts", "/Opt [(1) (2)] /V (1)", "Colour\n\nRed Dark green Blue", nil},
		{"a combo box", "/Ff 131072 " + options + "/V (Blue)", "Colour\n\nRed Dark green Blue", nil},
		{"a text field", "/FT /Tx /V (Blue)", "Colour\n\nRed Dark green Blue", nil},
	} {
		field := "<< /Type /Annot /Subtype /Widget /Rect [72 500 272 560] /T (colour) /AP << /N 6 0 R >> "
		if !strings.Contains(c.field, "/FT") {
			field += "/FT /Ch "
		}
		d := must(t, pdftest.Raw("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [5 0 R] /Resources << /Font << /F 7 0 R >> >> >>",
			pdftest.Stream("", "BT /F 12 Tf 72 700 Td (Colour) Tj ET"), field+c.field+" >>",
			pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 200 60] /Resources << /Font << /F 7 0 R >> >>",
				"BT /F 12 Tf 2 44 Td (Red) Tj 0 -14 Td (Dark) Tj 29 0 Td (green) Tj -29 -14 Td (Blue) Tj ET"),
			"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"), pdftext.Options{})
		check(t, d)
		got := d.View(text.Reading).Text
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(c.view), " ") || !slices.Equal(d.Notes, c.notes) {
			t.Errorf("%s: %q, notes %q", c.name, got, d.Notes)
		}
		if !strings.Contains(d.Pages[0].Text, "Red\nDark green\nBlue\n") {
			t.Errorf("%s: page %q", c.name, d.Pages[0].Text)
		}
	}
}
