package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// Files attached to a PDF must be named, also by the cache, and be read if asked for.
func TestAttachedFiles(t *testing.T) {
	dir := t.TempDir()
	file, other := filepath.Join(dir, "report.pdf"), filepath.Join(dir, "notes.md")
	page := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The mill."}}}
	d := pdftest.Doc{Pages: []pdftest.Page{page}, Attached: []pdftest.File{
		{Name: "../wheel.md", Data: "# Wheels\n\nThey turn.", Entries: "/Subtype /text#2Fmarkdown /Params << /Size 20 >>"},
		{Name: "sheet.docx", Data: "PK\x03\x04"}, {Name: "inner.pdf", Data: string(pdftest.Article("# Weirs", "Water falls."))},
	}}
	locked := filepath.Join(dir, "locked.pdf")
	for name, b := range map[string][]byte{file: pdftest.Write(d), other: []byte("# Notes"), locked: pdftest.Write(pdftest.Doc{Pages: d.Pages, Attached: d.Attached, Encrypt: true, Password: "mill"})} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		r := run(t, "", "text", "--format", "json", file)
		if r.status != 0 || !strings.Contains(r.out, `"attachments":[{"name":"wheel.md","type":"text/markdown","bytes":20},{"name":"sheet.docx"},{"name":"inner.pdf"}]`) ||
			!strings.Contains(r.err, "report.pdf: 3 files are attached: wheel.md, sheet.docx, inner.pdf; --attached NAME reads one\n") {
			t.Errorf("%+v", r)
		}
	}
	for _, c := range []struct {
		args            []string
		status          int
		out, err, never string
	}{
		{[]string{"--attached", "wheel.md", file}, 0, "They turn.", "", "attached"},
		{[]string{"--attached", "inner.pdf", file}, 0, "Water falls.", "", "mill"},
		{[]string{"--attached", "wheel.md", "--password", "mill", locked}, 0, "They turn.", "", ""},
		{[]string{"--attached", "wheel.md", locked}, 1, "", "set the right password with --password", ""},
		{[]string{"--attached", "sheet.docx", file}, 1, "", "sheet.docx, attached to " + file + ": a Word document, which Seam does not read", ""},
		{[]string{"--attached", "../wheel.md", file}, 1, "", "../wheel.md: no such file is attached: this PDF has wheel.md, sheet.docx, inner.pdf", ""},
		{[]string{"--attached", "a", other}, 1, "", "only a PDF has attached files", ""},
	} {
		r := run(t, "", append([]string{"text"}, c.args...)...)
		if r.status != c.status || !strings.Contains(r.out, c.out) || !strings.Contains(r.err, c.err) || c.never != "" && strings.Contains(r.out+r.err, c.never) || c.status > 0 && strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
	if r := run(t, "", "text", "--format", "json", other); r.status != 0 || strings.Contains(r.out+r.err, "attach") {
		t.Errorf("%+v", r)
	}
}

// Elements must be printed with their kinds and offsets in the reading view.
func TestElementsOfText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(file, []byte("é *x* ![A kite](k.png)"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "text", "--format", "json", file); !strings.Contains(r.out, `"elements":[{"kind":"emphasis","start":3,"end":6},{"kind":"image","start":7,"end":23}]`) {
		t.Errorf("%+v", r)
	}
}
