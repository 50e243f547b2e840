package interp_test

import (
	"context"
	"testing"

	"seam/shared/pdftext/font"
	"seam/shared/pdftext/interp"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
)

// FuzzPage runs any bytes as the content of a page.
func FuzzPage(f *testing.F) {
	for _, s := range []string{
		"BT /Helvetica 10 Tf 72 500 Td [(Wa) 80 (ter)] TJ T* (x) ' 1 2 (y) \" ET",
		"q 1 0 0 1 5 5 cm 0 0 10 10 re W n Q /Fm Do /Im Do",
		"/Span << /ActualText (a) >> BDC (b) Tj EMC EMC BI /W 1 ID x EI",
		"/Helvetica 1e300 Tf 1e300 0 0 1e300 0 0 Tm (a) Tj q q Q Q Q",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		b := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{
			Texts: []pdftest.Text{{X: 1, Y: 1, Size: 1, S: "x"}, {X: 1, Y: 1, Size: 1, Font: "Unicode", S: "y"}}, Raw: content,
			Form: []pdftest.Text{{X: 1, Y: 1, Size: 1, S: "x"}},
		}}})
		file, err := object.Open(context.Background(), b, "")
		if err != nil {
			return // the content broke the file
		}
		pages, err := file.Pages()
		if err != nil || len(pages) == 0 {
			return
		}
		c, _ := interp.NewReader(file, font.NewLoader(file)).Page(t.Context(), pages[0], interp.MaxWork)
		for _, g := range c.Glyphs {
			if !(g.Size > 0) || g.From.X != g.From.X || g.To.Y != g.To.Y {
				t.Fatalf("glyph %+v", g)
			}
		}
	})
}
