package shards

import "math"

// scores holds the scores of all chunks and pages.
type scores struct {
	x       *Index
	chunk   tally
	page    tally
	summary tally // of pages
	titles  []int // number of the query's words in each page's title
	// heads is the number of the query's words, as typed, in the headings and terms that begin in a chunk.
	heads map[int]int
	// asTyped is added to chunks with the only word of a query exactly as typed.
	asTyped map[int]float64
}

// tally adds up the scores of texts.
type tally struct {
	score   []float64
	often   []float64 // occurrences of the current word
	words   []int     // number of the query's words in the text
	touched []int     // texts with a score, in the order they got it
	now     []int     // texts with the current word
}

func newTally(n int) tally {
	return tally{score: make([]float64, n), often: make([]float64, n), words: make([]int, n)}
}

func newScores(x *Index) *scores {
	return &scores{x: x, chunk: newTally(x.chunks()), page: newTally(x.pages()), summary: newTally(x.pages()), titles: make([]int, x.pages()), heads: map[int]int{}}
}

func (t *tally) count(i int, n float64) {
	if t.often[i] == 0 {
		t.now = append(t.now, i)
	}
	t.often[i] += n
}

// inOrder returns the texts with a score, in ascending order.
func (t *tally) inOrder() []int {
	out := make([]int, 0, len(t.touched))
	for i, n := range t.words {
		if n > 0 {
			out = append(out, i)
		}
	}
	return out
}

// settle converts the occurrences of a word to scores.
func (t *tally) settle(rarity float64, norm []float64) {
	for _, i := range t.now {
		if t.words[i] == 0 {
			t.touched = append(t.touched, i)
		}
		t.words[i]++
		n := t.often[i]
		t.score[i] += float64(rarity * (float64(n*(saturation+1)) / (n + norm[i])))
		t.often[i] = 0
	}
	t.now = t.now[:0]
}

// add counts a word of the query.
func (s *scores) add(w *wanted) {
	inTitle, inHead := map[int]bool{}, map[int32]bool{}
	for _, f := range w.forms {
		page := 0
		for _, p := range f.form.body {
			n := float64(f.weight * float64(p.n))
			s.chunk.count(int(p.chunk), n)
			page = s.x.pageFrom(page, int(p.chunk))
			s.page.count(page, n)
		}
		page = 0
		for _, p := range f.form.headings {
			for i := range p.n {
				s.chunk.count(int(p.chunk+i), f.weight)
			}
			page = s.x.pageFrom(page, int(p.chunk))
			s.page.count(page, f.weight)
			if f.weight == 1 && !p.title && !inHead[p.chunk] {
				inHead[p.chunk] = true
				s.heads[int(p.chunk)]++
			}
			if p.title && !inTitle[page] {
				inTitle[page] = true
				s.titles[page]++
			}
		}
		page = 0
		for _, p := range f.form.expanded {
			n := float64(f.weight * (float64(p.n) / finest))
			s.chunk.count(int(p.chunk), n)
			page = s.x.pageFrom(page, int(p.chunk))
			s.page.count(page, n)
		}
		for _, p := range f.form.summary {
			s.summary.count(int(p.chunk), float64(f.weight*float64(p.n)))
		}
	}
	s.summary.settle(w.rareness[1], s.x.summaryNorm)
	s.chunk.settle(w.rareness[0], s.x.chunkNorm)
	s.page.settle(w.rareness[1], s.x.pageNorm)
}

// ofTyped is added to a chunk with the only word of a query as typed, if at least half of
// the places of the word have other forms, otherwise in proportion. So a rare form finds its
// page, though other pages have its other forms often, and a usual form decides nothing.
const ofTyped = 9

// typed scores the chunks that have the only word of a query as it was typed.
func (s *scores) typed(w *wanted) {
	own, all := 0, 0
	var typed *form
	for _, f := range w.forms {
		n := len(f.form.body) + len(f.form.headings)
		if all += n; f.form.word == w.word {
			own, typed = n, f.form
		}
	}
	if typed == nil || own == all {
		return
	}
	s.asTyped = map[int]float64{}
	more := float64(ofTyped * min(1, 2-float64(2*own)/float64(all)))
	for _, p := range typed.body {
		s.asTyped[int(p.chunk)] = more
	}
	for _, p := range typed.headings {
		for i := range p.n {
			s.asTyped[int(p.chunk+i)] = more
		}
	}
}

// pageFrom returns the page of a chunk, searching from an earlier page.
func (x *Index) pageFrom(page, chunk int) int {
	for x.first[page+1] <= chunk {
		page++
	}
	return page
}

// standardised returns a function that converts a score to standard deviations above the
// mean of all texts.
func (t *tally) standardised() func(i int) float64 {
	n := float64(len(t.score))
	sum, squares := 0., 0.
	for _, i := range t.touched {
		sum += t.score[i]
		squares += float64(t.score[i] * t.score[i])
	}
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-float64(mean*mean)))
	if deviation == 0 {
		deviation = 1
	}
	return func(i int) float64 { return (t.score[i] - mean) / deviation }
}
