package interp

import (
	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/lex"
)

// mark is an open marked-content sequence.
type mark struct {
	replaced bool   // has ActualText
	text     string // its ActualText
	first    int    // index of its first glyph
	hidden   bool   // on a hidden layer
}

// maxMarks is the maximum number of open sequences on a page.
const maxMarks = 1 << 12

// beginMarked opens a sequence. Its ActualText is in the property list, given directly or
// by name.
func (s *stream) beginMarked() {
	if len(s.marked) >= maxMarks {
		return
	}
	m := mark{first: len(s.glyphs)}
	if n := len(s.args); n > 0 {
		switch p := s.args[n-1]; p.Kind {
		case lex.Dict:
			if v := p.Get("ActualText"); v.Kind == lex.String {
				m.text, m.replaced = encoding.TextString(v.Bytes), true
			}
		case lex.Name:
			properties := s.resource("Properties", string(p.Bytes))
			m.hidden = s.name(2) == "OC" && s.layers.Hides(properties)
			d := s.file.Dict(properties)
			if o := d["ActualText"]; o != nil {
				m.text, m.replaced = s.file.Text(o), true
			}
		}
	}
	s.marked = append(s.marked, m)
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
