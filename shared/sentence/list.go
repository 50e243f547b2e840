package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/markup"
)

// mark is the number or letter of a list item.
type mark struct {
	before, after string // the signs around it: "(" and ")", "" and "."
	kind          byte   // '1', 'a' or 'A'; 'i' for Roman numerals; 0 for no mark
	ordinal       int    // counted from 1
}

// parseMark reads a list item's mark: "3.", "12)", "(a)", "1.)", "iv.".
func parseMark(w string) mark {
	body := strings.TrimLeft(w, "([")
	core := strings.TrimRight(body, ".)]")
	m := mark{before: w[:len(w)-len(body)], after: body[len(core):]}
	if m.after == "" || len(core) == 0 || utf8.RuneCountInString(core) > 3 {
		return mark{}
	}
	if n, ok := digits(core); ok {
		m.kind, m.ordinal = '1', n
		return m
	}
	if n := romanOrdinal(core); n > 0 && (len(core) > 1 || core == "i") {
		m.kind, m.ordinal = 'i', n
		return m
	}
	if len(core) == 1 && unicode.IsLetter(rune(core[0])) {
		m.kind, m.ordinal = 'a', int(core[0]|' ')-'a'+1
		if unicode.IsUpper(rune(core[0])) {
			m.kind = 'A'
		}
		return m
	}
	return mark{}
}

// digits reads a number in the decimal digits of any script. The code points of a script's
// digits are consecutive in groups of ten.
func digits(w string) (n int, ok bool) {
	for _, r := range w {
		if !unicode.IsDigit(r) {
			return 0, false
		}
		zero := r
		for zero > 0 && r-zero < 9 && unicode.IsDigit(zero-1) {
			zero--
		}
		n = n*10 + int(r-zero)
	}
	return n, w != ""
}

// romanOrdinal returns the value of a lower-case Roman numeral up to xii, or 0.
func romanOrdinal(w string) int {
	for i, r := range [...]string{"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"} {
		if w == r {
			return i + 1
		}
	}
	return 0
}

// follows reports whether m is the mark of the item after last.
func (m mark) follows(last mark) bool {
	if m.kind == 0 || m.before != last.before || m.after != last.after {
		return false
	}
	if m.kind == 'a' && last.kind == 'i' { // "v" was read as a letter
		return false
	}
	return m.kind == last.kind && m.ordinal == last.ordinal+1
}

// inlineMark handles a possible list mark that ends with the bracket or full stop at byte
// i. An item that follows the previous one begins a sentence, however the previous text
// ended: "1) The first item 2) The second".
func (s *splitter) inlineMark(i int) {
	t := s.t
	lo := max(s.start, i-6)
	w := lastWord(t[lo : i+1])
	at := i + 1 - len(w)
	if w != "" && at == lo && at > s.start || i+1 >= len(t) || !blankAt(t, i+1) {
		return
	}
	m := parseMark(w)
	if m.kind == 0 {
		return
	}
	if s.leads(at) {
		s.list = m
		return
	}
	if !m.follows(s.list) || at == 0 || strings.ContainsAny(t[max(0, at-2):at-1], ",;") {
		return
	}
	prev, _ := s.lastToken(at)
	if lookup(joinsNumber, prev) || m.kind == 'A' && m.after == "." && parseMark(prev) == s.list { // "J. K. Rowling"
		return
	}
	s.end(at)
	s.list = m
}

// joinsNumber are words that belong with the number after them.
var joinsNumber = set(`and or to of in on at by for with from than is was are were the a no. no nos. section sec. figure fig. table page p. pp. chapter part step question rule article art. und oder et ou y o e`)

// bullet handles a bullet of n bytes. After white space it begins an item.
func (s *splitter) bullet(n int) {
	if at := s.at; at > 0 && !s.leads(at) && blankBefore(s.t, at) {
		s.end(at)
	}
	s.at += n
}

// ItemMark returns the length in bytes of the list item mark at the beginning of t: a
// bullet, a number or a letter. It returns 0 if there is none.
func ItemMark(t string) int {
	end := strings.IndexFunc(t, unicode.IsSpace)
	if end <= 0 {
		return 0
	}
	w := t[:end]
	if r, n := utf8.DecodeRuneInString(w); n == end && strings.ContainsRune(markup.Bullets+"-*+–—", r) {
		return end
	}
	if parseMark(w).kind != 0 {
		return end
	}
	return 0
}
