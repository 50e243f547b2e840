package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/pdftext/pdftest"
)

// --pages must count sheets, and say so where a file prints other numbers.
func TestPagesAreSheets(t *testing.T) {
	dir := t.TempDir()
	page := func(s string) pdftest.Page {
		return pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: s}}}
	}
	pages := []pdftest.Page{page("The mill stands by the river."), page("The mill is old and of stone.")}
	for name, labels := range map[string]string{"printed.pdf": "0 << /S /D /St 103 >>", "same.pdf": "0 << /S /D >>", "none.pdf": ""} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, pdftest.Write(pdftest.Doc{Pages: pages, Labels: labels}), 0o600); err != nil {
			t.Fatal(err)
		}
		r := run(t, "", "search", "--pages", "2", "--method", "page", "mill", file)
		if r.status != 0 || !strings.Contains(r.out, "old and of stone") || strings.Contains(r.out, "by the river") ||
			strings.Contains(r.err, "printed.pdf: --pages counts sheets: sheet 1 has the printed number 103\n") != (labels != "" && name == "printed.pdf") || name != "printed.pdf" && r.err != "" {
			t.Errorf("%s: %+v", name, r)
		}
		if r = run(t, "", "search", "--method", "page", "mill", file); strings.Contains(r.err, "--pages") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// The passages of an experiment must be named like hits, by printed numbers.
func TestPassagesHavePrintedNumbers(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	page := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "Venus turns backwards. It is hot there."}}}
	document := file(t, "planets.pdf", pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{page}, Labels: "0 << /S /D /St 103 >>"}))
	r, report := evalPipeline(t, p, "off", "contextual-headers", document, "--embedding-model", "builtin", "--questions", file(t, "q.json", []byte(planetQuestions)))
	if r.status != 0 || !strings.Contains(r.out, " p. 103 (sheet 1) ") || len(report.Runs) == 0 || len(report.Runs[0].Passages) == 0 || report.Runs[0].Passages[0].Label != "103" {
		t.Errorf("%+v\n%+v", r, report.Runs)
	}
}
