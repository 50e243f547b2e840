package font

import (
	"math"
	"slices"
	"strings"

	"seam/shared/pdftext/cff"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/truetype"
	"seam/shared/pdftext/type1"
)

// program is the embedded font program. Without one, all fields are nil. OpenType fonts
// with PostScript outlines have both a TrueType and a CFF part.
type program struct {
	trueType *truetype.Font
	cff      *cff.Font
	type1    *type1.Font
}

// program reads the font program of a font descriptor. The first bytes determine its type,
// because files are careless with the key.
func (l *Loader) program(descriptor object.Dict) (p program) {
	for _, key := range [...]string{"FontFile2", "FontFile3", "FontFile"} {
		b, _ := l.file.Bytes(descriptor[key])
		switch {
		case len(b) < 4:
			continue
		case string(b[:4]) == "OTTO":
			p.trueType, p.cff = truetype.Parse(b), cff.Parse(truetype.Table(b, "CFF "))
		case b[0] == 1 && b[1] == 0 && b[2] >= 4:
			p.cff = cff.Parse(b)
		case b[0] == '%' || b[0] == 0x80 || key == "FontFile":
			p.type1 = type1.Parse(b)
		default:
			p.trueType = truetype.Parse(b)
		}
		return p
	}
	return p
}

// Without any information about a font, lines have the same height as in PyMuPDF.
const (
	defaultAscent  = 0.8
	defaultDescent = -0.2
)

// setHeight finds the height of a line of f in the same way as PyMuPDF: from the
// descriptor, otherwise from the font program, otherwise from the family's name. In a
// descriptor, a descent may have either sign, and an ascent of 0 means unknown.
func (f *Font) setHeight(p program, descriptor object.Dict, file *object.File) {
	a, hasAscent := file.Number(descriptor["Ascent"])
	d, hasDescent := file.Number(descriptor["Descent"])
	a, d = a/1000, -math.Abs(d)/1000
	switch {
	case hasAscent || hasDescent:
	case p.trueType != nil:
		a, d = p.trueType.Ascent, p.trueType.Descent
	case p.cff != nil:
		a, d = p.cff.BBox[3]/1000, p.cff.BBox[1]/1000
	case p.type1 != nil:
		a, d = p.type1.BBox[3]/1000, p.type1.BBox[1]/1000
	default:
		a, d = familyHeight(f.Name)
	}
	if a <= 0 {
		d = a // invalid
	}
	f.Ascent, f.Descent = sane(a, d)
}

// maxHeight bounds ascents and descents in ems. In honest Type 3 fonts, where an em has no
// meaning, they reach thousands.
const maxHeight = 1e4

// sane returns plausible values for ascent and descent.
func sane(a, d float64) (ascent, descent float64) {
	if !(a-d > 0 && math.Abs(a) < maxHeight && math.Abs(d) < maxHeight) {
		return defaultAscent, defaultDescent
	}
	return a, d
}

// Flags of font descriptors (ISO 32000-1, table 123).
const (
	italic    = 1 << 6
	forceBold = 1 << 18
)

// setStyle determines whether f is a bold font, and whether it is an italic one.
func (f *Font) setStyle(descriptor object.Dict, file *object.File) {
	s := strings.ToLower(f.Name)
	has := func(part string) bool { return strings.Contains(s, part) }
	flags := file.Int(descriptor["Flags"])
	angle, _ := file.Number(descriptor["ItalicAngle"])
	f.Bold = slices.ContainsFunc([]string{"bold", "black", "heavy", "cmbx", "-medi"}, has) || flags&forceBold != 0 || file.Int(descriptor["FontWeight"]) >= 600
	f.Italic = slices.ContainsFunc([]string{"italic", "oblique", "slanted"}, has) || flags&italic != 0 || angle != 0
}

// familyHeight returns the height of the substitutes for fonts that are not embedded: the
// bounding boxes of the free versions of the core fonts.
func familyHeight(name string) (ascent, descent float64) {
	switch coreFont(name) {
	case "Symbol":
		return 1.010, -0.293
	case "ZapfDingbats":
		return 0.819, -0.144
	case "Courier", "Courier-Oblique":
		return 0.932, -0.317
	case "Courier-Bold", "Courier-BoldOblique":
		return 1.007, -0.393
	case "Times-Roman":
		return 1.053, -0.281
	case "Times-Bold":
		return 1.044, -0.341
	case "Times-Italic", "Times-BoldItalic":
		return 0.951, -0.270
	}
	return 1.075, -0.299
}

// coreFont returns the core font that is closest to a font's name.
func coreFont(name string) string {
	s := strings.ToLower(name)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(s, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("zapfdingbats"):
		return "ZapfDingbats"
	case s == "symbol" || strings.HasPrefix(s, "symbol,") || s == "symbolmt":
		return "Symbol"
	}
	bold, italic := has("bold", "black", "heavy"), has("italic", "oblique")
	switch {
	case has("courier", "mono", "consol", "typewriter"):
		return styled("Courier", "", "Oblique", bold, italic)
	case has("times", "serif", "roman", "georgia", "garamond", "palatino", "minion") && !has("sans"):
		return styled("Times", "Roman", "Italic", bold, italic)
	}
	return styled("Helvetica", "", "Oblique", bold, italic)
}

// styled returns the name of a member of a core family.
func styled(family, plain, slanted string, bold, italic bool) string {
	style := ""
	if bold {
		style = "Bold"
	}
	if italic {
		style += slanted
	}
	if style == "" {
		style = plain
	}
	if style == "" {
		return family
	}
	return family + "-" + style
}
