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
	mode    int     // Tr
	space   space   // cs
	colour  colour  // of fills
	width   float64 // w: of lines, in user space
	opacity float64 // ca: of fills
	plain   bool    // no blend mode and no soft mask
	rough   bool    // the clip is not a rectangle
}

func newState(ctm glyph.Matrix, clip area) state {
	return state{ctm: ctm, clip: clip, stretch: 1, space: gray, colour: black, width: 1, opacity: 1, plain: true}
}

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
	if v, ok := s.file.Number(d["ca"]); ok {
		s.gs.opacity = v
	}
	if mode := s.file.Name(d["BM"]); d["BM"] != nil && mode != "Normal" && mode != "Compatible" {
		s.gs.plain = false
	}
	if mask := d["SMask"]; mask != nil && s.file.Name(mask) != "None" {
		s.gs.plain = false
	}
}
