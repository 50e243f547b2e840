package text

import "testing"

func TestBeginning(t *testing.T) {
	for _, x := range []struct {
		in   string
		n    int
		want string
	}{{"", 3, ""}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äöü…"}, {"日本語", 1, "日…"}, {"ab", 0, "…"}, {"", 0, ""}, {"\xff\xfe\xfd", 2, "\xff\xfe…"}} {
		if got := Beginning(x.in, x.n); got != x.want {
			t.Errorf("%q, %d: %q instead of %q", x.in, x.n, got, x.want)
		}
	}
}
