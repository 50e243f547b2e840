package interp

import (
	"math"
	"strings"

	"seam/shared/pdftext/object"
)

// maxOptions is the maximum number of options of a list box.
const maxOptions = 1 << 12

// markOptions marks the options of list box a that are not chosen, which its appearance shows
// in glyphs from number first on. Other text of the appearance stays as it is.
func (in *interp) markOptions(a object.Dict, first int) {
	if in.file.Name(in.inheritedEntry(a, "FT")) != "Ch" || in.file.Int(in.inheritedEntry(a, "Ff"))&flagCombo != 0 {
		return
	}
	chosen := in.options(a)
	for from := first; from < len(in.glyphs); {
		to := from + 1
		for to < len(in.glyphs) && in.sameRow(from, to) {
			to++
		}
		var shown strings.Builder
		for _, g := range in.glyphs[from:to] {
			shown.WriteString(g.Text)
		}
		if is, known := chosen[squeezed(shown.String())]; known && !is {
			for i := from; i < to; i++ {
				in.glyphs[i].Option = true
			}
		}
		from = to
	}
}

// sameRow reports whether two glyphs are on the same baseline.
func (in *interp) sameRow(i, k int) bool {
	a, b := &in.glyphs[i], &in.glyphs[k]
	return math.Abs(a.Dir.Cross(b.From.Sub(a.From))) < 0.3*a.Size
}

// options returns the options of a list box as they are shown, and whether they are chosen.
func (in *interp) options(a object.Dict) map[string]bool {
	chosen := map[string]bool{} // by value, or as it is shown
	value := in.inheritedEntry(a, "V")
	values := in.file.Array(value)
	if values == nil && value != nil {
		values = object.Array{value}
	}
	for _, v := range values {
		chosen[squeezed(in.file.Text(v))] = true
	}
	indexes := map[int]bool{}
	if len(values) == 0 {
		for _, o := range in.file.Array(in.inheritedEntry(a, "I")) {
			indexes[in.file.Int(o)] = true
		}
	}
	list := in.file.Array(in.inheritedEntry(a, "Opt"))
	shown := make(map[string]bool, min(len(list), maxOptions))
	for i, o := range list[:min(len(list), maxOptions)] {
		export, name := o, o
		if pair := in.file.Array(o); len(pair) > 1 {
			export, name = pair[0], pair[1]
		}
		key := squeezed(in.file.Text(name))
		is := chosen[squeezed(in.file.Text(export))] || chosen[key] || indexes[i]
		shown[key] = shown[key] || is
	}
	return shown
}

// squeezed returns s without white space, which gaps may replace.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }
