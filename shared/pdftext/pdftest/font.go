package pdftest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"seam/shared/pdftext/encoding"
)

// show returns the operators that show texts.
func (w *writer) show(texts []Text) string {
	var sb strings.Builder
	for _, t := range texts {
		name := t.Font
		if name == "" {
			name = "Helvetica"
		}
		if w.fonts[name] == 0 {
			w.fonts[name] = w.reserve()
		}
		fmt.Fprintf(&sb, "BT /%s %g Tf %g %g Td <%x> Tj ET\n", name, t.Size, t.X, t.Y, w.encode(name, t.S))
	}
	return sb.String()
}

// encode returns the character codes of s.
func (w *writer) encode(font, s string) (out []byte) {
	if font == fontJapanese {
		return []byte(s)
	}
	for _, r := range s {
		if font != fontUnicode {
			c, ok := encoding.WinAnsiCode(r)
			if !ok {
				panic(fmt.Sprintf("pdftest: no code for %q in font %s", r, font))
			}
			out = append(out, c)
			continue
		}
		if w.codes[r] == 0 {
			w.runes = append(w.runes, r)
			w.codes[r] = len(w.runes)
		}
		out = append(out, byte(w.codes[r]>>8), byte(w.codes[r]))
	}
	return out
}

// fontResources returns the resource entries of all fonts used so far.
func (w *writer) fontResources() string {
	s := "/Font <<"
	for _, name := range slices.Sorted(maps.Keys(w.fonts)) {
		s += fmt.Sprintf(" /%s %d 0 R", name, w.fonts[name])
	}
	return s + " >>"
}

// writeFonts writes the font objects, once all texts are known.
func (w *writer) writeFonts() {
	for _, name := range slices.Sorted(maps.Keys(w.fonts)) {
		if name == fontJapanese {
			descendant := w.add("<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /DW 1000 /W [231 632 500]" +
				" /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>")
			w.set(w.fonts[name], fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light-90ms-RKSJ-H"+
				" /Encoding /90ms-RKSJ-H /DescendantFonts [%d 0 R] >>", descendant))
			continue
		}
		if name != fontUnicode {
			w.set(w.fonts[name], fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>", name))
			continue
		}
		descriptor := w.add("<< /Type /FontDescriptor /FontName /Sample /Flags 4 /Ascent 900 /Descent -200 /FontBBox [0 -200 1000 900] >>")
		descendant := w.add(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Sample /DW 500 /W [1 [500 500] 3 9 500]"+
			" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R >>", descriptor))
		unicode := w.stream("", w.toUnicode())
		w.set(w.fonts[name], fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /Sample /Encoding /Identity-H"+
			" /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", descendant, unicode))
	}
}

// toUnicode returns the CMap of the composite font.
func (w *writer) toUnicode() string {
	var sb strings.Builder
	sb.WriteString("/CMapName /Sample def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n")
	for i, r := range w.runes {
		fmt.Fprintf(&sb, "1 beginbfchar\n<%04x> <", i+1)
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&sb, "%04x", u)
		}
		sb.WriteString(">\nendbfchar\n")
	}
	return sb.String()
}
