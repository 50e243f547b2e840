package read

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrNoLanguage reports a plain text that looks like no language: encoded data, or more
// than two marks for each letter, which even minified source code does not have. Options.AnyText reads it all the same.
var ErrNoLanguage = errors.New("a text that looks like no language")

var (
	errEncoded = As(ErrNoLanguage, errors.New("a text that looks like no language: most of it is encoded, as in base64"))
	errMarks   = As(ErrNoLanguage, errors.New("a text that looks like no language: it has many more marks than letters"))
)

const (
	// judged is the number of bytes of a text that are looked at.
	judged = 1 << 18
	// fewestJudged is the number of letters and marks below which a text is never refused.
	fewestJudged = 200
	// longestPlain is the length in bytes of the longest word of a language without blanks
	// or hyphens, generously. Lines of base64 have 64 or 76 letters.
	longestPlain = 60
)

// judge returns an error if a text looks like no language. Letters of any script and
// digits count for a language, also in source code and tables. A text is encoded if at least
// half of it is in words of more than longestPlain ASCII letters and digits, as in base64
// and hexadecimal.
func judge(t string) error {
	if len(t) > judged {
		t = t[:judged]
	}
	letters, marks, encoded := 0, 0, 0
	for word := range strings.FieldsSeq(t) {
		coded := len(word) > longestPlain
		digits := false
		for _, r := range word {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
				letters++
			case r != utf8.RuneError:
				marks++
			}
			digits = digits || r >= '0' && r <= '9'
			coded = coded && (r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '+' || r == '/' || r == '=' || r == '-' || r == '_')
		}
		if coded && digits {
			encoded += len(word)
		}
	}
	switch {
	case letters+marks < fewestJudged:
		return nil
	case 2*encoded >= letters+marks:
		return errEncoded
	case marks > 2*letters:
		return errMarks
	}
	return nil
}
