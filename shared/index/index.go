// Package index finds texts: by the words they share with a query (BM25), by
// the similarity of vectors, or by both.
package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seam/shared/embed/lexical"
	"seam/shared/token"
	"seam/shared/vector"
)

// Mode chooses what a search looks at.
type Mode string

const (
	Hybrid  Mode = "hybrid"  // both, fused by reciprocal rank
	Dense   Mode = "dense"   // cosine similarity of vectors
	Keyword Mode = "keyword" // BM25
)

// ParseMode returns the mode of that name, Hybrid for an empty one.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Hybrid, nil
	case Hybrid, Dense, Keyword:
		return m, nil
	}
	return "", fmt.Errorf("unknown search mode %q: choose one of hybrid, dense, keyword", s)
}

// BM25's constants as Robertson and Zaragoza recommend (The Probabilistic
// Relevance Framework, 2009, §3.4: k1 1.2 to 2, b 0.5 to 0.8).
const (
	k1 = 1.2
	b  = 0.75
)

// rrf is the constant of reciprocal rank fusion (Cormack et al. 2009).
const rrf = 60

// Index is a collection of texts that can be searched.
type Index struct {
	postings map[string][]posting
	lengths  []int // words of each text
	average  float64
	vectors  vector.Matrix // one row a text; no rows where there are none
	floor    float64       // see SetFloor
}

type posting struct{ text, n int }

// New indexes texts. vectors has one row for each text, or no rows: then a
// search can only be by keyword. An error of progress ends the work.
func New(texts []string, vectors vector.Matrix, progress func(done, total int) error) (*Index, error) {
	if vectors.Rows != 0 && vectors.Rows != len(texts) {
		return nil, fmt.Errorf("%d vectors for %d texts", vectors.Rows, len(texts))
	}
	x := &Index{postings: map[string][]posting{}, lengths: make([]int, len(texts)), vectors: vectors}
	total := 0
	for i, t := range texts {
		if err := progress(i, len(texts)); err != nil {
			return nil, err
		}
		for w := range token.EachWord(t) {
			x.lengths[i]++
			term := lexical.Term(w.Of(t))
			list := x.postings[term]
			if n := len(list); n > 0 && list[n-1].text == i {
				list[n-1].n++
				continue
			}
			x.postings[term] = append(list, posting{i, 1})
		}
		total += x.lengths[i]
	}
	if len(texts) > 0 {
		x.average = float64(total) / float64(len(texts))
	}
	return x, nil
}

// SetFloor tells up to which similarity the embedder's vectors say nothing: texts
// that are not nearer to a query are no hits of Dense. 0, the default, is for
// vectors that are orthogonal where texts have nothing in common.
func (x *Index) SetFloor(similarity float64) { x.floor = similarity }

// Hit is a text that was found.
type Hit struct {
	Text  int     // its index
	Score float64 // higher is better: BM25 (from 0), cosine (-1 to 1) or, for Hybrid, 1 for the best in both
	Why   string  // for people: the words and the similarity that speak for it
}

// Search returns the k best texts, best first; of equal ones the earlier text
// comes first. vec is the query's vector for Dense and Hybrid; without it, or
// without vectors in the index, Hybrid searches by keyword.
func (x *Index) Search(query string, vec []float32, k int, mode Mode) []Hit {
	var words, near []vector.Hit
	terms := terms(query)
	if mode != Dense {
		words = vector.Best(x.keyword(terms), len(x.lengths))
	}
	if mode != Keyword && x.vectors.Rows > 0 {
		for _, h := range vector.TopK(x.vectors, vec, x.vectors.Rows) {
			if h.Score > x.floor { // a text that shares nothing with the query is no hit
				near = append(near, h)
			}
		}
	}
	best := words
	switch {
	case mode == Dense:
		best = near
	case len(near) > 0 && mode == Hybrid:
		best = fuse(words, near)
	}
	similarity := map[int]float64{}
	for _, h := range near {
		similarity[h.Row] = h.Score
	}
	hits := make([]Hit, 0, min(k, len(best)))
	for _, h := range best[:min(k, len(best))] {
		hits = append(hits, Hit{h.Row, h.Score, x.why(h.Row, terms, similarity)})
	}
	return hits
}

// keyword scores the texts that hold at least one of the terms.
func (x *Index) keyword(terms []term) []vector.Hit {
	scores := map[int]float64{}
	n := float64(len(x.lengths))
	for _, term := range terms {
		list := x.postings[term.form]
		df := float64(len(list))
		// The form of the weight that is never negative (Lucene's).
		idf := vector.Ln(1 + (n-df+0.5)/(df+0.5))
		for _, p := range list {
			tf := float64(p.n)
			norm := 1 - b + float64(b*float64(x.lengths[p.text]))/x.average
			scores[p.text] += float64(idf*tf*(k1+1)) / (tf + float64(k1*norm))
		}
	}
	hits := make([]vector.Hit, 0, len(scores))
	for t, s := range scores {
		hits = append(hits, vector.Hit{Row: t, Score: s})
	}
	slices.SortFunc(hits, func(a, b vector.Hit) int { return cmp.Compare(a.Row, b.Row) })
	return hits
}

// fuse adds 1/(rrf+rank) over both lists and scales the sum so that the first
// of both scores 1.
func fuse(lists ...[]vector.Hit) []vector.Hit {
	sums := map[int]float64{}
	for _, list := range lists {
		for rank, h := range list {
			sums[h.Row] += 1 / float64(rrf+rank+1)
		}
	}
	hits := make([]vector.Hit, 0, len(sums))
	for t, s := range sums {
		hits = append(hits, vector.Hit{Row: t, Score: s * (rrf + 1) / float64(len(lists))})
	}
	return vector.Best(hits, len(hits))
}

func (x *Index) why(t int, terms []term, similarity map[int]float64) string {
	var parts, found []string
	for _, term := range terms {
		if slices.ContainsFunc(x.postings[term.form], func(p posting) bool { return p.text == t }) {
			found = append(found, term.word)
		}
	}
	if len(found) > 0 {
		parts = append(parts, "words: "+strings.Join(found, ", "))
	}
	if s, ok := similarity[t]; ok {
		parts = append(parts, fmt.Sprintf("similarity %.2f", s))
	}
	return strings.Join(parts, "; ")
}
