package cut

import (
	"testing"

	"seam/shared/text"
)

// A page is named by its printed number, and by its sheet if that differs.
func TestOnPages(t *testing.T) {
	one, many := Document{Document: text.NewPlain("a")}, Document{Document: text.NewPlain("a\fb")}
	for _, c := range []struct {
		d      Document
		pages  []int
		labels []string
		want   string
	}{
		{many, nil, nil, ""},
		{many, []int{2}, nil, " · p. 2"},
		{many, []int{1, 2}, nil, " · p. 1–2"},
		{many, []int{2}, []string{"2"}, " · p. 2"},
		{many, []int{2}, []string{"103"}, " · p. 103 (sheet 2)"},
		{many, []int{1, 2}, []string{"iv", "1"}, " · p. iv–1 (sheets 1–2)"},
		{many, []int{1}, []string{"\x1b[31m"}, " · p. \\x1b[31m (sheet 1)"},
		{one, []int{1}, nil, ""},
		{one, []int{1}, []string{"7"}, " · p. 7 (sheet 1)"},
	} {
		if got := OnPages(c.d, c.pages, c.labels); got != c.want {
			t.Errorf("%v, %q: %q, want %q", c.pages, c.labels, got, c.want)
		}
	}
}
