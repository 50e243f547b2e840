package bpe

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/text"
	"seam/shared/token"
)

// vocabulary returns a small test vocabulary: all bytes, and a few tokens in the order to
// join them.
func vocabulary() []string {
	var out []string
	for b := range 256 {
		out = append(out, string([]byte{byte(b)}))
	}
	return append(out, "th", " t", "the", " the", "aa", "aaaa", "in", "ing", "é", " \n", "\r\n", "中", "'s")
}

func encodings(t testing.TB) []*Encoding {
	var out []*Encoding
	for _, name := range []string{token.CL100K, token.O200K} {
		b, err := Append(nil, vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		e, err := Read(name, b)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func TestJoinsByRank(t *testing.T) {
	for _, e := range encodings(t) {
		for s, want := range map[string]int{"": 0, "the": 1, "there": 3, "thing": 2, "aaa": 2, "aaaaa": 2, "中é": 4, "中": 1, "xyz": 3, "\xff\xfe": 2} {
			if n := e.Count(s); n != want {
				t.Errorf("%s: %q has %d tokens, want %d", e.Name(), s, n, want)
			}
		}
	}
}

// The pieces must match the published patterns, word by word.
func TestPieces(t *testing.T) {
	for _, tt := range []struct{ in, cl, o string }{
		{"don't WE'LL", "don|'t| WE|'LL", "don't| WE'LL"},
		{"HTTPServer isOK", "HTTPServer| isOK", "HTTPServer| is|OK"},
		{"x 12345.6", "x| |123|45|.|6", "x| |123|45|.|6"},
		{"a  b\n\n c \n", "a| | b|\n\n| c| \n", "a| | b|\n\n| c| \n"},
		{"end\n  ", "end|\n  ", "end|\n|  "},
		{"(foo) //\n", "(foo|)| //\n", "(foo|)| //\n"},
		{"://\nx", "://\n|x", "://\n|x"},
		{"./a/\n/b", "./|a|/\n|/b", "./|a|/\n/|b"},
		{"\tif", "\tif", "\tif"},
		{"中文A", "中文A", "中文|A"},
	} {
		for i, want := range []string{tt.cl, tt.o} {
			e, rest := encodings(t)[i], tt.in
			var got []string
			for rest != "" {
				n := e.pattern(rest)
				got, rest = append(got, rest[:n]), rest[n:]
			}
			if joined := strings.Join(got, "|"); joined != want {
				t.Errorf("%s: %q is cut %q, want %q", e.Name(), tt.in, joined, want)
			}
		}
	}
}

// check tests the invariants for any text.
func check(t *testing.T, e *Encoding, s string) {
	t.Helper()
	n := e.Count(s)
	spans := e.Spans(s)
	at := 0
	for _, x := range spans {
		if x.Start != at || x.End < x.Start || text.Edge(s, x.End) != x.End {
			t.Fatalf("%s: a token is %v of %q, after byte %d", e.Name(), x, s, at)
		}
		at = x.End
	}
	if len(spans) != n || at != len(s) {
		t.Fatalf("%s: %q has %d tokens and %d spans up to byte %d", e.Name(), s, n, len(spans), at)
	}
	for _, most := range []int{1, 2, 7} {
		end := e.Fit(s, most)
		if got := e.Count(s[:end]); got > most || end < len(s) && utf8.RuneCountInString(s[:end]) == 0 && most > utf8.UTFMax {
			t.Fatalf("%s: %d bytes of %q have %d tokens, not %d", e.Name(), end, s, got, most)
		}
	}
}

func TestUglyTexts(t *testing.T) {
	for _, e := range encodings(t) {
		for _, s := range []string{"", " ", "\n", "\x00", "👩‍👩‍👧‍👦é̂🇩🇪", "\xf0\x9f the \x80\x80", "\ufeffBOM\r\n\r\n x", strings.Repeat("\u0301", 50), "'", "''s", " '", "\u2028\u0085 a", "ǅʰⅧ²"} {
			check(t, e, s)
		}
	}
}

// Work must stay proportional to the length of an endless text. Quadratic work would take
// minutes here.
func TestLongPieces(t *testing.T) {
	for _, e := range encodings(t) {
		for _, s := range []string{"a", "A", " ", "\n", "!", "中", "1", "'", "\u0301", " \n", "\xff"} {
			long := strings.Repeat(s, 1_000_000/len(s))
			if e.Count(long) == 0 {
				t.Errorf("%q repeated has no tokens", s)
			}
		}
	}
}

func TestReadsWhatWasWritten(t *testing.T) {
	b, err := Append(nil, vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Read(token.O200K, b)
	if err != nil || e.Count("thing") != 2 {
		t.Fatalf("%v", err)
	}
	for cut := range b {
		if _, err := Read(token.O200K, b[:cut]); err == nil {
			t.Fatalf("%d of %d bytes pass", cut, len(b))
		}
	}
	if _, err := Read("p50k", b); err == nil {
		t.Error("an unknown encoding passes")
	}
	if b, err = Append(nil, vocabulary()[1:]); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(token.CL100K, b); err == nil {
		t.Error("a vocabulary without all bytes passes")
	}
	if _, err := Append(nil, []string{strings.Repeat("a", 256)}); err == nil {
		t.Error("a token too long passes")
	}
	if tokens, err := ParseTiktoken("YQ== 0\nYmM= 1\n"); err != nil || !slices.Equal(tokens, []string{"a", "bc"}) {
		t.Errorf("%q, %v", tokens, err)
	}
	for _, bad := range []string{"YQ== 1", "? 0", "YQ==", "YQ== x"} {
		if _, err := ParseTiktoken(bad); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}

func FuzzEncodings(f *testing.F) {
	list := encodings(f)
	f.Add("the thing's aaaa中é \r\n\r\n x12345")
	f.Add("\xf0\x9f'RE  \n")
	f.Fuzz(func(t *testing.T, s string) {
		for _, e := range list {
			check(t, e, s)
		}
	})
}
