package font

import (
	"strings"

	"seam/shared/pdftext/cmap"
	"seam/shared/pdftext/object"
)

// maxCIDs is the number of CIDs a font can have.
const maxCIDs = 1 << 16

// composite fills in f from a Type0 font dictionary.
func (l *Loader) composite(f *Font, d object.Dict) {
	f.composite, f.missing = true, 1000
	known := true
	if b, _ := l.file.Bytes(d["Encoding"]); b != nil {
		f.codes = cmap.Parse(b)
	} else {
		f.codes, known = cmap.Predefined(l.file.Name(d["Encoding"]))
	}
	f.Vertical = f.codes.Vertical
	identity := known && strings.HasPrefix(l.file.Name(d["Encoding"]), "Identity")
	f.oneByte = identity && f.unicode != nil && f.unicode.OneByte()
	var descendant object.Dict
	if a := l.file.Array(d["DescendantFonts"]); len(a) > 0 {
		descendant = l.file.Dict(a[0])
	}
	descriptor := l.file.Dict(descendant["FontDescriptor"])
	p := l.program(descriptor)
	f.setHeight(p, descriptor, l.file)
	f.setBold(descriptor, l.file)
	switch {
	case f.unicode != nil:
	case p.trueType != nil:
		l.reverse(f, p, descendant)
	case p.cff != nil && !p.cff.CID: // CIDs are glyphs then
		f.glyphs = map[int]string{}
		for g, name := range p.cff.Names {
			f.glyphs[g] = f.glyphText(name)
		}
	}
	if v, ok := l.file.Number(descendant["DW"]); ok {
		f.missing = v
	}
	l.cidWidths(f, l.file.Array(descendant["W"]))
}

// reverse finds the text of each CID by the TrueType program: CID -> glyph ->
// character.
func (l *Loader) reverse(f *Font, p program, descendant object.Dict) {
	f.glyphs = map[int]string{}
	if toGID, _ := l.file.Bytes(descendant["CIDToGIDMap"]); toGID != nil {
		for cid := 0; 2*cid+1 < len(toGID) && cid < maxCIDs; cid++ {
			if s := p.trueType.Unicode(int(toGID[2*cid])<<8 | int(toGID[2*cid+1])); s != "" {
				f.glyphs[cid] = s
			}
		}
		return
	}
	for g := range maxCIDs {
		if s := p.trueType.Unicode(g); s != "" {
			f.glyphs[g] = s
		}
	}
}

// cidWidths reads a /W array (ISO 32000-1, 9.7.4.3).
func (l *Loader) cidWidths(f *Font, w object.Array) {
	left := 4 * maxCIDs // honest arrays name no CID twice
	for i := 0; i+1 < len(w) && left > 0; {
		first := l.file.Int(w[i])
		if list := l.file.Array(w[i+1]); list != nil {
			for k, x := range list {
				if v, ok := l.file.Number(x); ok && k < maxCIDs {
					f.widths[first+k] = v
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		last := l.file.Int(w[i+1])
		if v, ok := l.file.Number(w[i+2]); ok && first >= 0 {
			for c := first; c <= last && c < maxCIDs; c++ {
				f.widths[c] = v
				left--
			}
		}
		i += 3
	}
}
