package truetype

import (
	"encoding/binary"
	"testing"
)

// join puts big-endian 16-bit numbers together.
func join(v ...int) (b []byte) {
	for _, x := range v {
		b = binary.BigEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// sample is a font with four glyphs: 1 "A" and 2 "B" by the Unicode cmap, 1 by
// the symbol cmap, 3 "fi" by its name.
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
	b := join(0, 1, 4, 0, 0, 0)
	off := 12 + 16*4
	var data []byte
	for _, t := range []struct {
		tag string
		b   []byte
	}{{"cmap", cmap}, {"head", head}, {"hhea", hhea}, {"post", post}} {
		b = append(b, t.tag...)
		b = binary.BigEndian.AppendUint32(b, 0)
		b = binary.BigEndian.AppendUint32(b, uint32(off+len(data)))
		b = binary.BigEndian.AppendUint32(b, uint32(len(t.b)))
		data = append(data, t.b...)
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

func FuzzParse(f *testing.F) {
	b := sample()
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		p := Parse(b)
		p.Unicode(1)
		p.Code(65)
	})
}
