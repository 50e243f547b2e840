package type1

import "testing"

func TestParse(t *testing.T) {
	f := Parse([]byte("%!PS-AdobeFont\n/FontBBox {-20 -250 1000 900} readonly def\n/Encoding 256 array\n" +
		"0 1 255 {1 index exch /.notdef put} for\ndup 65 /alpha put\ndup 999 /x put\nreadonly def\ncurrentfile eexec dup 66 /B put"))
	if f.Encoding[65] != "alpha" || f.Encoding[66] != "" || f.BBox != [4]float64{-20, -250, 1000, 900} {
		t.Errorf("encoding %q %q, box %v", f.Encoding[65], f.Encoding[66], f.BBox)
	}
	if f := Parse([]byte("/Encoding StandardEncoding def")); f.Encoding['A'] != "A" {
		t.Error("no standard encoding")
	}
	if f := Parse(nil); f.Encoding['A'] != "A" {
		t.Error("no encoding for no font")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("/FontBBox [1 2 3 4] /Encoding 256 array dup 65 /A put def"))
	f.Fuzz(func(t *testing.T, b []byte) { Parse(b) })
}
