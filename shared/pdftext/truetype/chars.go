package truetype

import (
	"maps"
	"slices"

	"seam/shared/pdftext/encoding"
)

// Limits of a cmap, against hostile fonts.
const (
	maxSubtables = 16
	maxMapped    = 1 << 19 // characters of all subtables
)

// maxUnicode is one above the last character.
const maxUnicode = 0x110000

// characters holds the data of the tables cmap and post.
type characters struct {
	symbol map[int]int    // character code -> glyph, subtable (3,0)
	mac    map[int]int    // character code -> glyph, subtable (1,0)
	runes  map[int]int    // character -> glyph, from the largest Unicode subtable
	text   map[int]string // glyph -> Unicode, from runes
	post   map[int]string // glyph -> name
}

func readCharacters(table map[string][]byte) *characters {
	c := &characters{text: map[int]string{}, post: map[int]string{}}
	c.readCmap(table["cmap"])
	c.readPost(table["post"])
	return c
}

func (c *characters) readCmap(b []byte) {
	left := maxMapped
	for i := range min(u16(b, 2), maxSubtables) {
		at := 4 + 8*i
		if at+8 > len(b) {
			break
		}
		platform, enc, off := u16(b, at), u16(b, at+2), u32(b, at+4)
		if off >= len(b) {
			continue
		}
		m := subtable(b[off:], &left)
		switch {
		case platform == 3 && enc == 0:
			c.symbol = m
		case platform == 3 || platform == 0:
			if len(m) > len(c.runes) {
				c.runes = m
			}
		case platform == 1:
			c.mac = m
		}
	}
	for _, r := range slices.Sorted(maps.Keys(c.runes)) {
		g := c.runes[r]
		// The lowest character wins, except for those that look like another one.
		if old := c.text[g]; old == "" || old == "\u00a0" || old == "\u00ad" {
			c.text[g] = string(rune(r))
		}
	}
}

// subtable reads a cmap subtable of format 0, 4, 6, 10, 12 or 13. It subtracts its
// characters from left.
func subtable(s []byte, left *int) map[int]int {
	m := map[int]int{}
	switch format := u16(s, 0); format {
	case 0:
		for i := 0; i < 256 && 6+i < len(s); i++ {
			if s[6+i] != 0 {
				m[i] = int(s[6+i])
			}
		}
	case 4:
		segments(s, m, left)
	case 6:
		trimmed(s, 10, u16(s, 6), u16(s, 8), m)
	case 10:
		trimmed(s, 20, u32(s, 12), u32(s, 16), m)
	case 12, 13:
		groups(s, format == 12, m, left)
	}
	return m
}

// trimmed reads the glyphs of n characters starting at first. They begin at offset at.
func trimmed(s []byte, at, first, n int, m map[int]int) {
	for i := 0; i < n && at+2*i < len(s) && first+i < maxUnicode; i++ {
		if g := u16(s, at+2*i); g != 0 {
			m[first+i] = g
		}
	}
}

// groups reads formats 12 and 13. In 12 the glyphs of a group are consecutive, in 13 they
// are the same.
func groups(s []byte, follow bool, m map[int]int, left *int) {
	for at := 16; at+12 <= len(s) && at < 16+12*u32(s, 12); at += 12 {
		lo, hi, g := u32(s, at), u32(s, at+4), u32(s, at+8)
		for c := lo; c <= hi && c < maxUnicode && *left > 0; c++ {
			m[c] = g
			*left--
			if follow {
				g++
			}
		}
	}
}

// segments reads format 4.
func segments(s []byte, m map[int]int, left *int) {
	n := u16(s, 6) / 2
	for i := range n {
		if 14+2*i >= len(s) {
			return
		}
		end, start := u16(s, 14+2*i), u16(s, 16+2*n+2*i)
		delta, offset := u16(s, 16+4*n+2*i), u16(s, 16+6*n+2*i)
		for c := start; c <= end && c < 0xffff && *left > 0; c++ {
			g := c
			*left--
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

// readPost reads table post in version 1, which has the standard names, and version 2.
func (c *characters) readPost(p []byte) {
	standard := encoding.MacGlyphs()
	switch u32(p, 0) {
	case 0x10000:
		for g := range standard {
			c.post[g] = encoding.MacGlyph(g)
		}
		return
	case 0x20000:
	default:
		return
	}
	glyphs := u16(p, 32)
	var names []string
	for at := 34 + 2*glyphs; at < len(p); {
		n := int(p[at])
		names = append(names, string(p[at+1:min(len(p), at+1+n)]))
		at += 1 + n
	}
	for g := 0; g < glyphs && 34+2*g < len(p); g++ {
		k := u16(p, 34+2*g)
		if k < standard {
			c.post[g] = encoding.MacGlyph(k)
		} else if k -= standard; k < len(names) {
			c.post[g] = names[k]
		}
	}
}

func (c *characters) unicode(g int) string {
	if s, ok := c.text[g]; ok {
		return s
	}
	if name := c.post[g]; name != "" && name != ".notdef" {
		return encoding.Unicode(name)
	}
	return ""
}

func (c *characters) code(code int) int {
	for _, k := range [...]int{0xf000 + code, code, 0xf100 + code} {
		if g := c.symbol[k]; g != 0 {
			return g
		}
	}
	return c.mac[code]
}
