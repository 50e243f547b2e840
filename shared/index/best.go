package index

import (
	"container/heap"
	"slices"

	"seam/shared/text"
)

// summer adds up the evidence for a text.
type summer struct {
	levels  [3]*scores
	weights [3]float64 // weights of the levels' scores, based on their deviation
	q       Query
	meaning float64 // weight of the query's Meaning
}

func (s *summer) begin() {
	for i, weight := range [3]float64{1, ofPart, ofWhole} {
		if l := s.levels[i]; l != nil && l.deviation > 0 {
			s.weights[i] = weight / l.deviation
		}
	}
	switch {
	case s.q.Meaning == nil || s.q.Mode == Keyword:
	case s.q.Mode == Dense:
		s.meaning = 1
	default:
		s.meaning = ofMeaning
	}
}

// share returns one level's share of a text's score.
func (s *summer) share(level, t int) float64 {
	l := s.levels[level]
	if s.weights[level] == 0 {
		return 0
	}
	if l.level.of != nil {
		t = int(l.level.of[t])
	}
	return l.of[t] * s.weights[level]
}

// score returns the sum of a text's parts, and false if nothing speaks for the text.
func (s *summer) score(t int) (float64, bool) {
	words := s.levels[0].of[t] > 0
	meaning := s.meaning > 0 && (words || s.q.Near(t))
	total := 0.0
	if words {
		total = s.share(0, t) + s.share(1, t) + s.share(2, t)
	}
	if meaning {
		total += float64(s.q.Meaning[t] * s.meaning)
	}
	return total, words || meaning
}

// parts returns the shares of a text's score.
func (s *summer) parts(t int) (parts []Part) {
	if s.levels[0].of[t] > 0 {
		for i, name := range [3]PartName{OfWords, OfSection, OfDocument} {
			if x := s.share(i, t); x > 0 {
				parts = append(parts, Part{name, x})
			}
		}
	}
	if s.meaning > 0 {
		parts = append(parts, Part{OfMeaning, float64(s.q.Meaning[t] * s.meaning)})
	}
	return parts
}

func sum(parts []Part) float64 {
	s := 0.0
	for _, p := range parts {
		s += p.Score
	}
	return s
}

// candidate is a text that may be among the best.
type candidate struct {
	text  int
	score float64
}

// before reports whether a is better than b.
func (a candidate) before(b candidate) bool {
	return a.score > b.score || a.score == b.score && a.text < b.text
}

// worstFirst is a heap of candidates.
type worstFirst []candidate

func (h worstFirst) Len() int           { return len(h) }
func (h worstFirst) Less(i, j int) bool { return h[j].before(h[i]) }
func (h worstFirst) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *worstFirst) Push(x any)        { *h = append(*h, x.(candidate)) }
func (h *worstFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// looked is the number of texts that are examined word by word, if fewer are asked for.
const looked = 64

// best returns the best texts.
func (c *Corpus) best(s *summer, terms []term, q Query) []Hit {
	top := c.top(s, q, max(q.K, looked))
	hits := make([]Hit, len(top))
	words := newFinder(c, terms)
	if q.Ahead != nil {
		texts := make([]int, len(top))
		for i, x := range top {
			texts[i] = x.text
		}
		q.Ahead(texts)
	}
	for i, x := range top {
		h := Hit{Text: x.text, Parts: s.parts(x.text)}
		if q.Texts != nil {
			h.found = words.find(x.text, q.Texts(x.text))
			if near := ofProximity * s.weights[0] * nearness(h.found, terms); near > 0 {
				h.Parts = append(h.Parts, Part{OfProximity, near})
			}
		}
		h.Score = sum(h.Parts)
		hits[i] = h
	}
	order(hits, func(a, b *Hit) bool { return a.Score > b.Score || a.Score == b.Score && a.Text < b.Text })
	hits = hits[:min(q.K, len(hits))]
	for i := range hits {
		hits[i].raise()
		hits[i].setMarks(terms, q)
	}
	return hits
}

// raise gives a hit with a negative score, whose similarity is far below the average, a score of
// 0. The order of the hits stays.
func (h *Hit) raise() {
	if h.Score >= 0 {
		return
	}
	for i := range h.Parts {
		if h.Parts[i].Name == OfMeaning {
			h.Parts[i].Score -= h.Score
		}
	}
	h.Score = 0
}

// top returns the texts with the highest scores, in no particular order.
func (c *Corpus) top(s *summer, q Query, size int) []candidate {
	var top worstFirst
	var phrased []int
	inside := 0
	if q.Texts != nil && len(q.phrases) > 0 {
		phrased, inside = c.withPhrases(q.phrases)
	}
	for t := range c.Len() {
		score, ok := s.score(t)
		x := candidate{t, score}
		if !ok || phrased != nil && phrased[t] < inside || len(top) == size && !x.before(top[0]) || q.Allowed != nil && !q.Allowed(t) {
			continue
		}
		if phrased != nil && !hasPhrases(q.Texts(t), q.phrases) {
			continue
		}
		if len(top) < size {
			heap.Push(&top, x)
			continue
		}
		top[0] = x
		heap.Fix(&top, 0)
	}
	return top
}

// foundWord is a word of a text that matches a term.
type foundWord struct {
	term int
	word int // number of the word within the text
	at   text.Span
}

// setMarks sets the words that a hit has, their places, and the sentence with most of them.
func (h *Hit) setMarks(terms []term, q Query) {
	has := make([]bool, len(terms))
	for _, f := range h.found {
		has[f.term] = true
		if n := len(h.Marks); n > 0 && f.at.Start < h.Marks[n-1].End { // pairs of characters overlap
			h.Marks[n-1].End = max(h.Marks[n-1].End, f.at.End)
			continue
		}
		h.Marks = append(h.Marks, f.at)
	}
	for i, t := range terms {
		if has[i] {
			h.Found = append(h.Found, t.word)
		}
	}
	if q.Sentences == nil || len(h.found) == 0 {
		return
	}
	best, rest := 0.0, h.found
	for _, s := range q.Sentences(h.Text) {
		clear(has)
		worth, n := 0.0, 0
		for n < len(rest) && rest[n].at.Start < s.End {
			if f := rest[n]; !has[f.term] && f.at.Start >= s.Start {
				has[f.term] = true
				worth += terms[f.term].idf
			}
			n++
		}
		worth += nearness(rest[:n], terms)
		if rest = rest[n:]; worth > best {
			best, h.Passage = worth, s
		}
	}
}

// farthest is the maximum distance, in words, between two words that count as near each
// other.
const farthest = 6

// nearness returns the weight of pairs of words that are consecutive in the query and near
// each other in a text.
func nearness(found []foundWord, terms []term) float64 {
	if len(terms) < 2 {
		return 0
	}
	last := make([]int, len(terms)) // last place of each term, from 1
	best := make([]float64, len(terms))
	for _, f := range found {
		last[f.term] = f.word
		for _, j := range [2]int{f.term - 1, f.term + 1} {
			if j < 0 || j >= len(terms) || last[j] == 0 {
				continue
			}
			gap := f.word - last[j]
			if gap < 1 || gap > farthest {
				continue
			}
			near := 1 / float64(gap)
			if j > f.term { // in reverse order
				near /= 2
			}
			pair := min(f.term, j)
			best[pair] = max(best[pair], near)
		}
	}
	s := 0.0
	for i, x := range best {
		if x > 0 {
			s += float64(x * min(terms[i].idf, terms[i+1].idf))
		}
	}
	return s
}

// withPhrases counts, for each text, how many words of the phrases it has, and returns
// their total number. Texts that lack a word need not be read.
func (c *Corpus) withPhrases(phrases [][][]string) (of []int, all int) {
	of = make([]int, c.Len())
	for _, phrase := range phrases {
		for _, forms := range phrase {
			all++
			for _, form := range forms {
				f, ok := c.formAt(form)
				if !ok {
					continue
				}
				c.each(f, 0, func(text int32, n float64) {
					if of[text] == all-1 && n > 0 {
						of[text] = all
					}
				})
			}
		}
	}
	return of, all
}

// hasPhrases reports whether t has all phrases.
func hasPhrases(t string, phrases [][][]string) bool {
	var words []string
	var buf [longestWord + 8]byte
	eachWord(t, buf[:0], func(form []byte, _ text.Span, single bool) {
		if !single {
			words = append(words, string(form))
		}
	})
	for _, phrase := range phrases {
		found := false
		for i := 0; i+len(phrase) <= len(words) && !found; i++ {
			found = true
			for j, forms := range phrase {
				if found = slices.Contains(forms, words[i+j]); !found {
					break
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// Likeness returns the share of the distinct words of two texts that occur in both.
func Likeness(a, b string) float64 {
	forms := map[string]bool{}
	eachWord(a, nil, func(form []byte, _ text.Span, _ bool) { forms[string(form)] = false })
	both, all := 0, len(forms)
	eachWord(b, nil, func(form []byte, _ text.Span, _ bool) {
		seen, ok := forms[string(form)]
		switch {
		case !ok:
			all++
		case !seen:
			both++
		}
		forms[string(form)] = true
	})
	return float64(both) / float64(max(1, all))
}
