package text

import (
	"reflect"
	"testing"
)

// TestBoxes has two lines on one page and one on the next, and asks for spans that begin
// and end within words.
func TestBoxes(t *testing.T) {
	word := func(start, end int, x, y float64) Word {
		return Word{Span{start, end}, Box{x, y, x + 10*float64(end-start), y + 12}}
	}
	pages := []Page{
		{Number: 1, Width: 600, Height: 800, Text: "One two\nthree", Words: []Word{word(0, 3, 50, 100), word(4, 7, 90, 101), word(8, 13, 50, 116)}},
		{Number: 2, Width: 600, Height: 800, Text: "four", Words: []Word{word(0, 4, 50, 100)}},
	}
	d := NewPaged(pages, JoinPages(pages, "\n", false))
	for _, c := range []struct {
		s    Span
		want []PageBox
	}{
		{Span{0, 7}, []PageBox{{0, Box{50, 100, 120, 113}}}},
		{Span{5, 6}, []PageBox{{0, Box{90, 101, 120, 113}}}},
		{Span{4, 18}, []PageBox{{0, Box{90, 101, 120, 113}}, {0, Box{50, 116, 100, 128}}, {1, Box{50, 100, 90, 112}}}},
		{Span{7, 8}, nil},
		{Span{18, 18}, nil},
	} {
		if got := d.Boxes(Reading, c.s); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Boxes(%v) = %v, want %v", c.s, got, c.want)
		}
	}
	if got := NewPlain("no pages").Boxes(Reading, Span{0, 8}); got != nil {
		t.Errorf("a text without pages has boxes %v", got)
	}
}
