package font

import (
	"strconv"
	"strings"
	"unicode/utf8"

	pdffont "github.com/pdfcpu/pdfcpu/pkg/font"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/object"
)

// Flags of font descriptors (ISO 32000-1, table 123): the font has characters outside the
// standard Latin set, or only characters inside it.
const (
	symbolic    = 1 << 2
	nonsymbolic = 1 << 5
)

// simple sets up f from a font dictionary of any type except Type0.
func (l *Loader) simple(f *Font, d object.Dict) {
	subtype := l.file.Name(d["Subtype"])
	f.Type3 = subtype == "Type3"
	f.Matrix = [6]float64{0.001, 0, 0, 0.001, 0, 0}
	if v, ok := l.file.Numbers(d["FontMatrix"], 6); ok && f.Type3 {
		copy(f.Matrix[:], v)
	}
	descriptor := l.file.Dict(d["FontDescriptor"])
	p := l.program(descriptor)
	if f.Type3 {
		l.type3Height(f, d)
	} else {
		f.setHeight(p, descriptor, l.file)
	}
	f.setStyle(descriptor, l.file)

	base, differences := l.encoding(d["Encoding"])
	flags := l.file.Int(descriptor["Flags"])
	f.setBase(base, subtype, flags, p)
	if subtype == "TrueType" && p.trueType != nil && f.unicode == nil && (flags&symbolic != 0 || base == "") {
		f.setByProgram(p, base == "")
	}
	l.applyDifferences(f, differences)
	if f.Type3 && f.unicode == nil {
		l.setTeX(f, differences)
	}
	l.simpleWidths(f, d, descriptor)
}

// encoding reads an /Encoding. It returns the name of the base encoding, or "" for the
// font's own, and the differences from it.
func (l *Loader) encoding(o object.Object) (base string, differences object.Array) {
	base = l.file.Name(o)
	if d := l.file.Dict(o); d != nil {
		base, differences = l.file.Name(d["BaseEncoding"]), l.file.Array(d["Differences"])
	}
	switch base {
	case "StandardEncoding", "WinAnsiEncoding", "MacRomanEncoding", "MacExpertEncoding":
		return base, differences
	}
	return "", differences
}

// type3Height sets the height of a line of a Type 3 font to the height of its bounding box.
func (l *Loader) type3Height(f *Font, d object.Dict) {
	a, b := 0.0, 0.0
	if box, ok := l.file.Numbers(d["FontBBox"], 4); ok {
		a, b = box[1]*f.Matrix[3], box[3]*f.Matrix[3]
	}
	f.Ascent, f.Descent = sane(max(a, b), min(a, b))
}

// setBase sets the text of all codes from the encoding named base, or from the built-in
// one. For embedded TrueType fonts without an encoding, most writers mean WinAnsiEncoding.
func (f *Font) setBase(base, subtype string, flags int, p program) {
	names := f.builtIn(base, subtype, flags, p)
	for c := range f.text {
		switch {
		case names != nil && (names[c] != "" || subtype != "TrueType"):
			f.text[c] = f.glyphText(names[c])
		case base == "MacRomanEncoding":
			f.text[c] = one(encoding.MacRoman(byte(c)))
		default:
			f.text[c] = one(encoding.WinAnsi(byte(c)))
		}
	}
}

// builtIn returns the glyph names of the encoding, or nil if base is a code page.
func (f *Font) builtIn(base, subtype string, flags int, p program) *encoding.Names {
	switch {
	case f.Name == "Symbol", p == program{} && coreFont(f.Name) == "Symbol":
		return encoding.Symbol()
	case f.Name == "ZapfDingbats":
		return encoding.Dingbats()
	case base == "WinAnsiEncoding", base == "MacRomanEncoding":
		return nil
	case base == "" && subtype == "TrueType" && p.trueType != nil && flags&nonsymbolic == 0:
		return nil
	case base == "MacExpertEncoding":
		return encoding.MacExpert()
	case base == "" && subtype != "TrueType" && p.type1 != nil:
		return p.type1.Encoding
	case base == "" && subtype != "TrueType" && p.cff != nil && p.cff.Encoding != nil:
		return p.cff.Encoding
	}
	return encoding.Standard()
}

// glyphText returns the text of a glyph name in this font.
func (f *Font) glyphText(name string) string {
	if f.Name == "ZapfDingbats" {
		if s := encoding.Dingbat(name); s != "" {
			return s
		}
	}
	return encoding.Unicode(name)
}

// setByProgram sets the text of all codes that a TrueType program maps. guess says that the
// texts of the other codes are guesses.
func (f *Font) setByProgram(p program, guess bool) {
	for c := range f.text {
		f.guessed[c] = guess
		if g := p.trueType.Code(c); g != 0 {
			if s := p.trueType.Unicode(g); s != "" {
				f.text[c], f.guessed[c] = s, false
			}
		}
	}
}

// applyDifferences overrides codes by a /Differences array.
func (l *Loader) applyDifferences(f *Font, a object.Array) {
	code := 0
	for _, o := range a {
		switch x := l.file.Resolve(o).(type) {
		case object.Integer:
			code = x.Value()
		case object.Name:
			if 0 <= code && code < len(f.text) {
				f.text[code], f.guessed[code] = f.differs(code, x.Value())
			}
			code++
		}
	}
}

// differs returns the text of a code with the given glyph name. "G" and two digits is a
// hexadecimal character code, as written by some printer drivers. Other private names (g12,
// C0045) have no meaning, and the code itself is the best guess.
func (f *Font) differs(code int, name string) (s string, guess bool) {
	if hex, ok := strings.CutPrefix(name, "G"); ok && len(hex) == 2 {
		if c, err := strconv.ParseUint(hex, 16, 8); err == nil {
			return string(rune(c)), false
		}
	}
	if s := f.glyphText(name); s != "" || name == ".notdef" || code < ' ' {
		return s, false
	}
	return string(rune(code)), true
}

// simpleWidths reads /Widths, which core fonts may omit.
func (l *Loader) simpleWidths(f *Font, d, descriptor object.Dict) {
	f.missing, _ = l.file.Number(descriptor["MissingWidth"])
	list := l.file.Array(d["Widths"])
	first := l.file.Int(d["FirstChar"])
	for i, o := range list {
		if v, ok := l.file.Number(o); ok && i < 256 {
			f.widths[first+i] = v
		}
	}
	if len(list) > 0 || f.Type3 {
		return
	}
	core := coreFont(f.Name)
	for c := range f.text {
		code := byte(c)
		if core != "Symbol" && core != "ZapfDingbats" {
			r, ok := single(f.text[c])
			if !ok {
				continue
			}
			if code, ok = encoding.WinAnsiCode(plain(r)); !ok {
				continue
			}
		}
		if w, err := pdffont.CharWidth(core, rune(code)); err == nil {
			f.widths[c] = float64(w)
		}
	}
	if f.missing == 0 {
		f.missing = notdefWidth(core)
	}
}

// plain returns the character with a glyph that replaces r in fonts without one for r.
func plain(r rune) rune {
	switch r {
	case '\u00a0':
		return ' '
	case '\u00ad':
		return '-'
	}
	return r
}

// notdefWidth returns the advance of the glyph .notdef in the free versions of the core
// fonts.
func notdefWidth(core string) float64 {
	switch {
	case strings.HasPrefix(core, "Courier"):
		return 600
	case strings.HasPrefix(core, "Helvetica"):
		return 278
	}
	return 250
}

// one returns r as text, or "" for 0.
func one(r rune) string {
	if r == 0 {
		return ""
	}
	return string(r)
}

// single returns the only rune of s.
func single(s string) (rune, bool) {
	r, n := utf8.DecodeRuneInString(s)
	return r, n > 0 && n == len(s)
}

// CoreWidth returns the advance of r in a core font, in ems, or 0 if it has no such glyph.
func CoreWidth(core string, r rune) float64 {
	c, ok := encoding.WinAnsiCode(r)
	if !ok {
		return 0
	}
	w, err := pdffont.CharWidth(core, rune(c))
	if err != nil {
		return 0
	}
	return float64(w) / 1000
}
