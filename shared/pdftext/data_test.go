package pdftext_test

import (
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/text"
)

// dataDir returns the folder of the sample files: $SEAM_DATA, or the one next to the
// repository. It skips the test if the folder is missing.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SEAM_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "pdf")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no sample files: %v", err)
	}
	return dir
}

// reference is the part of reference.json.gz that the tests use: the output of other
// programs for the sample files.
type reference struct {
	Files map[string]struct {
		Password string `json:"password"`
		Pages    []struct {
			Text          string
			Width, Height float64
		}
	}
}

func readReference(t *testing.T, dir string) (r reference) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "reference.json.gz"))
	if err != nil {
		t.Skipf("no reference: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The published pipeline splits this report at ". " into 257 pieces.
func Test257(t *testing.T) {
	d := must(t, readFile(t, filepath.Join(dataDir(t), "rag", "AI_Information.pdf")), pdftext.Options{})
	if n := len(strings.Split(d.View(text.Content).Text, ". ")); n != 257 {
		t.Errorf("%d pieces, not 257", n)
	}
}

// PyMuPDF reads the pages of these files identically, byte for byte.
func TestSameAsPyMuPDF(t *testing.T) {
	dir := dataDir(t)
	ref := readReference(t, dir)
	for _, name := range []string{
		"rag/AI_Information.pdf",
		"rag/attention_is_all_you_need.pdf",
		"pypdf/crazyones.pdf",
		"pypdf/indirect-rotation.pdf",
		"pypdf/outline-without-title.pdf",
		"sample-files/004-pdflatex-4-pages/pdflatex-4-pages.pdf",
		"sample-files/011-google-doc-document/google-doc-document.pdf",
		"sample-files/026-latex-multicolumn/multicolumn.pdf",
	} {
		t.Run(name, func(t *testing.T) {
			want := ref.Files[name]
			d := must(t, readFile(t, filepath.Join(dir, filepath.FromSlash(name))), pdftext.Options{Password: want.Password})
			if len(d.Pages) != len(want.Pages) {
				t.Fatalf("%d pages, not %d", len(d.Pages), len(want.Pages))
			}
			for i, p := range d.Pages {
				w := want.Pages[i]
				if p.Text != w.Text {
					t.Errorf("page %d: text %q, not %q", i+1, p.Text, w.Text)
				}
				if max(p.Width-w.Width, w.Width-p.Width, p.Height-w.Height, w.Height-p.Height) > 0.1 {
					t.Errorf("page %d: size %g × %g, not %g × %g", i+1, p.Width, p.Height, w.Width, w.Height)
				}
			}
		})
	}
}

// No file may cause a panic or a hang; go test's own limit ends a hang.
func TestSweep(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the sweep runs natively")
	}
	dir := dataDir(t)
	ref := readReference(t, dir)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".pdf" {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		b := readFile(t, path)
		d, err := pdftext.Extract(b, pdftext.Options{Password: ref.Files[filepath.ToSlash(name)].Password})
		if err == nil {
			check(t, d)
		}
		// Truncated and damaged copies.
		for _, n := range []int{len(b) / 4, len(b) / 2, len(b) - len(b)/16} {
			if d, err := pdftext.Extract(b[:n], pdftext.Options{}); err == nil && len(b) < 1<<20 {
				check(t, d)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
