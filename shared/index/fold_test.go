package index

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// The result must be the composed form of the character's compatibility decomposition in
// Unicode.
func TestUnshaped(t *testing.T) {
	n := 0
	for r := rune(0xfb00); r < 0xff00; r++ {
		got := unshaped(r)
		if got == "" {
			continue
		}
		n++
		if want := norm.NFKC.String(string(r)); got != want {
			t.Errorf("%U: %q, want %q", r, got, want)
		}
	}
	if want := 7 + 22 + 0xfefd - 0xfe80; n != want {
		t.Errorf("%d characters, want %d", n, want)
	}
}
