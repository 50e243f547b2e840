// Package font converts the bytes of a shown string to text and advances, using a font
// dictionary and its font program (ISO 32000-1, 9.5 to 9.10).
package font

import (
	"reflect"
	"strings"

	"seam/shared/pdftext/cmap"
	"seam/shared/pdftext/collection"
	"seam/shared/pdftext/object"
)

// Font is a font with the data needed for text extraction.
type Font struct {
	ID       int    // number in the document, from 1
	Name     string // without the prefix of a subset
	Vertical bool
	Type3    bool
	Bold     bool
	Italic   bool // or oblique
	// Matrix is the font matrix of a Type 3 font, to which glyph widths refer. For all
	// other fonts 1000 units make an em.
	Matrix [6]float64
	// Ascent and Descent are the bounds of a line in ems. The descent is negative.
	Ascent, Descent float64

	unicode *cmap.Map       // the ToUnicode map; nil if there is none
	text    [256]string     // simple fonts: code -> text
	guessed [256]bool       // simple fonts: nothing says that this is the text
	widths  map[int]float64 // code or CID -> advance
	known   [256]Char       // simple fonts: cache by code; Bytes is 0 in an empty entry
	missing float64         // advance of all others
	cids    *cidFont        // composite fonts; nil for simple ones
}

// Char is one character code of a shown string.
type Char struct {
	Text  string  // Unicode; "" if unknown
	Width float64 // advance in ems (Type 3: in text space units)
	Bytes int     // length of the code
	Space bool    // word spacing applies
	Guess bool    // nothing in the file says that this is the text

	// For vertical fonts, in ems: W1 is the movement of the pen along the y axis. VX and VY
	// lead from the origin of horizontal writing to the origin of vertical writing (ISO
	// 32000-1, 9.7.4.3).
	W1, VX, VY float64
}

// Next reads the first character code of s, which must not be empty.
func (f *Font) Next(s []byte) Char {
	if f.cids != nil {
		return f.nextCID(s)
	}
	code := s[0]
	if c := &f.known[code]; c.Bytes > 0 {
		return *c
	}
	f.known[code] = f.char(code)
	return f.known[code]
}

// char returns the character of a code in a simple font.
func (f *Font) char(code byte) Char {
	text, _ := f.mapped(uint32(code))
	guess := false
	if text == "" {
		text, guess = f.text[code], f.guessed[code]
	}
	if text == "" && code >= ' ' {
		text, guess = string(rune(code)), true // same as PyMuPDF
	}
	return Char{Text: text, Width: f.width(int(code)), Bytes: 1, Space: code == ' ', Guess: guess}
}

// mapped returns the text of a code from ToUnicode. ok is false if it has none. Writers put
// U+0000 or U+FFFD for unknown text. An empty text belongs to a glyph with its text in a
// neighbouring glyph.
func (f *Font) mapped(code uint32) (s string, ok bool) {
	if f.unicode == nil {
		return "", false
	}
	s, ok = f.unicode.Unicode(code)
	if s != "" && strings.Trim(s, "\x00\ufffd") == "" {
		return "", false
	}
	return s, ok
}

func (f *Font) width(code int) float64 {
	w, ok := f.widths[code]
	if !ok {
		w = f.missing
	}
	if f.Type3 {
		return w * f.Matrix[0]
	}
	return w / 1000
}

// Loader makes fonts, each only once.
type Loader struct {
	// Collections are the character collections. NewLoader sets the embedded ones.
	Collections *collection.Set

	file  *object.File
	fonts map[uintptr]loaded // by the address of the dictionary
	count int

	helvetica object.Dict // nil until it is needed
}

// loaded is a font with its dictionary. Holding the dictionary keeps its address from being
// reused.
type loaded struct {
	dict object.Dict
	font *Font
}

// NewLoader returns a Loader for the fonts of file.
func NewLoader(file *object.File) *Loader {
	return &Loader{Collections: collection.NewSet(nil), file: file, fonts: map[uintptr]loaded{}}
}

// Load returns the font for a font dictionary or a reference to one. It returns nil for
// anything else.
func (l *Loader) Load(o object.Object) *Font {
	d := l.file.Dict(o)
	if d == nil {
		return nil
	}
	// Fonts may be directly in the resources, without an object number.
	at := reflect.ValueOf(d).Pointer()
	f, ok := l.fonts[at]
	if !ok {
		f = loaded{d, l.load(d)}
		l.fonts[at] = f
	}
	return f.font
}

// Helvetica returns a font for text without a font or with a missing one.
func (l *Loader) Helvetica() *Font {
	if l.helvetica == nil {
		l.helvetica = object.Dict{
			"Type": object.Name("Font"), "Subtype": object.Name("Type1"),
			"BaseFont": object.Name("Helvetica"), "Encoding": object.Name("WinAnsiEncoding"),
		}
	}
	return l.Load(l.helvetica)
}

func (l *Loader) load(d object.Dict) *Font {
	l.count++
	f := &Font{ID: l.count, Name: baseName(l.file.Name(d["BaseFont"])), widths: map[int]float64{}}
	if b, _ := l.file.Bytes(d["ToUnicode"]); b != nil {
		f.unicode = cmap.Parse(b, nil, l.predefined)
	} else if strings.HasPrefix(l.file.Name(d["ToUnicode"]), "Identity") {
		f.unicode = cmap.IdentityUTF16() // not in any standard, but writers use it in this sense
	}
	switch subtype := l.file.Name(d["Subtype"]); {
	case subtype == "Type0":
		l.composite(f, d)
	case subtype != "Type3" && l.chinese(f, d):
		l.gbk(f, d)
	default:
		l.simple(f, d)
	}
	return f
}

// baseName drops the tag of a subset: "ABCDEF+Times" is Times.
func baseName(s string) string {
	if i := strings.IndexByte(s, '+'); i == 6 {
		return s[7:]
	}
	return s
}
