package truetype

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"
)

// join concatenates big-endian 16-bit numbers.
func join(v ...int) (b []byte) {
	for _, x := range v {
		b = binary.BigEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// sample returns a font with four glyphs: 1 "A" and 2 "B" by the Unicode cmap, 1 by the
// symbol cmap, 3 "fi" by its name.
func sample() []byte {
	unicode := join(4, 32, 0, 4, 0, 0, 0, 'B', 0xffff, 0, 'A', 0xffff, 1-'A'&0xffff, 1, 0, 0)
	symbol := join(6, 12, 0, 0xf041, 1, 1)
	cmap := append(join(0, 2, 3, 1, 0, 20, 3, 0, 0, 20+len(unicode)), append(unicode, symbol...)...)
	post := append(join(2, 0), make([]byte, 28)...)
	post = append(post, join(4, 0, 36, 37, 258)...)
	post = append(post, "\x02fi"...)
	head := make([]byte, 54)
	copy(head[18:], join(1000))
	hhea := make([]byte, 36)
	copy(hhea[4:], join(900, -200&0xffff))
	return file(map[string][]byte{"cmap": cmap, "head": head, "hhea": hhea, "post": post})
}

// file assembles a font file from tables.
func file(tables map[string][]byte) []byte {
	b := join(0, 1, len(tables), 0, 0, 0)
	off := 12 + 16*len(tables)
	var data []byte
	for _, tag := range slices.Sorted(maps.Keys(tables)) {
		b = append(b, tag...)
		b = binary.BigEndian.AppendUint32(b, 0)
		b = binary.BigEndian.AppendUint32(b, uint32(off+len(data)))
		b = binary.BigEndian.AppendUint32(b, uint32(len(tables[tag])))
		data = append(data, tables[tag]...)
	}
	return append(b, data...)
}

func TestParse(t *testing.T) {
	f := Parse(sample())
	for g, want := range map[int]string{1: "A", 2: "B", 3: "ﬁ", 9: ""} {
		if got := f.Unicode(g); got != want {
			t.Errorf("glyph %d: %q, not %q", g, got, want)
		}
	}
	if f.Code(0x41) != 1 || f.Code(0x42) != 0 {
		t.Errorf("code 41 is glyph %d, 42 is %d", f.Code(0x41), f.Code(0x42))
	}
	if f.Ascent != 0.9 || f.Descent != -0.2 {
		t.Errorf("height %g %g", f.Ascent, f.Descent)
	}
}

// Each cmap format, with only the subtable (3,1).
func TestSubtables(t *testing.T) {
	for name, tt := range map[string]struct {
		subtable []byte
		glyphs   map[int]string
	}{
		"0":          {append(join(0, 262, 0), append(make([]byte, 'A'), 7)...), map[int]string{7: "A"}},
		"6":          {join(6, 14, 0, 'A', 2, 7, 9), map[int]string{7: "A", 9: "B"}},
		"10":         {join(10, 0, 0, 24, 0, 0, 1, 0xf600, 0, 2, 7, 9), map[int]string{7: "😀", 9: "😁"}},
		"12":         {join(12, 0, 0, 28, 0, 0, 0, 1, 1, 0xf600, 1, 0xf601, 0, 7), map[int]string{7: "😀", 8: "😁"}},
		"13":         {join(13, 0, 0, 28, 0, 0, 0, 1, 0, 'A', 0, 'C', 0, 7), map[int]string{7: "A", 8: ""}},
		"12, absurd": {join(12, 0, 0, 40, 0, 0, 0, 0xffff, 0, 'A', 0xffff, 0xffff, 0, 7, 0, 0, 0xffff, 0xffff, 0, 0), map[int]string{7: "A"}},
	} {
		f := Parse(file(map[string][]byte{"cmap": append(join(0, 1, 3, 1, 0, 12), tt.subtable...)}))
		for g, want := range tt.glyphs {
			if got := f.Unicode(g); got != want {
				t.Errorf("format %s: glyph %d is %q, not %q", name, g, got, want)
			}
		}
	}
}

// The standard names of table post, and fonts in a collection.
func TestPost(t *testing.T) {
	b := file(map[string][]byte{"post": join(1, 0)})
	if got := Parse(b).Unicode(36); got != "A" {
		t.Errorf("%q", got)
	}
	collection := append([]byte("ttcf"), join(0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0)...)
	binary.BigEndian.PutUint32(collection[12:], uint32(len(collection)))
	directory := join(0, 1, 1, 0, 0, 0)
	directory = append(append(directory, "post\x00\x00\x00\x00"...), join(0, len(collection)+28, 0, 4)...)
	if got := Parse(append(append(collection, directory...), join(1, 0)...)).Unicode(36); got != "A" {
		t.Errorf("of a collection: %q", got)
	}
}

// If hhea has no height, the height comes from OS/2.
func TestHeightOfOS2(t *testing.T) {
	head, os2 := make([]byte, 54), make([]byte, 78)
	copy(head[18:], join(2000))
	copy(os2[74:], join(1800, 400))
	if f := Parse(file(map[string][]byte{"head": head, "OS/2": os2, "hhea": make([]byte, 36)})); f.Ascent != 0.9 || f.Descent != -0.2 {
		t.Errorf("usWinAscent: %g %g", f.Ascent, f.Descent)
	}
	copy(os2[68:], join(1600, -300&0xffff))
	if f := Parse(file(map[string][]byte{"head": head, "OS/2": os2})); f.Ascent != 0.8 || f.Descent != -0.15 {
		t.Errorf("sTypoAscender: %g %g", f.Ascent, f.Descent)
	}
}

func FuzzParse(f *testing.F) {
	b := sample()
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add(file(map[string][]byte{"cmap": join(0, 1, 3, 10, 0, 12, 12, 0, 0, 40, 0, 0, 0xffff, 0xffff, 0, 0, 0xffff, 0xffff, 0, 0), "post": join(1, 0)}))
	f.Add([]byte("ttcf\x00\x01\x00\x00\x00\x00\x00\x01\x7f\xff\xff\xff\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := Parse(b)
		p.Unicode(1)
		p.Code(65)
	})
}
