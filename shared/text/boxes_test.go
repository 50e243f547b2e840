package text

import (
	"fmt"
	"reflect"
	"testing"
)

// TestBoxes has two lines on one page and one on the next. Its spans begin and end within
// words.
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

// A view may leave out words, begin within one, or split one. Each part must have its box.
func TestWords(t *testing.T) {
	box := func(x float64) Box { return Box{x, 10, x + 9, 20} }
	pages := []Page{
		{Number: 1, Width: 100, Height: 200, Text: "é 😀 nearby", Words: []Word{{Span{0, 2}, box(1)}, {Span{3, 7}, box(2)}, {Span{8, 14}, box(3)}}},
		{Number: 2, Width: 100, Height: 200, Text: "words", Words: []Word{{Span{0, 5}, box(4)}}},
	}
	reading := View{Text: "– 😀 near\n\nby words", Runs: []Run{{4, 0, 3, 4}, {9, 0, 8, 4}, {15, 0, 12, 2}, {18, 1, 0, 5}}}
	d := NewPaged(pages, reading)
	var got []string
	for _, w := range d.Words(Reading) {
		got = append(got, fmt.Sprint(w.Of(reading.Text), w.Page, w.X0))
	}
	if want := []string{"😀0 2", "near0 3", "by0 3", "words1 4"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	if got := NewPlain("no pages").Words(Reading); got != nil {
		t.Errorf("a text without pages has words %v", got)
	}
}
