package text

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func sample() *Document {
	pages := []Page{
		{Number: 1, Width: 595, Height: 842, Text: "Two words\n", Words: []Word{
			{Span{0, 3}, Box{72, 72, 90.5, 84}}, {Span{4, 9}, Box{93, 72, 120, 84}}}},
		{Number: 2, Width: 595, Height: 842, Words: []Word{}},
		{Number: 3, Width: 300, Height: 400.25, Text: "é\n", Words: []Word{{Span{0, 2}, Box{1, 2, 3, 4}}}},
	}
	d := NewPaged(pages, View{Text: "Two words é", Runs: []Run{{0, 0, 0, 9}, {10, 2, 0, 2}}})
	d.Author, d.Language = "A. N. Other, É. Clair", "de-AT"
	d.Pages[0].Label, d.Pages[0].Furniture = "iv", []Span{{0, 3}, {4, 9}}
	d.Outline = []Bookmark{{"Part", 1, 0, 72.5}, {"Nowhere", 2, -1, 0}}
	d.Sections = []Section{{"Two words", 1, Span{0, 12}}, {"é", 2, Span{10, 12}}}
	d.Name, d.Title, d.Notes = "a.pdf", "Ä title", []string{"page 2 holds images without text (scanned)"}
	d.Meta = map[string][]string{"tags": {"mill", "über"}, "draft": {}}
	d.Elements = []Element{{Quote, Span{0, 12}}, {Strong, Span{0, 3}}, {Code, Span{10, 12}}}
	return d
}

// linked has a link to a URL, one to a page, and one without words.
func linked() *Document {
	d := sample()
	d.Links = []Link{{"https://example.org/?a=é", 0, 0, Span{0, 3}}, {"", 3, 0, Span{4, 9}}, {"mailto:a@example.org", 0, 0, Span{10, 10}}}
	return d
}

// attached has files, and all that veiled has.
func attached() *Document {
	d := veiled()
	d.Attachments = []Attachment{{"a.csv", "text/csv", 7}, {"b", "", 0}}
	return d
}

// veiled has hidden text on a page, and links as linked.
func veiled() *Document {
	d := linked()
	d.Pages[2].Hidden = []Span{{0, 2}}
	return d
}

// placed has a link to a place of its text, and all that veiled has.
func placed() *Document {
	d := veiled()
	d.Links[0].To = 4
	return d
}

func TestDecodeGivesBackWhatWasEncoded(t *testing.T) {
	unlinked := veiled()
	unlinked.Links, unlinked.Elements = nil, nil
	for name, d := range map[string]*Document{"hidden": veiled(), "hidden alone": unlinked, "linked": linked(), "attached": attached(), "placed": placed(), "paged": sample(), "plain": NewPlain("a\fb"), "empty": {}} {
		got, err := DecodeDocument(Encode(d))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again := Encode(got); string(again) != string(Encode(d)) {
			t.Errorf("%s: encodes differently after decoding", name)
		}
		if name != "plain" && name != "empty" && !reflect.DeepEqual(got, d) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, d)
		}
	}
}

// These files were written by each version. Stored documents have this form, and every
// later version must read them. Do not regenerate the files.
func TestDecodeReadsEveryVersion(t *testing.T) {
	for _, version := range []string{"2", "3", "4", "5", "6", "8"} {
		b, err := os.ReadFile(filepath.Join("testdata", "document-v"+version))
		if err != nil {
			t.Fatal(err)
		}
		want := veiled()
		if version == "8" {
			want = placed()
		}
		if version < "6" {
			want.Pages[2].Hidden = nil
		}
		if version < "5" {
			want.Links = nil
		}
		if version < "4" {
			want.Elements = nil
		}
		if version == "2" {
			want.Meta = nil
		}
		if got, err := DecodeDocument(b); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("version %s: %v\n%+v\nwant\n%+v", version, err, got, want)
		}
	}
}

func TestDecodeRefusesDamage(t *testing.T) {
	for _, d := range []*Document{placed(), veiled()} {
		good := Encode(d)
		for n := range good {
			if _, err := DecodeDocument(good[:n]); !errors.Is(err, errDamaged) {
				t.Fatalf("cut at %d of %d: %v", n, len(good), err)
			}
		}
	}
	good := Encode(veiled())
	far := placed()
	far.Links[0].To = 13
	if _, err := DecodeDocument(Encode(far)); !errors.Is(err, errDamaged) {
		t.Errorf("a link out of the text: %v", err)
	}
	older := append([]byte("SEAMDOC\x01"), good[len(magic)+1:]...)
	if _, err := DecodeDocument(older); !errors.Is(err, errVersion) {
		t.Errorf("another version: %v", err)
	}
	newer := append([]byte("SEAMDOC\x09"), good[len(magic)+1:]...)
	if _, err := DecodeDocument(newer); !errors.Is(err, errVersion) {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := DecodeDocument(append(good, 0)); err == nil {
		t.Error("a byte too many passes")
	}
	for name, spoil := range map[string]func(d *Document){
		"a run that differs from its page": func(d *Document) { d.reading.Runs[1].From = 1 },
		"furniture outside of its page":    func(d *Document) { d.Pages[0].Furniture[1].End = 99 },
		"a bookmark to no page":            func(d *Document) { d.Outline[0].Page = 3 },
		"a section outside of the text":    func(d *Document) { d.Sections[1].End = 99 },
		"sections in disorder":             func(d *Document) { d.Sections[0].Start = 11 },
		"a section without a level":        func(d *Document) { d.Sections[0].Level = 0 },
		"an element outside of the text":   func(d *Document) { d.Elements[0].End = 13 },
		"elements that overlap":            func(d *Document) { d.Elements[1].End, d.Elements[2].Start = 11, 3 },
		"an element of no kind":            func(d *Document) { d.Elements[0].Kind = 0 },
		"a link outside of the text":       func(d *Document) { d.Links[2].End = 13 },
		"links in disorder":                func(d *Document) { d.Links[0].Start, d.Links[0].End = 9, 9 },
		"a link that splits a character":   func(d *Document) { d.Links[2].End = 11 },
		"a link to nothing":                func(d *Document) { d.Links[1].Page = 0 },
		"a link to no page":                func(d *Document) { d.Links[1].Page = 4 },
		"a link to a page and a URL":       func(d *Document) { d.Links[0].Page = 1 },
	} {
		wrong := linked()
		spoil(wrong)
		if _, err := DecodeDocument(Encode(wrong)); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// A reader of the version before hidden text, links, or elements, can read a document that
// has none.
func TestADocumentWithoutElementsIsAsBefore(t *testing.T) {
	if got, err := os.ReadFile(filepath.Join("testdata", "document-v5")); err != nil || string(got) != string(Encode(linked())) {
		t.Errorf("other bytes than those of version 5 (%v)", err)
	}
	d := sample()
	if got, err := os.ReadFile(filepath.Join("testdata", "document-v4")); err != nil || string(got) != string(Encode(d)) {
		t.Errorf("other bytes than those of version 4 (%v)", err)
	}
	d.Elements = nil
	if got, err := os.ReadFile(filepath.Join("testdata", "document-v3")); err != nil || string(got) != string(Encode(d)) {
		t.Errorf("other bytes than those of version 3 (%v)", err)
	}
}

func FuzzDecodeDocument(f *testing.F) {
	f.Add(Encode(sample()))
	f.Add(Encode(linked()))
	f.Add(Encode(NewPlain("x")))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := DecodeDocument(b)
		if err != nil {
			return
		}
		if _, err := DecodeDocument(Encode(d)); err != nil {
			t.Errorf("decoded, but what it encodes to is refused: %v", err)
		}
	})
}

func TestSectionPath(t *testing.T) {
	d := &Document{Sections: []Section{
		{"One", 1, Span{10, 50}}, {"One.One", 2, Span{20, 50}}, {"Deep", 4, Span{30, 40}}, {"Deep too", 3, Span{40, 50}}, {"Two", 1, Span{50, 60}}}}
	for at, want := range map[int]string{
		0: "", 10: "One", 19: "One", 20: "One/One.One", 35: "One/One.One/Deep", 45: "One/One.One/Deep too", 50: "Two", 60: "",
	} {
		if got := strings.Join(d.SectionPath(Reading, at), "/"); got != want {
			t.Errorf("byte %d is in %q, not %q", at, got, want)
		}
	}
	if d.SectionPath(Content, 15) != nil {
		t.Error("the content view has sections")
	}
}

func TestSectionTitles(t *testing.T) {
	d := &Document{Sections: []Section{
		{"One", 1, Span{10, 50}}, {"One.One", 2, Span{20, 30}}, {"One.Two", 2, Span{30, 50}}, {"Deep", 3, Span{35, 50}}, {"Two", 1, Span{50, 70}}, {"Two.One", 2, Span{60, 70}}}}
	for span, want := range map[Span]string{
		{0, 10}:  "",
		{0, 25}:  "One/One.One", // text before the first subsection is in none
		{10, 20}: "One",
		{10, 25}: "One/One.One",           // the start of One, and its first subsection
		{22, 31}: "One/One.One – One.Two", // siblings
		{10, 50}: "One/One.One – One.Two", // a whole section
		{31, 36}: "One/One.Two/Deep",
		{22, 36}: "One/One.One – One.Two", // and their subsections
		{40, 65}: "One – Two",
		{65, 99}: "Two/Two.One",
		{70, 99}: "",
	} {
		if got := strings.Join(d.SectionTitles(Reading, span), "/"); got != want {
			t.Errorf("%v is of %q, not %q", span, got, want)
		}
	}
	if got := d.SectionTitles(Content, Span{10, 50}); got != nil {
		t.Errorf("in the content view: %q", got)
	}
}
