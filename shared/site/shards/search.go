package shards

import (
	"cmp"
	"slices"
	"strings"

	"seam/shared/index"
)

// Query is what is looked for.
type Query struct {
	Text string
	K    int // how many pages; 0: 10
	// Typing says that the last word may not be finished.
	Typing  bool
	Filters map[string][]string // pages with one of the values of each name
	// Newest asks for the newest pages first, of those that have most of the words; pages
	// without a date come last.
	Newest bool
	// Vector makes the vector of a text as the chunks' were made, nil of one of which the
	// encoder knows nothing; without it the query is answered by words alone. See OpenMeaning.
	Vector func(text string) ([]float32, error)
	// Dense says that nothing but meaning counts.
	Dense bool
}

// Found is what a search has found.
type Found struct {
	Hits  []Hit // best page first
	Count int   // pages that have any of the words, or are found by meaning
	// Unknown are words of the query that the site has not, without those of Corrections.
	Unknown     []string
	Corrections []Correction
	// Together is how many of the words the best chunk has, of All.
	Together, All int

	words []*wanted
}

// Correction is a word of the query that the site has not, and what was taken for it.
type Correction struct {
	Word  string `json:"word"`
	Taken string `json:"taken"`
}

// Hit is a page, with its chunks, best first.
type Hit struct {
	Page   int
	Chunks []int
	Score  float64
}

// Weights of what stands for a word of the query: another form of it, a word that begins
// with it, the likeliest word that it is a typing error of, and others of those. They are
// those of package index but for the last.
const (
	ofStem   = .9
	ofPrefix = .6
	ofTypo   = .7
	ofOther  = .35
)

// ofSummary is what the score of a page's summary weighs beside those of the chunk and of
// the page: a little, as title and headings are in these already.
const ofSummary = .4

// exactTitle is added for a page whose title is the query: more than any chunk is above others.
const exactTitle = 10

// ofTitle is added, times the share that they have in common, where all words of the query
// stand in a page's title, or all of the title's in the query: "Vec in std::vec" is more of "vec"
// than longer titles that have it, and "create index concurrently" asks for "CREATE INDEX".
const ofTitle = 3

// mostChunks are how many chunks of a page a hit has.
const mostChunks = 3

// wanted is a word of the query with all that stands for it.
type wanted struct {
	word     string
	forms    []weighted
	rareness [2]float64 // among chunks, among pages
}

type weighted struct {
	form   *form
	weight float64
}

// Search finds the pages that answer a query best: the score of a chunk is how many
// standard deviations it is above the mean by its own words, and as many by those of its
// page; that of a page is its best chunk's.
func (x *Index) Search(q Query) (*Found, error) {
	found := &Found{}
	if q.K <= 0 {
		q.K = 10
	}
	s, err := x.byWords(q, found)
	if err != nil {
		return nil, err
	}
	quotes := phrases(q.Text)
	keep := mostChunks
	if len(quotes) > 0 {
		keep = mostRead
	}
	n, err := x.meaningOf(q, s, found)
	if err != nil {
		return nil, err
	}
	x.rank(q, s, n, found, keep)
	if n != nil {
		for _, h := range found.Hits[:min(len(found.Hits), mostWeighed)] {
			if err := n.weigh(h.Chunks[0]); err != nil {
				return nil, err
			}
		}
		x.rank(q, s, n, found, keep)
	}
	if len(quotes) > 0 {
		if err := x.verify(found, quotes, q.K); err != nil {
			return nil, err
		}
	}
	found.Hits = found.Hits[:min(len(found.Hits), q.K)]
	return found, nil
}

// byWords scores what has the words of a query.
func (x *Index) byWords(q Query, found *Found) (*scores, error) {
	if err := x.resolve(q, found); err != nil {
		return nil, err
	}
	s := newScores(x)
	for _, w := range found.words {
		s.add(w)
	}
	found.All = len(found.words)
	return s, nil
}

// resolve finds what stands for the words of a query.
func (x *Index) resolve(q Query, found *Found) error {
	words := queryWords(q.Text)
	telling := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return x.little[w] })
	if len(telling) == 0 || len(telling) == 1 && len(words) <= fewWords {
		telling = words // "with statement", "to be or not to be"
	}
	ends := queryEnds(q.Text)
	for i, word := range telling {
		w := &wanted{word: word}
		if err := x.exact(w); err != nil {
			return err
		}
		if len(w.forms) == 0 && q.Typing && i == len(telling)-1 && !ends {
			if err := x.begins(w); err != nil {
				return err
			}
		}
		if len(w.forms) == 0 && !strings.Contains(word, ".") {
			taken, err := x.misspelt(w)
			switch {
			case err != nil:
				return err
			case taken == "":
				found.Unknown = append(found.Unknown, word)
			default:
				found.Corrections = append(found.Corrections, Correction{word, taken})
			}
		}
		if len(w.forms) > 0 {
			found.words = append(found.words, w)
		}
	}
	return nil
}

// fewWords are how many words a query may have for its function words to count.
const fewWords = 3

// queryEnds reports whether the last word of a query is finished.
func queryEnds(s string) bool {
	return s == "" || strings.ContainsRune(" \t\n\".?!,;:)", rune(s[len(s)-1]))
}

// exact takes the forms of the stem that the word has; of a form that the site has not, those
// of what is left without one of the site's endings.
func (x *Index) exact(w *wanted) error {
	g, err := x.group(w.word)
	if folded := index.Fold(w.word); err == nil && g == nil && folded != w.word {
		g, err = x.group(folded)
	}
	for _, e := range x.endings {
		stem, ok := strings.CutSuffix(w.word, e)
		if err != nil || g != nil {
			break
		}
		if ok && len(stem) >= shortestStem {
			g, err = x.group(stem)
		}
	}
	if err != nil || g == nil {
		return err
	}
	w.take(g, func(f *form) float64 {
		if f.word == w.word {
			return 1
		}
		return ofStem
	})
	return nil
}

// take adds the forms of a group. Of several groups the most common one says how rare the
// word is.
func (w *wanted) take(g *group, weight func(*form) float64) {
	rareness := [2]float64{g.chunkRarity, g.pageRarity}
	for i, r := range rareness {
		if len(w.forms) == 0 || r < w.rareness[i] {
			w.rareness[i] = r
		}
	}
	for i := range g.forms {
		if v := weight(&g.forms[i]); v > 0 {
			w.forms = append(w.forms, weighted{&g.forms[i], v})
		}
	}
}

// group returns the group that a form belongs to; nil where there is none.
func (x *Index) group(word string) (*group, error) {
	for range 2 {
		l, err := x.lexicon(x.fileOf(x.words, word))
		if err != nil {
			return nil, err
		}
		if n, ok := l.byForm[word]; ok {
			return &l.groups[n], nil
		}
		other, ok := l.aliases[word]
		if !ok {
			return nil, nil
		}
		word = other
	}
	return nil, nil
}

func (x *Index) fileOf(list []shard, word string) int {
	i, _ := slices.BinarySearchFunc(list, word, func(s shard, w string) int {
		if s.first <= w {
			return -1
		}
		return 1
	})
	return max(0, i-1)
}

// Of a word that is not finished: how many letters it must have, in how many files others
// that begin with it are looked for, and how many of them count.
const (
	shortestPrefix = 2
	prefixFiles    = 2
	mostBegun      = 8
)

// begins takes the most frequent words that begin with the word.
func (x *Index) begins(w *wanted) error {
	if len(w.word) < shortestPrefix {
		return nil
	}
	type begun struct {
		g     *group
		f     *form
		often int
	}
	var all []begun
	from := x.fileOf(x.words, w.word)
	for i := from; i < len(x.words) && i < from+prefixFiles; i++ {
		if i > from && !strings.HasPrefix(x.words[i].first, w.word) {
			break
		}
		l, err := x.lexicon(i)
		if err != nil {
			return err
		}
		for j := range l.groups {
			for k := range l.groups[j].forms {
				if f := &l.groups[j].forms[k]; strings.HasPrefix(f.word, w.word) {
					all = append(all, begun{&l.groups[j], f, len(f.body) + 2*len(f.headings)})
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b begun) int {
		return cmp.Or(b.often-a.often, strings.Compare(a.f.word, b.f.word))
	})
	for _, b := range all[:min(len(all), mostBegun)] {
		w.take(b.g, func(f *form) float64 {
			if f == b.f {
				return ofPrefix
			}
			return 0
		})
	}
	return nil
}
