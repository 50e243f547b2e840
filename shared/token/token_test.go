package token

import (
	"strings"
	"testing"
)

func TestCounters(t *testing.T) {
	for _, tt := range []struct {
		in                     string
		words, chars, estimate int
	}{
		{"", 0, 0, 0},
		{" \n", 0, 2, 1},
		{"Two words.", 2, 10, 3},
		{"it's 3.14 e-mails", 4, 17, 5},
		{"日本", 2, 2, 2},
		{"日本語文", 4, 4, 3},
		{"👩‍👩‍👧 é!", 1, 8, 6},
		{"𝄞𝄞𝄞", 0, 3, 3},
		{"\xff", 0, 1, 1},
		{"\x9d\x9d\x9d\x9d\x9d\x9d\x9d\x9d\x9d", 0, 9, 3},
	} {
		for _, c := range []struct {
			Counter
			want int
		}{{Words, tt.words}, {Characters, tt.chars}, {Estimate, tt.estimate}} {
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

func TestCharactersAndEstimateCoverTheText(t *testing.T) {
	in := "a€𝄞\xffz"
	for _, c := range []Counter{Characters, Estimate} {
		var sb strings.Builder
		for _, s := range c.Spans(in) {
			sb.WriteString(s.Of(in))
		}
		if sb.String() != in {
			t.Errorf("%s: %q", c.Name(), sb.String())
		}
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
