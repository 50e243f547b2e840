package cff

import (
	"slices"
	"testing"
)

// makeIndex writes an INDEX with one-byte offsets.
func makeIndex(items ...string) string {
	s := string([]byte{0, byte(len(items))})
	if len(items) == 0 {
		return s
	}
	s += "\x01\x01"
	at := 1
	for _, x := range items {
		at += len(x)
		s += string([]byte{byte(at)})
	}
	for _, x := range items {
		s += x
	}
	return s
}

// short writes an operand as three bytes.
func short(v int) string { return string([]byte{28, byte(v >> 8), byte(v)}) }

// sample is a font with the glyphs .notdef, A and mine. Code 1 shows A, code 2 mine.
func sample() string {
	build := func(charset, encoding, charStrings int) string {
		top := short(0) + short(-200) + short(1000) + short(800) + "\x05" +
			short(charset) + "\x0f" + short(encoding) + "\x10" + short(charStrings) + "\x11"
		return "\x01\x00\x04\x01" + makeIndex("Font") + makeIndex(top) + makeIndex("mine") + makeIndex()
	}
	at := len(build(0, 0, 0))
	charset := "\x00" + "\x00\x22" + "\x01\x87"
	encoding := "\x00\x02\x01\x02"
	return build(at, at+len(charset), at+len(charset)+len(encoding)) + charset + encoding + makeIndex("\x0e", "\x0e", "\x0e")
}

func TestParse(t *testing.T) {
	f := Parse([]byte(sample()))
	if f == nil || len(f.Names) != 3 || f.Names[1] != "A" || f.Names[2] != "mine" {
		t.Fatalf("font %+v", f)
	}
	if f.Encoding[1] != "A" || f.Encoding[2] != "mine" || f.Encoding[3] != "" {
		t.Errorf("encoding %q", f.Encoding[:4])
	}
	if f.BBox != [4]float64{0, -200, 1000, 800} {
		t.Errorf("box %v", f.BBox)
	}
	if Parse(nil) != nil || Parse([]byte("OTTO")) != nil {
		t.Error("a font from nothing")
	}
}

// withTop returns a font with the given operators in its top dictionary and the given
// number of glyphs.
func withTop(top string, glyphs int) []byte {
	build := func(charStrings int) string {
		return "\x01\x00\x04\x01" + makeIndex("Font") + makeIndex(top+short(charStrings)+"\x11") + makeIndex() + makeIndex()
	}
	at := len(build(0))
	return []byte(build(at) + makeIndex(slices.Repeat([]string{"\x0e"}, glyphs)...))
}

// The predefined charsets, and CID-keyed glyphs.
func TestCharsets(t *testing.T) {
	for charset, want := range map[int]string{0: "exclam", 1: "exclamsmall", 2: "dollaroldstyle"} {
		f := Parse(withTop(short(charset)+"\x0f", 4))
		if f == nil || len(f.Names) != 4 || f.Names[1] != "space" || f.Names[2] != want {
			t.Errorf("charset %d: %+v", charset, f)
		}
	}
	f := Parse(withTop(short(0)+short(0)+short(0)+"\x0c\x1e", 3))
	if !f.CID || len(f.CIDs) != 3 || f.CIDs[2] != 2 {
		t.Errorf("keyed by CID: %+v", f)
	}
}

// A box is in font units. Here 2000 make an em.
func TestFontMatrix(t *testing.T) {
	half := "\x1e\xa0\x00\x5f" // 0.0005
	box := short(0) + short(-400) + short(2000) + short(1600) + "\x05"
	f := Parse(withTop(box+half+short(0)+short(0)+half+short(0)+short(0)+"\x0c\x07", 1))
	if f.BBox != [4]float64{0, -200, 1000, 800} {
		t.Errorf("box %v", f.BBox)
	}
}

func TestRealNumber(t *testing.T) {
	if v, at := realNumber([]byte{0xe2, 0xa2, 0x5f}, 0); v != -2.25 || at != 3 {
		t.Errorf("%g, next at %d", v, at)
	}
}

func FuzzParse(f *testing.F) {
	s := sample()
	f.Add([]byte(s))
	f.Add([]byte(s[:len(s)/2]))
	f.Add(withTop(short(2)+"\x0f", 9))
	f.Add(withTop(short(0)+short(0)+short(0)+"\x0c\x1e"+short(40)+"\x0c\x24"+short(30)+"\x0f", 9))
	f.Fuzz(func(t *testing.T, b []byte) { Parse(b) })
}
