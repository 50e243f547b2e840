// Package type1 reads the clear-text part of a Type 1 font program: its encoding and its
// bounding box (Adobe Type 1 Font Format, chapter 2).
package type1

import (
	"bytes"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/lex"
)

// Font is the data found by Parse.
type Font struct {
	Encoding *encoding.Names // code -> glyph name
	BBox     [4]float64      // thousandths of an em; zeros if unknown
}

// Parse reads b, which need not be a font; the encoding then is the standard one. Section
// headers of a .pfb file do no harm.
func Parse(b []byte) *Font {
	f := &Font{Encoding: encoding.Standard()}
	if i := bytes.Index(b, []byte("eexec")); i >= 0 {
		b = b[:i]
	}
	unit := 0.001
	if m := numbers(b, "/FontMatrix"); len(m) == 6 && m[3] > 0 {
		unit = m[3]
	}
	if box := numbers(b, "/FontBBox"); len(box) == 4 {
		for i, x := range box {
			f.BBox[i] = x * unit * 1000
		}
	}
	if i := bytes.Index(b, []byte("/Encoding")); i >= 0 {
		f.readEncoding(lex.New(b[i+len("/Encoding"):]))
	}
	return f
}

// numbers returns the array of numbers after key, or nil if there is none.
func numbers(b []byte, key string) (out []float64) {
	i := bytes.Index(b, []byte(key))
	if i < 0 {
		return nil
	}
	for _, x := range lex.New(b[i+len(key):]).Next().Items {
		out = append(out, x.Num)
	}
	return out
}

// readEncoding reads "StandardEncoding def", "[/A /B …] def" or "256 array … dup
// 65 /A put … readonly def".
func (f *Font) readEncoding(lx *lex.Lexer) {
	enc := &encoding.Names{}
	switch v := lx.Next(); {
	case v.Kind == lex.Operator && string(v.Bytes) == "StandardEncoding":
		return
	case v.Kind == lex.Array:
		for c, x := range v.Items[:min(len(v.Items), len(enc))] {
			if x.Kind == lex.Name {
				enc[c] = string(x.Bytes)
			}
		}
		f.Encoding = enc
		return
	}
	var code, name lex.Value
	for {
		v := lx.Next()
		switch v.Kind {
		case lex.End:
			f.Encoding = enc
			return
		case lex.Number:
			code = v
		case lex.Name:
			name = v
		case lex.Operator:
			switch string(v.Bytes) {
			case "put":
				if c := int(code.Num); code.Kind == lex.Number && 0 <= c && c < 256 && name.Kind == lex.Name {
					enc[c] = string(name.Bytes)
				}
				code, name = lex.Value{}, lex.Value{}
			case "def", "readonly":
				f.Encoding = enc
				return
			}
		}
	}
}
