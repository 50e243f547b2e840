package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown returns a file's name for printing. Invalid UTF-8 and control characters, which
// could move the cursor, are escaped as in Go strings.
func Shown(name string) string {
	return escape(name, unicode.IsControl)
}

// Visible returns a text for people to read on a terminal. It keeps line breaks and tabs,
// and escapes other control characters, which could move the cursor or rename the window.
func Visible(t string) string {
	return escape(strings.ReplaceAll(t, "\r\n", "\n"), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// Called returns a file's name as valid UTF-8, for results.
func Called(name string) string {
	return escape(name, func(rune) bool { return false })
}

// escape writes invalid UTF-8 as \xNN, and characters for which kind returns true as Go
// does.
func escape(s string, kind func(rune) bool) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, kind) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case kind(r):
			quoted := fmt.Sprintf("%q", r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
