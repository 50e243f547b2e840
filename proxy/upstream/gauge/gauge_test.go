package gauge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// count is a line of testdata/counts.json: the tokens of a text by tokenizer.
type count struct {
	Sum                                         string
	O200k, P50k, Llama, Llama3, Mistral, Claude int
}

func (c count) tokens() map[string]int {
	return map[string]int{"o200k": c.O200k, "p50k": c.P50k, "llama": c.Llama, "llama3": c.Llama3, "mistral": c.Mistral, "claude": c.Claude}
}

// texts returns the samples, and the texts of the project in many languages, by name.
func texts(t *testing.T) map[string]string {
	all := map[string]string{"base": Base}
	for c, sample := range samples {
		all[fmt.Sprintf("sample-%02d", c)] = sample
	}
	for _, pattern := range []string{"../../../shared/token/testdata/scripts/*.txt", "../../../shared/sentence/testdata/languages/*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d texts, %v", pattern, len(names), err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = string(b)
		}
	}
	return all
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// The counts of real tokenizers for the samples predict their counts for texts in 40
// languages and scripts.
func TestRealTokenizers(t *testing.T) {
	all := texts(t)
	if name := os.Getenv("TEXTS"); name != "" {
		out := map[string]map[string]string{}
		for name, content := range all {
			out[name] = map[string]string{"sum": sumOf(content), "text": content}
		}
		b, err := json.Marshal(out)
		if err == nil {
			err = os.WriteFile(name, b, 0o644)
		}
		t.Skip("texts written to ", name, ": ", err)
	}
	b, err := os.ReadFile("testdata/counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]count
	if err := json.Unmarshal(b, &counts); err != nil {
		t.Fatal(err)
	}
	judged, low, high := 0, 0, 0
	for name := range (count{}).tokens() {
		var of Tokenizer
		for text, content := range all {
			if counts[text].Sum != sumOf(content) {
				t.Fatalf("%s has changed: see testdata/count.mjs", text)
			}
			if !strings.Contains(text, "/") {
				of.Learn(content, counts[text].tokens()[name])
			}
		}
		for text, content := range all {
			m, err := Of(content)
			if err != nil {
				t.Skip(err)
			}
			tokens := float64(counts[text].tokens()[name])
			want, known := of.Expect(&m)
			if !known || !strings.Contains(text, "/") {
				continue
			}
			ratio := (tokens - float64(of.Around())) / want
			if judged++; ratio < 0.88 {
				low++
			} else if ratio > 1.1 {
				high++
			}
			if ratio < 0.75 || ratio > 1.7 {
				t.Errorf("%s has %.2f of the expected tokens in %s", text, ratio, name)
			}
			if fewest, most := m.Bounds(); tokens < fewest || tokens > most {
				t.Errorf("%s has %.0f tokens in %s, not %.0f to %.0f", text, tokens, name, fewest, most)
			}
		}
	}
	t.Logf("%d counts: %d below 0.88 of the expected number, %d above 1.1", judged, low, high)
	if judged < 150 || low > judged/20 || high > judged/4 {
		t.Errorf("of %d counts %d are below 0.88 of the expected number and %d above 1.1", judged, low, high)
	}
}

// A tokenizer that counts bytes, characters or words is recognised, and judged exactly.
func TestPlainTokenizers(t *testing.T) {
	for name, tokens := range map[string]func(string) int{
		"a token for 3 bytes":      func(t string) int { return (len(t) + 2) / 3 },
		"a token for 4 characters": func(t string) int { return (utf8.RuneCountInString(t) + 3) / 4 },
		"words and signs":          wordsIn,
	} {
		var of Tokenizer
		for _, sample := range append(samples[:], Base) {
			of.Learn(sample, tokens(sample)+11)
		}
		for text, content := range texts(t) {
			m, err := Of(content)
			if err != nil {
				t.Skip(err)
			}
			want, known := of.Expect(&m)
			if n := float64(tokens(content)); known && n > 100 && (n < 0.97*want || n > 1.03*want) {
				t.Errorf("%s: %s has %.0f tokens, %.0f expected", name, text, n, want)
			}
		}
		if of.Around() != 11 {
			t.Errorf("%d tokens around a message, want 11", of.Around())
		}
	}
}

// Only the samples of classes that a text has are asked for, and without them nothing is
// claimed.
func TestMissing(t *testing.T) {
	m, err := Of(strings.Repeat("Встреча прошла в старом городе у реки. ", 20))
	if err != nil {
		t.Skip(err)
	}
	var of Tokenizer
	missing := of.Missing(&m)
	if len(missing) != 4 {
		t.Fatalf("%d samples, want Base, words, signs and Cyrillic", len(missing))
	}
	for _, sample := range missing {
		if _, known := of.Expect(&m); known {
			t.Error("a number without all samples")
		}
		of.Learn(sample, len(sample)/2+3)
	}
	if _, known := of.Expect(&m); !known {
		t.Error("no number with all samples")
	}
	if m, _ = Of(strings.Repeat("ქართული ენა ", 50)); len(of.Missing(&m)) > 0 {
		t.Error("a sample for a script that has none")
	} else if _, known := of.Expect(&m); known {
		t.Error("a number for a script without a sample")
	}
}

func TestDegenerateCounts(t *testing.T) {
	m, err := Of("")
	if err != nil {
		t.Skip(err)
	}
	for _, n := range []int{0, 1, -5, 1 << 40} {
		var of Tokenizer
		for _, sample := range append(samples[:], Base) {
			of.Learn(sample, n)
		}
		if e, known := of.Expect(&m); known && e != 0 {
			t.Errorf("%v tokens of nothing if each sample has %d", e, n)
		}
		full, _ := Of("The committee met on a cold morning. \xff\xfe 委员会")
		if e, _ := of.Expect(&full); e != e || e < 0 {
			t.Errorf("%v tokens if each sample has %d", e, n)
		}
	}
}
