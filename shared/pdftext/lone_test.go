package pdftext_test

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// Furniture of single pages is set apart if the page itself proves it. Everything
// else at an edge stays: dates, signatures, totals, years and amounts.
func TestLoneFurniture(t *testing.T) {
	at := func(x, y, size float64, s string) pdftest.Text {
		return pdftest.Text{X: x, Y: y, Size: size, Font: "Times-Roman", S: s}
	}
	body := func() []pdftest.Text {
		c := column(80, 700, 420)
		c.After = 6
		return c.Set(mills, looms, trains, birds, floods, looms)
	}
	rows := func(values ...string) (p sheet) {
		p.add(body())
		for i, v := range values {
			y := 300 - 11*float64(i)
			p.add([]pdftest.Text{at(80, y, 9, "Wheel "+string(rune('A'+i))), at(480, y, 9, v)})
		}
		return p
	}
	for _, c := range []struct {
		name string
		page sheet
		want []string
	}{
		{"number in the middle", append(body(), at(285, 40, 9, "17")), []string{"17"}},
		{"number with signs and a word", append(body(), at(275, 40, 9, "– Page 3 of 9 –")), []string{"– Page 3 of 9 –"}},
		{"number after the title of the chapter", append(body(), at(80, 760, 9, "Water and steam"), at(490, 760, 9, "17")), []string{"Water and steam", "17"}},
		{"address in the margin", append(body(), at(80, 30, 9, "www.mill.example")), []string{"www.mill.example"}},
		{"small line in the margin", append(body(), at(80, 815, 6, "The valley and its wheels")), []string{"The valley and its wheels"}},
		{"stamp", append(body(), at(80, 830, 9, "Downloaded from https://mill.example on 3 May 2017")), []string{"Downloaded from https://mill.example on 3 May 2017"}},
		{"stamp in three lines", append(body(), at(80, 60, 9, "This content downloaded from"), at(80, 49, 9, "192.0.2.1 on Mon, 5 May"), at(80, 38, 9, "All use subject to https://mill.example/terms")),
			[]string{"This content downloaded from", "192.0.2.1 on Mon, 5 May", "All use subject to https://mill.example/terms"}},
		{"number inside a stamp and below it", append(body(), at(80, 815, 6, "Digitized by Google"), at(285, 40, 9, "17")), []string{"Digitized by Google", "17"}},

		{"paragraph that begins like a stamp", append(column(80, 720, 420).Set("Downloaded from the mill in 1803, the flour went to town. "+looms), body()...), nil},
		{"date of a letter", append(body(), at(430, 760, 9, "12 May 2017")), nil},
		{"signature", append(body(), at(80, 60, 9, "Ada Miller, Upper Mill")), nil},
		{"year alone", append(body(), at(285, 60, 9, "1842")), nil},
		{"amount alone", append(body(), at(285, 60, 9, "$ 62")), nil},
		{"total of a column", append(rows("12", "7", "23"), at(480, 230, 9, "42")), nil},
		{"last row of a table", rows("12", "7", "23", "42"), nil},
		{"title in large type", append(body(), at(80, 800, 18, "Wheels 17")), nil},
		{"number beside the first line of a list", append(body(), at(80, 713, 9, "17")), nil},
		{"signs alone", append(body(), at(285, 40, 9, "(")), nil},
		{"short page", sheet{at(80, 700, 9, "Ticket"), at(285, 40, 9, "17")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkFurniture(t, c.page, c.want)
		})
	}
}

// checkFurniture fails if the parts of a page that are set apart are not want, in any order.
func checkFurniture(t *testing.T, page sheet, want []string) {
	t.Helper()
	d := must(t, pdftest.Write(doc(page)), pdftext.Options{})
	var got []string
	for _, s := range d.Pages[0].Furniture {
		got = append(got, s.Of(d.Pages[0].Text))
	}
	if !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("set apart is %q, not %q", got, want)
	}
}

// Stamps are set apart in documents of any length; page numbers of long ones must count.
func TestLoneFurnitureOfLongDocuments(t *testing.T) {
	pages := onPages(12, mills+" "+looms, trains+" "+birds, floods+" "+mills, looms, short, mills+" "+looms, trains+" "+birds)
	if len(pages) < 3 {
		t.Fatalf("%d pages", len(pages))
	}
	pages[0] = append(pages[0], pdftest.Text{X: 80, Y: 40, Size: 9, Font: "Times-Roman", S: "Download date: 5 May 2017"})
	pages[1] = append(pages[1], pdftest.Text{X: 285, Y: 40, Size: 9, Font: "Times-Roman", S: "92"})
	d := must(t, pdftest.Write(doc(pages...)), pdftext.Options{})
	if f := d.Pages[0].Furniture; len(f) != 1 || f[0].Of(d.Pages[0].Text) != "Download date: 5 May 2017" {
		t.Errorf("set apart on the first page: %v", f)
	}
	if f := d.Pages[1].Furniture; len(f) != 0 {
		t.Errorf("set apart on the second page: %q", f[0].Of(d.Pages[1].Text))
	}
}

// The line that arXiv prints up the margin is set apart. A turned line that only begins or
// ends like it stays.
func TestPreprintStamp(t *testing.T) {
	for _, c := range []struct {
		line  string
		apart bool
	}{
		{"arXiv:1703.01234v1 [math.HO] 12 Jun 2017", true},
		{"arXiv:math/0309136v2 [math.HO] 9 Sep 2003", true},
		{"arXiv: the archive of preprints", false},
		{"The mill at arXiv:1703.01234", false},
	} {
		d := stamp()
		d.Pages[0].Raw = "BT /Times-Roman 20 Tf 0 1 -1 0 40 300 Tm (" + c.line + ") Tj ET\n"
		read := must(t, pdftest.Write(d), pdftext.Options{})
		if got := len(read.Pages[0].Furniture) == 1; got != c.apart {
			t.Errorf("%q set apart: %v", c.line, got)
		}
		if got := strings.Contains(read.View(text.Reading).Text, c.line); got == c.apart {
			t.Errorf("%q in the reading view: %v", c.line, got)
		}
	}
}
