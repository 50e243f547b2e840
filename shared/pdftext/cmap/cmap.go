// Package cmap reads CMaps. They define how the bytes of a string divide into character
// codes, and which CID or Unicode text a code stands for (ISO 32000-1, 9.7.5 and 9.10.3;
// Adobe Technical Notes 5014 and 5411).
package cmap

import (
	"strings"
	"unicode/utf8"

	"seam/shared/pdftext/encoding"
)

// Map is a CMap. The zero value maps nothing and has two-byte codes. Only the value of a
// code identifies it, because files are careless with the number of its bytes.
type Map struct {
	Vertical bool

	spaces []Space
	form   Form
	cids   *Table
	notdef Ranges   // code -> CID, the same for a whole range; used where cids has none
	chars  Ranges   // code -> character, or maxRune + the number of a text
	texts  []string // texts of several characters, or empty
	base   *Map     // set by usecmap; may be nil
	same   bool     // CID = code
	direct bool     // codes are characters, also in the form Plain
}

// maxRune is the value after the last character.
const maxRune = utf8.MaxRune + 1

// Space is a code space range: codes with the given number of bytes. Each byte is between
// the corresponding bytes of Lo and Hi.
type Space struct {
	Bytes  int // 1 to 4
	Lo, Hi uint32
}

// matches returns how many leading bytes of code, which has n bytes, are in s.
func (s Space) matches(code uint32, n int) int {
	for i := range min(n, s.Bytes) {
		c, shift := byte(code>>(8*(n-1-i))), 8*(s.Bytes-1-i)
		if c < byte(s.Lo>>shift) || c > byte(s.Hi>>shift) {
			return i
		}
	}
	return min(n, s.Bytes)
}

// Form is the kind of codes in a CMap.
type Form int

// The forms: codes specific to the CMap, or characters.
const (
	Plain Form = iota
	UTF8
	UTF16
	UTF32
)

// spaces returns the code space ranges of a form.
func (f Form) spaces() []Space {
	switch f {
	case UTF8:
		return []Space{{1, 0, 0x7f}, {2, 0xc080, 0xdfbf}, {3, 0xe08080, 0xefbfbf}, {4, 0xf0808080, 0xf7bfbfbf}}
	case UTF16:
		return []Space{{2, 0, 0xd7ff}, {4, 0xd800dc00, 0xdbffdfff}, {2, 0xe000, 0xffff}}
	case UTF32:
		return []Space{{4, 0, utf8.MaxRune}}
	}
	return nil
}

// key returns the character of a code, or the code itself in plain CMaps.
func (f Form) key(code uint32) uint32 {
	switch {
	case f == UTF16 && code > 0xffff:
		return 0x10000 + (code>>16&0x3ff)<<10 + code&0x3ff
	case f != UTF8 || code < 0x80:
		return code
	}
	mask, v := uint32(0x1f), uint32(0)
	for shift := 24; shift >= 0; shift -= 8 {
		c := code >> shift & 0xff
		switch {
		case c >= 0xf0:
			mask = 7
		case c >= 0xe0:
			mask = 0xf
		}
		if c >= 0xc0 {
			v = c & mask
		} else {
			v = v<<6 | c&0x3f
		}
	}
	return v
}

// Table maps the keys of a Form to CIDs. A CID of 0 means that the key is not mapped, even
// if Base maps it.
type Table struct {
	Base *Table // used for keys that are not in CIDs; may be nil
	CIDs Ranges
}

// CID returns the CID of a key. ok is false if it has none.
func (t *Table) CID(key uint32) (cid int, ok bool) {
	for ; t != nil; t = t.Base {
		if v, ok := t.CIDs.Find(key); ok {
			return int(v), v != 0
		}
	}
	return 0, false
}

// Identity returns the CMap with two-byte codes that are CIDs.
func Identity(vertical bool) *Map { return &Map{Vertical: vertical, same: true} }

// IdentityUTF16 returns the CMap with two-byte codes that are characters in UTF-16.
func IdentityUTF16() *Map { return &Map{form: UTF16, spaces: UTF16.spaces(), direct: true} }

// NewUnicode returns a CMap with two-byte codes that stand for characters.
func NewUnicode(chars Ranges) *Map {
	return &Map{spaces: []Space{{2, 0, 0xffff}}, chars: chars}
}

// New returns the CMap of a table.
func New(vertical bool, form Form, spaces []Space, cids *Table) *Map {
	return &Map{Vertical: vertical, form: form, spaces: spaces, cids: cids}
}

// Predefined returns the CMaps of the PDF standard that need no table: Identity, and those
// with characters as codes, although without their CIDs. It returns nil for any other name.
func Predefined(name string) *Map {
	vertical := strings.HasSuffix(name, "V")
	m := &Map{Vertical: vertical}
	switch {
	case strings.HasPrefix(name, "Identity"):
		return Identity(vertical)
	case !strings.HasPrefix(name, "Uni"):
		return nil
	case strings.Contains(name, "UTF8"):
		m.form = UTF8
	case strings.Contains(name, "UTF16"):
		m.form = UTF16
	case strings.Contains(name, "UTF32"):
		m.form = UTF32
	case !strings.Contains(name, "UCS2"):
		return nil
	}
	m.spaces, m.direct = m.form.spaces(), true
	return m
}

// Code returns the value of a character code, highest byte first. Of more than four bytes
// it uses the last four.
func Code(b []byte) uint32 {
	v := uint32(0)
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v
}

// Next returns the first code in b, which must not be empty, and its length in bytes.
// Invalid bytes count as a code with the length of the best matching code space (ISO
// 32000-1, 9.7.6.3).
func (m *Map) Next(b []byte) (code uint32, n int) {
	for n := 1; n <= 4 && n <= len(b); n++ {
		code = code<<8 | uint32(b[n-1])
		for _, s := range m.spaces {
			if s.Bytes == n && s.matches(code, n) == n {
				return code, n
			}
		}
	}
	n = min(m.nearest(b), len(b))
	return Code(b[:n]), n
}

// nearest returns the code length of the space that matches b best, the shortest among
// equals.
func (m *Map) nearest(b []byte) int {
	head, best, bytes := b[:min(4, len(b))], -1, 2
	for _, s := range m.spaces {
		n := s.matches(Code(head), len(head))
		if n > best || n == best && s.Bytes < bytes {
			best, bytes = n, s.Bytes
		}
	}
	return bytes
}

// OneByte reports whether m has texts for one-byte codes only. Some fonts with Identity
// encoding have such a ToUnicode map and one-byte strings.
func (m *Map) OneByte() bool {
	if len(m.chars) == 0 {
		return false
	}
	for _, s := range m.spaces {
		if s.Bytes != 1 {
			return false
		}
	}
	return len(m.spaces) > 0
}

// Unicode returns the text of a code. ok is false if it has none.
func (m *Map) Unicode(code uint32) (s string, ok bool) {
	for ; m != nil; m = m.base {
		if s, ok := m.Character(code); ok {
			return s, true
		}
		v, ok := m.chars.Find(code)
		switch {
		case ok && v < maxRune:
			return string(rune(v)), true
		case ok:
			return m.texts[v-maxRune], true
		}
	}
	return "", false
}

// Character returns the character that a code is. ok is false if codes are not characters.
func (m *Map) Character(code uint32) (s string, ok bool) {
	if m.direct || m.form != Plain {
		return string(rune(m.form.key(code))), true
	}
	return "", false
}

// CID returns the CID of a code. ok is false if the CMap has none for it. If the CMap has
// no CIDs at all, codes are CIDs, or its characters are meant as CIDs.
func (m *Map) CID(code uint32) (cid int, ok bool) {
	for at := m; at != nil; at = at.base {
		if cid, ok := at.cids.CID(at.form.key(code)); ok {
			return cid, true
		}
	}
	for at := m; at != nil; at = at.base {
		for _, r := range at.notdef {
			if r.Lo <= code && code <= r.Hi {
				return int(r.Value), true
			}
		}
		if v, ok := at.chars.Find(code); ok && v < maxCID {
			return int(v), true
		}
		if at.same {
			return int(code), true
		}
	}
	return 0, false
}

// text decodes a CMap's value for a code: UTF-16, or a glyph name.
func text(b []byte, name bool) string {
	if name {
		return encoding.Unicode(string(b))
	}
	return encoding.UTF16(b)
}
