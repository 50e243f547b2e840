package chunk

// How places within a topic are chosen: a part that is empty by the share x of
// the maximum costs emptyCost·x², a cut cutCost less for each unit of its place
// on the curve.
var (
	EmptyCost = 4.0
	CutWorth  = 0.5
	CutCost   = 0.0
)

// places returns the sentences before which a group is best cut so that each
// part is within the maximum or a single sentence: all cuts at once, by what
// they are worth on the curve and by how full they leave the parts.
func (b *builder) places(g group) []int {
	n := g.to - g.from
	limit := float64(b.limits.Max)
	cost, back := make([]float64, n+1), make([]int, n+1)
	for i := 1; i <= n; i++ {
		cost[i] = 1e18
		for j := i - 1; j >= 0; j-- {
			size := b.before[g.from+i] - b.before[g.from+j]
			if size > b.limits.Max && j < i-1 {
				break
			}
			empty := max(0, 1-float64(size)/limit)
			c := cost[j] + float64(EmptyCost*float64(empty*empty))
			if j > 0 {
				c += CutCost - float64(CutWorth*b.curve[g.from+j-1])
			}
			if c < cost[i] {
				cost[i], back[i] = c, j
			}
		}
	}
	var cuts []int
	for i := back[n]; i > 0; i = back[i] {
		cuts = append([]int{g.from + i}, cuts...)
	}
	return cuts
}
