// Package truetype reads the data for text extraction from a TrueType or OpenType font: the
// character of each glyph, and the height of a line (OpenType specification: cmap, post,
// head, hhea, OS/2). From damaged fonts it reads as much as possible.
package truetype

import (
	"encoding/binary"
	"sync"
)

// Font is the data found by Parse.
type Font struct {
	// Ascent and Descent come from table hhea, otherwise from OS/2. They are in ems, and
	// the descent is negative. They are 0 if unknown.
	Ascent, Descent float64

	chars func() *characters // read on first use, because most files have ToUnicode
}

// Parse reads b, which need not be a font and must not change.
func Parse(b []byte) *Font {
	table := tables(b)
	f := &Font{chars: sync.OnceValue(func() *characters { return readCharacters(table) })}
	em := float64(u16(table["head"], 18))
	if em == 0 {
		return f
	}
	height := func(tag string, at int, sign float64) bool {
		f.Ascent = i16(table[tag], at) / em
		f.Descent = sign * i16(table[tag], at+2) / em
		return f.Ascent != 0 || f.Descent != 0
	}
	// hhea; in OS/2 sTypoAscender, otherwise usWinAscent, with a descent that counts
	// downwards.
	_ = height("hhea", 4, 1) || height("OS/2", 68, 1) || height("OS/2", 74, -1)
	return f
}

// Table returns one table of the font b, or nil if it is missing.
func Table(b []byte, tag string) []byte { return tables(b)[tag] }

func tables(b []byte) map[string][]byte {
	t := map[string][]byte{}
	start := 0
	if len(b) > 16 && string(b[:4]) == "ttcf" { // the first of a collection
		start = u32(b, 12)
	}
	for i := range u16(b, start+4) {
		at := start + 12 + 16*i
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

// Unicode returns the text that glyph g shows, or "" if the font does not have it.
func (f *Font) Unicode(g int) string { return f.chars().unicode(g) }

// Code returns the glyph that a simple font shows for a character code, by the rules for
// symbolic fonts (ISO 32000-1, 9.6.6.4). 0 means no glyph.
func (f *Font) Code(c int) int { return f.chars().code(c) }

// u16 reads a big-endian number. It returns 0 outside b.
func u16(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint16(b[at:]))
}

// i16 is u16 for signed numbers.
func i16(b []byte, at int) float64 { return float64(int16(u16(b, at))) }

// u32 is u16 for four bytes. Values above 2^31-1, which occur only in damaged fonts, are
// reduced to that, because int has 32 bits on some targets.
func u32(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(min(binary.BigEndian.Uint32(b[at:]), 1<<31-1))
}
