package chunk

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/token"
	"seam/shared/topic"
)

// A coarser granularity must never have more chunks, even if the topics it joins are too
// long and full of good places to cut.
func TestCoarserIsNeverMore(t *testing.T) {
	var sb strings.Builder
	found := &topic.Topics{}
	for i := range 60 {
		fmt.Fprintf(&sb, "Sentence %d has eight words and ends here. ", i)
		switch {
		case i == 59:
		case i == 29:
			found.Curve = append(found.Curve, 2.5)
		case i%10 == 9:
			found.Curve = append(found.Curve, 2)
		default:
			found.Curve = append(found.Curve, -4)
		}
	}
	in := input(strings.TrimSpace(sb.String()), 1)
	a := newTopics(in, found, nil)
	for _, most := range []int{50, 100, 200, 280, 400} {
		last := len(in.Sentences)
		for level := 1.75; level <= 3; level += 0.25 {
			ends, err := a.Find(Criterion{ByThreshold, level})
			if err != nil {
				t.Fatal(err)
			}
			chunks, err := a.Chunk(ends, Limits{Max: most, Counter: token.Words})
			if err != nil {
				t.Fatal(err)
			}
			if len(chunks) > last {
				t.Errorf("at most %d words: %d chunks at %g, %d below", most, len(chunks), level, last)
			}
			last = len(chunks)
		}
	}
}
