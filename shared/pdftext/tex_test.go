package pdftext_test

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// TestBitmapFontsOfTeX reads fonts whose glyphs have only codes for names. Text fonts have
// ligatures, accents and quotation marks at known codes.
func TestBitmapFontsOfTeX(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct {
		name, codes, shown, want string
		named                    func(code byte) string
	}{
		{"OT1", letters + ".,\x0c\x0e\x19\x22\x5c\x7b", "\\the\" \x0cnal o\x0ece, gro\x19 {.", "“the” ﬁnal oﬃce, groß –.", nil},
		{"T1", letters + ".\x10\x11\x15\x1c\xe9\xaa\xff", "\x10\x1cn\x11 \x15 \xe9t\xe9 \xaa gro\xff.", "“ﬁn” – été ł groß.", nil},
		{"T1 without letters of its own", letters + ".\x1c", "the \x1cnal.", "the ﬁnal.", nil},
		{"mathematics", letters + "\x0b\x0c", "x\x0by", "x y", nil},
		{"numbers for other codes", "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a", "\x00\x01\x02 \x0a\x08", "abc ﬁ.", func(code byte) string {
			return fmt.Sprint("abcdefgh.,\x0c"[code])
		}},
		{"other names", letters + ".\x0c", "the \x0cnal.", "the nal.", func(code byte) string { return fmt.Sprintf("g%d", code) }},
		{"other codes", letters + ".\x0c", "the \x0cnal.", "the nal.", func(code byte) string { return fmt.Sprintf("a%d", code+1) }},
	} {
		if c.named == nil {
			c.named = func(code byte) string { return fmt.Sprintf("a%d", code) }
		}
		var differences, widths strings.Builder
		for i := range len(c.codes) {
			fmt.Fprintf(&differences, "%d /%s ", c.codes[i], c.named(c.codes[i]))
		}
		for range 256 {
			widths.WriteString("50 ")
		}
		d := must(t, pdftest.Raw("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
			pdftest.Stream("", fmt.Sprintf("BT /F 12 Tf 72 700 Td <%x> Tj ET", c.shown)),
			"<< /Type /Font /Subtype /Type3 /FontMatrix [.01 0 0 .01 0 0] /FontBBox [0 -25 80 75] /FirstChar 0 /LastChar 255 /Widths ["+widths.String()+"] /Encoding 6 0 R /CharProcs << >> >>",
			"<< /Type /Encoding /Differences ["+differences.String()+"] >>"), pdftext.Options{})
		if got := strings.TrimSpace(d.View(text.Content).Text); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}
