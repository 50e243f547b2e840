package pdftext

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"seam/shared/pdftext/object"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

func attachedTo(files ...pdftest.File) pdftest.Doc {
	return pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The mill."}}}}, Attached: files}
}

func TestAttachments(t *testing.T) {
	const csv = "/Subtype /text#2Fcsv /Params << /Size 7 >>"
	d := attachedTo(
		pdftest.File{Name: "data.csv", Data: "a;b\n1;2", Entries: csv}, pdftest.File{Name: "../../etc/data.csv", Data: "x"}, pdftest.File{Name: "C:notes\x00\n.txt", Data: "y"},
		pdftest.File{Name: "..", Data: "z"}, pdftest.File{Name: strings.Repeat("n", 300), Entries: "/Params << /Size -1 >> /Subtype /none"},
	)
	for _, compress := range []bool{false, true} {
		for _, encrypt := range []bool{false, true} {
			d.Compress, d.Encrypt, d.Password = compress, encrypt, "mill"
			b := pdftest.Write(d)
			doc, err := Extract(b, Options{Password: "mill"})
			if err != nil {
				t.Fatal(err)
			}
			if want := "[{data.csv text/csv 7} {data (2).csv  0} {notes.txt  0} {attachment  0} {" + strings.Repeat("n", 200) + "  0}]"; fmt.Sprint(doc.Attachments) != want {
				t.Errorf("%v", doc.Attachments)
			}
			back, err := text.DecodeDocument(text.Encode(doc))
			if err != nil || fmt.Sprint(back.Attachments) != fmt.Sprint(doc.Attachments) {
				t.Errorf("%v, %v", back, err)
			}
			for name, want := range map[string]string{"data.csv": "a;b\n1;2", "data (2).csv": "x", "attachment": "z"} {
				if got, err := Attached(context.Background(), b, "mill", name); err != nil || string(got) != want {
					t.Errorf("%s: %q, %v", name, got, err)
				}
			}
			if _, err := Attached(context.Background(), b, "mill", "../../etc/data.csv"); !errors.Is(err, ErrNotAttached) || !strings.Contains(err.Error(), "this PDF has data.csv, ") {
				t.Error(err)
			}
			if _, err := Attached(context.Background(), b, "", "data.csv"); encrypt && !errors.Is(err, ErrPassword) {
				t.Error(err)
			}
		}
	}
	if _, err := Attached(context.Background(), pdftest.Article("# Mills"), "", "a"); !errors.Is(err, ErrNotAttached) {
		t.Error(err)
	}
}

// Ten thousand files are counted, and one that unfolds too far is refused.
func TestAttachmentsAreBounded(t *testing.T) {
	many := attachedTo(make([]pdftest.File, 10_000)...)
	doc, err := Extract(pdftest.Write(many), Options{})
	if err != nil || len(doc.Attachments) != 1000 || len(doc.Notes) != 1 || doc.Notes[0] != "9000 more files are attached than the 1000 in the list" {
		t.Errorf("%d, %v, %v", len(doc.Attachments), doc.Notes, err)
	}
	bomb := attachedTo(pdftest.File{Name: "bomb", Data: strings.Repeat("0", 64<<20)})
	bomb.Compress = true
	if _, err := Attached(context.Background(), pdftest.Write(bomb), "", "bomb"); !errors.Is(err, object.ErrAttached) || !strings.Contains(err.Error(), "damaged or larger than 48 MB") {
		t.Error(err)
	}
}
