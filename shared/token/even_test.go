package token

import (
	"slices"
	"testing"
)

func TestEvenWords(t *testing.T) {
	for s, want := range map[string][]string{
		"":                     nil,
		"Bread, water; salt.":  {"Bread", "water", "salt"},
		"Größe два слова":      {"Größe", "два", "слова"},
		"做面包要从面粉开始。":           {"做面", "包要", "从面", "粉开", "始"},
		"コーヒーを飲む":              {"コーヒー", "を飲", "む"},
		"面，粉":                  {"面", "粉"},
		"การทำขนมปัง":          {"การ", "ทำข", "นมปั", "ง"},
		"빵을 만들려면":              {"빵을", "만들려면"},
		"a漢字b":                 {"a", "漢字", "b"},
		"\xff漢\xe6 \xe0\xb8 字": {"漢", "字"},
	} {
		var got []string
		for _, span := range EvenWords.Spans(s) {
			got = append(got, span.Of(s))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if n := EvenWords.Count(s); n != len(want) {
			t.Errorf("%q: %d, want %d", s, n, len(want))
		}
	}
}
