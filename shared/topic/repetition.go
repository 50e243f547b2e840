package topic

import "seam/shared/vector"

// repetition holds the terms for computing L.
type repetition struct {
	*terms
	weight float64
	gain   [][]float64 // [w][c] is the value of w after c others: ln(1 + c/α)
	cost   []float64   // [m] is the second sum for m words
}

func newRepetition(t *terms, weight float64) *repetition {
	return &repetition{t, weight, gains(t), costs(t, longest)}
}

// band adds the weighted L to the segments of e. The contribution of a sentence to the
// first sum of L depends on how often each of its words occurs before it in the segment.
// That number changes only where the word occurs. So band visits only the earlier
// occurrences of each word, not all segments.
func (t *repetition) band(e band) {
	n := len(t.from) - 1
	repeated := make([]float64, n)        // [a] is the first sum of L(a,b)
	jump := make([]float64, n)            // [a] is how much more b adds to repeated[a] than to repeated[a+1]
	here := make([]int32, len(t.count))   // number of earlier occurrences of a word in b
	head := make([]int32, len(t.count))   // its last place before b, plus 1
	older := make([]int32, len(t.ids))    // the place before that one, plus 1
	sentence := make([]int32, len(t.ids)) // sentence of each place
	for b := range n {
		row := e.at(b)
		first := int32(b - len(row) + 1)
		for _, w := range t.of(b) {
			g := t.gain[w]
			c := here[w]
			jump[b] += g[c]
			for p := head[w]; p > 0 && sentence[p-1] >= first; p = older[p-1] {
				jump[sentence[p-1]] += g[c+1] - g[c]
				c++
			}
			here[w]++
		}
		for at := t.from[b]; at < t.from[b+1]; at++ {
			w := t.ids[at]
			here[w], sentence[at] = 0, int32(b)
			older[at], head[w] = head[w], at+1
		}
		more, words := 0.0, int32(0)
		for l := range row {
			a := b - l
			more += jump[a]
			jump[a] = 0
			repeated[a] += more
			words += t.from[a+1] - t.from[a]
			row[l] = float32(t.weight * (repeated[a] - t.cost[words]))
		}
	}
}

// tally counts the words of a growing segment.
type tally struct {
	*repetition
	seen  []int32
	words []int32 // distinct words of the segment, in order of appearance
	sum   float64 // the first sum of L
}

func (t *repetition) tally() *tally { return &tally{repetition: t, seen: make([]int32, len(t.count))} }

// add adds the sentences from..to-1.
func (c *tally) add(from, to int) {
	more := c.ids[c.from[from]:c.from[to]]
	for _, w := range more {
		c.sum += c.gain[w][c.seen[w]]
		c.seen[w]++
	}
	c.words = append(c.words, more...)
}

// worth returns the weighted L of the segment, which must have at most longest sentences.
func (c *tally) worth() float64 { return c.weight * (c.sum - c.cost[len(c.words)]) }

func (c *tally) clear() {
	for _, w := range c.words {
		c.seen[w] = 0
	}
	c.words, c.sum = c.words[:0], 0
}

// gains returns, for each word, the value of an occurrence after c others.
func gains(t *terms) [][]float64 {
	all := make([]float64, len(t.ids))
	out := make([][]float64, len(t.count))
	for w, count := range t.count {
		alpha := 1 + float64(background*float64(count))/float64(len(t.ids))
		out[w], all = all[:count:count], all[count:]
		for c := 1; c < int(count); c++ {
			out[w][c] = vector.Ln(1 + float64(c)/alpha)
		}
	}
	return out
}

// costs returns the expected value of repetitions for each number of words in a segment of
// at most width sentences.
func costs(t *terms, width int) []float64 {
	n := len(t.from) - 1
	most := int32(0)
	for i := range n {
		most = max(most, t.from[min(i+width, n)]-t.from[i])
	}
	a := max(types(t), fewestTypes) + background
	out := make([]float64, most+1)
	for j := range most {
		out[j+1] = out[j] + vector.Ln(1+float64(j)/a)
	}
	return out
}

// types returns the number of distinct words. For a long text it is the mean over blocks of
// about block sentences.
func types(t *terms) float64 {
	n := len(t.from) - 1
	blocks := max(1, (n+block/2)/block)
	last := make([]int, len(t.count)) // the last block that contained a word, plus 1
	different := 0
	for k := range blocks {
		for _, w := range t.ids[t.from[k*n/blocks]:t.from[(k+1)*n/blocks]] {
			if last[w] != k+1 {
				last[w] = k + 1
				different++
			}
		}
	}
	return float64(different) / float64(blocks)
}
