package enrich

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/index"
	"seam/shared/text"
)

// Sections divides a text where lines are blank. None of them is empty, and what is between
// them is white space.
func Sections(t string) (out []text.Span) {
	start, end := -1, 0 // of the section that has begun: its first letter, and where its last one ends
	lines := 0          // that have ended since then
	for i := 0; i < len(t); {
		r, size := utf8.DecodeRuneInString(t[i:])
		switch {
		case r == '\n':
			lines++
		case unicode.IsSpace(r):
		default:
			if start >= 0 && lines >= 2 {
				out = append(out, text.Span{Start: start, End: end})
				start = -1
			}
			if start < 0 {
				start = i
			}
			end, lines = i+size, 0
		}
		i += size
	}
	if start >= 0 {
		out = append(out, text.Span{Start: start, End: end})
	}
	return out
}

// A section has to have this share of a statement's words of at least so many letters, by
// their first ones: a model says the same in other words, but not all of it.
const (
	mostWords = .5
	wordRunes = 4
	stemRunes = 5
)

// grounded reports whether a section has most of the words of a statement, and all of its
// numbers. In scripts without blanks, pairs of characters are the words.
func grounded(statement, section string) bool {
	known := map[string]bool{}
	for _, w := range index.Words(section) {
		known[stem(w.Form)] = true
	}
	said, found := 0, 0
	for _, w := range index.Words(statement) {
		number := strings.ContainsFunc(w.Form, unicode.IsDigit)
		switch {
		case number && !known[w.Form]:
			return false
		case !number && !w.Pair && utf8.RuneCountInString(w.Form) < wordRunes:
			continue
		}
		said++
		if known[stem(w.Form)] {
			found++
		}
	}
	return float64(found) >= mostWords*float64(said)
}

// stem is the beginning of a word; a number is whole.
func stem(w string) string {
	if r := []rune(w); len(r) > stemRunes && !strings.ContainsFunc(w, unicode.IsDigit) {
		return string(r[:stemRunes])
	}
	return w
}
