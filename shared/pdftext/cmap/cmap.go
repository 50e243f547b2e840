// Package cmap reads CMaps: how the bytes of a string divide into character
// codes, and which CID or which Unicode text a code stands for (ISO 32000-1,
// 9.7.5 and 9.10.3; Adobe Technical Note 5014).
package cmap

import (
	"strings"

	"seam/shared/pdftext/encoding"
	"seam/shared/pdftext/lex"
)

// Limits of one CMap, against hostile ranges.
const (
	maxEntries = 1 << 18 // codes that are mapped, counting repetitions
	maxSpaces  = 1 << 8  // code space ranges
)

// Map is a CMap. The zero value maps nothing and has two-byte codes.
type Map struct {
	Vertical bool

	spaces  []codespace
	unicode map[uint32]string
	cids    map[uint32]int
	entries int  // that were read
	direct  bool // codes are UTF-16
	same    bool // CID = code
}

// codespace is a range of codes of n bytes.
type codespace struct {
	n      int
	lo, hi uint32
}

// Predefined returns the CMap of a name that the PDF standard defines, ok if
// this package knows what its codes mean. An unknown one still divides strings
// into codes of two bytes.
func Predefined(name string) (m *Map, ok bool) {
	m = &Map{Vertical: strings.HasSuffix(name, "-V")}
	switch {
	case strings.HasPrefix(name, "Identity"):
		m.same = true
	case strings.Contains(name, "UCS2"), strings.Contains(name, "UTF16"):
		m.direct = true
	default:
		return m, false
	}
	return m, true
}

// Parse reads a CMap program. What it does not understand it skips.
func Parse(b []byte) *Map {
	m := &Map{unicode: map[uint32]string{}, cids: map[uint32]int{}}
	lx := lex.New(b)
	var operands []lex.Value
	for {
		v := lx.Next()
		if v.Kind == lex.End {
			return m
		}
		if v.Kind != lex.Operator {
			operands = append(operands, v)
			continue
		}
		m.operator(string(v.Bytes), operands)
		operands = operands[:0]
	}
}

func (m *Map) operator(op string, args []lex.Value) {
	switch op {
	case "endcodespacerange":
		for ; len(args) >= 2; args = args[2:] {
			lo, hi := args[0].Bytes, args[1].Bytes
			if len(m.spaces) < maxSpaces && args[0].Kind == lex.String && 1 <= len(lo) && len(lo) <= 4 {
				m.spaces = append(m.spaces, codespace{len(lo), Code(lo), Code(hi)})
			}
		}
	case "endbfchar":
		for ; len(args) >= 2; args = args[2:] {
			m.setUnicode(Code(args[0].Bytes), args[1])
		}
	case "endbfrange":
		for ; len(args) >= 3; args = args[3:] {
			m.bfrange(Code(args[0].Bytes), Code(args[1].Bytes), args[2])
		}
	case "endcidchar":
		for ; len(args) >= 2; args = args[2:] {
			m.cidrange(Code(args[0].Bytes), Code(args[0].Bytes), args[1])
		}
	case "endcidrange":
		for ; len(args) >= 3; args = args[3:] {
			m.cidrange(Code(args[0].Bytes), Code(args[1].Bytes), args[2])
		}
	case "def":
		if len(args) >= 2 && string(args[0].Bytes) == "WMode" {
			m.Vertical = args[1].Num == 1
		}
	}
}

func (m *Map) setUnicode(code uint32, v lex.Value) {
	if m.entries++; m.entries > maxEntries {
		return
	}
	switch v.Kind {
	case lex.String:
		m.unicode[code] = encoding.UTF16(v.Bytes)
	case lex.Name:
		m.unicode[code] = encoding.Unicode(string(v.Bytes))
	}
}

func (m *Map) bfrange(lo, hi uint32, v lex.Value) {
	if v.Kind == lex.Array {
		for i, x := range v.Items {
			m.setUnicode(lo+uint32(i), x)
		}
		return
	}
	if v.Kind != lex.String || hi < lo || hi-lo > 0xffff {
		return
	}
	text := append([]byte(nil), v.Bytes...)
	for n := uint32(0); n <= hi-lo && m.entries <= maxEntries; n++ {
		m.setUnicode(lo+n, lex.Value{Kind: lex.String, Bytes: text})
		for i := len(text) - 1; i >= 0; i-- { // text + 1
			if text[i]++; text[i] != 0 {
				break
			}
		}
	}
}

func (m *Map) cidrange(lo, hi uint32, v lex.Value) {
	if v.Kind != lex.Number || hi < lo || hi-lo > 0xffff {
		return
	}
	for n := uint32(0); n <= hi-lo && m.entries <= maxEntries; n++ {
		m.entries++
		m.cids[lo+n] = int(v.Num) + int(n)
	}
}

// Code is the value of a character code, its first byte the highest. Of more
// than four bytes the last four count.
func Code(b []byte) uint32 {
	v := uint32(0)
	for _, c := range b {
		v = v<<8 | uint32(c)
	}
	return v
}

// Next returns the first code in b, which must not be empty, and its length in
// bytes.
func (m *Map) Next(b []byte) (code uint32, n int) {
	for n := 1; n <= 4 && n <= len(b); n++ {
		code = code<<8 | uint32(b[n-1])
		for _, s := range m.spaces {
			if s.n == n && s.lo <= code && code <= s.hi {
				return code, n
			}
		}
	}
	n = m.shortest()
	n = min(n, len(b))
	return Code(b[:n]), n
}

// shortest is the length of codes that lie in no range.
func (m *Map) shortest() int {
	n := 0
	for _, s := range m.spaces {
		if n == 0 || s.n < n {
			n = s.n
		}
	}
	if n == 0 {
		return 2
	}
	return n
}

// OneByte reports whether all code space ranges have one byte. Some fonts with
// Identity encoding carry such a ToUnicode map and one-byte strings.
func (m *Map) OneByte() bool {
	for _, s := range m.spaces {
		if s.n != 1 {
			return false
		}
	}
	return len(m.spaces) > 0
}

// Unicode returns the text that a code stands for; ok is false without one.
func (m *Map) Unicode(code uint32) (s string, ok bool) {
	if m.direct {
		return encoding.UTF16([]byte{byte(code >> 8), byte(code)}), true
	}
	s, ok = m.unicode[code]
	return s, ok
}

// Len is the number of codes with a text.
func (m *Map) Len() int { return len(m.unicode) }

// CID returns the CID of a code; a code that is not mapped gives itself, as in
// the CMap Identity.
func (m *Map) CID(code uint32) int {
	if cid, ok := m.cids[code]; ok && !m.same {
		return cid
	}
	return int(code)
}
