package text

import (
	"reflect"
	"strings"
	"testing"
)

func TestJoinPagesKeepsEveryByteAtItsPlace(t *testing.T) {
	pages := []Page{
		{Number: 1, Text: " \n First page. \n"},
		{Number: 2},
		{Number: 3, Text: "Zweite Seite: é.\n"},
	}
	for _, tt := range []struct {
		join  string
		strip bool
		want  string
	}{
		{" ", true, "First page. \n  Zweite Seite: é."},
		{"", false, " \n First page. \nZweite Seite: é.\n"},
		{"\n\n", false, " \n First page. \n\n\n\n\nZweite Seite: é.\n\n\n"},
	} {
		v := JoinPages(pages, tt.join, tt.strip)
		if v.Text != tt.want {
			t.Errorf("join %q strip %v: %q, want %q", tt.join, tt.strip, v.Text, tt.want)
		}
		if err := v.Check(pages); err != nil {
			t.Errorf("join %q strip %v: %v", tt.join, tt.strip, err)
		}
	}
}

func TestJoinPagesOfBlanksIsEmpty(t *testing.T) {
	v := JoinPages([]Page{{Text: " \n"}, {Text: "\u2003\x1c"}}, " ", true)
	if v.Text != "" || len(v.Runs) != 0 {
		t.Errorf("%q with runs %v", v.Text, v.Runs)
	}
}

func TestPlainTextIsKeptToTheByte(t *testing.T) {
	for _, in := range []string{"", "one", "one\ftwo", "\f", "\f\fthree", "end\f", "bad \xff byte\f\xc3"} {
		d := NewPlain(in)
		if got := d.View(Content).Text; got != in {
			t.Errorf("content of %q is %q", in, got)
		}
		if got := d.View(Reading).Text; got != in {
			t.Errorf("reading of %q is %q", in, got)
		}
		if err := d.View(Content).Check(d.Pages); err != nil {
			t.Errorf("%q: %v", in, err)
		}
		if len(d.Pages) != strings.Count(in, "\f")+1 {
			t.Errorf("%q has %d pages", in, len(d.Pages))
		}
	}
}

func TestPageRange(t *testing.T) {
	d := NewPlain("one\f\ftwo and \fthree")
	v := d.View(Content)
	at := func(s string) Span { i := strings.Index(v.Text, s); return Span{i, i + len(s)} }
	for _, tt := range []struct {
		part        string
		first, last int
		ok          bool
	}{
		{"one", 0, 0, true},
		{"one\f\ftwo", 0, 2, true},
		{"two and \f", 2, 2, true}, // the page break alone does not touch the next page
		{"and \fthree", 2, 3, true},
		{"\f\f", 0, 0, false},
		{"", 0, 0, false},
	} {
		first, last, ok := v.PageRange(at(tt.part))
		if first != tt.first || last != tt.last || ok != tt.ok {
			t.Errorf("%q: pages %d to %d, %v", tt.part, first, last, ok)
		}
	}
}

func TestPageSpans(t *testing.T) {
	pages := []Page{{Number: 1, Text: "hyphen-\nated words"}, {Number: 2, Text: "more"}}
	v := View{Text: "hyphenated words more", Runs: []Run{{0, 0, 0, 6}, {6, 0, 8, 10}, {17, 1, 0, 4}}}
	if err := v.Check(pages); err != nil {
		t.Fatal(err)
	}
	if got, want := v.PageSpans(), []PageSpan{{0, Span{0, 16}}, {1, Span{17, 21}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := (&View{}).PageSpans(); got != nil {
		t.Errorf("a text of nothing has %v", got)
	}
}

func TestCheckFindsWrongRuns(t *testing.T) {
	pages := []Page{{Number: 1, Text: "abc"}}
	for name, v := range map[string]View{
		"other text":   {Text: "abd", Runs: []Run{{0, 0, 0, 3}}},
		"no such page": {Text: "abc", Runs: []Run{{0, 1, 0, 3}}},
		"too long":     {Text: "abc", Runs: []Run{{0, 0, 1, 3}}},
		"overlap":      {Text: "abc", Runs: []Run{{0, 0, 0, 2}, {1, 0, 1, 2}}},
		"negative":     {Text: "abc", Runs: []Run{{-1, 0, 0, 1}}},
		"empty":        {Text: "abc", Runs: []Run{{0, 0, 0, 0}}},
	} {
		if v.Check(pages) == nil {
			t.Errorf("%s passes", name)
		}
	}
}
