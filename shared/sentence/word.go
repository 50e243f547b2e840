package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The range of a decision, in bytes.
const (
	wordReach    = 48  // a relevant word
	bracketReach = 600 // from an opening bracket to its closing one
	caseReach    = 300 // for capitals, on each side
)

// leads reports whether the sentence has only marks before byte i.
func (s *splitter) leads(i int) bool {
	at := skipBlank(s.t, s.start)
	if i-at > wordReach {
		return false
	}
	for at < i {
		r, n := utf8.DecodeRuneInString(s.t[at:])
		if !blank(r) && !isBullet(r) && !opening(r) && !strings.ContainsRune("#-–—>", r) {
			return false
		}
		at += n
	}
	return true
}

// lastToken returns the last word of the current sentence before byte i, or its last
// wordReach bytes, and where it begins.
func (s *splitter) lastToken(i int) (string, int) {
	lo := max(s.start, i-wordReach)
	for i > lo && blankBefore(s.t, i) {
		_, n := utf8.DecodeLastRuneInString(s.t[lo:i])
		i -= n
	}
	w := lastWord(s.t[lo:i])
	return w, i - len(w)
}

// lastWord returns the text after the last white space in t, or its last bytes if it is
// long.
func lastWord(t string) string {
	for i := len(t); i > 0 && len(t)-i <= wordReach; {
		r, n := utf8.DecodeLastRuneInString(t[:i])
		if blank(r) {
			return t[i:]
		}
		i -= n
	}
	return t[max(0, len(t)-wordReach):]
}

// firstWord returns the letters, digits, hyphens and inner apostrophes at the beginning of
// t.
func firstWord(t string) string {
	for i, r := range t {
		if !unicode.In(r, unicode.L, unicode.Nd, unicode.Mn, unicode.Mc) && r != '\'' && r != '’' && r != '-' || i > wordReach {
			return t[:i]
		}
	}
	return t
}

func blankBefore(t string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(t[:i])
	return blank(r)
}

func blankAt(t string, i int) bool {
	r, _ := utf8.DecodeRuneInString(t[i:])
	return blank(r)
}

// longestWord is the maximum length in bytes of the words in the lists.
const longestWord = 32

// lookup returns the value of m for word in lower case.
func lookup[V any](m map[string]V, word string) (v V) {
	if len(word) > longestWord {
		return v
	}
	var lower [longestWord]byte
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return m[strings.ToLower(word)]
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return m[string(lower[:len(word)])]
}

// dotted reports whether w is letters with full stops in between: "u.s", "a.d".
func dotted(w string) bool {
	letter := true
	dots := 0
	for _, r := range w {
		switch {
		case letter && !unicode.IsLetter(r), !letter && r != '.':
			return false
		case !letter:
			dots++
		}
		letter = !letter
	}
	return dots > 0 && !letter
}

// numeral reports whether w is a number, such as "12" or "2.1", or a Roman numeral of at
// least two letters.
func numeral(w string) (roman, ok bool) {
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r != '.' && !unicode.IsDigit(r) }) {
		return false, true
	}
	return true, len(w) > 1 && isRoman(w)
}

// isRoman reports whether w is a Roman numeral below 400 in letters of one case. It
// includes "I", "C" and other single letters.
func isRoman(w string) bool {
	if w == "" || strings.Trim(w, "IVXLC") != "" && strings.Trim(w, "ivxlc") != "" {
		return false
	}
	rest := strings.ToUpper(w)
	for _, place := range [...]struct{ nine, five, four, one string }{{"-", "-", "-", "C"}, {"XC", "L", "XL", "X"}, {"IX", "V", "IV", "I"}} {
		after, ok := strings.CutPrefix(rest, place.nine)
		if !ok {
			after, ok = strings.CutPrefix(rest, place.four)
		}
		if !ok {
			after = strings.TrimPrefix(rest, place.five)
			for range 3 {
				after = strings.TrimPrefix(after, place.one)
			}
		}
		rest = after
	}
	return rest == ""
}

// isYear reports whether w is a number from 1000 to 2099.
func isYear(w string) bool {
	return len(w) == 4 && strings.Trim(w, "0123456789") == "" && (w[0] == '1' || w[:2] == "20")
}

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func endsInDigit(w string) bool {
	r, _ := utf8.DecodeLastRuneInString(w)
	return unicode.IsDigit(r)
}
