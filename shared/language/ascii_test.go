package language

import "testing"

// The shortcut for ASCII in Detect must agree with scriptOf.
func TestLettersOfASCII(t *testing.T) {
	for c := range rune(0x80) {
		lower := c | 0x20
		if known := 'a' <= lower && lower <= 'z'; known != (scriptOf(c) == latin) || !known && scriptOf(c) != none {
			t.Errorf("%q is of script %d", c, scriptOf(c))
		}
	}
}
