package text

import (
	"slices"
	"testing"
)

// Parts end with their last entry: an appendix below a heading that was not found follows.
func TestParts(t *testing.T) {
	const (
		contents = "Contents\n\n1 Water 3\n2 Steam 12\n3 Wind 40\n\n"
		body     = "Water\n\nWater falls.\n\n"
		works    = "7. References\n\n[1] Hearst, M.: TextTiling. 1997.\n\nPart of an entry.\n\nKoshorek (2018). Segmentation.\n\nhttps://mill.example/wheels"
		appendix = "\n\nAppendix\n\nEvery wheel has a name.\n\nStones are counted.\n\nSeen in 1842."
	)
	d := NewPlain(contents + body + works + appendix)
	at := len(contents + body)
	all := len(d.reading.Text)
	d.Sections = []Section{{"Contents", 1, Span{0, len(contents)}}, {"Water", 1, Span{len(contents), at}}, {"7. References", 1, Span{at, all}}}
	want := []PartSpan{{Contents, Span{0, len(contents) - 2}}, {References, Span{at, at + len(works)}}}
	if got := d.Parts(); !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	d.Sections = []Section{{"Contents", 1, Span{0, all}}, {"Water", 2, Span{len(contents), at}}}
	if got := d.Parts(); !slices.Equal(got, want[:1]) {
		t.Errorf("%v, not %v", got, want[:1])
	}
	d.Sections = []Section{{"References", 1, Span{len(contents), at}}, {"Contents", 1, Span{at, all + 1}}}
	if got := d.Parts(); got != nil {
		t.Errorf("%v of sections without entries", got)
	}
}

func TestPartOf(t *testing.T) {
	works := "References\n\n[1] Hearst, M.: TextTiling. 1997.\n\nKoshorek et al. (2018). Text segmentation.\n\nhttps://mill.example/wheels"
	appendix := "Appendix A\n\nEvery wheel has a name.\n\nThe stones are counted from the left, and the first one is the oldest."
	index := "Contents\n\n1 Water 3\n2 Steam 12\nAppendix A 104"
	for _, c := range []struct {
		titles []string
		text   string
		want   Part
	}{
		{[]string{"References"}, works, References},
		{[]string{"Mills", "7. Literaturverzeichnis"}, works, References},
		{[]string{"参考文献"}, works, References},
		{[]string{"References", "Books"}, works, References},
		{[]string{"Table of Contents"}, index, Contents},
		{[]string{"Inhalt:"}, index, Contents},
		{[]string{"References"}, appendix, ""},           // below a heading that was not found
		{[]string{"Conclusion – References"}, works, ""}, // a chunk that begins before
		{[]string{"Related work"}, works, ""},
		{[]string{"Contents"}, "The box has these contents. Each of them is fragile.\nHandle it with care.", ""},
		{[]string{"References"}, "References", ""},
		{[]string{""}, works, ""},
		{[]string{"|"}, works, ""},
		{nil, works, ""},
		{[]string{"Preferences"}, works, ""},
	} {
		if got := PartOf(c.titles, c.text); got != c.want {
			t.Errorf("%q, %.20q: %q, not %q", c.titles, c.text, got, c.want)
		}
	}
	for question, want := range map[string]bool{
		"Which works does it cite?": true, "Was wird zitiert?": true, "List the references": true, "Was steht im Literaturverzeichnis?": true,
		"How high is the wheel?": false, "Who built it in 1842?": false,
	} {
		if NamesPart(question, References) != want {
			t.Errorf("%q names the references: %v", question, !want)
		}
	}
	if !NamesPart("What is in the table of contents?", Contents) || NamesPart("How high is it?", Contents) {
		t.Error("contents are not recognized by name")
	}
}
