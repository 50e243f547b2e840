package interp

import (
	"reflect"
	"slices"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/object"
)

// xobject runs a form and counts an image.
func (s *stream) xobject() {
	x, ok := s.file.Resolve(s.resource("XObject", s.name(1))).(object.Stream)
	if !ok || s.layers.Hides(x.Dict["OC"]) {
		return
	}
	switch s.file.Name(x.Dict["Subtype"]) {
	case "Image":
		s.image()
	case "Form":
		gs := s.gs
		gs.ctm = s.formMatrix(x).Mul(gs.ctm)
		if box, ok := s.file.Rect(x.Dict["BBox"]); ok {
			gs.clipTo(around(gs.ctm, box))
		}
		if s.depth <= maxDepth && !s.running(x.Dict) {
			s.forms = append(s.forms, x.Dict)
			s.run(s.bytes(x), s, s.file.Dict(x.Dict["Resources"]), gs)
			s.forms = s.forms[:len(s.forms)-1]
		}
	}
}

// running reports whether the form with dictionary d is being run. A form that calls itself
// is shown once.
func (in *interp) running(d object.Dict) bool {
	return slices.ContainsFunc(in.forms, func(x object.Dict) bool {
		return reflect.ValueOf(x).Pointer() == reflect.ValueOf(d).Pointer()
	})
}

func (in *interp) formMatrix(x object.Stream) glyph.Matrix {
	m := glyph.Identity
	if v, ok := in.file.Numbers(x.Dict["Matrix"], 6); ok {
		copy(m[:], v)
	}
	return m
}

// Flags of annotations that are not shown (ISO 32000-1, table 165).
const (
	flagHidden = 1 << 1
	flagNoView = 1 << 5
)

// annotations runs the appearances of the annotations: the text of form fields and comments
// on the page.
func (in *interp) annotations(o object.Object, start state) {
	for _, ref := range in.file.Array(o) {
		a := in.file.Dict(ref)
		kind := in.file.Name(a["Subtype"])
		if in.file.Int(a["F"])&(flagHidden|flagNoView) != 0 || kind == "Popup" || kind == "Link" ||
			in.layers.Hides(a["OC"]) {
			continue
		}
		before := len(in.glyphs)
		if x, ok := in.appearance(a); ok {
			gs := start
			gs.scrolls = kind == "Widget"
			in.appear(x, a, gs)
			if kind == "Widget" {
				in.markOptions(a, before)
			}
		}
		switch {
		case len(in.glyphs) > before:
		case kind == "Widget":
			in.fieldText(a, start)
		case kind == "FreeText" && a["AP"] == nil:
			in.freeText(a, start)
		}
	}
}

// appear runs appearance x of annotation a.
func (in *interp) appear(x object.Stream, a object.Dict, gs state) {
	gs.ctm = in.placed(x, a).Mul(gs.ctm)
	if box, ok := in.file.Rect(x.Dict["BBox"]); ok {
		gs.clipTo(around(gs.ctm, box))
	}
	in.run(in.bytes(x), nil, in.file.Dict(x.Dict["Resources"]), gs)
}

// appearance returns the normal appearance of an annotation in its current state.
func (in *interp) appearance(a object.Dict) (object.Stream, bool) {
	n := in.file.Resolve(in.file.Dict(a["AP"])["N"])
	if states, ok := n.(object.Dict); ok {
		n = in.file.Resolve(states[in.file.Name(a["AS"])])
	}
	x, ok := n.(object.Stream)
	return x, ok
}

// placed returns the matrix that fits the box of an appearance, after its own matrix, into
// the rectangle of its annotation (ISO 32000-1, 12.5.5).
func (in *interp) placed(x object.Stream, a object.Dict) glyph.Matrix {
	m := in.formMatrix(x)
	rect, ok1 := in.file.Rect(a["Rect"])
	box, ok2 := in.file.Rect(x.Dict["BBox"])
	if !ok1 || !ok2 {
		return m
	}
	var t object.Rect
	for i, p := range [4]glyph.Point{m.Apply(box.X0, box.Y0), m.Apply(box.X1, box.Y0),
		m.Apply(box.X0, box.Y1), m.Apply(box.X1, box.Y1)} {
		if i == 0 {
			t = object.Rect{X0: p.X, Y0: p.Y, X1: p.X, Y1: p.Y}
		}
		t = object.Rect{X0: min(t.X0, p.X), Y0: min(t.Y0, p.Y), X1: max(t.X1, p.X), Y1: max(t.Y1, p.Y)}
	}
	if t.X1 <= t.X0 || t.Y1 <= t.Y0 {
		return m
	}
	sx, sy := (rect.X1-rect.X0)/(t.X1-t.X0), (rect.Y1-rect.Y0)/(t.Y1-t.Y0)
	return m.Mul(glyph.Matrix{sx, 0, 0, sy, rect.X0 - t.X0*sx, rect.Y0 - t.Y0*sy})
}
