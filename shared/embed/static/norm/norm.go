// Package norm converts text to Unicode's normalization forms (UAX #15). Its tables are a
// fraction of the size of golang.org/x/text's, which would add 43 kB to the engine in a
// browser. It works on characters that know their source bytes, so that a token can be
// traced back to its place.
package norm

import (
	"encoding/binary"
	"sync"
)

//go:generate go run gen/tables.go

// Char is a code point with the bytes [From, To) of the source that it stands for.
// Characters made from a single one share its bytes.
type Char struct {
	Rune     rune
	From, To int32
}

// Form is one of Unicode's four normalisation forms.
type Form uint8

const (
	NFC  Form = iota // canonical decomposition followed by composition
	NFD              // canonical decomposition
	NFKC             // compatibility decomposition followed by canonical composition
	NFKD             // compatibility decomposition
)

// Apply returns chars in the form. A composed character covers all the bytes of its parts.
// chars may be overwritten.
func (f Form) Apply(chars []Char) []Char {
	if ascii(chars) {
		return chars
	}
	out := make([]Char, 0, len(chars)+len(chars)/4)
	var parts []rune
	for _, c := range chars {
		parts = parts[:0]
		if f == NFKC || f == NFKD {
			parts = appendCompatible(parts, c.Rune)
		} else {
			parts = AppendCanonical(parts, c.Rune)
		}
		for _, r := range parts {
			out = append(out, Char{r, c.From, c.To})
		}
	}
	reorder(out)
	if f == NFC || f == NFKC {
		out = compose(out)
	}
	return out
}

// combining returns a function for the combining class of characters.
func combining() func(rune) uint8 {
	m := classes.of(readClasses)
	return func(r rune) uint8 {
		if r < 0x300 {
			return 0
		}
		return m[r]
	}
}

func ascii(chars []Char) bool {
	for _, c := range chars {
		if c.Rune >= 0x80 {
			return false
		}
	}
	return true
}

// Hangul syllables are composed by rule (Unicode, §3.12).
const (
	syllable, leading, vowel, trailing = 0xac00, 0x1100, 0x1161, 0x11a7
	leadings, vowels, trailings        = 19, 21, 28
	syllables                          = leadings * vowels * trailings
)

// AppendCanonical appends the full canonical decomposition of r. For most characters that
// is r itself.
func AppendCanonical(dst []rune, r rune) []rune {
	switch {
	case r < 0xc0 || r >= 0x3400 && r < 0xa000: // below À, or in the large block of Han
		return append(dst, r)
	case r >= syllable && r < syllable+syllables:
		s := r - syllable
		dst = append(dst, leading+s/(vowels*trailings), vowel+s%(vowels*trailings)/trailings)
		if t := s % trailings; t > 0 {
			dst = append(dst, trailing+t)
		}
		return dst
	}
	p, ok := canonicals.of(readCanonicals)[r]
	if !ok {
		return append(dst, r)
	}
	dst = AppendCanonical(dst, p[0])
	if p[1] != 0 {
		dst = append(dst, p[1])
	}
	return dst
}

func appendCompatible(dst []rune, r rune) []rune {
	if full, ok := compatibles.of(readCompatibles)[r]; ok {
		return append(dst, full...)
	}
	return AppendCanonical(dst, r)
}

// reorder sorts runs of combining marks by their class, stably. Runs are short in real
// text. A long one is sorted by counting, so that no text takes long.
func reorder(chars []Char) {
	class := combining()
	for i := 0; i < len(chars); i++ {
		if class(chars[i].Rune) == 0 {
			continue
		}
		end := i + 1
		sorted := true
		for end < len(chars) && class(chars[end].Rune) != 0 {
			sorted = sorted && class(chars[end-1].Rune) <= class(chars[end].Rune)
			end++
		}
		if !sorted {
			byClass(chars[i:end], class)
		}
		i = end
	}
}

// byClass sorts a run of marks by class, stably, in a few passes.
func byClass(run []Char, class func(rune) uint8) {
	var at [257]int
	for _, c := range run {
		at[int(class(c.Rune))+1]++
	}
	for i := range 256 {
		at[i+1] += at[i]
	}
	sorted := make([]Char, len(run))
	for _, c := range run {
		k := class(c.Rune)
		sorted[at[k]] = c
		at[k]++
	}
	copy(run, sorted)
}

// compose joins each character with the last starter before it, if the pair has a
// composition and no mark in between blocks it (UAX #15, D117).
func compose(chars []Char) []Char {
	class, pairs := combining(), compositions.of(readCompositions)
	out := chars[:0]
	starter, last := -1, uint8(0) // index into out; class of the last character kept after it
	for _, c := range chars {
		k := class(c.Rune)
		adjacent := starter == len(out)-1
		if starter >= 0 && (adjacent || last < k && last != 0) {
			if r := composed(out[starter].Rune, c.Rune, pairs); r != 0 {
				s := &out[starter]
				s.Rune, s.From, s.To = r, min(s.From, c.From), max(s.To, c.To)
				continue
			}
		}
		if k == 0 {
			starter = len(out)
		}
		last = k
		out = append(out, c)
	}
	return out
}

// composed returns the character that decomposes to a and b, or 0.
func composed(a, b rune, pairs map[[2]rune]rune) rune {
	switch {
	case a >= leading && a < leading+leadings && b >= vowel && b < vowel+vowels:
		return syllable + ((a-leading)*vowels+(b-vowel))*trailings
	case a >= syllable && a < syllable+syllables && (a-syllable)%trailings == 0 && b > trailing && b < trailing+trailings:
		return a + b - trailing
	}
	return pairs[[2]rune{a, b}]
}

// columns reads n columns of differences, and returns them with the remaining bytes.
func columns(table string, n int) ([][]rune, []byte) {
	b := []byte(table)
	rows, k := binary.Uvarint(b)
	b = b[k:]
	out := make([][]rune, n)
	for i := range out {
		out[i], b = differences(b, int(rows))
	}
	return out, b
}

func differences(b []byte, n int) ([]rune, []byte) {
	out := make([]rune, n)
	last := rune(0)
	for i := range out {
		d, k := binary.Varint(b)
		last += rune(d)
		out[i], b = last, b[k:]
	}
	return out, b
}

// table is a table that is read on first use. Each table is separate, so that a program
// that only decomposes does not contain the others.

type table[M any] struct {
	once sync.Once
	m    M
}

// of returns the table, created by read on the first call.
func (t *table[M]) of(read func() M) M {
	t.once.Do(func() { t.m = read() })
	return t.m
}

var (
	canonicals   table[map[rune][2]rune]
	compatibles  table[map[rune][]rune]
	compositions table[map[[2]rune]rune]
	classes      table[map[rune]uint8]
)

func readCanonicals() map[rune][2]rune {
	cols, _ := columns(canonicalTable, 3)
	m := make(map[rune][2]rune, len(cols[0]))
	for i, r := range cols[0] {
		m[r] = [2]rune{cols[1][i], cols[2][i]}
	}
	return m
}

func readCompatibles() map[rune][]rune {
	cols, rest := columns(compatibleTable, 2)
	total := 0
	for _, n := range cols[1] {
		total += int(n)
	}
	texts, _ := differences(rest, total)
	m := make(map[rune][]rune, len(cols[0]))
	for i, r := range cols[0] {
		n := cols[1][i]
		m[r], texts = texts[:n:n], texts[n:]
	}
	return m
}

func readCompositions() map[[2]rune]rune {
	cols, _ := columns(excludedTable, 1)
	excluded := map[rune]bool{}
	for _, r := range cols[0] {
		excluded[r] = true
	}
	m := map[[2]rune]rune{}
	for r, p := range canonicals.of(readCanonicals) {
		if p[1] != 0 && !excluded[r] {
			m[p] = r
		}
	}
	return m
}

func readClasses() map[rune]uint8 {
	cols, _ := columns(classTable, 3)
	m := map[rune]uint8{}
	for i, first := range cols[0] {
		for r := first; r < first+cols[1][i]; r++ {
			m[r] = uint8(cols[2][i])
		}
	}
	return m
}
