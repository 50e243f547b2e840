package read

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"seam/shared/text"
)

func document(t *testing.T, body string) *text.Document {
	t.Helper()
	d, err := All().Read("a.md", []byte(body), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestMarkdownSections(t *testing.T) {
	body := "---\ntitle: Mills\n---\nBefore.\n\n# One\n\nA.\n\n### Deep ###\n\nB.\n\nTwo\n---\n\nC.\n\n```\n# none\n```\n\n##  \n\n# Three\n"
	d := document(t, body)
	var got []string
	for _, s := range d.Sections {
		got = append(got, fmt.Sprintf("%d %s: %.8q to %q", s.Level, s.Title, body[s.Start:], body[s.End:min(len(body), s.End+7)]))
	}
	want := []string{`1 One: "# One\n\nA" to "# Three"`, `3 Deep: "### Deep" to "Two\n---"`, `2 Two: "Two\n---\n" to "# Three"`, `1 Three: "# Three\n" to ""`}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for in, want := range map[string][]string{"Before.": nil, "A.": {"One"}, "B.": {"One", "Deep"}, "C.": {"One", "Two"}, "# none": {"One", "Two"}, "# Three": {"Three"}} {
		if got := d.SectionPath(text.Reading, strings.Index(body, in)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is in %q, want %q", in, got, want)
		}
	}
	if v := d.View(text.Reading); v.Text != body || v.Check(d.Pages) != nil {
		t.Errorf("the text is %q", v.Text)
	}
	decoded, err := text.DecodeDocument(text.Encode(d))
	if err != nil || !reflect.DeepEqual(decoded.Sections, d.Sections) {
		t.Errorf("%v: %v", err, decoded)
	}
}

func TestMarkdownTitle(t *testing.T) {
	for body, want := range map[string]string{
		"":                                    "",
		"# Mills\n\nText.":                    "Mills",
		"Mills\n=====\n\nText.":               "Mills",
		"\ufeff# Mills":                       "Mills",
		"## Mills\n\nText.":                   "",
		"Text.\n\n# Mills":                    "",
		"---\ntitle: 'Of mills'\n---\n# One":  "Of mills",
		"---\ntitle:\nby: me\n---\n\n# Mills": "Mills",
		"---\r\ntitle: Mills\r\n---":          "Mills",
		"# ##":                                "",
	} {
		if got := document(t, body).Title; got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# A\n\n## B\f\n```\nC\n===\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := All().Read("a.md", b, Options{})
		if err != nil {
			return
		}
		at, size := -1, len(d.View(text.Reading).Text)
		for i, s := range d.Sections {
			if s.Start <= at || s.End <= s.Start || s.End > size || s.Level < 1 || s.Title == "" {
				t.Fatalf("section %d is %+v behind %d of %d bytes", i, s, at, size)
			}
			at = s.Start
		}
	})
}
