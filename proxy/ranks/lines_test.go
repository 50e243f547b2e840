package ranks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/answer"
	"seam/shared/token"
)

// The line that says where a passage comes from has at most 20 tokens as Seam estimates them, in every script, and
// with cl100k half as many again. Run with -v for the table.
func TestSourcesHaveFewTokens(t *testing.T) {
	const most, really = 20, 30
	cl, err := Open(token.CL100K)
	if err != nil {
		t.Skip(err)
	}
	files, _ := filepath.Glob("../../shared/token/testdata/scripts/*.txt")
	if len(files) < 30 {
		t.Fatalf("%d texts", len(files))
	}
	t.Log("language  lines  cl100k on average  at most")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		titles := strings.FieldsFunc(string(b), func(r rune) bool { return strings.ContainsRune(".\n。।,:", r) })
		lines, sum, worst := 0, 0, 0
		for i, title := range titles {
			for _, s := range []answer.Source{
				{Title: title, Section: titles[(i+7)%len(titles)], Pages: []string{"112", "113"}, Date: "2024-03-05"},
				{Name: title + ".pdf", Section: "One › " + titles[(i+3)%len(titles)], Saved: "2024-03-05"},
			} {
				line := s.Line()
				n := cl.Count(line)
				if e := token.Estimate.Count(line); e > most || n > really {
					t.Errorf("%s: %d tokens, and cl100k has %d: %s", filepath.Base(name), e, n, line)
				}
				lines, sum, worst = lines+1, sum+n, max(worst, n)
			}
		}
		t.Logf("%-8s  %5d  %17.1f  %7d", strings.TrimSuffix(filepath.Base(name), ".txt"), lines, float64(sum)/float64(lines), worst)
	}
}
