// Package truetype reads from a TrueType or OpenType font what text extraction
// needs: which character a glyph shows, and how tall a line of it is (OpenType
// specification: cmap, post, head, hhea). Damaged fonts give what can be read.
package truetype

import (
	"encoding/binary"
	"maps"
	"slices"

	"seam/shared/pdftext/encoding"
)

// Font is what Parse found.
type Font struct {
	Symbol map[int]int // character code -> glyph, subtable (3,0)
	Mac    map[int]int // character code -> glyph, subtable (1,0)
	// Ascent and Descent are those of table hhea in ems, the descent
	// negative; 0 if unknown.
	Ascent, Descent float64

	text map[int]string // glyph -> Unicode, from the Unicode subtables
	post map[int]string // glyph -> name
}

// Limits of a cmap, against hostile fonts: an honest one has a few subtables
// and maps no character twice.
const (
	maxSubtables = 16
	maxMapped    = 1 << 18
)

// maxUnicode is behind the last character.
const maxUnicode = 0x110000

// Parse reads b, which need not be a font.
func Parse(b []byte) *Font {
	f := &Font{text: map[int]string{}, post: map[int]string{}}
	table := tables(b)
	f.readCmap(table["cmap"])
	f.readPost(table["post"])
	if em := float64(u16(table["head"], 18)); em > 0 {
		f.Ascent = float64(int16(u16(table["hhea"], 4))) / em
		f.Descent = float64(int16(u16(table["hhea"], 6))) / em
	}
	return f
}

// Table returns one table of the font b, nil if it is not there.
func Table(b []byte, tag string) []byte { return tables(b)[tag] }

func tables(b []byte) map[string][]byte {
	t := map[string][]byte{}
	for i := range u16(b, 4) {
		at := 12 + 16*i
		if at+16 > len(b) {
			break
		}
		off, n := u32(b, at+8), u32(b, at+12)
		if off < len(b) {
			t[string(b[at:at+4])] = b[off:min(len(b), off+n)]
		}
	}
	return t
}

func (f *Font) readCmap(c []byte) {
	unicode := map[int]int{}
	for i := range min(u16(c, 2), maxSubtables) {
		at := 4 + 8*i
		if at+8 > len(c) {
			break
		}
		platform, enc, off := u16(c, at), u16(c, at+2), u32(c, at+4)
		if off >= len(c) {
			continue
		}
		m := subtable(c[off:])
		switch {
		case platform == 3 && enc == 0:
			f.Symbol = m
		case platform == 3 || platform == 0:
			if len(m) > len(unicode) {
				unicode = m
			}
		case platform == 1:
			f.Mac = m
		}
	}
	for _, r := range slices.Sorted(maps.Keys(unicode)) {
		g := unicode[r]
		// The lowest character wins, but for those that look like another.
		if old := f.text[g]; old == "" || old == "\u00a0" || old == "\u00ad" {
			f.text[g] = string(rune(r))
		}
	}
}

// subtable reads a cmap subtable of format 0, 4, 6 or 12.
func subtable(s []byte) map[int]int {
	m := map[int]int{}
	switch u16(s, 0) {
	case 0:
		for i := 0; i < 256 && 6+i < len(s); i++ {
			if s[6+i] != 0 {
				m[i] = int(s[6+i])
			}
		}
	case 4:
		segments(s, m)
	case 6:
		first := u16(s, 6)
		for i := range u16(s, 8) {
			if g := u16(s, 10+2*i); g != 0 {
				m[first+i] = g
			}
		}
	case 12:
		left := maxMapped
		for at := 16; at+12 <= len(s) && at < 16+12*u32(s, 12); at += 12 {
			lo, hi, g := u32(s, at), u32(s, at+4), u32(s, at+8)
			for c := lo; c <= hi && c < maxUnicode && left > 0; c++ {
				m[c] = g + c - lo
				left--
			}
		}
	}
	return m
}

// segments reads format 4.
func segments(s []byte, m map[int]int) {
	n, left := u16(s, 6)/2, maxMapped
	for i := range n {
		if 14+2*i >= len(s) {
			return
		}
		end, start := u16(s, 14+2*i), u16(s, 16+2*n+2*i)
		delta, offset := u16(s, 16+4*n+2*i), u16(s, 16+6*n+2*i)
		for c := start; c <= end && c < 0xffff && left > 0; c++ {
			g := c
			left--
			if offset != 0 {
				if g = u16(s, 16+6*n+2*i+offset+2*(c-start)); g == 0 {
					continue
				}
			}
			if g = (g + delta) & 0xffff; g != 0 {
				m[c] = g
			}
		}
	}
}

func (f *Font) readPost(p []byte) {
	if u32(p, 0) != 0x20000 {
		return
	}
	glyphs := u16(p, 32)
	var names []string
	for at := 34 + 2*glyphs; at < len(p); {
		n := int(p[at])
		names = append(names, string(p[at+1:min(len(p), at+1+n)]))
		at += 1 + n
	}
	standard := encoding.MacGlyphs()
	for g := 0; g < glyphs && 34+2*g < len(p); g++ {
		k := u16(p, 34+2*g)
		if k < standard {
			f.post[g] = encoding.MacGlyph(k)
		} else if k -= standard; k < len(names) {
			f.post[g] = names[k]
		}
	}
}

// Unicode returns the text that glyph g shows, "" if the font does not tell.
func (f *Font) Unicode(g int) string {
	if s, ok := f.text[g]; ok {
		return s
	}
	if name := f.post[g]; name != "" && name != ".notdef" {
		return encoding.Unicode(name)
	}
	return ""
}

// Code returns the glyph that a simple font shows for a character code, by the
// rules for symbolic fonts (ISO 32000-1, 9.6.6.4). 0 is no glyph.
func (f *Font) Code(c int) int {
	for _, k := range [...]int{0xf000 + c, c, 0xf100 + c} {
		if g := f.Symbol[k]; g != 0 {
			return g
		}
	}
	return f.Mac[c]
}

// Glyphs is the number of glyphs with a known character.
func (f *Font) Glyphs() int { return max(len(f.text), len(f.post)) }

// u16 reads a big-endian number, 0 outside of b.
func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint16(b[at:]))
}

// u32 is u16 for four bytes. Values beyond 2^31-1, which only damaged fonts
// have, give that: int has 32 bits on some targets.
func u32(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(min(binary.BigEndian.Uint32(b[at:]), 1<<31-1))
}
