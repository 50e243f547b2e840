package text

import (
	"sort"
	"unicode/utf8"
)

// step is the distance in bytes between two marks of a UTF16. It is small enough to count
// quickly from a mark, and large enough that marks take 1 % of the text's size.
const step = 512

// UTF16 converts offsets in one text between UTF-8 bytes and the UTF-16 units of JavaScript
// strings. A byte that is not valid UTF-8 counts as one unit, because TextDecoder and Go's
// conversion replace it with U+FFFD.
type UTF16 struct {
	text  string
	marks []int // marks[i] = UTF-16 units before byte i*step; nil if the text is ASCII
	units int
}

// NewUTF16 prepares the conversion for t in one pass.
func NewUTF16(t string) *UTF16 {
	u := &UTF16{text: t, units: len(t)}
	ascii := true
	for i := 0; i < len(t) && ascii; i++ {
		ascii = t[i] < utf8.RuneSelf
	}
	if ascii {
		return u
	}
	u.marks = make([]int, 0, len(t)/step+1)
	u.units = 0
	for i, n := 0, 0; i < len(t); i += n {
		for len(u.marks)*step <= i {
			u.marks = append(u.marks, u.units)
		}
		w := 1
		if n = 1; t[i] >= utf8.RuneSelf {
			n, w = next(t, i)
		}
		// A rune that spans a mark is counted from its start.
		if m := len(u.marks) * step; i < m && m < i+n {
			u.marks = append(u.marks, u.units)
		}
		u.units += w
	}
	return u
}

// next returns the number of bytes and of UTF-16 units of the rune at i.
func next(t string, i int) (bytes, units int) {
	if t[i] < utf8.RuneSelf {
		return 1, 1
	}
	r, n := utf8.DecodeRuneInString(t[i:])
	if r >= 0x10000 {
		return n, 2
	}
	return n, 1
}

// Len returns the length of the text in UTF-16 units.
func (u *UTF16) Len() int { return u.units }

// FromByte returns the number of UTF-16 units before byte offset b. An offset inside a rune
// counts as the rune's start. Offsets outside the text are clamped.
func (u *UTF16) FromByte(b int) int {
	b = min(max(b, 0), len(u.text))
	if u.marks == nil {
		return b
	}
	if b == len(u.text) {
		return u.units
	}
	k := b / step
	i, n := runeStart(u.text, k*step), u.marks[k]
	for i < b {
		if u.text[i] < utf8.RuneSelf { // avoids a call, which takes longer than this
			i, n = i+1, n+1
			continue
		}
		size, w := next(u.text, i)
		if i+size > b {
			break
		}
		i, n = i+size, n+w
	}
	return n
}

// ToByte returns the byte offset of UTF-16 unit n. A unit inside a surrogate pair counts as
// the pair's start. Offsets outside the text are clamped.
func (u *UTF16) ToByte(n int) int {
	n = min(max(n, 0), u.units)
	if u.marks == nil {
		return n
	}
	if n == u.units {
		return len(u.text)
	}
	k := sort.Search(len(u.marks), func(k int) bool { return u.marks[k] > n }) - 1
	i, m := runeStart(u.text, k*step), u.marks[k]
	for i < len(u.text) {
		size, w := next(u.text, i)
		if m+w > n {
			break
		}
		i, m = i+size, m+w
	}
	return i
}

// runeStart returns the start of the rune that covers byte i, or i if the bytes around it
// are not a valid rune.
func runeStart(t string, i int) int {
	for j := i; j > 0 && j > i-utf8.UTFMax; j-- {
		if utf8.RuneStart(t[j]) {
			if _, n := utf8.DecodeRuneInString(t[j:]); j+n > i {
				return j
			}
			break
		}
	}
	return i
}

// Span converts a byte span to one in UTF-16 units.
func (u *UTF16) Span(s Span) Span { return Span{u.FromByte(s.Start), u.FromByte(s.End)} }
