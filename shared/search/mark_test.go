package search

import (
	"slices"
	"testing"
)

func TestMark(t *testing.T) {
	texts := []string{"It rains. The weavers' looms stand still.", "", "Nothing of it.", "Ein Webstuhl ÄRGERT. Loom!"}
	marked, err := Mark("loom weaver", texts)
	if err != nil || len(marked) != len(texts) {
		t.Fatal(marked, err)
	}
	for i, want := range [][]string{{"weavers", "looms"}, nil, nil, {"Loom"}} {
		var got []string
		for _, m := range marked[i].Marks {
			got = append(got, texts[i][m.Start:m.End])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: marked %q, want %q", texts[i], got, want)
		}
	}
	if p := marked[0].Passage; texts[0][p.Start:p.End] != "The weavers' looms stand still." {
		t.Errorf("passage %q", texts[0][p.Start:p.End])
	}
	for _, query := range []string{"", " ", "\"", "\xff", "the"} {
		if _, err := Mark(query, texts); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
	if marked, err := Mark("loom", nil); len(marked) != 0 || err != nil {
		t.Error(marked, err)
	}
}
