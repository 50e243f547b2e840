package object_test

import (
	"reflect"
	"strings"
	"testing"

	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

const xmp = `<x:xmpmeta><rdf:RDF><rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Mills &amp; water&#x2019;s
 way &c; &#8211;</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>A. One</rdf:li><rdf:li>B. Two</rdf:li></rdf:Seq></dc:creator>`

func TestMetadata(t *testing.T) {
	tests := []struct {
		name string
		doc  pdftest.Doc
		want object.Metadata
	}{
		{"nothing", pdftest.Doc{}, object.Metadata{}},
		{"information", pdftest.Doc{Title: " On\tmills ", Author: "A. One", Language: "en-GB", XMP: xmp},
			object.Metadata{Title: "On mills", Author: "A. One", Language: "en-GB"}},
		{"XMP", pdftest.Doc{XMP: xmp}, object.Metadata{Title: "Mills & water’s way &c; –", Author: "A. One, B. Two"}},
		{"XMP for a name of a file", pdftest.Doc{Title: "Microsoft Word - mills_v2.doc", Author: "(unknown)", XMP: xmp},
			object.Metadata{Title: "Mills & water’s way &c; –", Author: "A. One, B. Two"}},
		{"damaged XMP", pdftest.Doc{XMP: "<dc:title><rdf:li"}, object.Metadata{}},
		{"date", pdftest.Doc{Dates: " /ModDate (D:2025) /CreationDate (D:20240305101500+05'30)", XMP: xmp + `<xmp:CreateDate>2022-01-02`},
			object.Metadata{Title: "Mills & water’s way &c; –", Author: "A. One, B. Two", Date: "2024-03-05"}},
		{"date of the last change", pdftest.Doc{Dates: " /CreationDate (D:19700101) /ModDate (D:202413)"}, object.Metadata{Date: "2024"}},
		{"no date", pdftest.Doc{Dates: " /CreationDate (yesterday) /ModDate 7", XMP: "<xmp:CreateDate>2022-01-02"}, object.Metadata{}},
		{"XMP with a date", pdftest.Doc{XMP: "<xmp:CreateDate>2022-01-02T03:04:05.678+01:00</xmp:CreateDate>"}, object.Metadata{Date: "2022-01-02"}},
		{"XMP with a month", pdftest.Doc{XMP: `<rdf:Description xmp:CreateDate = "2022-12" xmp:ModifyDate="2023">`}, object.Metadata{Date: "2022-12"}},
		{"no language", pdftest.Doc{Language: "(en)"}, object.Metadata{}},
	}
	for _, c := range tests {
		c.doc.Pages = make([]pdftest.Page, 1)
		if got := open(t, pdftest.Write(c.doc)).Metadata(); got != c.want {
			t.Errorf("%s: %+v, not %+v", c.name, got, c.want)
		}
	}
}

func TestTitlesThatAreNone(t *testing.T) {
	for title, want := range map[string]string{
		"untitled": "", "Untitled-1": "", "report.PDF": "", "C:/work/report": "", "/tmp/x": "", "12": "", "PowerPoint Presentation": "",
		"Microsoft Word - Annual report": "Annual report", "Microsoft Word - report": "", "The untitled": "The untitled",
		"and/or": "and/or", "On report.pdf and others": "On report.pdf and others",
		strings.Repeat("long ", 300): strings.TrimSpace(strings.Repeat("long ", 200)),
	} {
		if got := open(t, pdftest.Write(pdftest.Doc{Title: title, Pages: make([]pdftest.Page, 1)})).Metadata().Title; got != want {
			t.Errorf("%q becomes %q, not %q", title, got, want)
		}
	}
}

func TestPageLabels(t *testing.T) {
	for labels, want := range map[string][]string{
		"": nil,
		"0 << /S /r >> 3 << /S /D >> 5 << /P (A-) /S /D /St 8 >>": {"i", "ii", "iii", "1", "2", "A-8", "A-9"},
		"5 << /S /A /St 26 >> 0 << /S /R /St 1998 >> 2 << >>":     {"MCMXCVIII", "MCMXCIX", "", "", "", "Z", "AA"},
		"-1 << /S /D >> 99 << /S /D >> 6 << /S /a /St 9999 >>":    {"", "", "", "", "", "", ""},
	} {
		f := open(t, pdftest.Write(pdftest.Doc{Labels: labels, Pages: make([]pdftest.Page, 7)}))
		if got := f.PageLabels(7); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, not %q", labels, got, want)
		}
	}
}

func TestOutline(t *testing.T) {
	f := open(t, pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 3), Outline: []pdftest.Bookmark{
		{Title: "One", Level: 1, Page: 0, Y: 742},
		{Title: "One  point\none", Level: 2, Page: 1, Y: 42, Named: true},
		{Title: "", Level: 2, Page: 1},
		{Title: "Moves up", Level: 3, Page: 1, Y: 9999},
		{Title: "Two", Level: 1, Page: 2, Y: 100, Named: true},
	}}))
	pages, err := f.Pages()
	if err != nil {
		t.Fatal(err)
	}
	want := []text.Bookmark{{Title: "One", Level: 1, Page: 0, Y: 100}, {Title: "One point one", Level: 2, Page: 1, Y: 800},
		{Title: "Moves up", Level: 2, Page: 1}, {Title: "Two", Level: 1, Page: 2, Y: 742}}
	if got := f.Outline(pages); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
	for _, b := range f.Outline(nil) {
		if b.Page != -1 {
			t.Errorf("%q leads to page %d of none", b.Title, b.Page)
		}
	}
}

// A circular outline must end.
func TestOutlineLoop(t *testing.T) {
	b := pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 1), Outline: []pdftest.Bookmark{
		{Title: "One", Level: 1}, {Title: "Two", Level: 2}, {Title: "Three", Level: 1}}})
	s := string(b)
	i := strings.LastIndex(s, "/Title <"+"5468726565")
	if i < 0 {
		t.Fatal("the fixture has changed")
	}
	first := s[strings.Index(s, "/Outlines "):]
	root := strings.Fields(first)[1]
	s = s[:i] + strings.Replace(s[i:], "/Parent "+root+" 0 R", "/Next "+root+" 0 R  ", 1)
	f := open(t, []byte(s))
	pages, _ := f.Pages()
	if got := f.Outline(pages); len(got) != 3 {
		t.Errorf("%d entries: %v", len(got), got)
	}
}
