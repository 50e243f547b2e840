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

// A .pfb file, an encoding as an array, and a unit of 500 per em.
func TestForms(t *testing.T) {
	f := Parse([]byte("\x80\x01\x40\x00\x00\x00%!PS-AdobeFont\n/FontMatrix [0.002 0 0 0.002 0 0] def /FontBBox {0 -100 500 400} def" +
		" /Encoding [/.notdef /A/B] def\x80\x02\x10\x00\x00\x00"))
	if f.Encoding[1] != "A" || f.Encoding[2] != "B" || f.Encoding[3] != "" || f.BBox != [4]float64{0, -200, 1000, 800} {
		t.Errorf("encoding %q, box %v", f.Encoding[:4], f.BBox)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("/FontBBox [1 2 3 4] /Encoding 256 array dup 65 /A put def"))
	f.Add([]byte("/FontMatrix [1e999 0 0 -1] /FontBBox 7 /Encoding [[[/A]]] eexec"))
	f.Fuzz(func(t *testing.T, b []byte) { Parse(b) })
}
