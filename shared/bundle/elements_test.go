package bundle

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"seam/shared/text"
)

// listed returns an item with a document that has elements.
func listed() *Item {
	d := text.NewPlain("• tea\n• käse")
	d.Name = "list.html"
	d.Elements = []text.Element{{Kind: text.List, Span: text.Span{End: 17}}, {Kind: text.Item, Span: text.Span{End: 7}}, {Kind: text.Item, Span: text.Span{Start: 8, End: 17}}}
	return &Item{Document: d}
}

func TestElementsAreKept(t *testing.T) {
	all, err := readAll(write(t, false, []*Item{listed()}))
	if err != nil || !slices.Equal(all[0].Document.Elements, listed().Document.Elements) {
		t.Errorf("%v, %+v", err, all)
	}
}

// Without elements there must be no member, so that older bundles stay the same.
func TestNoElements(t *testing.T) {
	it := listed()
	it.Document.Elements = nil
	if u := unpack(t, write(t, false, []*Item{it})); slices.ContainsFunc(u.names, func(name string) bool { return strings.HasSuffix(name, elementsName) }) {
		t.Errorf("%q", u.names)
	}
}

func TestForeignElementsAreDamage(t *testing.T) {
	const name = "documents/1/" + elementsName
	for what, flat := range map[string][]int32{
		"behind the text":  {1, 0, 18},
		"a negative start": {1, -1, 3},
		"half a character": {11, 14, 17},
		"an unknown kind":  {200, 0, 7},
		"a kind below all": {-255, 0, 7},
		"a larger kind":    {257, 0, 7},
		"an overlap":       {1, 0, 7, 2, 3, 17},
		"too many":         slices.Repeat([]int32{1, 0, 17}, text.MostElements(17)+1),
	} {
		u := ints(name, 3, flat...)(unpack(t, write(t, false, []*Item{listed()})))
		if _, err := readAll(u.pack(t, false)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), elementsName) {
			t.Errorf("%s: %v", what, err)
		}
	}
	it := listed()
	it.Document.Elements[0].End = 99
	w, err := NewWriter(io.Discard)
	if err != nil || w.Add(it) == nil {
		t.Errorf("a writer takes elements that no reader would (%v)", err)
	}
}
