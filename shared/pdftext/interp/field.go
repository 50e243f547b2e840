package interp

import (
	"strings"

	"seam/shared/pdftext/font"
	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/lex"
	"seam/shared/pdftext/object"
)

// Form fields (ISO 32000-1, 12.7): flags, and the maximum depth of inheritance.
const (
	flagMultiline = 1 << 12
	flagPassword  = 1 << 13
	flagCombo     = 1 << 17
	maxParents    = 16
)

// fieldText shows the value of a text field or a combo box like a viewer that generates the
// appearance itself: one line, in Helvetica.
func (in *interp) fieldText(a object.Dict, start state) {
	kind, flags := in.file.Name(in.inheritedEntry(a, "FT")), in.file.Int(in.inheritedEntry(a, "Ff"))
	if kind != "Tx" && (kind != "Ch" || flags&flagCombo == 0) || flags&flagPassword != 0 {
		return
	}
	rect, ok := in.file.Rect(a["Rect"])
	value := in.file.Text(in.inheritedEntry(a, "V"))
	if !ok || strings.TrimSpace(value) == "" {
		return
	}
	size := fontSize(in.file.Text(in.inheritedEntry(a, "DA")))
	if size <= 0 {
		size = min(12, max(4, rect.Y1-rect.Y0-2*border))
	}
	y := rect.Y0 + (rect.Y1-rect.Y0-size)/2 + 0.2*size
	if flags&flagMultiline != 0 {
		y = rect.Y1 - border - size
	}
	in.typeset(value, rect, size, y, start)
}

// freeText shows the contents of a free text annotation without an appearance.
func (in *interp) freeText(a object.Dict, start state) {
	rect, ok := in.file.Rect(a["Rect"])
	value := in.file.Text(a["Contents"])
	if !ok || strings.TrimSpace(value) == "" {
		return
	}
	size := fontSize(in.file.Text(a["DA"]))
	if size <= 0 {
		size = 12
	}
	in.typeset(value, rect, size, rect.Y1-border-size, start)
}

// border is the distance of a field's text from its rectangle, in points. leading is the
// distance of its lines, in font sizes.
const (
	border  = 2
	leading = 1.2
)

// typeset shows s in Helvetica, wrapped at the width of rect, with the first baseline at y.
// It includes characters that Helvetica lacks.
func (in *interp) typeset(s string, rect object.Rect, size, y float64, gs state) {
	if !(size < 1e6) {
		return
	}
	in.source++
	f := in.fonts.Helvetica()
	for i, line := range strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if i > 0 {
			y -= leading * size
		}
		// Right-to-left text starts at the right, one word per glyph, because its letters
		// are already in reading order.
		back, x := strings.ContainsFunc(line, glyph.RightToLeft), 0.0
		for _, word := range strings.SplitAfter(line, " ") {
			width := 0.0
			for _, r := range word {
				width += helveticaWidth(r)
			}
			if x > 0 && x+size*width > rect.X1-rect.X0-border && y-leading*size > rect.Y0 {
				x, y = 0, y-leading*size
			}
			if back {
				shown := strings.TrimRight(word, " ")
				w := width - float64(len(word)-len(shown))*helveticaWidth(' ')
				at := glyph.Matrix{size, 0, 0, size, rect.X1 - border - x - size*w, y}
				in.put(shown, f, w, at.Mul(gs.ctm), gs.clip)
				x += size * width
				continue
			}
			for _, r := range word {
				w := helveticaWidth(r)
				in.put(string(r), f, w, glyph.Matrix{size, 0, 0, size, rect.X0 + border + x, y}.Mul(gs.ctm), gs.clip)
				x += size * w
			}
		}
	}
}

// put appends a glyph that is w ems wide. trm transforms ems to the page.
func (in *interp) put(s string, f *font.Font, w float64, trm glyph.Matrix, clip area) {
	g := glyph.Glyph{
		Text: s, Size: trm.Scale(), Font: f.ID, Source: in.source, Ascent: f.Ascent, Descent: f.Descent,
		From: trm.Apply(0, 0), To: trm.Apply(w, 0),
		Dir: glyph.Point{X: trm[0], Y: trm[1]}.Unit(), Up: glyph.Point{X: trm[2], Y: trm[3]},
	}
	if finite(g.From) && finite(g.To) && finite(g.Up) && g.Size > 0 && clip.shows(&g) && len(in.glyphs) <= maxGlyphs {
		in.glyphs = append(in.glyphs, g)
	}
}

// helveticaWidth returns the advance of r in ems. It is approximate if Helvetica has no
// such character.
func helveticaWidth(r rune) float64 {
	if w := font.CoreWidth("Helvetica", r); w > 0 {
		return w
	}
	if r >= 0x2e80 {
		return 1
	}
	return 0.55
}

// inheritedEntry returns an entry of a field or of its nearest ancestor that has it.
func (in *interp) inheritedEntry(d object.Dict, key string) object.Object {
	for range maxParents {
		if o, ok := d[key]; ok {
			return o
		}
		if d = in.file.Dict(d["Parent"]); d == nil {
			return nil
		}
	}
	return nil
}

// fontSize returns the operand of Tf in a default appearance string.
func fontSize(appearance string) float64 {
	lx, last := lex.New([]byte(appearance)), 0.0
	for {
		switch v := lx.Next(); v.Kind {
		case lex.End:
			return 0
		case lex.Number:
			last = v.Num
		case lex.Operator:
			if string(v.Bytes) == "Tf" {
				return last
			}
		}
	}
}
