package eval

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"seam/shared/vector"
)

// Ranker is a plain BM25 for measurements only. With it, a difference between two ways to
// cut is not a difference between two searches, and figures stay comparable when the
// product's search (shared/index) changes.
type Ranker struct {
	postings map[string][]posting
	lengths  []int // terms of each text
	average  float64
}

type posting struct{ text, count int }

// NewRanker returns a Ranker of texts.
func NewRanker(texts []string) *Ranker {
	r := &Ranker{postings: map[string][]posting{}, lengths: make([]int, len(texts))}
	sum := 0
	for i, t := range texts {
		counts := map[string]int{}
		for _, w := range terms(t) {
			counts[w]++
			r.lengths[i]++
		}
		for w, c := range counts {
			r.postings[w] = append(r.postings[w], posting{i, c})
		}
		sum += r.lengths[i]
	}
	r.average = float64(sum) / float64(max(1, len(texts)))
	return r
}

// Top returns the indexes of the n best texts, or of all if there are fewer, best first.
// Among equal texts the earlier comes first. If fewer than n share a term with the query,
// the first of the others are added.
func (r *Ranker) Top(query string, n int) []int {
	scores := r.scores(query)
	best := slices.Collect(maps.Keys(scores))
	slices.SortFunc(best, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	best = best[:min(max(n, 0), len(best))]
	for i := 0; i < len(r.lengths) && len(best) < n; i++ {
		if _, ok := scores[i]; !ok { // best already has every text with a score
			best = append(best, i)
		}
	}
	return best
}

// scores computes BM25 with Lucene's weight, ln(1 + (n-df+½)/(df+½)), k1 1.2 and b ¾. It
// adds the query's distinct terms in byte order.
func (r *Ranker) scores(query string) map[int]float64 {
	k1, b := 1.2, 0.75 // variables, because constant expressions would round differently
	scores := map[int]float64{}
	asked := terms(query)
	slices.Sort(asked)
	for _, w := range slices.Compact(asked) {
		list := r.postings[w]
		df := float64(len(list))
		idf := vector.Ln(1 + (float64(len(r.lengths))-df+.5)/(df+.5))
		for _, p := range list {
			tf := float64(p.count)
			long := 1 - b + float64(b*float64(r.lengths[p.text]))/r.average
			scores[p.text] += float64(float64(idf*tf)*(k1+1)) / (tf + float64(k1*long))
		}
	}
	return scores
}

// terms returns the words of t: runs of letters, numbers and underscores, in lower case. It
// removes the first of the endings ing, ed, es, s that leaves four characters.
func terms(t string) []string {
	t = cases.Lower(language.Und).String(t)
	words := strings.FieldsFunc(t, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsNumber(c) })
	for i, w := range words {
		for _, ending := range []string{"ing", "ed", "es", "s"} {
			if stem, ok := strings.CutSuffix(w, ending); ok && utf8.RuneCountInString(stem) >= 4 {
				words[i] = stem
				break
			}
		}
	}
	return words
}
