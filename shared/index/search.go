package index

import (
	"fmt"
	"math"
	"slices"

	"seam/shared/text"
	"seam/shared/vector"
)

// Mode selects the evidence that a search uses.
type Mode string

const (
	Hybrid  Mode = "hybrid"  // both, with scores added
	Dense   Mode = "dense"   // similarity of vectors
	Keyword Mode = "keyword" // words
)

// ParseMode returns the mode with the given name, or Hybrid for an empty name.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Hybrid, nil
	case Hybrid, Dense, Keyword:
		return m, nil
	}
	return "", fmt.Errorf("unknown search mode %q: choose one of hybrid, dense, keyword", s)
}

// BM25's constants, as recommended by Robertson and Zaragoza (The Probabilistic Relevance
// Framework, 2009, §3.4: k1 1.2 to 2, b 0.5 to 0.8).
const (
	k1 = 1.2
	b  = 0.75
)

// ofTitle is the weight of a word in a section's title, counted in each of the section's
// texts.
const ofTitle = 1.0

// Weights of evidence other than a text's own words, which have weight 1. Each kind of
// score is divided by its standard deviation over the corpus.
//
// They were chosen by recall at five chunks of 800 characters on Chroma's questions,
// PubMedQA, QED and XQuAD, and by rank on 75 questions to Python's documentation. All of
// these were seen while tuning. On Chroma's questions recall moves by less than its error
// for ofPart and ofWhole from .5 to 1.5 and ofMeaning from .1 to .8. On PubMedQA a larger
// ofPart finds more, up to 4 points.
const (
	ofPart      = .7  // the words of the part of the document around it
	ofWhole     = 1.0 // the words of the document
	ofProximity = .2  // query words near each other
	ofMeaning   = .4  // similarity
)

// Query is a search request.
type Query struct {
	*Asked
	K    int // number of texts; below 1 there are none
	Mode Mode
	// Meaning holds, for each text, its similarity to the query: in standard deviations
	// above the average, times the trust in the embedder. If it is nil, Hybrid works like
	// Keyword. In Dense it is the score.
	Meaning []float64
	// Near reports whether a text's similarity alone makes it a hit.
	Near func(text int) bool
	// Allowed reports whether a text may be found. Nil allows all.
	Allowed func(text int) bool
	// Texts returns a text, for everything that depends on word order. Without it, nearness
	// adds nothing, phrases are not required, and nothing is marked.
	Texts func(text int) string
	// Ahead, if not nil, is called with texts before Texts is called for each of them, so
	// that they can be read together.
	Ahead func(texts []int)
	// Sentences returns the sentences of a text as byte spans, by ascending Start. It may
	// be nil.
	Sentences func(text int) []text.Span
}

// Part is a share of a score.
type Part struct {
	Name  PartName `json:"name"`
	Score float64  `json:"score"`
}

// PartName is the kind of evidence for a share of a score.
type PartName string

const (
	OfWords     PartName = "words"     // query words in the text and its titles
	OfSection   PartName = "section"   // in the part of the document around it
	OfDocument  PartName = "document"  // in the document
	OfProximity PartName = "proximity" // words near each other
	OfMeaning   PartName = "meaning"   // similarity
)

// Hit is a text that was found.
type Hit struct {
	Text    int     // number of the text
	Score   float64 // higher is better; the sum of the Parts
	Parts   []Part
	Found   []string    // words of the query in the text
	Marks   []text.Span // their places, in bytes of the text
	Passage text.Span   // the sentence with most of them; empty if unknown
	found   []foundWord
}

// scores holds the scores of one level.
type scores struct {
	level     *level
	of        []float64 // of each unit
	tf        []float64 // frequency of the current term in each unit
	touched   []int32
	deviation float64
}

// newScores returns empty scores for a level of a corpus of n texts. It returns nil if the
// level adds no information, because it has a single unit or one unit per text.
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

// end adds the worth of the current term to each unit. It returns the weight of the term.
func (s *scores) end() float64 {
	n, df := float64(len(s.of)), float64(len(s.touched))
	// Lucene's form of the weight, which is never negative.
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

// measure finds the standard deviation of the scores of all units. It uses at least half of
// their mean, so that small differences do not count much.
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

// Search returns the best texts, best first. Among equal texts the earlier comes first.
// Without Meaning, Hybrid works like Keyword.
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

// Coverage returns how well the words of a query cover the text they cover best, from 0 to
// 1. It divides that text's score by the score of a text of usual length with all words at
// their maximum weight.
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
