package reading

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters returns the letters that r is a form of, such as "ffi" for U+FB03: a ligature of
// Latin or Armenian letters, a Hebrew letter with its point, or an Arabic letter as it looks
// in a word. It returns "" for any other character.
func letters(r rune) string {
	if r < 0xfb00 || r > 0xfb17 && r < 0xfb1d || r > 0xfdff && r < 0xfe70 || r > 0xfefc {
		return ""
	}
	s := string(r)
	// Arabic vowel signs of their own are a space and a sign.
	if n := strings.TrimLeft(norm.NFKC.String(s), " "); n != s {
		return n
	}
	return ""
}

// formed appends the changes that write the characters of t at place at as letters.
func formed(list []change, t string, at int) []change {
	for i := strings.IndexByte(t, 0xef); 0 <= i && i < len(t); { // all these forms begin with this byte
		r, n := utf8.DecodeRuneInString(t[i:])
		if s := letters(r); s != "" {
			list = append(list, change{at: at + i, skip: n, add: s})
		}
		i += n
	}
	return list
}
