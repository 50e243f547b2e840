package shards

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A list must write the postings that were added to it.
func TestList(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		var l list
		var want []posting
		text := 0
		for range r.IntN(12) {
			if len(want) == 0 || r.IntN(3) > 0 {
				text += r.IntN(300)
				if len(want) > 0 {
					text++
				}
				want = append(want, posting{chunk: int32(text)})
			}
			n := 1 + r.IntN(3)
			want[len(want)-1].n += int32(n)
			l.add(text, n)
		}
		p := &packer{}
		p.list(&l)
		var texts []int
		for text := range l.all {
			texts = append(texts, text)
		}
		if len(want) == 0 {
			if len(p.b)+len(texts) > 0 {
				t.Fatalf("an empty list: %v, %v", p.b, texts)
			}
			continue
		}
		u := &unpacker{b: p.b}
		if got := u.counts(text + 1); !slices.Equal(got, want) || u.err != nil || len(u.b) > 0 {
			t.Fatalf("%v, %v; want %v", got, u.err, want)
		}
		if !slices.EqualFunc(texts, want, func(text int, x posting) bool { return text == int(x.chunk) }) {
			t.Fatalf("%v; want those of %v", texts, want)
		}
		again := &packer{}
		again.counts(want)
		if !slices.Equal(again.b, p.b) {
			t.Fatalf("%v; want %v", again.b, p.b)
		}
	}
}

// A stem must be counted once per chunk and page, however many of its forms occur there.
func TestFrequencies(t *testing.T) {
	b := &builder{pages: []pageCount{{chunks: 2}, {chunks: 3}, {chunks: 1}}, chunks: make([]int, 6)}
	var one, two gathered
	one.body.add(0, 2)
	one.body.add(3, 1)
	two.body.add(3, 1)
	two.headings = []posting{{chunk: 2, n: 3}}
	two.expanded = []posting{{chunk: 0, n: 8}}
	for range 2 {
		if chunks, pages := b.frequencies([]*gathered{&one, &two}); chunks != 4 || pages != 2 {
			t.Errorf("%d chunks of %d pages, want 4 of 2", chunks, pages)
		}
		if chunks, pages := b.frequencies([]*gathered{&one}); chunks != 2 || pages != 2 {
			t.Errorf("%d chunks of %d pages, want 2 of 2", chunks, pages)
		}
	}
}
