package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How far a decision looks, in bytes.
const (
	wordReach    = 48  // a word that matters
	bracketReach = 600 // from an opening bracket to its closing one
	caseReach    = 300 // for capitals, on each side
)

// leads reports whether the sentence has no text before byte i but marks.
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

// lastToken returns the last word before byte i of the sentence under way, as
// far as it matters, and where it begins.
func (s *splitter) lastToken(i int) (string, int) {
	lo := max(s.start, i-wordReach)
	for i > lo && blankBefore(s.t, i) {
		_, n := utf8.DecodeLastRuneInString(s.t[lo:i])
		i -= n
	}
	w := lastWord(s.t[lo:i])
	return w, i - len(w)
}

// lastWord returns what stands in t behind its last white space, its last bytes
// where that is long.
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

// firstWord returns the letters, digits, hyphens and inner apostrophes that t
// begins with.
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

// longestWord is what no word of the lists exceeds, in bytes.
const longestWord = 32

// lookup returns what m has for word in lower case.
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

// dotted reports whether w is letters with full stops between them: "u.s", "a.d".
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

// numeral reports whether w is a number, "12", "2.1", or a Roman one of two
// letters or more.
func numeral(w string) (roman, ok bool) {
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r != '.' && !unicode.IsDigit(r) }) {
		return false, true
	}
	return true, len(w) > 1 && isRoman(w)
}

// isRoman reports whether w is a Roman numeral below 400 in letters of one
// case. "I", "C" and other single letters are, too.
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
