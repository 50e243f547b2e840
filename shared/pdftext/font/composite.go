package font

import (
	"strings"
	"sync"
	"unicode/utf8"

	"seam/shared/pdftext/cmap"
	"seam/shared/pdftext/collection"
	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/object"
)

const (
	maxCIDs = 1 << 16 // maximum number of CIDs in a font
	maxUses = 8       // nested CMaps
)

// cidFont holds the additional data of composite fonts.
type cidFont struct {
	oneByte  bool      // strings have one-byte codes, whatever the CMap says
	codes    *cmap.Map // bytes -> codes -> CIDs
	vertical map[int]vertical
	missing  vertical // of all other CIDs; vx counts only in vertical

	// known caches codes, each at the index of its last byte.
	known [256]struct {
		code uint32
		char Char // Bytes is 0 in an empty entry
	}

	// These are used when a code has no text yet. Most fonts have it in ToUnicode.
	collection func() *collection.Collection // nil if there is none
	glyphs     func() map[int]string         // CID -> text, by the font program
}

// vertical holds the metrics of a CID in vertical writing, in thousandths of an em.
type vertical struct{ w1, vx, vy float64 }

// nextCID is Next for composite fonts.
func (f *Font) nextCID(s []byte) Char {
	if f.cids.oneByte {
		text, _ := f.mapped(uint32(s[0]))
		return Char{Text: text, Width: f.width(int(s[0])), Bytes: 1, Space: s[0] == ' '}
	}
	code, n := f.cids.codes.Next(s)
	slot := &f.cids.known[code%uint32(len(f.cids.known))]
	if slot.char.Bytes == n && slot.code == code {
		return slot.char
	}
	c := f.charCID(code, n)
	slot.code, slot.char = code, c
	return c
}

// charCID returns the character of a code of n bytes.
func (f *Font) charCID(code uint32, n int) Char {
	cid, _ := f.cids.codes.CID(code)
	text, ok := f.mapped(code)
	guess := false
	if !ok {
		text, guess = f.cids.text(code, cid)
	}
	c := Char{Text: text, Width: f.width(cid), Bytes: n, Space: n == 1 && code == ' ', Guess: guess}
	if f.Vertical {
		v, ok := f.cids.vertical[cid]
		if !ok {
			v = f.cids.missing
			v.vx = c.Width * 1000 / 2
		}
		c.W1, c.VX, c.VY = v.w1/1000, v.vx/1000, v.vy/1000
	}
	return c
}

// text returns the text of a code that ToUnicode does not map.
func (f *cidFont) text(code uint32, cid int) (s string, guess bool) {
	if c := f.collection(); c != nil {
		if s := c.Unicode(cid); s != "" {
			return s, false
		}
	}
	if s, ok := f.codes.Character(code); ok {
		return s, false
	}
	if s := f.glyphs()[cid]; s != "" {
		return s, false
	}
	// Only the existence of a character is known. PyMuPDF and pdftotext show the glyph's
	// number.
	if r := rune(cid); r >= ' ' && utf8.ValidRune(r) {
		return string(r), true
	}
	return "", false
}

// composite sets up f from a Type0 font dictionary.
func (l *Loader) composite(f *Font, d object.Dict) {
	f.missing = 1000
	f.cids = &cidFont{codes: l.codes(d["Encoding"], 0)}
	f.Vertical = f.cids.codes.Vertical
	identity := strings.HasPrefix(l.file.Name(d["Encoding"]), "Identity")
	f.cids.oneByte = identity && f.unicode != nil && f.unicode.OneByte()
	var descendant object.Dict
	if a := l.file.Array(d["DescendantFonts"]); len(a) > 0 {
		descendant = l.file.Dict(a[0])
	}
	descriptor := l.file.Dict(descendant["FontDescriptor"])
	p := l.program(descriptor)
	f.setHeight(p, descriptor, l.file)
	f.setStyle(descriptor, l.file)
	f.cids.collection = sync.OnceValue(func() *collection.Collection {
		info := l.file.Dict(descendant["CIDSystemInfo"])
		if l.file.Text(info["Registry"]) != "Adobe" {
			return nil
		}
		return l.Collections.Collection(l.file.Text(info["Ordering"]))
	})
	toGID, _ := l.file.Bytes(descendant["CIDToGIDMap"])
	trueType := l.file.Name(descendant["Subtype"]) == "CIDFontType2"
	f.cids.glyphs = sync.OnceValue(func() map[int]string {
		if p == (program{}) && trueType && identity {
			return standardOrder()
		}
		return f.glyphTexts(p, toGID)
	})
	if v, ok := l.file.Number(descendant["DW"]); ok {
		f.missing = v
	}
	l.cidWidths(f, l.file.Array(descendant["W"]))
	if f.Vertical {
		l.verticalMetrics(f.cids, descendant)
	}
}

// codes returns the CMap for an /Encoding or a /UseCMap, given by name or as a stream. An
// unknown one has two-byte codes that are CIDs.
func (l *Loader) codes(o object.Object, depth int) *cmap.Map {
	b, _ := l.file.Bytes(o)
	if b == nil {
		name := l.file.Name(o)
		if m := l.predefined(name); m != nil {
			return m
		}
		return cmap.Identity(strings.HasSuffix(name, "-V"))
	}
	d := l.file.Dict(o)
	var base *cmap.Map
	if d["UseCMap"] != nil && depth < maxUses {
		base = l.codes(d["UseCMap"], depth+1)
	}
	m := cmap.Parse(b, base, l.predefined)
	m.Vertical = m.Vertical || l.file.Int(d["WMode"]) == 1
	return m
}

// predefined returns the named CMap, or nil if there is none.
func (l *Loader) predefined(name string) *cmap.Map {
	if m := l.Collections.CMap(name); m != nil {
		return m
	}
	return cmap.Predefined(name)
}

// standardOrder returns the text of each CID in a TrueType font that is not embedded and
// has glyphs as CIDs. The fonts of Windows and macOS begin with the standard glyph order.
func standardOrder() map[int]string {
	texts := map[int]string{}
	for g := range encoding.MacGlyphs() {
		texts[g] = encoding.Unicode(encoding.MacGlyph(g))
	}
	return texts
}

// glyphTexts finds the text of each CID from the font program: CID -> glyph -> character.
func (f *Font) glyphTexts(p program, toGID []byte) map[int]string {
	texts := map[int]string{}
	put := func(cid, glyph int) {
		s := ""
		if p.trueType != nil {
			s = p.trueType.Unicode(glyph)
		}
		if s == "" && p.cff != nil && glyph < len(p.cff.Names) {
			s = f.glyphText(p.cff.Names[glyph])
		}
		if s != "" {
			texts[cid] = s
		}
	}
	switch {
	case p.trueType == nil && p.cff == nil:
	case toGID != nil && p.cff == nil:
		for cid := 0; 2*cid+1 < len(toGID) && cid < maxCIDs; cid++ {
			put(cid, int(toGID[2*cid])<<8|int(toGID[2*cid+1]))
		}
	case p.cff != nil && p.cff.CID:
		for glyph, cid := range p.cff.CIDs {
			put(cid, glyph)
		}
	default:
		for glyph := range maxCIDs {
			put(glyph, glyph)
		}
	}
	return texts
}

// cidWidths reads a /W array (ISO 32000-1, 9.7.4.3).
func (l *Loader) cidWidths(f *Font, w object.Array) {
	l.metrics(w, 1, func(cid int, v []float64) { f.widths[cid] = v[0] })
}

// verticalMetrics reads /DW2 and /W2.
func (l *Loader) verticalMetrics(f *cidFont, d object.Dict) {
	f.missing, f.vertical = vertical{w1: -1000, vy: 880}, map[int]vertical{}
	if v, ok := l.file.Numbers(d["DW2"], 2); ok {
		f.missing.vy, f.missing.w1 = v[0], v[1]
	}
	l.metrics(l.file.Array(d["W2"]), 3, func(cid int, v []float64) { f.vertical[cid] = vertical{v[0], v[1], v[2]} })
}

// metrics reads an array of "first [v …]" and "first last v", where v are n numbers per
// CID, and calls put for each CID.
func (l *Loader) metrics(w object.Array, n int, put func(cid int, v []float64)) {
	numbers := func(a object.Array) (v []float64, ok bool) {
		v = make([]float64, n)
		for i := range v {
			if v[i], ok = l.file.Number(a[i]); !ok {
				return nil, false
			}
		}
		return v, true
	}
	left := 4 * maxCIDs // honest arrays name no CID twice
	for i := 0; i+1 < len(w) && left > 0; {
		first := l.file.Int(w[i])
		if list := l.file.Array(w[i+1]); list != nil {
			for cid := first; len(list) >= n && cid < maxCIDs; cid, list = cid+1, list[n:] {
				if v, ok := numbers(list); ok {
					put(cid, v)
				}
				left--
			}
			i += 2
			continue
		}
		if i+2+n > len(w) {
			return
		}
		if v, ok := numbers(w[i+2:]); ok && first >= 0 {
			for cid, last := first, min(l.file.Int(w[i+1]), maxCIDs-1); cid <= last; cid++ {
				put(cid, v)
				left--
			}
		}
		i += 2 + n
	}
}
