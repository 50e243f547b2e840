package chunk

import (
	"slices"

	"seam/shared/topic"
)

// These weights decide how a topic is divided. A part costs partCost, and x² if it leaves
// the share x of the maximum empty. The value of a cut reduces the cost. The result is few
// parts of similar length that end with paragraphs; among such places, changes of topic
// decide. The weights were chosen by recall and IoU on nine collections at mean sizes of
// 290, 600 and 1,300 characters; see shared/README.md.
const (
	partCost       = 1.0
	curveWorth     = 0.15 // value of a cut, for each unit on the curve
	paragraphWorth = 4.0  // value of a cut between paragraphs, compared with one inside
	insideCost     = 50.0 // cost of a cut inside a list, a table or code
)

// parts returns the sentences before which a topic that is too long is cut. These are the
// places, or the cuts of its own topics at the next finer granularity if there are more of
// them. So a coarser granularity never has more cuts. Among gaps of one kind that leave
// parts of the same length, the cuts are at the strongest boundaries.
func (b *builder) parts(g group) []int {
	if b.whole(g) {
		return nil
	}
	cuts := b.places(g)
	strongest := slices.Max(b.curve[g.from : g.to-1])
	if strongest < topic.Level(topic.Finest)-1e-9 {
		return cuts
	}
	var finer []int
	from := g.from
	for i := g.from; i < g.to; i++ {
		if i < g.to-1 && b.curve[i] < strongest {
			continue
		}
		finer = append(finer, b.parts(group{from: from, to: i + 1})...)
		if i < g.to-1 {
			finer = append(finer, i+1)
		}
		if from = i + 1; len(finer) >= len(cuts) {
			return cuts
		}
	}
	return finer
}

// places returns the sentences before which a group is best cut so that each part is within
// the maximum or a single sentence. It chooses all cuts at once, by their value and by how
// full they leave the parts.
func (b *builder) places(g group) []int {
	n := g.to - g.from
	cost, back := make([]float64, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		for j := i - 1; j >= 0; j-- {
			size := b.before[g.from+i] - b.before[g.from+j]
			if size > b.limits.Max && j < i-1 {
				break
			}
			empty := max(0, 1-float64(size)/float64(b.limits.Max))
			c := cost[j] + partCost + float64(empty*empty)
			if j > 0 {
				c -= b.inner[g.from+j-1]
			}
			if j == i-1 || c < cost[i] {
				cost[i], back[i] = c, j
			}
		}
	}
	var cuts []int
	for i := back[n]; i > 0; i = back[i] {
		cuts = append(cuts, g.from+i)
	}
	slices.Reverse(cuts)
	return cuts
}
