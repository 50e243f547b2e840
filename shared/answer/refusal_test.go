package answer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines returns the lines of a file.
func lines(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// Refusals in 15 languages must be recognized. The second half was set aside before the
// rules were written.
func TestRefusesInWords(t *testing.T) {
	for name, least := range map[string]int{"refusals": 75, "refusals-held-out": 60} {
		found, all := 0, lines(t, "testdata/"+name+".tsv")
		for _, line := range all {
			language, text, _ := strings.Cut(line, "\t")
			if Refuses(text, false) {
				found++
			} else {
				t.Logf("%s: %s is missed: %s", name, language, text)
			}
		}
		t.Logf("%s: %d of %d", name, found, len(all))
		if found < least || len(all) != 75 {
			t.Errorf("%s: %d of %d, and %d before", name, found, len(all), least)
		}
	}
}

// A real answer is no refusal, nor is a part of one.
func TestAnswersAreNoRefusals(t *testing.T) {
	for _, line := range lines(t, "testdata/answers.txt") {
		if Refuses(line, false) {
			t.Errorf("taken for a refusal: %s", line)
		}
	}
}

// Nor is any sentence of real documents and of texts in many languages, given as an answer
// without a citation. SEAM_DATA has most of them.
func TestSentencesAreNoRefusals(t *testing.T) {
	root := os.Getenv("SEAM_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	names, _ := filepath.Glob(filepath.Join(root, "chunking_eval", "corpora", "*.md"))
	own, _ := filepath.Glob("../pipeline/testdata/languages/*.txt")
	if names = append(names, own...); len(own) < 20 {
		t.Fatal(len(own), "texts in many languages")
	}
	taken, all := 0, 0
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sentences := strings.FieldsFunc(strings.ReplaceAll(string(b), `\n`, "\n"), func(r rune) bool { return strings.ContainsRune(".。।؟?!\n", r) })
		for i := range min(500, len(sentences)) {
			s := strings.TrimSpace(sentences[i*len(sentences)/min(500, len(sentences))])
			for _, answer := range []string{s, "According to the information in the passages, " + s, "Yes. " + s} {
				all++
				if Refuses(answer, false) {
					taken++
					t.Errorf("taken for a refusal: %s", answer)
				}
			}
		}
	}
	t.Logf("%d of %d sentences", taken, all)
}
