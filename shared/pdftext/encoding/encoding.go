// Package encoding knows glyph names and the encodings of simple fonts in the PDF standard
// (ISO 32000-1, annex D). It maps character codes to glyph names, and glyph names to
// Unicode.
//
// The tables come from names.txt, which gen/gen.py writes.
package encoding

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

//go:embed names.txt
var source string

// Names is a simple encoding: the glyph name of each code, or "".
type Names [256]string

// tables holds the contents of names.txt, parsed on first use.
type tables struct {
	agl, zapf                             map[string]string
	cff, mac, expert, subset              []string
	standard, symbol, dingbats, macExpert Names
}

var load = sync.OnceValue(func() *tables { return parse(source) })

func parse(src string) *tables {
	t := &tables{agl: make(map[string]string, 4400), zapf: make(map[string]string, 210)}
	section := ""
	for line := range strings.Lines(src) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "[") {
			section = line
			continue
		}
		head, tail, _ := strings.Cut(line, " ")
		switch section {
		case "[agl]":
			t.agl[head] = fromHex(tail)
		case "[zapf]":
			t.zapf[head] = fromHex(tail)
		case "[cff]":
			t.cff = append(t.cff, head)
		case "[mac]":
			t.mac = append(t.mac, head)
		case "[expert]":
			t.expert = append(t.expert, head)
		case "[subset]":
			t.subset = append(t.subset, head)
		case "[standard]":
			t.standard.set(head, tail)
		case "[symbol]":
			t.symbol.set(head, tail)
		case "[dingbats]":
			t.dingbats.set(head, tail)
		case "[macexpert]":
			t.macExpert.set(head, tail)
		}
	}
	return t
}

func fromHex(list string) string {
	var sb strings.Builder
	for h := range strings.FieldsSeq(list) {
		if v, err := strconv.ParseUint(h, 16, 21); err == nil {
			sb.WriteRune(rune(v))
		}
	}
	return sb.String()
}

func (n *Names) set(code, name string) {
	if c, err := strconv.Atoi(code); err == nil && 0 <= c && c < len(n) {
		n[c] = name
	}
}

// Standard returns Adobe's StandardEncoding.
func Standard() *Names { return &load().standard }

// Symbol returns the built-in encoding of the font Symbol.
func Symbol() *Names { return &load().symbol }

// Dingbats returns the built-in encoding of the font ZapfDingbats.
func Dingbats() *Names { return &load().dingbats }

// MacExpert returns MacExpertEncoding.
func MacExpert() *Names { return &load().macExpert }

// CFFCharset returns the glyph names of a predefined charset of the Compact Font Format
// other than ISOAdobe (Adobe Technical Note 5176, appendix C): 1 for Expert, 2 for
// ExpertSubset. The caller must not change it.
func CFFCharset(id int) []string {
	switch id {
	case 1:
		return load().expert
	case 2:
		return load().subset
	}
	return nil
}

// CFFString returns standard string sid of the Compact Font Format (Adobe Technical Note
// 5176, appendix A), or "" if there is none.
func CFFString(sid int) string { return at(load().cff, sid) }

// CFFStrings returns the number of standard strings. A font's own strings are numbered from
// there.
func CFFStrings() int { return len(load().cff) }

// MacGlyph returns name i of the standard Macintosh glyph order, used by the table "post"
// of TrueType fonts. It returns "" if there is none.
func MacGlyph(i int) string { return at(load().mac, i) }

// MacGlyphs returns the number of names in the standard Macintosh glyph order.
func MacGlyphs() int { return len(load().mac) }

func at(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i]
}

// Dingbat returns the text of a glyph name of ZapfDingbats ("a1" to "a206"), or "" for any
// other name.
func Dingbat(name string) string { return load().zapf[name] }

// Unicode returns the text of a glyph name, by the Adobe Glyph List. For other names it
// follows the rules of the list's specification: suffixes after a dot are dropped, parts
// are joined by "_", and uniXXXX and uXXXXXX are hexadecimal. It returns "" for an unknown
// name.
func Unicode(name string) string {
	if s, ok := load().agl[name]; ok {
		return s
	}
	if i := strings.IndexByte(name, '.'); i >= 0 {
		name = name[:i]
		if s, ok := load().agl[name]; ok {
			return s
		}
	}
	if strings.IndexByte(name, '_') < 0 {
		return component(name)
	}
	var sb strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		sb.WriteString(component(part))
	}
	return sb.String()
}

// component is Unicode for a name without dot and underscore.
func component(name string) string {
	if s, ok := load().agl[name]; ok {
		return s
	}
	if s := texName(name); s != "" {
		return s
	}
	if hex, ok := strings.CutPrefix(name, "uni"); ok && len(hex) >= 4 {
		var units []uint16
		for ; len(hex) >= 4; hex = hex[4:] {
			v, err := strconv.ParseUint(hex[:4], 16, 16)
			if err != nil {
				break
			}
			units = append(units, uint16(v))
		}
		return string(utf16.Decode(units))
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if v, err := strconv.ParseUint(hex, 16, 21); err == nil {
			return string(rune(v))
		}
	}
	return ""
}
