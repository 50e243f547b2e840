package pdf

import (
	"errors"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/read"
	"seam/shared/text"
)

func TestRead(t *testing.T) {
	formats := read.All().With(Name, Read)
	locked := pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 1), Encrypt: true, Password: "x"})
	for _, tt := range []struct {
		name     string
		b        []byte
		password string
		want     error
	}{
		{"paper.txt", pdftest.Article("# Mills", "They turn."), "", nil},
		{"letter.pdf", []byte("Dear reader"), "", read.ErrOther},
		{"empty.pdf", nil, "", read.ErrOther},
		{"short.pdf", []byte("%"), "", read.ErrOther},
		{"locked.pdf", locked, "", read.ErrPassword},
		{"locked.pdf", locked, "x", nil},
		{"damaged.pdf", []byte("%PDF-1.7\n"), "", read.ErrDamaged},
	} {
		d, err := formats.Read(tt.name, tt.b, read.Options{Password: tt.password})
		if !errors.Is(err, tt.want) || (err == nil) != (d != nil) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	stop := errors.New("stop")
	if _, err := formats.Read("a.pdf", pdftest.Article("# Mills"), read.Options{Progress: func(int, int) error { return stop }}); err != stop {
		t.Errorf("%v", err)
	}
	d, err := formats.Read("a.pdf", pdftest.Article("# Mills", "They turn."), read.Options{})
	if err != nil || len(d.Sections) != 1 || d.View(text.Reading).Text == "" {
		t.Errorf("%+v, %v", d, err)
	}
}
