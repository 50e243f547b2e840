package index

import (
	"container/heap"
	"slices"

	"seam/shared/text"
)

// summer puts the evidence for a text together.
type summer struct {
	levels  [3]*scores
	weights [3]float64 // of a level's scores, by their deviation
	q       Query
	meaning float64 // the weight of its Meaning
}

func (s *summer) begin(n int) {
	for i, weight := range [3]float64{1, ofPart, ofWhole} {
		if d := s.levels[i].deviation; d > 0 && (i == 0 || len(s.levels[i].of) > 1 && len(s.levels[i].of) < n) {
			s.weights[i] = weight / d
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

// parts returns the shares of a text's score; none where nothing speaks for it.
func (s *summer) parts(t int, to []Part) []Part {
	to = to[:0]
	names := [3]PartName{OfWords, OfSection, OfDocument}
	words := s.levels[0].of[t] > 0
	for i, l := range s.levels {
		unit := int32(t)
		if l.level.of != nil {
			unit = l.level.of[t]
		}
		if x := l.of[unit] * s.weights[i]; x > 0 && words {
			to = append(to, Part{names[i], x})
		}
	}
	if s.meaning > 0 && (words || s.q.Near(t)) {
		to = append(to, Part{OfMeaning, s.q.Meaning[t] * s.meaning})
	}
	return to
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

// before reports whether it is better than b.
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

// looked are the texts, beyond those asked for, that are looked at word by word.
const looked = 64

// best returns the best texts.
func (c *Collection) best(s *summer, terms []term, q Query) []Hit {
	top := c.top(s, q, max(q.K, looked))
	hits := make([]Hit, len(top))
	words := newFinder(c, terms)
	var buf [5]Part
	for i, x := range top {
		h := Hit{Text: x.text, Parts: slices.Clone(s.parts(x.text, buf[:0]))}
		if q.Texts != nil {
			h.found = words.find(q.Texts(x.text))
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
		hits[i].tell(terms, q)
	}
	return hits
}

// top returns the texts with the highest scores, in no order.
func (c *Collection) top(s *summer, q Query, size int) []candidate {
	var top worstFirst
	var buf [5]Part
	for t := range c.Len() {
		if q.Allowed != nil && !q.Allowed(t) {
			continue
		}
		parts := s.parts(t, buf[:0])
		if len(parts) == 0 {
			continue
		}
		x := candidate{t, sum(parts)}
		if len(top) == size && !x.before(top[0]) || len(q.phrases) > 0 && q.Texts != nil && !hasPhrases(q.Texts(t), q.phrases) {
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

// foundWord is a word of a text that stands for a term.
type foundWord struct {
	term int
	word int // which of the text's words it is
	at   text.Span
}

// tell says which words a hit has, where, and in which sentence most of them are.
func (h *Hit) tell(terms []term, q Query) {
	has := make([]bool, len(terms))
	for _, f := range h.found {
		has[f.term] = true
		if n := len(h.Marks); n > 0 && f.at.Start < h.Marks[n-1].End { // of pairs of characters
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

// finder finds the words of a query in texts: the number of its term, by form.
type finder map[string]int

func newFinder(c *Collection, terms []term) finder {
	f := finder{}
	for i, t := range terms {
		for _, w := range t.known {
			if _, ok := f[c.forms[w.form]]; !ok {
				f[c.forms[w.form]] = i
			}
		}
	}
	return f
}

// find returns the words of t that stand for a term, in their order.
func (f finder) find(t string) []foundWord {
	var all []foundWord
	var buf [longestWord + 8]byte
	word := 0
	eachWord(t, buf[:0], func(form []byte, at text.Span, _ bool) {
		word++
		if i, ok := f[string(form)]; ok {
			all = append(all, foundWord{i, word, at})
		}
	})
	return all
}

// farthest is how many words apart two words of a query are that stand together.
const farthest = 6

// nearness is the weight of pairs of words that follow each other in the query and
// stand near each other in a text.
func nearness(found []foundWord, terms []term) float64 {
	if len(terms) < 2 {
		return 0
	}
	last := make([]int, len(terms)) // where each term was found last, from 1
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
			if j > f.term { // the other way round
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

// Likeness is the share of the different words of two texts that both have.
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
