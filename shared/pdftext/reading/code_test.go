package reading

import (
	"strings"
	"testing"

	"seam/shared/text"
)

// Lines in a monospaced font keep their line ends and their indentation.
func TestCode(t *testing.T) {
	type line struct {
		x, y  float64
		words string
	}
	fee := []line{{60, 200, "def fee(ship):"}, {80, 212, "if ship.length > 40:"}, {100, 224, "return 120"}, {60, 248, "fee(anna)"}, {150, 248, "# 120"}}
	for _, c := range []struct {
		name string
		code []line
		want string // the text from the first line on
		list bool
	}{
		{"a function", fee, "def fee(ship):\n    if ship.length > 40:\n        return 120\n\nfee(anna)         # 120", true},
		{"one line", []line{{60, 230, "make run all"}}, "make run all", true},
		{"a bare name", []line{{60, 230, "example.com/fees"}}, "example.com/fees", false},
	} {
		s := newSheet().body(60, 8)
		for _, l := range c.code {
			s.line(l.x, l.y, 10, false, l.words)
			s.lines[len(s.lines)-1].Mono = true
		}
		s.body(300, 8)
		r := read(t, nil, s)
		at := strings.Index(r.View.Text, c.code[0].words)
		if got := r.View.Text[at:]; !strings.HasPrefix(got, c.want+"\n\nThese") {
			t.Errorf("%s: %q", c.name, got)
		}
		if list := len(r.Elements) == 1 && r.Elements[0].Kind == text.Listing && r.Elements[0].Of(r.View.Text) == c.want; list != c.list {
			t.Errorf("%s: %v", c.name, r.Elements)
		}
	}
}

// A typescript is monospaced, and no code.
func TestTypescript(t *testing.T) {
	s := newSheet().body(60, 8)
	for i := range s.lines {
		s.lines[i].Mono = true
	}
	if r := read(t, nil, s); strings.Contains(r.View.Text, "\n") || r.Elements != nil {
		t.Errorf("%q, %v", r.View.Text, r.Elements)
	}
}
