package ranks

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/embed/lexical"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/token"
)

// far lists the languages whose counts differ from cl100k by more than a quarter, because
// another language has the same script. Those in Latin letters are not listed.
const far = "ur"

// latin lists the languages in Latin letters. Their words count as words, and their
// estimate is a quarter of the bytes.
const latin = "de en fr pl tr vi"

// The counters without a vocabulary must be within a quarter of cl100k in each script, and
// unchanged in Latin letters. Run with -v for the table.
func TestCountersFitTheScripts(t *testing.T) {
	cl, err := Open(token.CL100K)
	if err != nil {
		t.Skip(err)
	}
	o, err := Open(token.O200K)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("../../shared/token/testdata/scripts/*.txt")
	others, _ := filepath.Glob("../../shared/pipeline/testdata/languages/*-one.txt") // texts that the counters were not fitted to
	files = append(files, others...)
	if len(files) < 40 {
		t.Fatalf("%d texts", len(files))
	}
	t.Log("language  cl100k  o200k  words  word tokens  estimate, as shares of cl100k")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s, code := string(b), strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".txt"), "-one")
		n := cl.Count(s)
		of := func(c token.Counter) float64 { return float64(c.Count(s)) / float64(n) }
		t.Logf("%-8s  %6d  %5.2f  %5.2f  %11.2f  %8.2f", code, n, of(o), of(token.Words), of(token.WordTokens), of(token.Estimate))
		if strings.Contains(latin, code) {
			if token.WordTokens.Count(s) != token.Words.Count(s) || token.Estimate.Count(s) != (len(s)+3)/4 {
				t.Errorf("%s: other counts than before", code)
			}
			continue
		}
		for _, c := range []token.Counter{token.WordTokens, token.Estimate} {
			if math.Abs(of(c)-1) > .25 && !strings.Contains(far, code) {
				t.Errorf("%s: %d %s, and cl100k has %d tokens", code, c.Count(s), c.Name(), n)
			}
		}
	}
}

// A maximum in tokens of an encoding must hold in every script, for the chunk with its
// header and its overlap.
func TestMaximumInTokensHolds(t *testing.T) {
	files, _ := filepath.Glob("../../shared/token/testdata/scripts/*.txt")
	for _, unit := range []string{token.CL100K, token.O200K} {
		counter, err := Open(unit)
		if err != nil {
			t.Skip(err)
		}
		cut := 0
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			parts := strings.Split(string(b), "\n\n")
			doc := text.NewPlain("# " + filepath.Base(name) + "\n\n" + strings.Join(parts, "\n\n## Part\n\n"))
			for _, m := range chunk.Methods() {
				for _, most := range []int{24, 70} {
					s := pipeline.Settings{Method: m.Name, Embedder: lexical.Name, Unit: unit, MaxTokens: most, Headers: true}
					if m.Overlap {
						s.Overlap = most / 4
					}
					p, err := pipeline.NewPlan(s)
					if err != nil {
						t.Fatal(err)
					}
					r, err := pipeline.NewSession(doc).Run(t.Context(), p, pipeline.Hooks{Counter: func(string) (token.Counter, error) { return counter, nil }})
					if err != nil {
						t.Fatalf("%s by %s: %v", name, m.Name, err)
					}
					cut += len(r.Chunks) - 1
					for i, c := range r.Chunks {
						whole := c.Of(r.Text.Text)
						if h := r.Header(i); h != "" {
							whole = h + "\n" + whole
						}
						if n := counter.Count(whole); n > most || n != c.Tokens {
							t.Fatalf("%s by %s in %s: chunk %d of %d has %d tokens, it says %d: %q", filepath.Base(name), m.Name, unit, i, most, n, c.Tokens, whole)
						}
					}
				}
			}
		}
		if cut < 1000 {
			t.Errorf("%d cuts in %s", cut, unit)
		}
	}
}
