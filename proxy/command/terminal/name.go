package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown is a file's name as it is printed: what is no UTF-8 in it, or would move the
// cursor of a terminal, as Go's strings have it.
func Shown(name string) string {
	return escape(name, unicode.IsControl)
}

// Visible is a text of a document or a model as people read it on a terminal: with its lines
// and tabs, and without what would move the cursor or name the window.
func Visible(t string) string {
	return escape(strings.ReplaceAll(t, "\r\n", "\n"), func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// Called is a file's name in results, which are UTF-8 whatever it is.
func Called(name string) string {
	return escape(name, func(rune) bool { return false })
}

// escape writes what is no UTF-8 as \xNN, and the characters of a kind as Go does.
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
