package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// "no file has the word" must not be printed of a word that a running head has, nor while a
// file was not read.
func TestSearchClaimsNothingAboutUnreadText(t *testing.T) {
	dir := t.TempDir()
	var pages []pdftest.Page
	for i := range 6 {
		texts := []pdftest.Text{{X: 90, Y: 760, Size: 9, S: "Grunewald Yearbook"}}
		for k := range 14 {
			texts = append(texts, pdftest.Text{X: 90, Y: 680 - 20*float64(k), Size: 12, S: fmt.Sprintf("Mill %d turns %d stones by wind alone.", i*20+k, k+i)})
		}
		pages = append(pages, pdftest.Page{Texts: texts})
	}
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("yearbook.pdf", pdftest.Write(pdftest.Doc{Pages: pages, Compress: true}))
	search := func(query string) result { return run(t, "", "search", "--mode", "keyword", query, dir) }
	if r := search("grunewald"); r.status != 1 || !strings.Contains(r.err, `the word "grunewald" is only in text outside the chunks, such as running heads: `) || !strings.Contains(r.err, "yearbook.pdf") || strings.Contains(r.err, "no file") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "--mode", "keyword", "--json", "grunewald", dir); !strings.Contains(r.out, `"aside":[{"word":"grunewald","files":["`) && !strings.Contains(r.out, `"word": "grunewald"`) {
		t.Errorf("%+v", r)
	}
	if r := search("zqxv"); !strings.Contains(r.err, `no file has the word "zqxv"`) {
		t.Errorf("%+v", r)
	}
	write("torn.pdf", pdftest.CorruptStream(pdftest.Write(pdftest.Doc{Pages: pages, Compress: true}), 1))
	if r := search("zqxv"); !strings.Contains(r.err, `no text that could be read has the word "zqxv"`) || strings.Contains(r.err, "no file") ||
		!strings.Contains(r.err, "text may be missing: "+filepath.Join(dir, "torn.pdf")+": page 2 could not be read completely\n") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "--mode", "keyword", "--json", "zqxv", dir); !strings.Contains(r.out, `"notes":["page 2 could not be read completely"]`) {
		t.Errorf("%+v", r)
	}
	if err := os.Remove(filepath.Join(dir, "torn.pdf")); err != nil {
		t.Fatal(err)
	}
	write("broken.pdf", []byte("%PDF-1.7 nothing follows"))
	if r := search("zqxv"); !strings.Contains(r.err, `no text that could be read has the word "zqxv"`) || strings.Contains(r.err, "no file") {
		t.Errorf("%+v", r)
	}
}
