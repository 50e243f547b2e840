package interp

import (
	"fmt"
	"strings"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/lex"
	"seam/shared/pdftext/object"
)

// Form fields (ISO 32000-1, 12.7): flags, and how far up the tree a value is
// inherited.
const (
	flagMultiline = 1 << 12
	flagPassword  = 1 << 13
	flagCombo     = 1 << 17
	maxParents    = 16
)

// fieldText shows the value of a text field or a combo box as a reader would
// that makes the appearance itself: one line, in Helvetica.
func (in *interp) fieldText(a object.Dict, start state) {
	kind, flags := in.file.Name(in.inherited(a, "FT")), in.file.Int(in.inherited(a, "Ff"))
	if kind != "Tx" && (kind != "Ch" || flags&flagCombo == 0) || flags&flagPassword != 0 {
		return
	}
	rect, ok := in.file.Rect(a["Rect"])
	value := in.file.Text(in.inherited(a, "V"))
	if !ok || strings.TrimSpace(value) == "" {
		return
	}
	const border = 2
	height := rect.Y1 - rect.Y0
	size := fontSize(in.file.Text(in.inherited(a, "DA")))
	if size <= 0 {
		size = min(12, max(4, height-2*border))
	}
	y := rect.Y0 + (height-size)/2 + 0.2*size
	if flags&flagMultiline != 0 {
		y = rect.Y1 - border - size
	}
	var content strings.Builder
	fmt.Fprintf(&content, "BT /F %g Tf %g TL %g %g Td", size, 1.2*size, rect.X0+border, y)
	for i, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if i > 0 {
			content.WriteString(" T*")
		}
		fmt.Fprintf(&content, " <%x> Tj", winAnsi(line))
	}
	content.WriteString(" ET")
	if in.fields == nil {
		in.fields = helvetica()
	}
	in.run([]byte(content.String()), in.fields, start)
}

// helvetica are resources with that font under the name F.
func helvetica() object.Dict {
	return object.Dict{"Font": object.Dict{"F": object.Dict{
		"Type": object.Name("Font"), "Subtype": object.Name("Type1"),
		"BaseFont": object.Name("Helvetica"), "Encoding": object.Name("WinAnsiEncoding"),
	}}}
}

// inherited returns an entry of a field or of the nearest one above it.
func (in *interp) inherited(d object.Dict, key string) object.Object {
	for range maxParents {
		if o, ok := d[key]; ok {
			return o
		}
		if d = in.file.Dict(d["Parent"]); d == nil {
			return nil
		}
	}
	return nil
}

// fontSize returns the operand of Tf in a default appearance string.
func fontSize(appearance string) float64 {
	lx, last := lex.New([]byte(appearance)), 0.0
	for {
		switch v := lx.Next(); v.Kind {
		case lex.End:
			return 0
		case lex.Number:
			last = v.Num
		case lex.Operator:
			if string(v.Bytes) == "Tf" {
				return last
			}
		}
	}
}

// winAnsi encodes s; what has no code becomes a question mark.
func winAnsi(s string) []byte {
	var out []byte
	for _, r := range s {
		c, ok := encoding.WinAnsiCode(r)
		if !ok {
			c = '?'
		}
		out = append(out, c)
	}
	return out
}
