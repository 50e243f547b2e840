package font_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"seam/shared/pdftext/collection"
	"seam/shared/pdftext/font"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
)

func stream(s string) object.Stream { return object.Stream{Dict: object.Dict{}, Raw: []byte(s)} }

func array(v ...any) (a object.Array) {
	for _, x := range v {
		switch x := x.(type) {
		case int:
			a = append(a, object.Integer(x))
		case object.Array:
			a = append(a, x)
		}
	}
	return a
}

// composite returns a Type0 font of one collection. more is added to its descendant.
func composite(encoding object.Object, ordering string, more object.Dict) object.Dict {
	descendant := object.Dict{"Type": object.Name("Font"), "Subtype": object.Name("CIDFontType2"), "BaseFont": object.Name("Own"),
		"CIDSystemInfo": object.Dict{"Registry": types.StringLiteral("Adobe"), "Ordering": types.StringLiteral(ordering)}}
	for k, v := range more {
		descendant[k] = v
	}
	return object.Dict{"Type": object.Name("Font"), "Subtype": object.Name("Type0"), "Encoding": encoding, "DescendantFonts": object.Array{descendant}}
}

// load loads a font with the collections from disk, because not every program embeds them.
func load(t *testing.T, d object.Dict) *font.Font {
	t.Helper()
	l, _, _ := loader(t, pdftest.Page{})
	l.Collections = collection.NewSet(func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join("..", "collection", "data", file))
	})
	return l.Load(d)
}

func shown(f *font.Font, s string) (text string) {
	for b := []byte(s); len(b) > 0; {
		c := f.Next(b)
		text += c.Text
		b = b[c.Bytes:]
	}
	return text
}

// The text of a code must be found from every possible source.
func TestCompositeText(t *testing.T) {
	identity := object.Name("Identity-H")
	with := func(d object.Dict, toUnicode object.Object) object.Dict {
		d["ToUnicode"] = toUnicode
		return d
	}
	const some = "1 begincodespacerange <0000> <ffff> endcodespacerange 4 beginbfchar <0041> <03b1> <0042> <> <0043> <fffd> <0044> <0000> endbfchar"
	for name, tt := range map[string]struct {
		font     object.Dict
		in, want string
	}{
		"predefined CMap":                  {composite(object.Name("90ms-RKSJ-H"), "Japan1", nil), "\x93\xfaA\xb1", "日Aｱ"},
		"a CMap of characters":             {composite(object.Name("UniGB-UTF16-H"), "GB1", nil), "\x4e\x2d\xd8\x40\xdc\x3e", "中𠀾"},
		"CIDs of a collection":             {composite(identity, "Korea1", nil), "\x04\x5b", "갼"},
		"usecmap":                          {composite(stream("/GBK-EUC-H usecmap 1 begincidchar <41> 7 endcidchar"), "GB1", nil), "\xd6\xd0A", "中&"},
		"ToUnicode by a collection":        {with(composite(identity, "Other", nil), stream("/Adobe-Korea1-UCS2 usecmap")), "\x04\x5b", "갼"},
		"ToUnicode by name":                {with(composite(identity, "Identity", nil), identity), "\x6f\x22\x00A", "漢A"},
		"no text, and none that was known": {with(composite(identity, "Japan1", nil), stream(some)), "\x00\x41\x00\x42\x00\x43\x00\x44", "αbc"},
		"strings of one byte":              {with(composite(identity, "Identity", nil), stream("1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <0042> endbfchar")), "AA", "BB"},
		"an empty map of one byte":         {with(composite(identity, "Identity", object.Dict{"Subtype": object.Name("CIDFontType0")}), stream("1 begincodespacerange <00> <ff> endcodespacerange")), "\x6f\x22", "漢"},
		"not embedded":                     {composite(identity, "Identity", nil), "\x00\x24\x00\x44\x00\xb3", "Aa—"},
		"nothing known":                    {composite(identity, "Identity", object.Dict{"Subtype": object.Name("CIDFontType0")}), "\x01\x41\x00\x07", "Ł"},
		"an unknown CMap":                  {composite(object.Name("Nobody-Knows-H"), "Identity", object.Dict{"Subtype": object.Name("CIDFontType0")}), "\x01\x41", "Ł"},
		"a font of Chinese Windows":        {object.Dict{"Subtype": object.Name("TrueType"), "BaseFont": object.Name("\xcb\xce\xcc\xe5"), "Encoding": object.Name("WinAnsiEncoding")}, "\xd6\xd0A", "中A"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := shown(load(t, tt.font), tt.in); got != tt.want {
				t.Errorf("%q, not %q", got, tt.want)
			}
		})
	}
}

// /UseCMap may form a loop.
func TestUseCMapLoop(t *testing.T) {
	m := stream("1 begincidchar <0041> 9 endcidchar")
	m.Dict["UseCMap"] = m
	if got := load(t, composite(m, "Identity", nil)).Next([]byte("\x00\x41")); got.Bytes != 2 {
		t.Errorf("%+v", got)
	}
}

// Advances are looked up by CID, in both directions of writing.
func TestMetrics(t *testing.T) {
	f := load(t, composite(object.Name("90ms-RKSJ-V"), "Japan1", object.Dict{
		"DW": object.Integer(800), "W": array(231, 633, 500, 3284, array(900)),
		"DW2": array(800, -900), "W2": array(231, 240, -400, 250, 700, 3284, array(-950, 480, 870)),
	}))
	for in, want := range map[string]font.Char{
		"!":        {Text: "!", Width: 0.5, Bytes: 1, W1: -0.4, VX: 0.25, VY: 0.7},
		"A":        {Text: "A", Width: 0.5, Bytes: 1, W1: -0.9, VX: 0.25, VY: 0.8}, // from DW2
		"\x93\xfa": {Text: "日", Width: 0.9, Bytes: 2, W1: -0.95, VX: 0.48, VY: 0.87},
		"\x96\x7b": {Text: "本", Width: 0.8, Bytes: 2, W1: -0.9, VX: 0.4, VY: 0.8}, // from DW and DW2
	} {
		if got := f.Next([]byte(in)); got != want {
			t.Errorf("%q: %+v, not %+v", in, got, want)
		}
	}
	f = load(t, composite(object.Name("Identity-V"), "Identity", nil))
	if got := f.Next([]byte("\x00\x24")); got.W1 != -1 || got.VX != 0.5 || got.VY != 0.88 || !f.Vertical {
		t.Errorf("without DW2: %+v", got)
	}
}

// trueType returns a font program with a single table: cmap, which maps A to glyph 7.
func trueType() string {
	var b []byte
	for _, v := range []int{0, 1, 1, 0, 0, 0} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	b = append(b, "cmap\x00\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x18"...)
	for _, v := range []int{0, 1, 3, 1, 0, 12, 6, 12, 0, 'A', 1, 7} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return string(b)
}

// An embedded TrueType program must give the text of its glyphs, whatever key it is stored
// under.
func TestProgram(t *testing.T) {
	descriptor := object.Dict{"FontFile3": stream(trueType())}
	f := load(t, composite(object.Name("Identity-H"), "Identity", object.Dict{"FontDescriptor": descriptor}))
	if got := shown(f, "\x00\x07\x00\x41"); got != "AA" { // only the number of the second glyph is known
		t.Errorf("%q", got)
	}
	toGID := stream("\x00\x00\x00\x07")
	f = load(t, composite(object.Name("Identity-H"), "Identity", object.Dict{"FontDescriptor": descriptor, "CIDToGIDMap": toGID}))
	if got := shown(f, "\x00\x01"); got != "A" {
		t.Errorf("by CIDToGIDMap %q", got)
	}
}
