package font_test

import (
	"context"
	"testing"

	"seam/shared/pdftext/font"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
)

// loader returns a loader and the fonts of the only page of a file.
func loader(t *testing.T, p pdftest.Page) (*font.Loader, *object.File, object.Dict) {
	t.Helper()
	f, err := object.Open(context.Background(), pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{p}}), "")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := f.Pages()
	if err != nil || len(pages) != 1 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	return font.NewLoader(f), f, f.Dict(pages[0].Resources["Font"])
}

func TestCoreFont(t *testing.T) {
	l, _, fonts := loader(t, pdftest.Page{Texts: []pdftest.Text{{Size: 1, S: "x"}}})
	f := l.Load(fonts["Helvetica"])
	if f == nil || f != l.Load(fonts["Helvetica"]) {
		t.Fatal("a font is not loaded once")
	}
	for code, want := range map[byte]font.Char{
		'A': {Text: "A", Width: 0.667, Bytes: 1}, ' ': {Text: " ", Width: 0.278, Bytes: 1, Space: true}, 0x92: {Text: "’", Width: 0.222, Bytes: 1},
	} {
		if got := f.Next([]byte{code}); got != want {
			t.Errorf("code %x: %+v, not %+v", code, got, want)
		}
	}
	if l.Load(nil) != nil {
		t.Error("a font from nothing")
	}
}

func TestComposite(t *testing.T) {
	l, _, fonts := loader(t, pdftest.Page{Texts: []pdftest.Text{{Size: 1, Font: "Unicode", S: "漢字"}}})
	f := l.Load(fonts["Unicode"])
	if got, want := f.Next([]byte{0, 2, 0}), (font.Char{Text: "字", Width: 0.5, Bytes: 2}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if got := f.Next([]byte{7}); got.Bytes != 1 {
		t.Errorf("half a code: %+v", got)
	}
}

// A simple font made by hand: /Differences count before the base encoding, and
// private glyph names stand for their code.
func TestDifferences(t *testing.T) {
	l, _, _ := loader(t, pdftest.Page{})
	f := l.Load(object.Dict{
		"Type": object.Name("Font"), "Subtype": object.Name("Type1"), "BaseFont": object.Name("ABCDEF+Own-Bold"),
		"FirstChar": object.Integer(65), "Widths": object.Array{object.Integer(500), object.Integer(600)},
		"Encoding": object.Dict{"BaseEncoding": object.Name("WinAnsiEncoding"), "Differences": object.Array{
			object.Integer(66), object.Name("alpha"), object.Name("g17"), object.Name("uni20AC")}},
	})
	if f.Name != "Own-Bold" || !f.Bold {
		t.Errorf("name %q, bold %v", f.Name, f.Bold)
	}
	for code, want := range map[byte]string{'A': "A", 'B': "α", 'C': "C", 'D': "€"} {
		if got := f.Next([]byte{code}).Text; got != want {
			t.Errorf("code %q: %q, not %q", code, got, want)
		}
	}
	if w := f.Next([]byte("B")).Width; w != 0.6 {
		t.Errorf("width %g", w)
	}
}
