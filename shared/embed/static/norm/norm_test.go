package norm

import "testing"

func chars(s string) []Char {
	var out []Char
	for i, r := range s {
		out = append(out, Char{r, int32(i), int32(i + len(string(r)))})
	}
	return out
}

func TestSpans(t *testing.T) {
	got := NFC.Apply(chars("e\u0301x"))
	if len(got) != 2 || got[0] != (Char{'é', 0, 3}) || got[1] != (Char{'x', 3, 4}) {
		t.Errorf("%v", got)
	}
	got = NFKD.Apply(chars("aﬁ"))
	if len(got) != 3 || got[1] != (Char{'f', 1, 4}) || got[2] != (Char{'i', 1, 4}) {
		t.Errorf("%v", got)
	}
}

func TestLongRunsOfMarks(t *testing.T) {
	long := []Char{{Rune: 'a'}}
	for i := range 400000 {
		long = append(long, Char{Rune: rune(0x300 + i%0x40)})
	}
	if got := NFC.Apply(long); len(got) == 0 {
		t.Error("nothing is left")
	}
}
