package index

import (
	"fmt"
	"math"
	"slices"

	"seam/shared/text"
	"seam/shared/vector"
)

// Mode chooses what a search looks at.
type Mode string

const (
	Hybrid  Mode = "hybrid"  // both, their scores added
	Dense   Mode = "dense"   // similarity of vectors
	Keyword Mode = "keyword" // words
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

// ofTitle is what a word of a section's title counts in its texts.
const ofTitle = 1.0

// Weights of what is added to the words of a text itself, whose weight is 1; each kind of
// score is divided by its standard deviation over the corpus. They were chosen by
// recall of five chunks of 800 characters on Chroma's questions, PubMedQA, QED and XQuAD,
// and by rank on 75 questions to Python's documentation, all of them looked at. On Chroma's
// questions recall moves by less than its error for ofPart and ofWhole from .5 to 1.5 and
// ofMeaning from .1 to .8; on PubMedQA more of ofPart finds more, up to 4 points.
const (
	ofPart      = .7  // the words of the part of the document around it
	ofWhole     = 1.0 // the words of the document
	ofProximity = .2  // words of the query that stand together
	ofMeaning   = .4  // similarity
)

// Query is what is searched for.
type Query struct {
	*Asked
	K    int // how many texts; all below 1 are none
	Mode Mode
	// Meaning is what vectors say for each text: by how many standard deviations it is more
	// similar to the query than texts are, times how much that is to be trusted. Nil: nothing
	// is known, and Hybrid is Keyword. In Dense it is the score.
	Meaning []float64
	// Near tells of a text whether its similarity alone makes it a hit.
	Near func(text int) bool
	// Allowed tells of a text whether it may be found; nil: all may.
	Allowed func(text int) bool
	// Texts returns a text, for what depends on the order of its words: without it words
	// that stand together are worth no more, phrases are not held, and nothing is marked.
	Texts func(text int) string
	// Sentences are those of a text, in its bytes, by ascending Start; nil: none are known.
	Sentences func(text int) []text.Span
}

// Part is a share of a score.
type Part struct {
	Name  PartName `json:"name"`
	Score float64  `json:"score"`
}

// PartName says what a share of a score is for.
type PartName string

const (
	OfWords     PartName = "words"     // of the query in the text and its titles
	OfSection   PartName = "section"   // in the part of the document around it
	OfDocument  PartName = "document"  // in the document
	OfProximity PartName = "proximity" // words that stand together
	OfMeaning   PartName = "meaning"   // similarity
)

// Hit is a text that was found.
type Hit struct {
	Text    int     // its number
	Score   float64 // higher is better; the sum of the Parts
	Parts   []Part
	Found   []string    // words of the query that it has
	Marks   []text.Span // where, in its bytes
	Passage text.Span   // its sentence with most of them; empty where that is not known
	found   []foundWord
}

// scores of one level.
type scores struct {
	level     *level
	of        []float64 // of each unit
	tf        []float64 // of the term at hand
	touched   []int32
	deviation float64
}

// newScores begins those of a level of a corpus of n texts; nil where its units are
// all texts, or all units are texts, so that it tells nothing.
func newScores(l *level, n int) *scores {
	if units := len(l.lengths); l.of == nil || units > 1 && units < n {
		return &scores{level: l, of: make([]float64, units), tf: make([]float64, units)}
	}
	return nil
}

func (s *scores) count(unit int32, n float64) {
	if s.tf[unit] == 0 {
		s.touched = append(s.touched, unit)
	}
	s.tf[unit] += n
}

// end adds what the term at hand is worth in each unit. It returns the weight of the term.
func (s *scores) end() float64 {
	n, df := float64(len(s.of)), float64(len(s.touched))
	// The form of the weight that is never negative (Lucene's).
	idf := vector.Ln(1 + (n-df+0.5)/(df+0.5))
	for _, unit := range s.touched {
		tf := s.tf[unit]
		norm := 1 - b + float64(b*float64(s.level.lengths[unit]))/s.level.average
		s.of[unit] += float64(idf*tf*(k1+1)) / (tf + float64(k1*norm))
		s.tf[unit] = 0
	}
	s.touched = s.touched[:0]
	return idf
}

// measure finds the standard deviation of the scores of all units, or half of their mean
// where they are more alike than that: small differences are not to count much.
func (s *scores) measure() {
	sum, squares := 0.0, 0.0
	for _, x := range s.of {
		sum += x
		squares += float64(x * x)
	}
	n := float64(len(s.of))
	mean := sum / n
	s.deviation = max(math.Sqrt(max(0, squares/n-float64(mean*mean))), mean/2)
}

// Search returns the best texts, best first; of equal ones the earlier comes first.
// Without Meaning Hybrid is Keyword.
func (c *Corpus) Search(q Query) []Hit {
	n := c.Len()
	if n == 0 || q.K < 1 {
		return nil
	}
	if q.Meaning == nil && q.Mode == Hybrid {
		q.Mode = Keyword
	}
	terms := slices.Clone(q.terms)
	levels := [3]*scores{newScores(&c.texts, n), newScores(&c.parts, n), newScores(&c.whole, n)}
	if q.Mode != Dense {
		c.count(terms, levels)
	}
	s := summer{levels: levels, q: q}
	s.begin()
	return c.best(&s, terms, q)
}

// Coverage is how well the words of a query cover the text that they cover best, 0 to 1: its
// score, by that of a text of usual length which has all of them as often as counts.
func (c *Corpus) Coverage(a *Asked) float64 {
	n := c.Len()
	if n == 0 || len(a.Words) == 0 {
		return 0
	}
	terms, texts := slices.Clone(a.terms), newScores(&c.texts, n)
	c.count(terms, [3]*scores{texts})
	most := float64(len(a.Words)-len(terms)) * vector.Ln(1+(float64(n)+0.5)/0.5) // words that no text has
	for _, t := range terms {
		most += t.idf
	}
	return min(1, slices.Max(texts.of)/float64(most*(k1+1)))
}

// count scores the units of all levels by the words of the query.
func (c *Corpus) count(terms []term, levels [3]*scores) {
	texts, parts, whole := levels[0], levels[1], levels[2]
	for i := range terms {
		for _, w := range terms[i].known {
			c.each(w.form, ofTitle, func(text int32, n float64) {
				n *= w.weight
				texts.count(text, n)
				if parts != nil {
					parts.count(c.parts.of[text], n)
				}
				if whole != nil {
					whole.count(c.whole.of[text], n)
				}
			})
		}
		for j, l := range levels {
			if l == nil {
				continue
			}
			if idf := l.end(); j == 0 {
				terms[i].idf = idf
			}
		}
	}
	for _, l := range levels {
		if l != nil {
			l.measure()
		}
	}
}
