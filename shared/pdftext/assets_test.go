package pdftext_test

import (
	"errors"
	"runtime"
	"slices"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// Without Options.Assets the program's own tables must be used. A browser program has none
// and must report that, as when tables cannot be fetched.
func TestAssets(t *testing.T) {
	file := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 600, Size: 12, Font: "Japanese", S: "\x93\xfa\x96\x7b"}}}}})
	d := must(t, file, pdftext.Options{})
	if got := d.View(text.Content).Text; runtime.GOOS == "js" {
		if len(d.Notes) != 1 {
			t.Errorf("notes %q", d.Notes)
		}
	} else if got != "日本" || len(d.Notes) > 0 {
		t.Errorf("%q, notes %q", got, d.Notes)
	}
	d = must(t, file, pdftext.Options{Assets: func(string) ([]byte, error) { return nil, errors.New("not today") }})
	if want := []string{"characters of Japanese fonts could not be read: not today"}; !slices.Equal(d.Notes, want) {
		t.Errorf("notes %q, not %q", d.Notes, want)
	}
}
