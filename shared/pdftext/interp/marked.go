package interp

import (
	"slices"
	"strings"
	"unicode"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/lex"
	"seam/shared/pdftext/object"
)

// mark is an open marked-content sequence.
type mark struct {
	replaced bool   // has ActualText
	text     string // its ActualText
	first    int    // index of its first glyph
	hidden   bool   // on a hidden layer
	alt      string // its description
	images   int    // number of images before it
	pictures int    // number of areas of pictures before it
}

// maxDescribed is the maximum number of described pictures of a page.
const maxDescribed = 1 << 8

// maxMarks is the maximum number of open sequences on a page.
const maxMarks = 1 << 12

// beginMarked opens a sequence. Its ActualText is in the property list, given directly or
// by name.
func (s *stream) beginMarked() {
	if len(s.marked) >= maxMarks {
		return
	}
	m := mark{first: len(s.glyphs), images: s.images, pictures: len(s.pictures)}
	if n := len(s.args); n > 0 {
		switch p := s.args[n-1]; p.Kind {
		case lex.Dict:
			if v := p.Get("ActualText"); v.Kind == lex.String {
				m.text, m.replaced = encoding.TextString(v.Bytes), true
			}
			if v := p.Get("Alt"); v.Kind == lex.String {
				m.alt = encoding.TextString(v.Bytes)
			}
		case lex.Name:
			properties := s.resource("Properties", string(p.Bytes))
			m.hidden = s.name(2) == "OC" && s.layers.Hides(properties)
			d := s.file.Dict(properties)
			if o := d["ActualText"]; o != nil {
				m.text, m.replaced = s.file.Text(o), true
			}
			m.alt = s.file.Text(d["Alt"])
		}
	}
	if s.name(2) == "Artifact" {
		m.alt = ""
	}
	s.marked = append(s.marked, m)
}

// describe notes the description of sequence m, which ends, if it shows a picture or nothing
// that can be read.
func (in *interp) describe(m *mark) {
	if m.alt == "" || m.replaced || m.hidden || len(in.described) >= maxDescribed ||
		slices.ContainsFunc(in.marked, func(around mark) bool { return around.hidden }) {
		return
	}
	if in.images == m.images && slices.ContainsFunc(in.glyphs[min(m.first, len(in.glyphs)):], readable) {
		return
	}
	d := Described{Text: m.alt}
	if m.pictures < len(in.pictures) {
		a := in.pictures[m.pictures]
		d.Area = &object.Rect{X0: a.x0, Y0: a.y0, X1: a.x1, Y1: a.y1}
	}
	in.described = append(in.described, d)
}

// readable reports whether g is a letter or a digit.
func readable(g glyph.Glyph) bool {
	return strings.ContainsFunc(g.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// endMarked closes the innermost sequence. If it has ActualText, one glyph with that text
// replaces everything it showed. On a hidden layer, nothing replaces it.
func (in *interp) endMarked() {
	n := len(in.marked)
	if n == 0 {
		return
	}
	m := in.marked[n-1]
	in.marked = in.marked[:n-1]
	in.describe(&m)
	if m.hidden && m.first <= len(in.glyphs) {
		in.glyphs = in.glyphs[:m.first]
	}
	if !m.replaced || m.first >= len(in.glyphs) {
		return
	}
	g := in.glyphs[m.first]
	g.Text, g.To, g.Guess = m.text, in.glyphs[len(in.glyphs)-1].To, false
	in.glyphs = append(in.glyphs[:m.first], g)
}

// endAll closes the sequences that the content left open.
func (in *interp) endAll() {
	for len(in.marked) > 0 {
		in.endMarked()
	}
}
