package pdftext_test

import (
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// In an English document a hyphen at a line end stays between two words that the document
// has apart, unless they form a usual word. In other languages compounds are one word.
func TestHyphenBetweenWords(t *testing.T) {
	const english = "the galaxy and the cluster, the galaxy of the cluster, some of the times, some at times, the"
	const german = "die galaxy und der cluster, die galaxy im cluster, und so und so, und so weiter, und"
	for _, c := range []struct{ before, divided, after, want string }{
		{english, "galaxy-", "cluster turns", "galaxy-cluster turns"},
		{english, "some-", "times turns", "sometimes turns"},
		{english, "galaxy-", "system turns", "galaxysystem turns"},
		{english + " signif-", "icant and signif-", "icant turns", "significant turns"},
		{german, "galaxy-", "cluster dreht", "galaxycluster dreht"},
	} {
		lines := []string{c.before, "and so on, " + c.divided, c.after + " about it."}
		var p sheet
		for i, s := range lines {
			p = append(p, pdftest.Text{X: 72, Y: 700 - 12*float64(i), Size: 10, Font: "Times-Roman", S: s})
		}
		got := must(t, pdftest.Write(doc(p)), pdftext.Options{}).View(text.Reading).Text
		if !strings.Contains(got, c.want) {
			t.Errorf("%q is not in %q", c.want, got)
		}
	}
}
