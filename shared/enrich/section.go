package enrich

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/index"
	"seam/shared/text"
)

// Sections divides a text at blank lines. No section is empty, and only white space lies
// between sections.
func Sections(t string) (out []text.Span) {
	start, end := -1, 0 // of the current section: its first letter, and the end of its last letter
	lines := 0          // line ends since then
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

// A section must contain this share of a statement's words with at least wordRunes letters,
// compared by their first stemRunes letters. Models paraphrase, but not everything.
const (
	mostWords = .5
	wordRunes = 4
	stemRunes = 5
)

// grounded reports whether a section contains most of the words of a statement, and all of
// its numbers. In scripts without spaces, words are pairs of characters.
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

// stem returns the beginning of a word, or a number unchanged.
func stem(w string) string {
	if r := []rune(w); len(r) > stemRunes && !strings.ContainsFunc(w, unicode.IsDigit) {
		return string(r[:stemRunes])
	}
	return w
}
