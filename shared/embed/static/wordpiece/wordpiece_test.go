package wordpiece

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"seam/shared/text"
)

var bert = Options{Prefix: "##", MaxWord: 40, Unknown: 0, Clean: true, Han: true, StripAccents: true, Lowercase: true}

func tokenizer(t testing.TB, opt Options, tokens ...string) *Tokenizer {
	t.Helper()
	k, err := New(append([]string{"[UNK]"}, tokens...), opt)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func tokens(k *Tokenizer, s string) []string {
	var out []string
	for _, id := range k.Append(nil, s, 0) {
		out = append(out, k.Tokens()[id])
	}
	return out
}

func TestTokens(t *testing.T) {
	k := tokenizer(t, bert, "un", "##aff", "##able", "a", "##a", "##b", "cafe", "!", "中", "文", "i", "ß", "σ", "1", "##2")
	for s, want := range map[string][]string{
		"unaffable":                {"un", "##aff", "##able"},
		"UNAFFABLE!!":              {"un", "##aff", "##able", "!", "!"},
		"unaffix a":                {"[UNK]", "a"},
		"Café cafe\u0301 ca\x00fe": {"cafe", "cafe", "cafe"},
		"a中文a":                     {"a", "中", "文", "a"},
		"İ ẞ Σ":                    {"i", "ß", "σ"},
		"12\u00a012\u200b":         {"1", "##2", "1", "##2"},
		"a!a\u0301":                {"a", "!", "a"},
		"\u0301":                   nil,
		"":                         nil,
		" \t\r\n":                  nil,
		strings.Repeat("a", 40):    append([]string{"a"}, slices.Repeat([]string{"##a"}, 39)...),
		strings.Repeat("a", 41):    {"[UNK]"},
	} {
		if got := tokens(k, s); !slices.Equal(got, want) {
			t.Errorf("%+q is %q, want %q", s, got, want)
		}
	}
}

func TestOptions(t *testing.T) {
	opt := bert
	opt.Clean, opt.Han, opt.StripAccents, opt.Lowercase = false, false, false, false
	k := tokenizer(t, opt, "A", "é", "中文", "a\x01", "\x00")
	for s, want := range map[string][]string{
		"A a": {"A", "[UNK]"}, "é e\u0301": {"é", "[UNK]"}, "中文": {"中文"}, "a\x01": {"a\x01"}, "\x00": {"\x00"}, "\x0bA\x0c": {"A"},
	} {
		if got := tokens(k, s); !slices.Equal(got, want) {
			t.Errorf("%+q is %q, want %q", s, got, want)
		}
	}
}

// BERT does not know "ﬁ". With Ligatures it must give f and i, with the same places.
func TestLigatures(t *testing.T) {
	const s = "The o\ufb03ce \ufb01le"
	vocabulary := []string{"the", "office", "fi", "##le"}
	if got, want := tokens(tokenizer(t, bert, vocabulary...), s), []string{"the", "[UNK]", "[UNK]"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	opt := bert
	opt.Ligatures = true
	k := tokenizer(t, opt, vocabulary...)
	if got, want := tokens(k, s), []string{"the", "office", "fi", "##le"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, want := range []string{"The", "o\ufb03ce", "\ufb01", "le"} {
		if got := k.Spans(s)[i].Of(s); got != want {
			t.Errorf("token %d stands for %q, want %q", i, got, want)
		}
	}
}

// A cached word must be split in the same way as the first time, whatever its length and
// whatever was in its place before.
func TestMemory(t *testing.T) {
	letters := []string{"a", "b", "##a", "##b", "##ab", "##bab", "é", "##é"}
	opt := bert
	opt.StripAccents = false
	old := tokenizer(t, opt, letters...)
	word := ""
	for i := range 60 {
		word += []string{"a", "b", "é", "ab"}[i*i%4]
		for _, s := range []string{word, strings.ToUpper(word), word + " " + word} {
			fresh := tokenizer(t, opt, letters...)
			want := tokens(fresh, s)
			for range 3 {
				if got := tokens(old, s); !slices.Equal(got, want) {
					t.Fatalf("%q is %q, was %q", s, got, want)
				}
			}
		}
	}
}

func TestSpans(t *testing.T) {
	k := tokenizer(t, bert, "un", "##aff", "##able", "!", "ᄀ", "##ᅡ", "中")
	s := "  Un\u0301affable\t!xyz 中가"
	var got []string
	for _, x := range k.Spans(s) {
		got = append(got, x.Of(s))
	}
	// The last character is split into two tokens, and the second is empty.
	want := []string{"Un\u0301", "aff", "able", "!", "xyz", "中", "가", ""}
	if !slices.Equal(got, want) || k.Count(s) != len(want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		tokens  []string
		unknown uint32
	}{{nil, 0}, {[]string{"a"}, 1}, {[]string{"a", "b", "a"}, 0}, {[]string{"##a", "##a"}, 0}} {
		if _, err := New(c.tokens, Options{Prefix: "##", MaxWord: 9, Unknown: c.unknown}); err == nil {
			t.Errorf("%q with unknown token %d is accepted", c.tokens, c.unknown)
		}
	}
}

func TestFile(t *testing.T) {
	k := tokenizer(t, bert, `"quoted\`, "##é")
	b, err := k.File()
	var f struct {
		Model struct {
			Vocab map[string]int `json:"vocab"`
		} `json:"model"`
	}
	if err != nil || json.Unmarshal(b, &f) != nil || f.Model.Vocab[`"quoted\`] != 1 || f.Model.Vocab["##é"] != 2 {
		t.Errorf("%s %v", b, err)
	}
}

func TestEachIsSpans(t *testing.T) {
	k := tokenizer(t, bert, "a", "##b", "é", ",")
	for _, s := range []string{"", " ", strings.Repeat("ab Ab, Éa\u0301\n", 20_000), strings.Repeat("a", 200_000) + " b", strings.Repeat("ab\t", 60_000)} {
		want := k.Spans(s)
		var got []text.Span
		k.Each(s, func(span text.Span) bool { got = append(got, span); return true })
		if !slices.Equal(got, want) {
			t.Errorf("%d spans of %.20q, want %d", len(got), s, len(want))
		}
		got = nil
		k.Each(s, func(span text.Span) bool { got = append(got, span); return len(got) < 2 })
		if len(got) != min(2, len(want)) {
			t.Errorf("%d spans after the end was asked for", len(got))
		}
	}
}
