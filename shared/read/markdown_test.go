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
	body := "Before.\n\n# One\n\nA.\n\n### Deep ###\n\nB.\n\nTwo\n---\n\nC.\n\n```\n# none\n```\n\n##  \n\n# Three\n"
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

// Front matter is metadata, in each of its forms, and set apart from the text.
func TestFrontMatterIsSetApart(t *testing.T) {
	for _, front := range []string{"---\ntitle: Of mills\n---", "\ufeff---\r\n# By hand\r\ntitle: Of mills\r\n---", "+++\ntitle = 'Of mills'\n\n[extra]\nwide = true\n+++", "{\n  \"title\": \"Of mills\",\n  \"extra\": {\"wide\": true}\n}"} {
		d := document(t, front+"\n\n# Mills\n\nText. 😀\n")
		v := d.View(text.Reading)
		if v.Text != "# Mills\n\nText. 😀\n" || v.Check(d.Pages) != nil || d.Title != "Of mills" || len(d.Sections) != 1 || d.Sections[0].Span != (text.Span{End: len(v.Text)}) {
			t.Errorf("%q: %q, %q, %v", front, v.Text, d.Title, d.Sections)
		}
		if f := d.Pages[0].Furniture; len(f) != 1 || f[0].Of(d.Pages[0].Text) != strings.TrimPrefix(front, "\ufeff") {
			t.Errorf("%q: set apart is %v", front, f)
		}
		if c := d.View(text.Content).Text; !strings.HasPrefix(c, front) {
			t.Errorf("%q: the content is %q", front, c)
		}
	}
	for _, body := range []string{"+++\nNo name here.\n+++\n\nText.", "+++\n+++\n\nText.", "+++\na = 1\n\nText.", "---\n\n---\n\nText.", "{\n} text", "{\n\"a\": 1\n}\n", "{\n\"a\": 1", "{\"a\": 1}\n{\"a\": 2}\n", "---\na: 1\f\n---\nText."} {
		if d := document(t, body); d.View(text.Reading).Text != body {
			t.Errorf("%q: the text is %q", body, d.View(text.Reading).Text)
		}
	}
}

func TestMarkdownLinks(t *testing.T) {
	for source, want := range map[string]string{
		"# A [mill](/mill \"Mills\")\n\nSee [the *weir*](<https://example.org/weir>), not ![a wheel](wheel.png).": `/mill "mill", https://example.org/weir "the *weir*"`,
		"- [a](x(1).md)\n- `[b](c)` [ ](d) [](e) [f]()\n":                                                         `x(1).md "a", d " "`,
		"---\ntitle: T\n---\n[a](b) [**[c](d)**":                                                                  `b "a", d "c"`,
	} {
		d, err := All().Read("a.md", []byte(source), Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, got := d.View(text.Reading).Text, []string{}
		for _, l := range d.Links {
			got = append(got, fmt.Sprintf("%s %q", l.URL, l.Of(all)))
		}
		if err := text.CheckLinks(all, len(d.Pages), d.Links); err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%q: %v, %v, want %s", source, err, got, want)
		}
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

// Headings of a plain text become sections if they are on lines of their own; its text stays
// as it is. Comments of programs do not.
func TestSectionsOfPlainText(t *testing.T) {
	for content, want := range map[string]int{
		"# Bees\n\nThey dance.\n\n# Moths\n\nThey fly.\n":      2,
		"Bees\n====\n\nThey dance.\n\nMoths\n-----\nThey fly.": 2,
		"# Bees\n\nThey dance.\n":                              0, // one alone may be anything
		"# the port\nport = 80\n# the host\nhost = a\n":        0,
		"#!/bin/sh\n# Bees\n# dance\n\n# here\ndance\n":        0,
		"They dance.\n": 0,
		"":              0,
	} {
		d, err := All().Read("a.txt", []byte(content), Options{AnyText: true})
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if got := len(d.Sections); got != want || d.View(text.Reading).Text != content {
			t.Errorf("%q has %d sections: %+v", content, got, d.Sections)
		}
	}
}
