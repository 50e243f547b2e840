package pdftext

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// uri returns the entries of a link to a URL.
func uri(url string, rect string) string {
	return fmt.Sprintf("/Rect [%s] /A << /S /URI /URI (%s) >>", rect, url)
}

// linksOf returns the links of a document as "target: words".
func linksOf(t *testing.T, d pdftest.Doc) (list []string) {
	t.Helper()
	doc, err := Extract(pdftest.Write(d), Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := doc.View(text.Reading).Text
	if err := text.CheckLinks(all, len(doc.Pages), doc.Links); err != nil {
		t.Errorf("%v: %+v", err, doc.Links)
	}
	for _, l := range doc.Links {
		target := l.URL
		if l.Page > 0 {
			target = fmt.Sprint("page ", l.Page)
		}
		list = append(list, target+": "+l.Of(all))
	}
	return list
}

// two is a page with two lines; the words "See the mill" are about 68 points wide.
func two(links ...string) pdftest.Page {
	return pdftest.Page{Links: links, Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "See the mill by the"}, {X: 72, Y: 686, Size: 12, S: "river on a summer day."}}}
}

func TestLinks(t *testing.T) {
	const a = "https://example.org/a"
	second := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The second page."}}}
	for name, c := range map[string]struct {
		doc  pdftest.Doc
		want []string
	}{
		"one word":    {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "116 697 134 711"))}}, []string{a + ": mill"}},
		"the corners": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "134 711 116 697"))}}, []string{a + ": mill"}},
		"two links, one target": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "116 697 190 711"), uri(a, "72 683 99 697"))}},
			[]string{a + ": mill by the river"}},
		"quadrilaterals": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "72 683 190 711") + " /QuadPoints [116 711 190 711 116 697 190 697 72 697 99 697 72 683 99 683]")}},
			[]string{a + ": mill by the river"}},
		"two targets": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "116 697 134 711"), uri("https://example.org/b", "72 683 99 697"))}},
			[]string{a + ": mill", "https://example.org/b: river"}},
		"a part of a word": {pdftest.Doc{Pages: []pdftest.Page{{Links: []string{uri(a, "75 697 89 711")}, Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "[12],[13]"}}}}},
			[]string{a + ": 12"}},
		"a giant": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "-1e300 -1e300 1e300 1e300"))}}, []string{a + ": See the mill by the river on a summer day."}},
		"no area": {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "0 0 0"))}}, nil},
		"no words": {pdftest.Doc{Pages: []pdftest.Page{two(), {Links: []string{uri(a, "300 300 400 400")}, Image: true}, second}},
			[]string{a + ": "}},
		"hidden":   {pdftest.Doc{Pages: []pdftest.Page{two(uri(a, "116 697 134 711") + " /F 2")}}, nil},
		"no URL":   {pdftest.Doc{Pages: []pdftest.Page{two(uri(" ", "116 697 134 711"))}}, nil},
		"long URL": {pdftest.Doc{Pages: []pdftest.Page{two(uri(strings.Repeat("a", 9000), "116 697 134 711"))}}, nil},
		"a URL with controls": {pdftest.Doc{Pages: []pdftest.Page{two(uri(` java\nscript:alert\(1\)\000`, "116 697 134 711"))}},
			[]string{"javascript:alert(1): mill"}},
		"a page": {pdftest.Doc{Pages: []pdftest.Page{two("/Rect [116 697 134 711] /Dest [1 /Fit]"), second}}, []string{"page 2: mill"}},
		"a name": {pdftest.Doc{Names: "<< /Names [(x) [1 /Fit]] >>", Pages: []pdftest.Page{two("/Rect [116 697 134 711] /A << /S /GoTo /D (x) >>"), second}},
			[]string{"page 2: mill"}},
		"no such name": {pdftest.Doc{Names: "<< /Names [(x) [1 /Fit]] >>", Pages: []pdftest.Page{two("/Rect [116 697 134 711] /A << /S /GoTo /D (y) >>")}}, nil},
		"names in a loop": {pdftest.Doc{Names: "<< /Names [(x) (y) (y) (x)] /Kids [1 0 R] >>", Pages: []pdftest.Page{two("/Rect [116 697 134 711] /Dest (x)")}},
			nil},
		"lines of contents": {pdftest.Doc{Pages: []pdftest.Page{{Links: []string{"/Rect [72 697 190 711] /Dest [1 /Fit]", "/Rect [72 643 190 657] /Dest [1 /Fit]"},
			Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The weir"}, {X: 72, Y: 646, Size: 12, S: "The wheel"}}}, second}}, []string{"page 2: The weir", "page 2: The wheel"}},
	} {
		if got := linksOf(t, c.doc); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A link is found on pages that are turned, cropped or in other units.
func TestLinksOfTurnedPages(t *testing.T) {
	for _, rotate := range []int{0, 90, 180, 270} {
		p := two(uri("https://example.org", "116 697 134 711"))
		p.Rotate, p.UserUnit, p.Crop = rotate, 2, &[4]float64{20, 30, 500, 800}
		if got := linksOf(t, pdftest.Doc{Pages: []pdftest.Page{p}}); len(got) != 1 || !strings.HasPrefix(got[0], "https://example.org: ") || !strings.Contains(got[0], "mill") {
			t.Errorf("turned by %d: %q", rotate, got)
		}
	}
}

// Many links on a page with many words end soon.
func TestManyLinks(t *testing.T) {
	p := two()
	for i := range 3000 {
		p.Links = append(p.Links, uri(fmt.Sprint("https://example.org/", i), "-1e9 -1e9 1e9 1e9"))
		p.Texts = append(p.Texts, pdftest.Text{X: 72, Y: float64(i % 700), Size: 9, S: "mill wheel weir race sluice"})
	}
	if got := linksOf(t, pdftest.Doc{Pages: []pdftest.Page{p}}); len(got) != 3000 {
		t.Errorf("%d links", len(got))
	}
}
