//go:build !js

package builtin

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"unicode"
)

// The evaluation data must not be in the model's training data, which titles.txt.gz and
// questions.bin list.

// need reads a file, and skips the test if it is missing.
func need(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("nothing to compare: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func dataFile(parts ...string) string {
	return filepath.Join(append([]string{cmp.Or(os.Getenv("SEAM_DATA"), filepath.Join("..", "..", "..", "..", "shared", "data"))}, parts...)...)
}

// plain returns a title in the form used for comparison.
func plain(s string) string { return strings.ToLower(strings.TrimSpace(html.UnescapeString(s))) }

// evaluated returns the titles of the evaluation's documents.
func evaluated(t *testing.T) []string {
	t.Helper()
	var refs struct {
		Docs []struct {
			Source json.RawMessage `json:"source"`
		} `json:"docs"`
	}
	if err := json.Unmarshal(need(t, dataFile("segmentation", "refs.json")), &refs); err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, d := range refs.Docs {
		var many []string
		var single string
		if json.Unmarshal(d.Source, &many) == nil {
			titles = append(titles, many...)
		} else if json.Unmarshal(d.Source, &single) == nil {
			titles = append(titles, single)
		}
	}
	for line := range strings.Lines(string(need(t, dataFile("chunking_eval", "corpora", "wikitexts.md")))) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "= "); ok && !strings.HasPrefix(title, "=") {
			titles = append(titles, strings.TrimSuffix(title, "="))
		}
	}
	return titles
}

func TestEvaluationIsHeldOut(t *testing.T) {
	titles := evaluated(t)
	if len(titles) < 30 {
		t.Fatalf("only %d titles in the evaluation", len(titles))
	}
	z, err := gzip.NewReader(bytes.NewReader(need(t, "titles.txt.gz")))
	if err != nil {
		t.Fatal(err)
	}
	learned := map[string]bool{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		_, title, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			t.Fatalf("titles.txt.gz: no tab in %q", lines.Text())
		}
		learned[plain(title)] = true
	}
	if lines.Err() != nil || len(learned) < 1000 {
		t.Fatalf("titles.txt.gz: %d titles, %v", len(learned), lines.Err())
	}
	for _, title := range titles {
		if title = plain(title); title != "" && learned[title] {
			t.Errorf("the model has learned from %q, which is in the evaluation", title)
		}
	}
}

// fingerprint returns the first 8 bytes of the SHA-256 of a question's words.
func fingerprint(question string) []byte {
	words := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return sum[:8]
}

func TestQuestionsAreHeldOut(t *testing.T) {
	var questions []struct {
		Question string `json:"question"`
	}
	if err := json.Unmarshal(need(t, dataFile("chunking_eval", "questions.json")), &questions); err != nil || len(questions) < 100 {
		t.Fatalf("%d questions, %v", len(questions), err)
	}
	learned := need(t, "questions.bin")
	n := len(learned) / 8
	if n == 0 || len(learned)%8 != 0 {
		t.Fatalf("questions.bin has %d bytes", len(learned))
	}
	at := func(i int) []byte { return learned[8*i : 8*i+8] }
	for i := 1; i < n; i++ {
		if bytes.Compare(at(i-1), at(i)) > 0 {
			t.Fatalf("questions.bin is not sorted at %d", i)
		}
	}
	for _, q := range questions {
		f := fingerprint(q.Question)
		if i := sort.Search(n, func(i int) bool { return bytes.Compare(at(i), f) >= 0 }); i < n && bytes.Equal(at(i), f) {
			t.Errorf("the model has learned from the question %q", q.Question)
		}
	}
}
