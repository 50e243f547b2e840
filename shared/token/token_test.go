package token

import (
	"strings"
	"testing"
)

func TestCounters(t *testing.T) {
	for _, tt := range []struct {
		in           string
		words, chars int
	}{
		{"", 0, 0},
		{" \n", 0, 2},
		{"Two words.", 2, 10},
		{"it's 3.14 e-mails", 4, 17},
		{"日本", 2, 2},
		{"👩‍👩‍👧 é!", 1, 8},
		{"\xff", 0, 1},
	} {
		for _, c := range []struct {
			Counter
			want int
		}{{Words, tt.words}, {Characters, tt.chars}} {
			if got := c.Count(tt.in); got != c.want {
				t.Errorf("%q has %d %s, want %d", tt.in, got, c.Name(), c.want)
			}
			spans := c.Spans(tt.in)
			if len(spans) != c.want {
				t.Errorf("%q has %d spans of %s", tt.in, len(spans), c.Name())
			}
			at := 0
			for _, s := range spans {
				if s.Start < at || s.End <= s.Start || s.End > len(tt.in) {
					t.Errorf("%q: span %v of %s after %d", tt.in, s, c.Name(), at)
				}
				at = s.End
			}
		}
	}
}

func TestCharactersCoverTheText(t *testing.T) {
	in := "a€𝄞\xffz"
	var sb strings.Builder
	for _, s := range Characters.Spans(in) {
		sb.WriteString(s.Of(in))
	}
	if sb.String() != in {
		t.Errorf("%q", sb.String())
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{"": "words", "model": "words", "words": "words", "chars": "chars"} {
		if c, err := Lookup(name, Words); err != nil || c.Name() != want {
			t.Errorf("%q: %v, %v", name, c, err)
		}
	}
	if _, err := Lookup("miles", Words); err == nil || !strings.Contains(err.Error(), "words, chars") {
		t.Errorf("%v", err)
	}
}
