package process

import (
	"encoding/json"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

func TestTextOfAPDF(t *testing.T) {
	path := pdf(t)
	out := ok(t, "", "text", path)
	if !strings.Contains(out, "Windmills") || !strings.Contains(out, "Venus turns backwards.") {
		t.Errorf("%q", out)
	}
	var doc struct {
		Pages []struct {
			Number        int
			Width, Height float64
			Text          string
			Words         []struct {
				Text       string
				Start, End int
				Box        [4]float64
			}
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", "text", "--format", "json", path)), &doc); err != nil {
		t.Fatal(err)
	}
	words, joined := 0, []string{}
	for _, p := range doc.Pages {
		joined = append(joined, p.Text)
		for _, w := range p.Words {
			words++
			if p.Text[w.Start:w.End] != w.Text {
				t.Errorf("%q at %d is %q", w.Text, w.Start, p.Text[w.Start:w.End])
			}
			if w.Box[0] < 0 || w.Box[2] > p.Width || w.Box[1] < 0 || w.Box[3] > p.Height || w.Box[0] >= w.Box[2] || w.Box[1] >= w.Box[3] {
				t.Errorf("%q has the box %v on a page of %v×%v", w.Text, w.Box, p.Width, p.Height)
			}
		}
	}
	if words < 50 || strings.Join(joined, "\f") != out {
		t.Errorf("%d words; the two formats differ", words)
	}
}

// A scan is not an error, but the missing text is reported.
func TestScan(t *testing.T) {
	r := run(t, "", "chunk", file(t, "scan.pdf", pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Image: true}, {Image: true}}})))
	if r.status != 0 || !strings.Contains(r.err, "pages 1, 2 hold images without text (scanned)") || !strings.Contains(r.err, "no text in this document") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}

// The section of a chunk and the metadata of a document are read from a PDF file.
func TestSectionsOfPDF(t *testing.T) {
	long := strings.Repeat("Weavers came when the mills were old. They set their frames beside the wheel, and a shaft turned them. ", 4)
	path := file(t, "mills.pdf", pdftest.Article("# The valley", long, "## Mills", long, "## Looms", long))
	var doc struct {
		Title    string
		Sections []struct {
			Title string
			Level int
			Start int
		}
	}
	if err := json.Unmarshal([]byte(ok(t, "", "text", "--format", "json", path)), &doc); err != nil {
		t.Fatal(err)
	}
	view := ok(t, "", "text", "--document", path)
	if doc.Title != "Article" || len(doc.Sections) != 3 {
		t.Fatalf("title %q, sections %+v", doc.Title, doc.Sections)
	}
	for _, s := range doc.Sections {
		if !strings.HasPrefix(view[s.Start:], s.Title) {
			t.Errorf("section %q begins with %.20q", s.Title, view[s.Start:])
		}
	}
	chunks := func(view string) map[string]int {
		var cut struct{ Chunks []struct{ Section string } }
		if err := json.Unmarshal([]byte(ok(t, "", "chunk", "--max-tokens", "40", "--view", view, "--format", "json", path)), &cut); err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, c := range cut.Chunks {
			n[c.Section]++
		}
		return n
	}
	if n := chunks("reading"); n["The valley"] == 0 || n["The valley › Mills"] == 0 || n["The valley › Looms"] == 0 || len(n) != 3 {
		t.Errorf("chunks by section: %v", n)
	}
	if n := chunks("content"); len(n) != 1 || n[""] == 0 {
		t.Errorf("chunks of the content view by section: %v", n)
	}
}

func TestSentences(t *testing.T) {
	in := "Dr. Weber met Émile. They talked.\n\nThen it rained."
	var got []string
	for line := range strings.Lines(ok(t, in, "sentences", "-")) {
		var s struct {
			Start, End int
			Text       string
		}
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		if in[s.Start:s.End] != s.Text {
			t.Errorf("%q at %d is %q", s.Text, s.Start, in[s.Start:s.End])
		}
		got = append(got, s.Text)
	}
	if strings.Join(got, "|") != "Dr. Weber met Émile.|They talked.|Then it rained." {
		t.Errorf("%q", got)
	}
	if n := strings.Count(ok(t, in, "sentences", "--method", "notebook"), "\n"); n != 3 {
		t.Errorf("the notebook finds %d", n)
	}
}
