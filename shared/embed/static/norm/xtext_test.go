//go:build !js

package norm

import (
	"math/rand"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func text(c []Char) string {
	var out []rune
	for _, x := range c {
		out = append(out, x.Rune)
	}
	return string(out)
}

var forms = map[Form]norm.Form{NFC: norm.NFC, NFD: norm.NFD, NFKC: norm.NFKC, NFKD: norm.NFKD}

func TestEveryCharacter(t *testing.T) {
	for f, want := range forms {
		for r := rune(0); r < 0x110000; r++ {
			if r >= 0xd800 && r < 0xe000 {
				continue
			}
			s := string(r)
			if got := text(f.Apply(chars(s))); got != want.String(s) {
				t.Errorf("form %d of %U is %+q, want %+q", f, r, got, want.String(s))
			}
		}
	}
	if unicodeVersion != norm.Version {
		t.Errorf("tables of Unicode %s, golang.org/x/text has %s: go generate", unicodeVersion, norm.Version)
	}
}

// Random strings of characters that interact: letters with marks, marks of all classes,
// Hangul and its parts, and characters that decompose.
func TestRandomStrings(t *testing.T) {
	var odd []rune
	for r := rune(0x80); r < 0x30000; r++ {
		p := norm.NFKC.PropertiesString(string(r))
		if p.CCC() != 0 || p.Decomposition() != nil || !p.BoundaryBefore() {
			odd = append(odd, r)
		}
	}
	rng := rand.New(rand.NewSource(1))
	for range 60000 {
		var s []rune
		for range rng.Intn(12) { // x/text splits longer runs of marks
			switch rng.Intn(4) {
			case 0:
				s = append(s, rune('A'+rng.Intn(60)))
			case 1:
				s = append(s, leading+rune(rng.Intn(0x100)))
			default:
				s = append(s, odd[rng.Intn(len(odd))])
			}
		}
		for f, want := range forms {
			if got := text(f.Apply(chars(string(s)))); got != want.String(string(s)) {
				t.Fatalf("form %d of %+q is %+q, want %+q", f, string(s), got, want.String(string(s)))
			}
		}
	}
}
