package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// goesOn reports whether sentence a clearly continues in b.
func goesOn(a, b string) bool {
	return unicode.IsLower(firstRune(b)) && !endsSentence(a) && strings.ContainsFunc(a, unicode.IsLetter)
}

// endsSentence reports whether s ends with the final mark of a sentence or a clause.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]")
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;…。！？؟۔", last)
}

// marker reports whether s begins with the mark of a list item: a bullet, or a short number
// or letter with a dot or parentheses, followed by a space. sure means that the mark cannot
// be at the beginning of a line by chance.
func marker(s string) (is, sure bool) {
	mark, rest, ok := strings.Cut(s, " ")
	if !ok {
		return false, false
	}
	if r, bullet := bulletOf(mark); bullet {
		return true, !strings.ContainsRune("–—-*·", r)
	}
	if strings.TrimSpace(rest) == "" {
		return false, false
	}
	body := strings.TrimLeft(mark, "([")
	trimmed := strings.TrimRight(body, ".)]")
	if trimmed == body || trimmed == "" || len(body)-len(trimmed) > 2 || len(mark)-len(body) > 1 {
		return false, false
	}
	return enumerates(trimmed), false
}

// bulletOf returns s as the sign of a list item, if it is nothing else.
func bulletOf(s string) (r rune, ok bool) {
	r, n := utf8.DecodeRuneInString(s)
	if n != len(s) || n == 0 {
		return r, false
	}
	// Symbol fonts have their bullets in the private use area.
	return r, strings.ContainsRune("•‣⁃∙▪▫◦●○■□–—-*·➢➤✓❖►▶◆", r) || 0xf000 <= r && r <= 0xf0ff
}

// enumerates reports whether s is a number of up to three digits, possibly with parts, a
// single letter, or a small Roman numeral.
func enumerates(s string) bool {
	if len(s) == 1 && unicode.IsLetter(rune(s[0])) {
		return true
	}
	digits := 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r == '.' && digits > 0:
		default:
			return strings.Trim(s, "ivx") == "" && len(s) <= 4
		}
	}
	return digits <= 3
}

// sectionNumber returns the number of parts of the number at the beginning of a heading, as
// in "2.1 Methods" or "IV. Results", or 0 if there is none.
func sectionNumber(s string) int {
	mark, rest, ok := strings.Cut(s, " ")
	if !ok || strings.TrimSpace(rest) == "" {
		return 0
	}
	trimmed := strings.TrimSuffix(mark, ".")
	if trimmed == "" || len(trimmed) > 12 {
		return 0
	}
	if strings.Trim(trimmed, "IVX") == "" || len(trimmed) == 1 && trimmed < mark && 'A' <= trimmed[0] && trimmed[0] <= 'Z' {
		return 1
	}
	depth := 1
	for i, r := range trimmed {
		switch {
		case '0' <= r && r <= '9':
		case r == '.' && i > 0:
			depth++
		case i == 0 && 'A' <= r && r <= 'Z' && len(trimmed) > 2 && trimmed[1] == '.': // A.1
		default:
			return 0
		}
	}
	return depth
}

// captionWords begin captions, in lower case and without a full stop.
var captionWords = []string{"figure", "fig", "table", "tab", "scheme", "chart", "exhibit", "plate", "listing", "algorithm", "box", "map",
	"abbildung", "abb", "tabelle", "tableau", "figura", "tabla", "tabela", "tabella", "figuur", "tabel", "рисунок", "рис", "таблица", "図", "表"}

// caption reports whether s begins like a caption: "Figure 3:", "Table IV.". bare means
// that nothing separates the number from the text after it, as at the beginning of a
// sentence about the figure.
func caption(s string) (is, bare bool) {
	word, rest, ok := strings.Cut(s, " ")
	if !ok {
		return false, false
	}
	word = strings.ToLower(strings.TrimSuffix(word, "."))
	known := false
	for _, w := range captionWords {
		known = known || w == word
	}
	if !known {
		return false, false
	}
	number, rest, more := strings.Cut(rest, " ")
	trimmed := strings.TrimRight(number, ".:|–—)")
	if trimmed == "" || len(trimmed) > 8 || strings.Trim(trimmed, "0123456789.-–IVXLABCDabcd") != "" {
		return false, false
	}
	divided := trimmed != number || !more || strings.ContainsRune(":|–—-.", firstRune(rest))
	return true, !divided
}

// noteMark reports whether s begins with the mark of a footnote: a small number, a star or
// a dagger.
func noteMark(s string) bool {
	if strings.ContainsRune("*∗†‡§¶¹²³⁴⁵⁶⁷⁸⁹", firstRune(s)) {
		return true
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 || digits > 3 || digits == len(s) {
		return false
	}
	r := firstRune(strings.TrimLeft(s[digits:], " .)"))
	return unicode.IsLetter(r) || strings.ContainsRune("\"“„«'‘(", r)
}

// leader reports whether s contains a row of dots, as in a table of contents.
func leader(s string) bool {
	return strings.Contains(s, "....") || strings.Contains(s, ". . . .") || strings.Contains(s, "……") || strings.Contains(s, "····")
}

// upperCase reports whether s is in capitals: at least three letters, none of them
// lower-case.
func upperCase(s string) bool {
	n := 0
	for _, r := range s {
		switch {
		case unicode.IsLower(r):
			return false
		case unicode.IsUpper(r):
			n++
		}
	}
	return n >= 3
}

// lettersIn returns the number of letters in s.
func lettersIn(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// hasWord reports whether s contains a word: three letters in a row, or one in a script
// with shorter words.
func hasWord(s string) bool {
	n := 0
	for _, r := range s {
		switch {
		case unspaced(r), n == 2 && unicode.IsLetter(r):
			return true
		case unicode.IsLetter(r):
			n++
		default:
			n = 0
		}
	}
	return false
}

// folded returns the letters and digits of s in lower case.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
