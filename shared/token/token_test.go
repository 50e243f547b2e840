package token

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/text"
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
		{"日本", 2, 2, 3},
		{"日本語文", 4, 4, 6},
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
				if s.Start < at || s.End < s.Start || s.End == s.Start && c.Counter != Estimate || s.End > len(tt.in) {
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

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"": Model, "model": Model, "words": "words", "chars": "chars", "cl100k": CL100K, "cl100k_base": CL100K,
		"o200k_base": O200K, "tokenizer:a/b.json": "tokenizer:a/b.json"} {
		if got, err := Normal(name); err != nil || got != want {
			t.Errorf("%q is %q, %v", name, got, err)
		}
	}
	for _, bad := range []string{"miles", "tokenizer:", "words_base", "_base", "CL100K"} {
		if _, err := Normal(bad); err == nil || !strings.Contains(err.Error(), "words, chars, cl100k") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if Lookup("words") != Words || Lookup("chars") != Characters || Lookup(Model) != nil || Lookup(CL100K) != nil {
		t.Error("counters by the wrong names")
	}
}

// plain hides a counter's methods beyond Counter.
type plain struct{ Counter }

func TestFit(t *testing.T) {
	for _, s := range []string{"", "word", "Ein kurzer Satz, größer als gedacht.", "今天天气很好，我们去公园吧！", "👩‍👩‍👧‍👦 é̂", "a\xff\xfe b \xe2\x82", "  blank  \n\n ends ", strings.Repeat("a word ", 300), strings.Repeat("é", 70), "Пер, два и Wiкi; ሰላም ለዓለም 12 გამარჯობა"} {
		for _, c := range []Counter{Words, Characters, WordTokens, Estimate} {
			for n := range 90 {
				end, other := Fit(c, s, n), Fit(plain{c}, s, n)
				if text.Edge(s, end) != end || c.Count(s[:end]) > n {
					t.Fatalf("%s: %d bytes of %.40q have %d units, not %d", c.Name(), end, s, c.Count(s[:end]), n)
				}
				if longer := text.Edge(s, end+utf8.UTFMax); n > 0 && longer > end && c.Count(s[:longer]) <= n && c != Words && c != WordTokens {
					t.Fatalf("%s: %d bytes of %.40q fit into %d, too", c.Name(), longer, s, n)
				}
				if c.Count(s[:other]) > n || n > 0 && other > end {
					t.Fatalf("%s: %d bytes of %.40q for %d, by the long way %d", c.Name(), end, s, n, other)
				}
			}
			var each []text.Span
			Each(c, s, func(span text.Span) bool { each = append(each, span); return true })
			if !slices.Equal(each, c.Spans(s)) {
				t.Errorf("%s: %v, not %v", c.Name(), each, c.Spans(s))
			}
		}
	}
}
