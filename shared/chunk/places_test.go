package chunk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/topic"
)

// Of all ways to divide a topic that is too long, the one with the lowest cost is taken,
// or one with fewer cuts, at the strongest boundaries within the topic. So no cut can be
// exchanged for a stronger one without a cut inside a paragraph or parts of less even
// length. The test compares with all divisions of short topics.
func TestTopicsAreDividedAtTheBestPlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	better, fewer := 0, 0
	for run := range 400 {
		n, most := 3+random.IntN(9), 12+random.IntN(20)
		var sb strings.Builder
		found := &topic.Topics{}
		layout := make([]topic.Gap, n-1)
		for i := range n {
			fmt.Fprintf(&sb, "Sentence%s. ", strings.Repeat(" word", random.IntN(12)))
			if i == n-1 {
				break
			}
			low := -6.0
			if run%2 == 1 {
				low = -3
			}
			found.Curve = append(found.Curve, low+float64(random.IntN(12))/4)
			layout[i].Within, layout[i].Inside = random.IntN(2) == 0, random.IntN(8) == 0
		}
		in := Input{View: text.NewPlain(strings.TrimSpace(sb.String())).View(text.Reading)}
		in.Sentences = sentence.Split(in.View.Text)
		if len(in.Sentences) != n {
			t.Fatalf("%d sentences of %d", len(in.Sentences), n)
		}
		sizes := make([]int, n)
		for i, s := range in.Sentences {
			sizes[i] = token.Words.Count(s.Of(in.View.Text))
		}
		a := newTopics(in, found, layout)
		chunks, err := a.Chunk(Boundaries{}, Limits{Max: most, Counter: token.Words})
		if err != nil {
			t.Fatal(err)
		}
		var cuts []int
		for _, c := range chunks[:len(chunks)-1] {
			cuts = append(cuts, slices.IndexFunc(in.Sentences, func(s text.Span) bool { return s.Start > c.End }))
		}
		if len(cuts) == 0 {
			continue
		}
		best, lowest := []int(nil), 0.0
		for set := range 1 << (n - 1) {
			var other []int
			for i := range n - 1 {
				if set>>i&1 == 1 {
					other = append(other, i+1)
				}
			}
			if c, ok := costOf(sizes, other, most, found.Curve, layout); ok && (best == nil || c < lowest) {
				best, lowest = other, c
			}
		}
		cost, ok := costOf(sizes, cuts, most, found.Curve, layout)
		switch {
		case !ok:
			t.Errorf("run %d: a part of %v is longer than %d: cut before %v", run, sizes, most, cuts)
		case len(cuts) < len(best) && run%2 == 1:
			fewer++
			strongest := slices.Max(found.Curve)
			for i, v := range found.Curve {
				if v == strongest && !slices.Contains(cuts, i+1) {
					t.Errorf("run %d: %v is cut before %v, not at the strongest boundary %d", run, found.Curve, cuts, i+1)
				}
			}
		case cost > lowest+1e-9:
			t.Errorf("run %d: cut before %v at a cost of %g, and before %v it is %g", run, cuts, cost, best, lowest)
		default:
			better++
		}
	}
	if better < 100 || fewer == 0 {
		t.Errorf("%d divisions of the lowest cost, %d with fewer cuts: the test has too few of one kind", better, fewer)
	}
}

// costOf returns the cost of cutting before the given sentences, as the constants of
// places.go define it. It returns false if a part is too long and has several sentences.
func costOf(sizes, cuts []int, most int, curve []float64, layout []topic.Gap) (cost float64, ok bool) {
	from := 0
	for _, to := range append(slices.Clone(cuts), len(sizes)) {
		size := 0
		for _, n := range sizes[from:to] {
			size += n
		}
		if size > most && to-from > 1 {
			return 0, false
		}
		empty := max(0, 1-float64(size)/float64(most))
		cost += 1 + empty*empty
		if to < len(sizes) {
			cost -= .15 * curve[to-1]
			switch gap := layout[to-1]; {
			case gap.Inside:
				cost += 50
			case gap.Within:
				cost += 4
			}
		}
		from = to
	}
	return cost, true
}
