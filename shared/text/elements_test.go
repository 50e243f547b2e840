package text

import (
	"slices"
	"testing"
)

func TestCheckElements(t *testing.T) {
	const all = "Tea é milk"
	for name, c := range map[string]struct {
		list []Element
		ok   bool
	}{
		"none":                    {nil, true},
		"within one another":      {[]Element{{List, Span{0, 11}}, {Item, Span{0, 6}}, {Strong, Span{0, 3}}, {Item, Span{7, 11}}}, true},
		"the same span":           {[]Element{{List, Span{0, 11}}, {Item, Span{0, 11}}}, true},
		"an overlap":              {[]Element{{Strong, Span{0, 6}}, {Emphasis, Span{4, 11}}}, false},
		"the inner one first":     {[]Element{{Item, Span{0, 6}}, {List, Span{0, 11}}}, false},
		"in disorder":             {[]Element{{Item, Span{7, 11}}, {Item, Span{0, 6}}}, false},
		"an empty one":            {[]Element{{Strong, Span{3, 3}}}, false},
		"behind the text":         {[]Element{{Strong, Span{7, 12}}}, false},
		"before the text":         {[]Element{{Strong, Span{-1, 3}}}, false},
		"half a character":        {[]Element{{Strong, Span{0, 5}}}, false},
		"more than there can be":  {slices.Repeat([]Element{{List, Span{0, 11}}}, 76), false},
		"as many as there can be": {slices.Repeat([]Element{{List, Span{0, 11}}}, 75), true},
		"a kind that is unknown":  {[]Element{{lastKind + 1, Span{0, 3}}}, false},
		"a kind that was not set": {[]Element{{0, Span{0, 3}}}, false},
	} {
		if err := CheckElements(all, c.list); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
