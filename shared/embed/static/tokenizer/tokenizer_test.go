package tokenizer

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/embed/static/norm"
)

const dir = "../testdata/"

func open(t testing.TB, name string) *Tokenizer {
	t.Helper()
	b, err := os.ReadFile(dir + name + "/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	k, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func texts(t testing.TB) []string {
	t.Helper()
	var all []string
	b, err := os.ReadFile(dir + "texts.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// around returns a tokenizer.json with a model of a few tokens.
func around(parts string) string {
	m := `"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":1}}`
	if strings.Contains(parts, `"model"`) {
		m = `"x":0`
	}
	return "{" + m + "," + parts + "}"
}

func TestRefusedByName(t *testing.T) {
	nested := strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + strings.Repeat("]}", 20)
	for parts, says := range map[string]string{
		`"normalizer":{"type":"Surprise"}`:                                                                           `normalizer "Surprise"`,
		`"normalizer":{"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Odd"}]}`:                             `normalizer "Odd"`,
		`"normalizer":` + nested:                                                                                     "nest deeper",
		`"normalizer":{"type":"Replace","pattern":{"Regex":"(a|b)+"},"content":""}`:                                  `"(a|b)+"`,
		`"normalizer":{"type":"Replace","pattern":{},"content":""}`:                                                  "neither",
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":""}`:                                              "empty",
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="}`:                                      "cut off",
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"!"}`:                                             "base64",
		`"pre_tokenizer":{"type":"UnicodeScripts"}`:                                                                  `pre-tokenizer "UnicodeScripts"`,
		`"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\w"},"behavior":"Isolated"}`:                           `\\w`,
		`"pre_tokenizer":{"type":"Split","pattern":{"String":"x"},"behavior":"Eaten"}`:                               "Eaten",
		`"pre_tokenizer":{"type":"Metaspace","replacement":"__"}`:                                                    "one character",
		`"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"last"}`:                             "last",
		`"model":{"type":"Neural","vocab":{"a":0}}`:                                                                  `model "Neural"`,
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{}}`:                                                    "empty",
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{"a":0}}`:                                               "unknown token",
		`"model":{"type":"WordPiece","vocab":{"a":0}}`:                                                               "unknown token",
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":0}}`:                                         "the same id",
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":4294967295}}`:                                      "beyond",
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":-1}}`:                                              "vocabulary",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}`:                                                    "merge 0",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}`:                                                      "not a pair",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":[["a","a","a"]]}`:                                            "not a pair",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":[7]}`:                                                        "merge 0",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":[],"dropout":0.1}`:                                           "dropout",
		`"model":{"type":"BPE","vocab":{"a":0},"merges":[],"unk_token":"u"}`:                                         `"u"`,
		`"model":{"type":"Unigram","vocab":[["a",0]]}`:                                                               "unknown token",
		`"model":{"type":"Unigram","unk_id":3,"vocab":[["a",0]]}`:                                                    "unknown token",
		`"model":{"type":"Unigram","unk_id":0,"vocab":[[0,"a"]]}`:                                                    "token 0",
		`"model":{"type":"Unigram","unk_id":0,"vocab":{"a":0}}`:                                                      "Unigram",
		`"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":2}},"added_tokens":[{"id":9,"content":"b"}]`: "the same id",
	} {
		if _, err := Parse([]byte(around(parts))); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.120s: %v, should say %s", parts, err, says)
		}
	}
}

// The single pass of package wordpiece must give the same result as the steps.
func TestOnePassEqualsSteps(t *testing.T) {
	for _, name := range []string{"bert", "bert-cased-f16-weights"} {
		k, steps := open(t, name), open(t, name)
		if k.bert == nil {
			t.Fatalf("%s is not done in one pass", name)
		}
		steps.bert = nil
		for _, s := range texts(t) {
			compare(t, k, steps, s)
		}
	}
}

func compare(t *testing.T, k, steps *Tokenizer, s string) {
	t.Helper()
	a, b := k.Append(nil, s, 0), steps.Append(nil, s, 0)
	if !slices.Equal(a, b) {
		t.Fatalf("%+q: %v in one pass, %v in steps", s, a, b)
	}
	if k.Count(s) != len(a) || steps.Count(s) != len(a) || len(k.Spans(s)) != len(a) || len(steps.Spans(s)) != len(a) {
		t.Fatalf("%+q: counts differ", s)
	}
}

func FuzzOnePass(f *testing.F) {
	for _, s := range texts(f) {
		f.Add(s)
	}
	k, steps := open(f, "bert"), open(f, "bert")
	steps.bert = nil
	f.Fuzz(func(t *testing.T, s string) { compare(t, k, steps, s) })
}

func TestLimit(t *testing.T) {
	for _, name := range []string{"bert", "llama3-f64", "unigram-bytes"} {
		k := open(t, name)
		for _, s := range texts(t) {
			all := k.Append(nil, s, 0)
			for _, limit := range []int{1, 2, 5, 1000} {
				if got := k.Append([]uint32{7}, s, limit); !slices.Equal(got[1:], all[:min(limit, len(all))]) {
					t.Fatalf("%s: %d tokens of %+q are %v of %v", name, limit, s, got, all)
				}
			}
		}
	}
}

func TestAddedTokens(t *testing.T) {
	k, err := Parse([]byte(`{"normalizer":{"type":"Lowercase"},"pre_tokenizer":{"type":"WhitespaceSplit"},
		"added_tokens":[{"content":"<L>","lstrip":true},{"content":"<R>","rstrip":true},{"content":"<R>>"},{"content":"Ab","single_word":true},{"content":"CD","normalized":true},{"content":""},{"content":"<L>"}],
		"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"x":1,"<R>>":2}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string][]string{
		"x  <L>x":    {"x", "<L>", "x"},
		"x<R>  x":    {"x", "<R>", "x"},
		"x<R>>x":     {"x", "<R>>", "x"},
		"Ab xAb Ab.": {"Ab", "u", "Ab", "u"},
		"x Cd":       {"x", "CD"},
		"<R>  <L>":   {"<R>", "<L>"},
	} {
		var got []string
		for _, id := range k.Append(nil, s, 0) {
			got = append(got, k.Tokens()[id])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
	if k.Size() != 7 || len(k.Tokens()) != 7 {
		t.Errorf("%d tokens, %q", k.Size(), k.Tokens())
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name  string
		m     matcher
		texts []string // pieces
	}{
		{"gpt2", gpt2, []string{"I", "'m", " sure", "  ", " it", "'s", " 12345", "x", "!?", " ('", "D", "'d", "\n ", " end", "\n\n"}},
		{"llama3", func(c []norm.Char, i int) int { return cl100k(c, i, 3) }, []string{"I", "'M", " sure", "  ", " it", "'ſ", " ", "123", "45", "x", "!?\n", " (\r\n\n", "\t\n\n", "  ", " end", "\n", "  "}},
		{"qwen", func(c []norm.Char, i int) int { return cl100k(c, i, 1) }, []string{" ", "1", "2", ".x", "_y", " ..", "\u00a0z"}},
	} {
		var chars []norm.Char
		for _, r := range strings.Join(c.texts, "") {
			chars = append(chars, norm.Char{Rune: r})
		}
		var got []string
		for _, p := range by(c.m, isolated, false)(nil, piece{chars: chars}) {
			var w word
			w.set(p.chars, nil)
			got = append(got, w.text)
		}
		if !slices.Equal(got, c.texts) {
			t.Errorf("%s: %q, want %q", c.name, got, c.texts)
		}
	}
}

// The expected values come from the documentation of Hugging Face's SplitDelimiterBehavior.
func TestBehaviors(t *testing.T) {
	for name, want := range map[string][]string{
		"Removed":            {"the", "final", "countdown"},
		"Isolated":           {"the", "-", "final", "-", "-", "countdown"},
		"MergedWithPrevious": {"the-", "final-", "-", "countdown"},
		"MergedWithNext":     {"the", "-final", "-", "-countdown"},
		"Contiguous":         {"the", "-", "final", "--", "countdown"},
	} {
		b, err := parseBehavior(name)
		if err != nil {
			t.Fatal(err)
		}
		var chars []norm.Char
		for _, r := range "the-final--countdown" {
			chars = append(chars, norm.Char{Rune: r})
		}
		var got []string
		for _, p := range by(one(func(r rune) bool { return r == '-' }), b, false)(nil, piece{chars: chars}) {
			var w word
			w.set(p.chars, nil)
			got = append(got, w.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Replacements of replacements must not take all memory.
func TestGrowthIsBounded(t *testing.T) {
	double := strings.Repeat(`{"type":"Replace","pattern":{"String":"a"},"content":"aaaaaaaaaaaaaaaa"},`, 30)
	k, err := Parse([]byte(around(`"normalizer":{"type":"Sequence","normalizers":[` + double + `{"type":"NFC"}]}`)))
	if err != nil {
		t.Fatal(err)
	}
	if n := k.Count("a b a"); n == 0 || n > 1<<20 {
		t.Errorf("%d tokens", n)
	}
	for _, long := range []string{`{"type":"Prepend","prepend":"` + strings.Repeat("a", 300) + `"}`, `{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("a", 300) + `"}`} {
		if _, err := Parse([]byte(around(`"normalizer":` + long))); err == nil || !strings.Contains(err.Error(), "300 bytes") {
			t.Errorf("%v", err)
		}
	}
}

// Time must not grow quadratically for a text with one long word.
func TestLongWords(t *testing.T) {
	for _, name := range []string{"bert", "gpt2-short", "llama2-int8", "clip-weights", "unigram-bytes", "xlm-int8-mapping", "words"} {
		k := open(t, name)
		for _, s := range []string{"a", "▁", "灯", "\u0301", "'", " ", "<", "<mask>", "ab1"} {
			long := strings.Repeat(s, 60_000/len(s))
			if n := k.Count(long); n > 4*len(long) {
				t.Errorf("%s: %d tokens of %q", name, n, s)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, parts := range []string{ // short, so that many are tried
		`"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","vocab":{"[UNK]":0,"the":1,"##s":2,"a":3}}`,
		`"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Nmt"},{"type":"Strip"}]},"pre_tokenizer":{"type":"Whitespace"}`,
		`"normalizer":{"type":"Precompiled","precompiled_charsmap":"BAAAAAAAAAAA"},"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"first"},"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["u",0],["▁t",-1.5],["he",-2],["<0x41>",-3]]}`,
		`"pre_tokenizer":{"type":"ByteLevel","use_regex":true},"added_tokens":[{"content":"<m>","lstrip":true,"rstrip":true,"single_word":true}],"model":{"type":"BPE","ignore_merges":true,"vocab":{"a":0,"b":1,"ab":2,"abb":3},"merges":["a b",["ab","b"]]}`,
		`"normalizer":{"type":"Prepend","prepend":"_"},"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\s+"},"behavior":"MergedWithNext","invert":true},"model":{"type":"BPE","unk_token":"u","fuse_unk":true,"byte_fallback":true,"end_of_word_suffix":"</w>","continuing_subword_prefix":"##","vocab":{"u":0,"b":1,"##b":2,"b##b</w>":3,"<0x41>":4},"merges":[]}`,
	} {
		f.Add([]byte(around(parts)), "the abb <m> A図")
	}
	f.Fuzz(func(t *testing.T, b []byte, s string) {
		k, err := Parse(b)
		if err != nil {
			if !errors.Is(err, ErrFile) {
				t.Fatal(err)
			}
			return
		}
		ids, end := k.Append(nil, s, 0), 0
		spans := k.Spans(s)
		if len(spans) != len(ids) || k.Count(s) != len(ids) {
			t.Fatalf("%d ids, %d spans, Count says %d", len(ids), len(spans), k.Count(s))
		}
		for _, x := range spans {
			if x.Start < end || x.End < x.Start || x.End > len(s) || utf8.ValidString(s) && x.End < len(s) && !utf8.RuneStart(s[x.End]) {
				t.Fatalf("span %v behind %d of %q", x, end, s)
			}
			end = x.End
		}
	})
}
