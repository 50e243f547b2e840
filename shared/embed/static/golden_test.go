package static

import (
	"context"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The fixtures hold the results of Python's model2vec: testdata/make/make.py.

type expected struct {
	IDs     [][]uint32  `json:"ids"`
	Vectors [][]float32 `json:"vectors"`
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fixtures returns the names of the models in a folder.
func fixtures(t testing.TB, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "tokenizer.json"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no models in %s (%v)", dir, err)
	}
	for i, f := range found {
		found[i] = filepath.Base(filepath.Dir(f))
	}
	return found
}

func openFixture(t testing.TB, dir, name string) *Model {
	t.Helper()
	m, err := Open(os.DirFS(filepath.Join(dir, name)), name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEqualsPython(t *testing.T) { equalPython(t, "testdata") }

func equalPython(t *testing.T, dir string) {
	var texts []string
	readJSON(t, filepath.Join(dir, "texts.json"), &texts)
	for _, name := range fixtures(t, dir) {
		t.Run(name, func(t *testing.T) {
			var want expected
			readJSON(t, filepath.Join(dir, name+".json"), &want)
			m := openFixture(t, dir, name)
			got, err := m.Encode(context.Background(), texts, nil)
			if err != nil {
				t.Fatal(err)
			}
			worst := 0.0
			for i, text := range texts {
				ids := m.parts.Tokenizer.Append(nil, text, 0)
				if !slices.Equal(ids, want.IDs[i]) {
					t.Errorf("%+q\n has tokens %q\n it should be %q", text, names(m, ids), names(m, want.IDs[i]))
				}
				largest := 0.0
				for _, x := range want.Vectors[i] {
					largest = max(largest, math.Abs(float64(x)))
				}
				for k, x := range got.Row(i) {
					d := math.Abs(float64(x-want.Vectors[i][k])) / max(1, largest)
					allowed := 1e-6
					if strings.HasSuffix(name, "f64") { // Python also adds in float64
						allowed = 1e-5
					}
					if m.parts.Half { // the last digit may be rounded differently
						allowed += math.Abs(float64(x)) / (1 << 10)
					}
					if worst = max(worst, d); !(d <= allowed) {
						t.Errorf("%+q: number %d is %v, should be %v", text, k, x, want.Vectors[i][k])
						break
					}
				}
				checkSpans(t, m, text, len(ids))
			}
			t.Logf("%d texts, largest difference %.1e", len(texts), worst)
		})
	}
}

func names(m *Model, ids []uint32) []string {
	tokens := m.parts.Tokenizer.(interface{ Tokens() []string }).Tokens()
	var out []string
	for _, id := range ids {
		out = append(out, tokens[id])
	}
	return out
}

// checkSpans checks the guarantees of token.Counter for one text.
func checkSpans(t *testing.T, m *Model, s string, tokens int) {
	t.Helper()
	spans := m.Counter().Spans(s)
	if n := m.Counter().Count(s); n != tokens || len(spans) != tokens {
		t.Errorf("%+q has %d tokens, Count says %d, Spans has %d", s, tokens, n, len(spans))
	}
	end := 0
	for _, x := range spans {
		if x.Start < end || x.End < x.Start || x.End > len(s) {
			t.Fatalf("%+q: span %v behind %d", s, x, end)
		}
		for _, edge := range []int{x.Start, x.End} {
			if utf8.ValidString(s) && edge < len(s) && !utf8.RuneStart(s[edge]) {
				t.Fatalf("%+q: span %v is within a character", s, x)
			}
		}
		if part := x.Of(s); strings.TrimSpace(part) != part && strings.TrimSpace(part) != "" {
			t.Errorf("%+q: token %q has white space at its ends", s, part)
		}
		end = x.End
	}
}

// If no character is dropped, every visible character must belong to a token.
func TestSpansCoverPlainText(t *testing.T) {
	const text = "The lighthouse keeper wrote down, in 1953, that größere Fenster don't open; 图书馆 Η θάλασσα."
	for _, name := range fixtures(t, "testdata") {
		m := openFixture(t, "testdata", name)
		rest := []byte(text)
		for _, s := range m.Counter().Spans(text) {
			for i := s.Start; i < s.End; i++ {
				rest[i] = ' '
			}
		}
		if left := strings.TrimFunc(string(rest), unicode.IsSpace); left != "" && name != "llama3-f64" {
			t.Errorf("%s: %q belongs to no token", name, left)
		}
	}
}

func TestExportIsEqual(t *testing.T) {
	var texts []string
	readJSON(t, "testdata/texts.json", &texts)
	for _, name := range fixtures(t, "testdata") {
		m := openFixture(t, "testdata", name)
		files := map[string][]byte{}
		if err := m.Export(func(name string, data []byte) error { files[name] = data; return nil }); err != nil {
			t.Fatal(err)
		}
		again, err := OpenFiles(func(file string) ([]byte, error) {
			if b, ok := files[file]; ok {
				return b, nil
			}
			return nil, fs.ErrNotExist
		}, name)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := m.Embed(context.Background(), texts, nil)
		b, _ := again.Embed(context.Background(), texts, nil)
		if !slices.Equal(a.Data, b.Data) {
			t.Errorf("%s: vectors change by Export and Open", name)
		}
	}
}
