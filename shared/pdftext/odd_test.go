package pdftext_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

const (
	helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
	words     = "BT /F 12 Tf 72 700 Td (Some words) Tj ET"
)

// onePage returns the objects of a file with one page: 1 is the catalog, 2 the tree, 3 the
// page, 4 its contents, followed by more.
func onePage(page, contents string, more ...string) []string {
	return append([]string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R " + page + " >>",
		contents,
	}, more...)
}

const font = "/Resources << /Font << /F 5 0 R >> >>"

// Other readers show these files, although the specification does not allow them.
func TestOddFiles(t *testing.T) {
	tree := func(kids, resources string, o []string) []string {
		o[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count 1 %s >>", kids, resources)
		return o
	}
	for _, c := range []struct {
		name    string
		objects []string
		want    string
	}{
		{"sound", onePage(font, pdftest.Stream("", words), helvetica), "Some words\n"},
		{"no such font", onePage("/Resources << >>", pdftest.Stream("", words)), "Some words\n"},
		{"font of the tree, hidden by the page's resources",
			tree("3 0 R", font, onePage("/Resources << /XObject << >> >>", pdftest.Stream("", words), helvetica)), "Some words\n"},
		{"font of the page, not the form's", onePage("/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>",
			pdftest.Stream("", "/X Do"), helvetica,
			pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /G 5 0 R >> >>", words)), "Some words\n"},
		{"a form in itself", onePage("/Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>",
			pdftest.Stream("", "/X Do"), helvetica,
			pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >>",
				words+" 1 0 0 1 0 -20 cm /X Do")), "Some words\n"},
		{"a page twice", tree("3 0 R 3 0 R", "", onePage(font, pdftest.Stream("", words), helvetica)), "Some words\n\fSome words\n"},
		{"operators inside of an array", onePage(font, pdftest.Stream("", "BT /F 12 Tf 72 700 Td [(Some) 0 Tc -300 (words)] TJ ET"), helvetica), "Some words\n"},
		{"a length that is too short", onePage(font, "<< /Length 9 >>\nstream\n"+words+"\nendstream", helvetica), "Some words\n"},
		{"a length that is no number", onePage(font, "<< /Length (no) >>\nstream\n"+words+"\nendstream", helvetica), "Some words\n"},
		{"a filter that is none", onePage(font, pdftest.Stream("", words), helvetica, pdftest.Stream("/Filter (x)", "abc")), "Some words\n"},
		{"free text", onePage("/Annots [<< /Type /Annot /Subtype /FreeText /Rect [72 600 172 700] /DA (/Helv 12 Tf) /Contents (Some words in three lines) >>]",
			pdftest.Stream("", "")), "Some words in \nthree lines\n"},
		{"free text from the right", onePage("/Annots [<< /Type /Annot /Subtype /FreeText /Rect [72 600 372 700] /Contents <FEFF05E905DC05D505DD002005E205D505DC05DD> >>]",
			pdftest.Stream("", "")), "שלום עולם\n"},
		{"a field that Latin has no letters for", onePage("/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [72 600 372 620] /V <FEFF65E5672C> >>]",
			pdftest.Stream("", "")), "日本\n"},
		{"a field scrolled away", onePage("/Annots [<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [72 600 372 620] /AP << /N 5 0 R >> >>]", pdftest.Stream("", ""),
			pdftest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 300 20]", "0 0 300 20 re W n BT /F 12 Tf 14 TL 2 6 Td (Some words) Tj T* (and more) Tj ET")), "Some words\nand more\n"},
		{"letters behind the clip", onePage(font, pdftest.Stream("", "q 72 690 34 30 re W n "+words+" Q"), helvetica), "Some \n"},
	} {
		for kind, b := range map[string][]byte{
			"": pdftest.Raw(c.objects...), ", table lost": pdftest.BadXref(pdftest.Raw(c.objects...)),
			", no header": bytes.TrimPrefix(pdftest.Raw(c.objects...), []byte("%PDF-1.7")),
		} {
			d, err := pdftext.Extract(b, pdftext.Options{})
			if err != nil {
				t.Errorf("%s%s: %v", c.name, kind, err)
				continue
			}
			got := ""
			for i, p := range d.Pages {
				if i > 0 {
					got += "\f"
				}
				got += p.Text
			}
			if got != c.want {
				t.Errorf("%s%s: %q, not %q", c.name, kind, got, c.want)
			}
		}
	}
}

// Objects in an object stream without type and length must be found when the table is lost.
func TestLostObjectStream(t *testing.T) {
	inner := []string{"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", helvetica}
	head := fmt.Sprintf("2 0 5 %d ", len(inner[0])+1)
	b := pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "null",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "+font+" >>",
		pdftest.Stream("", words), "null",
		pdftest.Stream(fmt.Sprintf("/N 2 /First %d", len(head)), head+inner[0]+" "+inner[1]))
	b = bytes.ReplaceAll(b, []byte("\n2 0 obj\nnull\nendobj"), nil)
	b = bytes.ReplaceAll(b, []byte("\n5 0 obj\nnull\nendobj"), nil)
	d, err := pdftext.Extract(b, pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Pages[0].Text; got != "Some words\n" {
		t.Errorf("%q", got)
	}
}

// In vertical writing, the pen moves down by W1, and a character is in the middle of the
// line.
func TestVertical(t *testing.T) {
	d, err := pdftext.Extract(pdftest.Raw(onePage(font, pdftest.Stream("", "BT /F 20 Tf 100 700 Td <65E5672C> Tj ET"),
		"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /UniJIS-UCS2-V /DescendantFonts [6 0 R] >>",
		"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /A /DW2 [880 -500] /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
	)...), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := d.Pages[0]
	if p.Text != "日本\n" || len(p.Words) != 1 {
		t.Fatalf("%q, %d words", p.Text, len(p.Words))
	}
	want := text.Box{X0: 90, Y0: 142, X1: 110, Y1: 162} // two halves of an em of 20, starting at 842-700
	if b := p.Words[0].Box; b != want {
		t.Errorf("box %+v, not %+v", b, want)
	}
}

// Visibility expressions (ISO 32000-1, 8.11.2.2) must take precedence over the policy of a
// membership dictionary.
func TestVisibilityExpressions(t *testing.T) {
	for expression, shown := range map[string]bool{
		"[/And 6 0 R 7 0 R]": false, "[/Or 6 0 R 7 0 R]": true, "[/Not 7 0 R]": true, "[/Not 6 0 R]": false,
		"[/And 6 0 R [/Not 7 0 R]]": true, "[/Not [/Or 6 0 R 7 0 R]]": false, "[/Or 7 0 R [/And 7 0 R 6 0 R]]": false, "[]": true,
	} {
		o := onePage("/Resources << /Font << /F 5 0 R >> /Properties << /P << /Type /OCMD /VE "+expression+" >> >> >>",
			pdftest.Stream("", "/OC /P BDC "+words+" EMC"), helvetica,
			"<< /Type /OCG /Name (on) >>", "<< /Type /OCG /Name (off) >>")
		o[0] = "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] >> >> >>"
		d, err := pdftext.Extract(pdftest.Raw(o...), pdftext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Pages[0].Text != ""; got != shown {
			t.Errorf("%s: shown %v", expression, got)
		}
	}
}

// An object in place of the page tree must not become a page.
func TestNoPageTree(t *testing.T) {
	for _, pages := range []string{"<< /S /JavaScript /JS (x) >>", "<< /Type /Pages >>", "[1 0 R]", "null"} {
		b := pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", pages)
		if _, err := pdftext.Extract(b, pdftext.Options{}); !errors.Is(err, pdftext.ErrDamaged) {
			t.Errorf("%s: error %v", pages, err)
		}
	}
	d, err := pdftext.Extract(pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /MediaBox [0 0 9 9] >>"), pdftext.Options{})
	if err != nil || len(d.Pages) != 1 {
		t.Errorf("a page alone: %v", err)
	}
}

// A small file that expands to gigabytes must be read only up to a limit.
func TestBombs(t *testing.T) {
	deflated := func(b []byte) []byte {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(b)
		w.Close()
		return z.Bytes()
	}
	once := deflated(append([]byte(words), bytes.Repeat([]byte("\n"), 100<<20)...))
	page := "/Resources << /Font << /F 5 0 R >> >> /Contents [4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R 4 0 R]"
	for name, contents := range map[string]string{
		"once":  pdftest.Stream("/Filter /FlateDecode", string(once)),
		"twice": pdftest.Stream("/Filter [/FlateDecode /FlateDecode]", string(deflated(once))),
	} {
		o := onePage("", contents, helvetica)
		o[1] = "<< /Type /Pages /Kids [" + strings.Repeat("3 0 R ", 4) + "] /Count 4 >>"
		o[2] = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " + page + " >>"
		d, err := pdftext.Extract(pdftest.Raw(o...), pdftext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Pages[0].Text != "Some words\n" || len(d.Notes) != 1 {
			t.Errorf("%s: page 1 %q, notes %q", name, d.Pages[0].Text, d.Notes)
		}
	}
}
