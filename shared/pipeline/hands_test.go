package pipeline

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"seam/shared/embed/lexical"
	"seam/shared/text"
)

// A join must be refused exactly where Unjoinable reports it, and never for the method's own
// maximum. It must keep every boundary that was made by hand elsewhere.
func TestJoinsByHand(t *testing.T) {
	var sb strings.Builder
	random := rand.New(rand.NewPCG(3, 4))
	for range 120 {
		sb.WriteString(strings.Repeat("Loom weaver ", 1+random.IntN(9)) + "ends. ")
		if random.IntN(6) == 0 {
			sb.WriteString("\n\n")
		}
	}
	for name, set := range map[string]Settings{
		"own": {Method: "recursive"}, "semantic": {}, "asked": {Method: "recursive", MaxTokens: 60}, "words": {MaxTokens: 50, Unit: "words"},
		"characters": {Method: "sentences", MaxTokens: 150, Unit: "chars"}, "overlap": {Method: "recursive", MaxTokens: 60, Overlap: 15},
		"headers": {Method: "recursive", MaxTokens: 60, Headers: true},
	} {
		set.Embedder = lexical.Name
		s := NewSession(text.NewPlain(sb.String()))
		p := plan(t, set)
		r := chunked(t, s, set)
		if asked := set.MaxTokens > 0; (r.Unjoinable() != nil) != asked {
			t.Errorf("%s: %v", name, r.Unjoinable())
		}
		var split []int // places that were split by hand
		refused, joined := 0, 0
		for range 60 {
			i := random.IntN(len(r.Chunks) - 1)
			if random.IntN(3) == 0 {
				c := r.Chunks[i]
				if at := strings.Index(r.Text.Text[c.Start+1:c.End], "Loom"); at > 0 {
					if next, err := s.Edit(context.Background(), p, Edit{Action: "split", At: c.Start + 1 + at}, Hooks{}); err == nil {
						split, r = append(split, c.Start+1+at), next
					}
				}
				continue
			}
			no := r.Unjoinable() != nil && r.Unjoinable()[i]
			at := r.Chunks[i+1].Start
			next, err := s.Edit(context.Background(), p, Edit{Action: "merge", At: r.Chunks[i].End}, Hooks{})
			if no != (err != nil) {
				t.Fatalf("%s: chunk %d of %d, %q: unjoinable %v, and joining gives %v", name, i, len(r.Chunks), r.Chunks[i].Of(r.Text.Text), no, err)
			}
			if err != nil {
				refused++
				continue
			}
			joined++
			starts := map[int]bool{}
			for _, c := range next.Chunks {
				starts[c.Start] = true
			}
			for _, place := range split {
				if place != at && set.Overlap == 0 && !starts[place] && place < len(r.Text.Text) && beginsIn(r, place) {
					t.Fatalf("%s: joining at %d takes back the split at %d", name, at, place)
				}
			}
			if len(next.Chunks) >= len(r.Chunks) {
				t.Fatalf("%s: %d chunks after joining two of %d", name, len(next.Chunks), len(r.Chunks))
			}
			r = next
			if len(r.Chunks) < 3 {
				break
			}
		}
		if joined == 0 || (refused > 0) != (set.MaxTokens > 0) {
			t.Errorf("%s: %d joins, %d refused", name, joined, refused)
		}
	}
}

// beginsIn reports whether a chunk begins at a place.
func beginsIn(r *Result, at int) bool {
	for _, c := range r.Chunks {
		if c.Start == at {
			return true
		}
	}
	return false
}
