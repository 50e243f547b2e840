package text

import "testing"

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
