package html

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Splitting by bytes must give the same result as splitting by characters, for any text.
func TestUntilBlank(t *testing.T) {
	pieces := []string{"a", "Z", "0", " ", "\n", "\t", "\r", "\f", "\v", "\x00", "\u00a0", "é", "\u00ad", "\u2003", "漢", "\U0001f600", "\xc2", "\xa0", "\xff"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		end, blank := strings.IndexFunc(s, func(c rune) bool { return strings.ContainsRune(" \n\t\r\f\u00a0", c) }), 0
		if end < 0 {
			end = len(s)
		} else {
			_, blank = utf8.DecodeRuneInString(s[end:])
		}
		ascii := !strings.ContainsFunc(s[:end], func(c rune) bool { return c >= utf8.RuneSelf })
		if e, n, a := untilBlank(s); e != end || n != blank || a != ascii {
			t.Fatalf("%q: %d, %d, %t; want %d, %d, %t", s, e, n, a, end, blank, ascii)
		}
	}
}
