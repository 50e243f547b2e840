package text

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// units counts UTF-16 units like JavaScript, the slow way.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

func checkUTF16(t *testing.T, s string) {
	t.Helper()
	u := NewUTF16(s)
	if u.Len() != units(s) {
		t.Fatalf("%.40q has %d units, want %d", s, u.Len(), units(s))
	}
	for i := 0; i <= len(s); {
		n := units(s[:i])
		if got := u.FromByte(i); got != n {
			t.Fatalf("%.40q: byte %d is unit %d, want %d", s, i, got, n)
		}
		if got := u.ToByte(n); got != i {
			t.Fatalf("%.40q: unit %d is byte %d, want %d", s, n, got, i)
		}
		if i == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
}

func TestUTF16(t *testing.T) {
	for _, s := range []string{
		"", "plain", "é", "a𝄞b", "👩‍👩‍👧 family", "\xff\xfe broken \xe2\x82", "日本語。",
		strings.Repeat("x", step-1) + "é" + strings.Repeat("y", step),
		strings.Repeat("x", step-1) + "𝄞" + strings.Repeat("𝄞é", step),
		strings.Repeat("€", 2*step),
		strings.Repeat("\xe2\x82", step),
	} {
		checkUTF16(t, s)
	}
}

func TestUTF16OutsideAndInside(t *testing.T) {
	u := NewUTF16("a𝄞b")
	for _, tt := range []struct{ byte, unit int }{{-5, 0}, {0, 0}, {2, 1}, {3, 1}, {4, 1}, {5, 3}, {99, 4}} {
		if got := u.FromByte(tt.byte); got != tt.unit {
			t.Errorf("byte %d is unit %d, want %d", tt.byte, got, tt.unit)
		}
	}
	for _, tt := range []struct{ unit, byte int }{{-1, 0}, {1, 1}, {2, 1}, {3, 5}, {99, 6}} {
		if got := u.ToByte(tt.unit); got != tt.byte {
			t.Errorf("unit %d is byte %d, want %d", tt.unit, got, tt.byte)
		}
	}
}

func FuzzUTF16(f *testing.F) {
	f.Add("a𝄞b\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 3000 {
			checkUTF16(t, s)
			checkUTF16(t, strings.Repeat(s, 3))
		}
	})
}
