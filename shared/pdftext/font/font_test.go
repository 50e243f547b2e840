package font_test

import (
	"context"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

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

// A handmade simple font: /Differences override the base encoding, and private glyph names
// stand for their code.
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

// Glyph names that are character codes or have no meaning.
func TestPrivateNames(t *testing.T) {
	l, _, _ := loader(t, pdftest.Page{})
	f := l.Load(object.Dict{"Type": object.Name("Font"), "Subtype": object.Name("Type1"), "BaseFont": object.Name("Own"),
		"Encoding": object.Dict{"BaseEncoding": object.Name("NULL"), "Differences": object.Array{
			object.Integer(65), object.Name("G2A"), object.Name("G7E"), object.Name("g12"), object.Name("C0045"), object.Name("GED")}}})
	for code, want := range map[byte]string{'A': "*", 'B': "~", 'C': "C", 'D': "D", 'E': "í", 'F': "F"} {
		if got := f.Next([]byte{code}).Text; got != want {
			t.Errorf("code %q: %q, not %q", code, got, want)
		}
	}
}

// The height of a line comes from the descriptor or, for a Type 3 font, from its box.
func TestHeight(t *testing.T) {
	l, _, _ := loader(t, pdftest.Page{})
	simple := func(name string, descriptor object.Dict) object.Dict {
		return object.Dict{"Subtype": object.Name("Type1"), "BaseFont": object.Name(name), "FontDescriptor": descriptor}
	}
	type3 := func(low, high int, scale float64) object.Dict {
		return object.Dict{"Subtype": object.Name("Type3"), "FontMatrix": object.Array{types.Float(scale), object.Integer(0), object.Integer(0), types.Float(scale), object.Integer(0), object.Integer(0)},
			"FontBBox": object.Array{object.Integer(0), object.Integer(low), object.Integer(500), object.Integer(high)}}
	}
	for name, tt := range map[string]struct {
		font            object.Dict
		ascent, descent float64
	}{
		"descriptor":          {simple("Own", object.Dict{"Ascent": object.Integer(750), "Descent": object.Integer(-250)}), 0.75, -0.25},
		"positive descent":    {simple("Own", object.Dict{"Ascent": object.Integer(900), "Descent": object.Integer(200)}), 0.9, -0.2},
		"not known":           {simple("Own", object.Dict{"Ascent": object.Integer(0), "Descent": object.Integer(-200)}), 0.8, -0.2},
		"core font":           {simple("Times-Roman", nil), 1.053, -0.281},
		"Type 3":              {type3(-20, 75, 0.01), 0.75, -0.2},
		"Type 3, upside down": {type3(-75, 20, -0.01), 0.75, -0.2},
		"Type 3 without box":  {type3(0, 0, 0.01), 0.8, -0.2},
	} {
		f := l.Load(tt.font)
		if max(f.Ascent-tt.ascent, tt.ascent-f.Ascent, f.Descent-tt.descent, tt.descent-f.Descent) > 1e-9 {
			t.Errorf("%s: %g %g, not %g %g", name, f.Ascent, f.Descent, tt.ascent, tt.descent)
		}
	}
}

// A core font needs no widths. A no-break space is as wide as a space.
func TestCoreWidths(t *testing.T) {
	l, _, _ := loader(t, pdftest.Page{})
	f := l.Load(object.Dict{"Subtype": object.Name("Type1"), "BaseFont": object.Name("Arial,Bold"), "Encoding": object.Name("WinAnsiEncoding")})
	for code, want := range map[byte]float64{'A': 0.722, ' ': 0.278, 0xa0: 0.278, 0xad: 0.333, 5: 0.278} {
		if got := f.Next([]byte{code}).Width; got != want {
			t.Errorf("code %x: %g, not %g", code, got, want)
		}
	}
}

// A TrueType font without /Encoding has StandardEncoding. If it is embedded, Windows' code
// page is meant.
func TestTrueTypeWithoutEncoding(t *testing.T) {
	l, _, _ := loader(t, pdftest.Page{})
	embedded := func(flags int) object.Dict {
		return object.Dict{"Flags": object.Integer(flags), "FontFile2": stream(trueType())}
	}
	for name, tt := range map[string]struct {
		font       string
		descriptor object.Dict
		want       string
	}{
		"embedded":                 {"Own", embedded(0), "A“ñ"},
		"embedded and symbolic":    {"Own", embedded(4), "A“ñ"},
		"embedded and nonsymbolic": {"Own", embedded(32), "A“æ"},
		"not embedded":             {"Own", object.Dict{"Flags": object.Integer(4)}, "A“æ"},
		"Symbol":                   {"SymbolMT", object.Dict{"Flags": object.Integer(4)}, "Α“\u232a"},
	} {
		f := l.Load(object.Dict{"Subtype": object.Name("TrueType"), "BaseFont": object.Name(tt.font), "FontDescriptor": tt.descriptor})
		if got := shown(f, "A\x93\xf1"); got != tt.want {
			t.Errorf("%s: %q, not %q", name, got, tt.want)
		}
	}
}
