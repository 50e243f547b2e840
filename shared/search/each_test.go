package search

import (
	"context"
	"reflect"
	"testing"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
)

// Each part of a question must contribute its best chunks, without repetitions.
func TestSearchEach(t *testing.T) {
	ctx := context.Background()
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtinModel(t), nil }}
	results := sentencesOf(t, hooks, "The heddle has an eye. The warp goes through the heddle. The miller went home. The mill stands at home.")
	s, err := NewSearcher(results, Options{}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		k     int
		parts []string
		want  []int
	}{
		{3, []string{"heddle eye", "miller home"}, []int{0, 2, 1}},
		{9, []string{"heddle eye", "heddle warp", "miller home"}, []int{0, 1, 2, 3}},
		{1, []string{"miller home", "heddle eye"}, []int{2}},
		{2, []string{"zyxwv", "heddle warp"}, []int{1, 0}},
		{2, nil, nil},
	} {
		var parts []Query
		for _, p := range tt.parts {
			parts = append(parts, Query{Text: p, Mode: index.Keyword})
		}
		found, err := s.SearchEach(ctx, parts, tt.k, hooks)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, h := range found.Hits {
			got = append(got, h.Chunk)
		}
		if !reflect.DeepEqual(got, tt.want) || (len(found.Unknown) == 1) != (tt.parts != nil && tt.parts[0] == "zyxwv") {
			t.Errorf("%q, %d: %v, unknown %q", tt.parts, tt.k, got, found.Unknown)
		}
	}
	one, err := s.SearchEach(ctx, []Query{{Text: "heddle", Mode: index.Hybrid}}, 3, hooks)
	if err != nil {
		t.Fatal(err)
	}
	same, err := s.Search(ctx, Query{Text: "heddle", K: 3, Mode: index.Hybrid}, hooks)
	if err != nil || !reflect.DeepEqual(one, same) {
		t.Errorf("%+v, alone %+v, %v", one, same, err)
	}
}
