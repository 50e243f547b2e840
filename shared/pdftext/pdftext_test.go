package pdftext_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// must reads a fixture and checks the invariants of every document.
func must(t *testing.T, b []byte, o pdftext.Options) *text.Document {
	t.Helper()
	d, err := pdftext.Extract(b, o)
	if err != nil {
		t.Fatalf("Extract: %v", err)
	}
	check(t, d)
	return d
}

// check tests the invariants of every document.
func check(t *testing.T, d *text.Document) {
	t.Helper()
	for _, name := range []text.ViewName{text.Content, text.Reading} {
		if err := d.View(name).Check(d.Pages); err != nil {
			t.Errorf("%s view: %v", name, err)
		}
	}
	for i, p := range d.Pages {
		if p.Number != i+1 || p.Width <= 0 || p.Height <= 0 {
			t.Errorf("page %d has number %d and size %g × %g", i+1, p.Number, p.Width, p.Height)
		}
		if p.Text != "" && !strings.HasSuffix(p.Text, "\n") {
			t.Errorf("page %d does not end in a line end", i+1)
		}
		checkWords(t, p)
	}
	complete(t, d)
}

func checkWords(t *testing.T, p text.Page) {
	t.Helper()
	var spans []string
	at := 0
	for _, w := range p.Words {
		if w.Start < at || w.End <= w.Start || w.End > len(p.Text) {
			t.Fatalf("page %d: span %v after byte %d of %d", p.Number, w.Span, at, len(p.Text))
		}
		at = w.End
		spans = append(spans, w.Span.Of(p.Text))
		b := w.Box
		for _, v := range []float64{b.X0, b.Y0, b.X1, b.Y1} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("page %d: box %v", p.Number, b)
			}
		}
		if b.X1 < b.X0 || b.Y1 < b.Y0 {
			t.Errorf("page %d: box %v is upside down", p.Number, b)
		}
	}
	if want := strings.FieldsFunc(p.Text, unicode.IsSpace); !slices.Equal(spans, want) {
		t.Errorf("page %d: words %q, not %q", p.Number, spans, want)
	}
}

var hello = pdftest.Text{X: 72, Y: 700, Size: 12, S: "Hello world"}

func one(p pdftest.Page) pdftest.Doc { return pdftest.Doc{Pages: []pdftest.Page{p}} }

func TestPageTexts(t *testing.T) {
	line := func(y float64, s string) pdftest.Text { return pdftest.Text{X: 72, Y: y, Size: 10, S: s} }
	tests := []struct {
		name string
		page pdftest.Page
		want string
	}{
		{"one line", pdftest.Page{Texts: []pdftest.Text{hello}}, "Hello world\n"},
		{"blank at the end stays", pdftest.Page{Texts: []pdftest.Text{line(700, "one "), line(688, "two")}}, "one \ntwo\n"},
		{"gap within a line", pdftest.Page{Texts: []pdftest.Text{line(700, "one"), {X: 93, Y: 700, Size: 10, S: "two"}}}, "one two\n"},
		{"column", pdftest.Page{Texts: []pdftest.Text{line(700, "one"), {X: 200, Y: 700, Size: 10, S: "two"}}}, "one\ntwo\n"},
		{"content order", pdftest.Page{Texts: []pdftest.Text{line(100, "last"), line(700, "first")}}, "last\nfirst\n"},
		{"drawn twice", pdftest.Page{Texts: []pdftest.Text{hello, {X: 72.3, Y: 700, Size: 12, S: "Hello world"}}}, "Hello world\n"},
		{"composite font", pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, Font: "Unicode", S: "Grüße 漢字 𝛼"}}}, "Grüße 漢字 𝛼\n"},
		{"form", pdftest.Page{Texts: []pdftest.Text{hello}, Form: []pdftest.Text{line(500, "in a form")}}, "Hello world\nin a form\n"},
		{"annotation", pdftest.Page{Texts: []pdftest.Text{hello}, Note: "a note"}, "Hello world\na note\n"},
		{"field without appearance", pdftest.Page{Texts: []pdftest.Text{hello}, Field: "its value"}, "Hello world\nits value\n"},
		{"parts without white space", pdftest.Page{Texts: []pdftest.Text{line(700, "one"), line(688, "two")}, Parts: true}, "one\ntwo\n"},
		{"outside of the crop box", pdftest.Page{Texts: []pdftest.Text{hello, line(20, "cut off")}, Crop: &[4]float64{50, 50, 550, 800}}, "Hello world\n"},
		{"clipped", pdftest.Page{Raw: "q 0 0 10 10 re W n BT /Helvetica 10 Tf 72 500 Td (hidden) Tj ET Q\n", Texts: []pdftest.Text{hello}}, "Hello world\n"},
		{"invisible", pdftest.Page{Raw: "BT 3 Tr /Helvetica 10 Tf 72 500 Td (scanned) Tj ET\n", Texts: []pdftest.Text{hello}}, "Hello world\nscanned\n"},
		{"replaced", pdftest.Page{Raw: "/Span << /ActualText (real) >> BDC BT /Helvetica 10 Tf 72 500 Td (fake) Tj ET EMC\n", Texts: []pdftest.Text{hello}}, "Hello world\nreal\n"},
		{"inline image", pdftest.Page{Raw: "BI /W 1 /H 1 /BPC 8 /CS /G ID (\xffEI) Tj\nEI\nBT /Helvetica 10 Tf 72 500 Td (after) Tj ET\n", Texts: []pdftest.Text{hello}}, "Hello world\nafter\n"},
		{"spacing operators", pdftest.Page{Raw: "BT /Helvetica 10 Tf 72 500 Td [(Wa) 80 (ter) -400 (mark)] TJ 0 -12 TD (a) ' 1 2 (b c) \" T* (d) Tj ET\n",
			Texts: []pdftest.Text{hello}}, "Hello world\nWater mark\na\nb c\nd\n"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			for _, compress := range []bool{false, true} {
				d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{c.page}, Compress: compress}), pdftext.Options{})
				if got := d.Pages[0].Text; got != c.want {
					t.Errorf("text %q, not %q", got, c.want)
				}
			}
		})
	}
}

func TestBoxes(t *testing.T) {
	page := func(rotate int) pdftest.Page {
		return pdftest.Page{Width: 600, Height: 800, Rotate: rotate, Crop: &[4]float64{50, 100, 550, 700},
			Texts: []pdftest.Text{{X: 150, Y: 600, Size: 10, S: "mm"}}}
	}
	// Helvetica's m is 833 wide. The line extends from 1.075 above the baseline to 0.299
	// below it.
	const w, up, down = 16.66, 10.75, 2.99
	tests := []struct {
		rotate        int
		width, height float64
		box           text.Box
	}{
		{0, 500, 600, text.Box{X0: 100, Y0: 100 - up, X1: 100 + w, Y1: 100 + down}},
		{90, 600, 500, text.Box{X0: 500 - down, Y0: 100, X1: 500 + up, Y1: 100 + w}},
		{180, 500, 600, text.Box{X0: 400 - w, Y0: 500 - down, X1: 400, Y1: 500 + up}},
		{270, 600, 500, text.Box{X0: 100 - up, Y0: 400 - w, X1: 100 + down, Y1: 400}},
	}
	for _, c := range tests {
		d := must(t, pdftest.Write(one(page(c.rotate))), pdftext.Options{})
		p := d.Pages[0]
		if p.Width != c.width || p.Height != c.height {
			t.Errorf("rotated by %d: page %g × %g, not %g × %g", c.rotate, p.Width, p.Height, c.width, c.height)
		}
		if len(p.Words) != 1 {
			t.Fatalf("rotated by %d: words %v", c.rotate, p.Words)
		}
		b := p.Words[0].Box
		for _, d := range []float64{b.X0 - c.box.X0, b.Y0 - c.box.Y0, b.X1 - c.box.X1, b.Y1 - c.box.Y1} {
			if math.Abs(d) > 0.02 {
				t.Errorf("rotated by %d: box %v, not %v", c.rotate, b, c.box)
				break
			}
		}
	}
}

func TestUserUnit(t *testing.T) {
	d := must(t, pdftest.Write(one(pdftest.Page{Width: 100, Height: 200, UserUnit: 2, Texts: []pdftest.Text{{X: 10, Y: 100, Size: 10, S: "x"}}})), pdftext.Options{})
	if p := d.Pages[0]; p.Width != 200 || p.Height != 400 || math.Abs(p.Words[0].Box.X0-20) > 0.01 {
		t.Errorf("page %g × %g, box %v", p.Width, p.Height, p.Words[0].Box)
	}
}

func TestErrors(t *testing.T) {
	locked := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{hello}}}, Encrypt: true, Password: "sesame"})
	tests := []struct {
		name     string
		b        []byte
		password string
		want     error
		says     string
	}{
		{"empty", nil, "", pdftext.ErrNotPDF, "not a pdf"},
		{"text", []byte("Dear reader,\n"), "", pdftext.ErrNotPDF, "not a pdf"},
		{"header only", []byte("%PDF-1.7\n"), "", pdftext.ErrDamaged, "damaged"},
		{"no pages", pdftest.Write(pdftest.Doc{}), "", pdftext.ErrDamaged, "no pages"},
		{"no password", locked, "", pdftext.ErrPassword, "password is missing"},
		{"wrong password", locked, "simsim", pdftext.ErrPassword, "password is wrong"},
	}
	for _, c := range tests {
		_, err := pdftext.Extract(c.b, pdftext.Options{Password: c.password})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q", c.name, err)
		}
	}
}

func TestEncrypted(t *testing.T) {
	for _, direct := range []bool{false, true} {
		for _, password := range []string{"", "sesame"} {
			b := pdftest.Write(pdftest.Doc{Title: "Secret", Pages: []pdftest.Page{{Texts: []pdftest.Text{hello}}},
				Encrypt: true, Password: password, Direct: direct, Compress: true})
			d := must(t, b, pdftext.Options{Password: password})
			if d.Pages[0].Text != "Hello world\n" || d.Title != "Secret" {
				t.Errorf("direct %v, password %q: title %q, text %q", direct, password, d.Title, d.Pages[0].Text)
			}
			if password != "" {
				if _, err := pdftext.Extract(b, pdftext.Options{}); !errors.Is(err, pdftext.ErrPassword) {
					t.Errorf("direct %v: error %v without password", direct, err)
				}
			}
		}
	}
}

func TestOwnerPassword(t *testing.T) {
	b := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{hello}}}, Encrypt: true, Password: "sesame"})
	must(t, b, pdftext.Options{Password: "owner"})
}

// No password is asked for where none opens the file.
func TestEncryptedForCertificates(t *testing.T) {
	const entry = "trailer\n<< /ID [<00> <00>] /Encrypt << /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5 /V 4 /Length 128 /StmF /DefaultCryptFilter /StrF /DefaultCryptFilter" +
		" /CF << /DefaultCryptFilter << /CFM /AESV2 /Length 16 /Recipients [<00>] >> >> >>"
	b := bytes.Replace(pdftest.Write(one(pdftest.Page{Texts: []pdftest.Text{hello}})), []byte("trailer\n<<"), []byte(entry), 1)
	if !bytes.Contains(b, []byte("PubSec")) {
		t.Fatal("no trailer to change")
	}
	for _, password := range []string{"", "sesame"} {
		if _, err := pdftext.Extract(b, pdftext.Options{Password: password}); !errors.Is(err, pdftext.ErrCipher) || errors.Is(err, pdftext.ErrPassword) {
			t.Errorf("password %q: %v", password, err)
		}
	}
}

func TestNotes(t *testing.T) {
	scan, words := pdftest.Page{Image: true}, pdftest.Page{Image: true, Texts: []pdftest.Text{hello}}
	d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{words, words, scan, words, words, words, scan, scan, scan}}), pdftext.Options{})
	if want := []string{"pages 3, 7–9 hold images without text (scanned)"}; !slices.Equal(d.Notes, want) {
		t.Errorf("notes %q, not %q", d.Notes, want)
	}
	b := pdftest.Write(pdftest.Doc{Compress: true, Pages: []pdftest.Page{{Texts: slices.Repeat([]pdftest.Text{hello}, 200)}}})
	d = must(t, pdftest.CorruptStream(b, 0), pdftext.Options{})
	if want := []string{"page 1 could not be read completely"}; !slices.Equal(d.Notes, want) {
		t.Errorf("notes %q, not %q", d.Notes, want)
	}
}

// A page that is missing is not passed over in silence.
func TestMissingPages(t *testing.T) {
	page := "<< /Type /Page /Parent 2 0 R >>"
	for kids, note := range map[string]string{
		"3 0 R 3 0 R":             "",
		"3 0 R 9 0 R":             "a page, or a part with several, is missing in this damaged file",
		"3 0 R 9 0 R 3 0 R 8 0 R": "2 pages, or parts with several, are missing in this damaged file",
	} {
		d := must(t, pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids ["+kids+"] /Count 2 >>", page), pdftext.Options{})
		if got := strings.Join(d.Notes, "; "); got != note {
			t.Errorf("%s: notes %q", kids, got)
		}
	}
}

func TestCorruptStreamKeepsItsStart(t *testing.T) {
	var texts []pdftest.Text
	for i := range 60 {
		texts = append(texts, pdftest.Text{X: 72, Y: 800 - 12*float64(i), Size: 10, S: fmt.Sprintf("line %d of %d", i, i*7919%1000)})
	}
	b := pdftest.Write(pdftest.Doc{Compress: true, Pages: []pdftest.Page{{Texts: texts}}})
	d := must(t, pdftest.CorruptStream(b, 0), pdftext.Options{})
	if !strings.HasPrefix(d.Pages[0].Text, "line 0 of 0\nline 1 of 919\n") {
		t.Errorf("text begins %.40q", d.Pages[0].Text)
	}
}

func TestDamaged(t *testing.T) {
	b := pdftest.Article("# Title", "Some words.")
	for name, damaged := range map[string][]byte{"offsets": pdftest.BadXref(b), "start": pdftest.BadStart(b),
		"junk before": append([]byte("junk\n"), b...), "junk behind": append(slices.Clone(b), "junk"...)} {
		d, err := pdftext.Extract(damaged, pdftext.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		check(t, d)
		if got := d.View(text.Reading).Text; got != "Title\n\nSome words." {
			t.Errorf("%s: text %q", name, got)
		}
	}
}

func TestPageTreeLoop(t *testing.T) {
	d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{hello}}}, Loop: true}), pdftext.Options{})
	if len(d.Pages) != 1 {
		t.Errorf("%d pages", len(d.Pages))
	}
}

func TestFormShownAgain(t *testing.T) {
	p := pdftest.Page{Form: []pdftest.Text{{X: 72, Y: 500, Size: 10, S: "once"}}, Raw: strings.Repeat("/Fm Do\n", 5)}
	d := must(t, pdftest.Write(one(p)), pdftext.Options{})
	if d.Pages[0].Text != "once\n" {
		t.Errorf("text %q", d.Pages[0].Text)
	}
}

func TestProgress(t *testing.T) {
	b := pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 3)})
	var seen []int
	must(t, b, pdftext.Options{Progress: func(done, total int) error {
		seen = append(seen, done, total)
		return nil
	}})
	if !slices.Equal(seen, []int{0, 3, 1, 3, 2, 3, 3, 3}) {
		t.Errorf("progress %v", seen)
	}
	stop := errors.New("stop")
	if _, err := pdftext.Extract(b, pdftext.Options{Progress: func(int, int) error { return stop }}); err != stop {
		t.Errorf("error %v", err)
	}
}

// Wherever a file is cut off, nothing may panic, and a file that opens must keep the
// invariants.
func TestTruncated(t *testing.T) {
	fixtures := [][]byte{
		pdftest.Article("# Title", "Some words about nothing.", "- one", "- two"),
		pdftest.Write(pdftest.Doc{Title: "T", Pages: []pdftest.Page{{Texts: []pdftest.Text{hello,
			{X: 72, Y: 600, Size: 10, Font: "Unicode", S: "漢字"}}, Note: "n", Image: true, Parts: true, Form: []pdftest.Text{hello}}}}),
		pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{hello}}}, Encrypt: true, Direct: true}),
	}
	for _, b := range fixtures {
		for n := 0; n < len(b); n += 13 {
			if d, err := pdftext.Extract(b[:n], pdftext.Options{}); err == nil {
				check(t, d)
			}
		}
	}
}

// The same for single wrong bytes.
func TestFlipped(t *testing.T) {
	b := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{hello,
		{X: 72, Y: 600, Size: 10, Font: "Unicode", S: "漢字"}}, Form: []pdftest.Text{hello}, Note: "n"}}})
	for i := 0; i < len(b); i += 7 {
		for _, c := range []byte{0, '9', '<', 0xff} {
			x := slices.Clone(b)
			x[i] = c
			if d, err := pdftext.Extract(x, pdftext.Options{}); err == nil {
				check(t, d)
			}
		}
	}
}

func TestDocumentOfNothing(t *testing.T) {
	d := must(t, pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 2)}), pdftext.Options{})
	if d.View(text.Content).Text != "" || d.View(text.Reading).Text != "" || len(d.Notes) != 0 {
		t.Errorf("views %q and %q, notes %q", d.View(text.Content).Text, d.View(text.Reading).Text, d.Notes)
	}
}

func TestLayers(t *testing.T) {
	p := pdftest.Page{Texts: []pdftest.Text{hello}, Raw: "/OC /Off BDC BT /Helvetica 10 Tf 72 500 Td (hidden) Tj ET EMC\n" +
		"/OC /On BDC BT /Helvetica 10 Tf 72 400 Td (shown) Tj ET EMC\n/OC /Off BDC BT /Helvetica 10 Tf 72 300 Td (hidden) Tj ET"}
	d := must(t, pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{p}, Layers: true}), pdftext.Options{})
	if want := "Hello world\nshown\n"; d.Pages[0].Text != want {
		t.Errorf("text %q, not %q", d.Pages[0].Text, want)
	}
}

// A file cut off after its page must not count as an empty page or as a scan.
func TestPageWithoutItsContents(t *testing.T) {
	page := "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents %s >>"
	for contents, want := range map[string][]string{
		"7 0 R":   {"page 1 could not be read completely"},
		"[7 0 R]": {"page 1 could not be read completely"},
		"null":    nil,
		"[]":      nil,
	} {
		d, err := pdftext.Extract(pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", fmt.Sprintf(page, contents)), pdftext.Options{})
		if err != nil || len(d.Pages) != 1 || !slices.Equal(d.Notes, want) {
			t.Errorf("%s: %v %q", contents, err, d.Notes)
		}
	}
}
