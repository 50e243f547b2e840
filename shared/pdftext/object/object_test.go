package object_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"strings"
	"testing"

	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
)

func open(t *testing.T, b []byte) *object.File {
	t.Helper()
	f, err := object.Open(context.Background(), b, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPages(t *testing.T) {
	f := open(t, pdftest.Write(pdftest.Doc{Title: " A\ttitle ", Pages: []pdftest.Page{
		{Width: 200, Height: 100},
		{Width: 200, Height: 100, Rotate: -90, Crop: &[4]float64{150, 90, 50, -10}},
	}}))
	pages, err := f.Pages()
	if err != nil || len(pages) != 2 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	if p := pages[1]; p.Rotate != 270 || p.CropBox != (object.Rect{X0: 50, Y0: 0, X1: 150, Y1: 90}) {
		t.Errorf("page %+v", p)
	}
	if w, h := pages[1].Size(); w != 90 || h != 100 {
		t.Errorf("size %g × %g", w, h)
	}
	if got := f.Metadata().Title; got != "A title" {
		t.Errorf("title %q", got)
	}
}

func TestNilIsHarmless(t *testing.T) {
	f := open(t, pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 1)}))
	d := f.Dict(nil)
	if b, err := f.Bytes(d["x"]); b != nil || err != nil || f.Name(d["x"]) != "" || f.Array(d["x"]) != nil || f.Text(d["x"]) != "" || f.Int(d["x"]) != 0 {
		t.Error("null has a value")
	}
	if _, ok := f.Rect(nil); ok {
		t.Error("null is a rectangle")
	}
}

// A truncated stream must keep its beginning.
func TestCorruptStream(t *testing.T) {
	raw := strings.Repeat("% some comment that compresses\n", 400)
	b := pdftest.Write(pdftest.Doc{Compress: true, Pages: []pdftest.Page{{Raw: raw + strings.Repeat("(abc) 17 (xyz) 4711 \n", 9)}}})
	f := open(t, pdftest.CorruptStream(b, 0))
	pages, _ := f.Pages()
	got, err := f.Bytes(pages[0].Dict["Contents"])
	if err != nil && !errors.Is(err, object.ErrStream) {
		t.Error(err)
	}
	if len(got) < 100 || !strings.HasPrefix(raw, string(got[:100])) {
		t.Errorf("%d bytes, error %v", len(got), err)
	}
}

// Hostile files must not take forever; go test's own limit ends one that does.
func TestHostileIsQuick(t *testing.T) {
	for name, part := range map[string]string{
		"encrypt": "/Encrypt <</Filter/X ", "objects": "1 0 obj<<", "trailers": "trailer <<", "arrays": "1 0 obj [", "strings": "1 0 obj (",
	} {
		b := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte(part), 2000)...)
		if _, err := object.Open(context.Background(), b, ""); err == nil {
			t.Errorf("%s: it opens", name)
		}
	}
}

// The decompressed size of a stream is limited, and the total for a file is not much
// larger.
func TestBombsAreBounded(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(make([]byte, 60<<20))
	w.Close()
	b := pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>", pdftest.Stream("/Filter /FlateDecode", z.String()))
	f, err := object.Open(context.Background(), b, "")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := f.Pages()
	if err != nil || len(pages) != 1 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for i := range 6 {
		out, err := f.Bytes(pages[0].Dict["Contents"])
		if !errors.Is(err, object.ErrStream) {
			t.Errorf("time %d: error %v", i, err)
		}
		limit := 48 << 20
		if i > 3 {
			limit = 50 * z.Len()
		}
		if len(out) == 0 || len(out) > limit {
			t.Errorf("time %d: %d bytes", i, len(out))
		}
	}
}
