// Package type1 reads the clear-text part of a Type 1 font program: its
// encoding and its bounding box (Adobe Type 1 Font Format, chapter 2).
package type1

import (
	"bytes"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/lex"
)

// Font is what Parse found.
type Font struct {
	Encoding *encoding.Names // code -> glyph name
	BBox     [4]float64      // in units of which 1000 make an em; zeros if unknown
}

// Parse reads b, which need not be a font: the encoding is then the standard one.
func Parse(b []byte) *Font {
	f := &Font{Encoding: encoding.Standard()}
	if i := bytes.Index(b, []byte("eexec")); i >= 0 {
		b = b[:i]
	}
	if i := bytes.Index(b, []byte("/FontBBox")); i >= 0 {
		if v := lex.New(b[i+len("/FontBBox"):]).Next(); v.Kind == lex.Array && len(v.Items) == 4 {
			for k, x := range v.Items {
				f.BBox[k] = x.Num
			}
		}
	}
	if i := bytes.Index(b, []byte("/Encoding")); i >= 0 {
		f.readEncoding(lex.New(b[i+len("/Encoding"):]))
	}
	return f
}

// readEncoding reads "StandardEncoding def" or "256 array … dup 65 /A put …
// readonly def".
func (f *Font) readEncoding(lx *lex.Lexer) {
	if v := lx.Next(); v.Kind == lex.Operator && string(v.Bytes) == "StandardEncoding" {
		return
	}
	enc := &encoding.Names{}
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
