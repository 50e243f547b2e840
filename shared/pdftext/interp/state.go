package interp

import (
	"seam/shared/pdftext/font"
	"seam/shared/pdftext/glyph"
)

// state is the part of the graphics state that affects text (ISO 32000-1, tables 52 and
// 104).
type state struct {
	ctm     glyph.Matrix
	clip    area // on the page
	scrolls bool // ignore clipping: in a field, clipped text is only scrolled out of sight
	font    *font.Font
	size    float64 // Tf
	char    float64 // Tc: added to each advance
	word    float64 // Tw: added to the advance of the one-byte code 32
	stretch float64 // Tz: 1 is normal
	leading float64 // TL
	rise    float64 // Ts
}

func newState(ctm glyph.Matrix, clip area) state { return state{ctm: ctm, clip: clip, stretch: 1} }

// clipTo narrows the clip.
func (gs *state) clipTo(a area) {
	if !gs.scrolls {
		gs.clip = gs.clip.intersect(a)
	}
}

// extGState applies the font of an external graphics state.
func (s *stream) extGState() {
	d := s.file.Dict(s.resource("ExtGState", s.name(1)))
	if a := s.file.Array(d["Font"]); len(a) == 2 {
		s.gs.font = s.fonts.Load(a[0])
		s.gs.size, _ = s.file.Number(a[1])
	}
}
