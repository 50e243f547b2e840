// Package cff reads the mapping from codes to glyphs, and the glyphs' names, from a Compact
// Font Format program (Adobe Technical Note 5176). From damaged fonts it reads as much as
// possible.
package cff

import (
	"seam/shared/pdftext/encoding"
)

// Font is the data found by Parse.
type Font struct {
	CID      bool            // keyed by CID: CIDs is set, Names and Encoding are not
	Names    []string        // glyph -> name
	CIDs     []int           // glyph -> CID
	Encoding *encoding.Names // code -> glyph name
	BBox     [4]float64      // thousandths of an em; zeros if unknown
	strings  [][]byte        // the font's own strings
}

// maxGlyphs is the maximum for a CFF font.
const maxGlyphs = 65535

// Operators of a Top DICT. Two-byte operators are 12<<8 | the second byte.
const (
	opFontBBox    = 5
	opFontMatrix  = 12<<8 | 7
	opFDArray     = 12<<8 | 36
	opCharset     = 15
	opEncoding    = 16
	opCharStrings = 17
	opROS         = 12<<8 | 30
)

// Parse reads b. It returns nil if b is not a CFF font.
func Parse(b []byte) *Font {
	if len(b) < 4 || b[0] != 1 {
		return nil
	}
	_, at := index(b, int(b[2]))
	tops, at := index(b, at)
	if len(tops) == 0 {
		return nil
	}
	f := &Font{}
	f.strings, _ = index(b, at)
	top := dict(tops[0])
	if v := top[opFontBBox]; len(v) == 4 {
		for i, u := 0, unit(b, top); i < 4; i++ {
			f.BBox[i] = v[i] * u * 1000
		}
	}
	glyphs, _ := index(b, offset(top, opCharStrings))
	_, f.CID = top[opROS]
	at = offset(top, opCharset)
	if names := encoding.CFFCharset(at); names != nil && !f.CID {
		f.Names = names[:min(len(names), len(glyphs))]
		f.readEncoding(b, offset(top, opEncoding))
		return f
	}
	ids := charset(b, at, len(glyphs))
	if f.CID {
		f.CIDs = ids
		return f
	}
	f.Names = make([]string, len(ids))
	for g, sid := range ids {
		f.Names[g] = f.name(sid)
	}
	f.readEncoding(b, offset(top, opEncoding))
	return f
}

// unit returns the length of a font unit in ems. It comes from the top dictionary and, in
// CID-keyed fonts, is multiplied by the one from the first font dictionary.
func unit(b []byte, top map[int][]float64) float64 {
	u, found := 1.0, false
	all := []map[int][]float64{top}
	if at := offset(top, opFDArray); at > 0 {
		if fonts, _ := index(b, at); len(fonts) > 0 {
			all = append(all, dict(fonts[0]))
		}
	}
	for _, d := range all {
		if m := d[opFontMatrix]; len(m) == 6 && m[3] > 0 {
			u, found = u*m[3], true
		}
	}
	if !found {
		return 0.001
	}
	return u
}

func offset(top map[int][]float64, op int) int {
	if v := top[op]; len(v) > 0 && v[0] >= 0 && v[0] < 1<<31 {
		return int(v[0])
	}
	return 0
}

func (f *Font) name(sid int) string {
	n := encoding.CFFStrings()
	if sid < n {
		return encoding.CFFString(sid)
	}
	if sid -= n; sid < len(f.strings) {
		return string(f.strings[sid])
	}
	return ""
}

// index reads the INDEX at offset at. end is the offset after it.
func index(b []byte, at int) (items [][]byte, end int) {
	n := number(b, at, 2)
	if n == 0 || at+3 > len(b) {
		return nil, at + 2
	}
	size := int(b[at+2])
	if size < 1 || size > 4 || at+3+(n+1)*size > len(b) {
		return nil, at + 2
	}
	base := at + 2 + (n+1)*size
	from := base + number(b, at+3, size)
	for i := 1; i <= n; i++ {
		to := base + number(b, at+3+i*size, size)
		if to < from || to > len(b) {
			return items, len(b)
		}
		items = append(items, b[from:to])
		from = to
	}
	return items, from
}

// number reads n bytes, highest first. It returns 0 outside b.
func number(b []byte, at, n int) int {
	if at < 0 || at+n > len(b) {
		return 0
	}
	v := uint32(0)
	for _, c := range b[at : at+n] {
		v = v<<8 | uint32(c)
	}
	return int(min(v, 1<<30))
}

// charset reads the SID or CID of every glyph. The predefined charset ISOAdobe is numbered
// in order, and so are CID-keyed glyphs without a charset.
func charset(b []byte, at, glyphs int) []int {
	ids := make([]int, min(glyphs, maxGlyphs))
	if at <= 2 || at >= len(b) {
		for g := range ids {
			ids[g] = g
		}
		return ids
	}
	format := b[at]
	at++
	for g := 1; g < len(ids) && at < len(b); {
		first, left := number(b, at, 2), 0
		at += 2
		if format == 1 || format == 2 {
			left = number(b, at, int(format))
			at += int(format)
		}
		for ; left >= 0 && g < len(ids); left-- {
			ids[g] = first
			first++
			g++
		}
	}
	return ids
}

// readEncoding sets f.Encoding from the encoding at offset at.
func (f *Font) readEncoding(b []byte, at int) {
	if at <= 1 || at+1 >= len(b) {
		f.Encoding = encoding.Standard()
		return
	}
	enc := &encoding.Names{}
	f.Encoding = enc
	format, n := b[at], int(b[at+1])
	at += 2
	glyph := 1
	put := func(code int) {
		if glyph < len(f.Names) && code < 256 {
			enc[code] = f.Names[glyph]
		}
		glyph++
	}
	if format&0x7f == 0 {
		for ; n > 0 && at < len(b); n, at = n-1, at+1 {
			put(int(b[at]))
		}
	} else {
		for ; n > 0 && at+1 < len(b); n, at = n-1, at+2 {
			for k := 0; k <= int(b[at+1]); k++ {
				put(int(b[at]) + k)
			}
		}
	}
	if format&0x80 == 0 || at >= len(b) {
		return
	}
	for n, at = int(b[at]), at+1; n > 0 && at+2 < len(b); n, at = n-1, at+3 {
		enc[b[at]] = f.name(number(b, at+1, 2))
	}
}
