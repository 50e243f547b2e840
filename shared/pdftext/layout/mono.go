package layout

import (
	"math"
	"strings"

	"seam/shared/pdftext/glyph"
)

// A font is monospaced if its narrow and its wide letters have the same advance.
const (
	narrowLetters = "ijltfrI1.,:;'|()"
	wideLetters   = "abdeghkmnopquwABCDEGHKMNOQRUVWXY"
	sameAdvance   = 0.005 // maximum difference, in sizes
	leastKinds    = 2     // minimum number of letters of each kind on a page
)

// advances are the advances of a font's letters on a page.
type advances struct {
	least, most  float64
	narrow, wide int
}

// measure sets b.fonts.
func (b *Builder) measure(glyphs []glyph.Glyph) {
	b.fonts = map[int]*advances{}
	var a *advances
	last := -1
	for i := range glyphs {
		g := &glyphs[i]
		if len(g.Text) != 1 || g.Text[0] <= ' ' {
			continue
		}
		if g.Font != last || a == nil {
			if last = g.Font; b.fonts[last] == nil {
				b.fonts[last] = &advances{least: math.Inf(1)}
			}
			a = b.fonts[last]
		}
		narrow := strings.IndexByte(narrowLetters, g.Text[0]) >= 0
		if !narrow && strings.IndexByte(wideLetters, g.Text[0]) < 0 {
			continue
		}
		advance := g.To.Sub(g.From).Len() / g.Size
		a.least, a.most = min(a.least, advance), max(a.most, advance)
		if narrow {
			a.narrow++
		} else {
			a.wide++
		}
	}
}

// mono reports whether a font is monospaced.
func (b *Builder) mono(font int) bool {
	a := b.fonts[font]
	return a != nil && a.narrow >= leastKinds && a.wide >= leastKinds && a.most-a.least <= sameAdvance
}
