package text

import (
	"slices"
	"testing"
)

// Each section must end at the next heading of the same or a higher level, found by direct
// search.
func TestEndSections(t *testing.T) {
	for _, levels := range [][]int{nil, {1}, {1, 2, 3, 2, 1}, {3, 2, 1, 1}, {2, 7, 7, 3, 2, 6}} {
		var list []Section
		for i, level := range levels {
			list = append(list, Section{Level: level, Span: Span{Start: 10 * i, End: 10*i + 1}})
		}
		want := slices.Clone(list)
		for i := range want {
			want[i].End = 99
			for _, next := range want[i+1:] {
				if next.Level <= want[i].Level {
					want[i].End = next.Start
					break
				}
			}
		}
		if got := EndSections(list, 99); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", levels, got, want)
		}
	}
}
