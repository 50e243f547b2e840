package shards

import (
	"cmp"
	"slices"
	"strings"

	"seam/shared/index"
)

// Query is a search request.
type Query struct {
	Text string
	K    int // number of pages; 0 means usualK
	// Typing means that the last word may be unfinished.
	Typing  bool
	Filters map[string][]string // for each name, pages must have one of the values
	// Newest orders the pages that have most of the words by date, newest first. Pages
	// without a date come last.
	Newest bool
	// Vector embeds a text in the same way as the chunks. It returns nil for a text that
	// the encoder cannot understand. If Vector is nil, only words count. See OpenMeaning.
	Vector func(text string) ([]float32, error)
	// Dense means that only meaning counts.
	Dense bool
}

// usualK is the number of pages that a search finds unless it asks for another.
const usualK = 10

// Found is the result of a search.
type Found struct {
	Hits  []Hit // best page first
	Count int   // number of pages with any of the words, or found by meaning
	// Unknown are words of the query that the site lacks, except those in Corrections.
	Unknown     []string
	Corrections []Correction
	// Together is the number of words, out of All, in the best chunk.
	Together, All int

	words []*wanted
}

// Correction is a word of the query that the site lacks, with the word used instead.
type Correction struct {
	Word  string `json:"word"`
	Taken string `json:"taken"`
}

// Hit is a page with its best chunks, best first.
type Hit struct {
	Page   int
	Chunks []int
	Score  float64
}

// Weights of words that replace a word of the query: another form, a word that begins with
// it, its likeliest correction, and other corrections. All except the last match package
// index.
const (
	ofStem   = .9
	ofPrefix = .6
	ofTypo   = .7
	ofOther  = .35
)

// ofSummary is the weight of a page summary's score, relative to the scores of the chunk
// and the page. It is small, because those already include title and headings.
const ofSummary = .4

// exactTitle is added for a page with exactly the query as its title. It exceeds any
// difference between chunks.
const exactTitle = 10

// ofTitle is added, times the share of common words, if a page's title contains all words
// of the query or the other way round. So for "vec", "Vec in std::vec" beats longer titles
// with that word, and "create index concurrently" finds "CREATE INDEX".
const ofTitle = 3

// ofHeading is added for a chunk in which a heading or a term has all words of the query as
// typed: it is more likely to define them than a chunk that refers to it. ofName is added in
// its place if the query is one name. On Python's docs 55 of 100 anchors are among the first
// five for keywords, without them 50, and no page is found later.
const (
	ofHeading = 2
	ofName    = 6
)

// mostChunks is the maximum number of chunks in a hit.
const mostChunks = 3

// wanted is a word of the query with the forms that match it.
type wanted struct {
	word     string
	forms    []weighted
	rareness [2]float64 // among chunks, among pages
}

type weighted struct {
	form   *form
	weight float64
}

// Search finds the pages that best answer a query. A chunk's score is the number of
// standard deviations above the mean for its own words, plus the same for its page's words.
// A page's score is that of its best chunk.
func (x *Index) Search(q Query) (*Found, error) {
	found := &Found{}
	if q.K <= 0 {
		q.K = usualK
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

// byWords scores the texts with words of the query.
func (x *Index) byWords(q Query, found *Found) (*scores, error) {
	if err := x.resolve(q, found); err != nil {
		return nil, err
	}
	s := newScores(x)
	for _, w := range found.words {
		s.add(w)
	}
	if len(found.words) == 1 {
		s.typed(found.words[0])
	}
	found.All = len(found.words)
	return s, nil
}

// resolve finds the forms that match the words of a query.
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
		if parts := lettersAndNumber(word); len(w.forms) == 0 && parts != nil {
			both, err := x.both(parts)
			if err != nil {
				return err
			}
			if both != nil {
				found.words = append(found.words, both...)
				continue
			}
		}
		if len(w.forms) == 0 && q.Typing && i == len(telling)-1 && !ends {
			if err := x.begins(w); err != nil {
				return err
			}
		}
		if len(w.forms) == 0 && !strings.ContainsAny(word, ".-@$<") {
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

// lettersAndNumber splits a word such as RFC9110 or TLS1.3, which texts may write as two.
// It returns nil for other words.
func lettersAndNumber(word string) []string {
	number := strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz")
	n := len(word) - len(number)
	if n < 2 || number == "" || strings.Trim(number, "0123456789.") != "" {
		return nil
	}
	return []string{word[:n], number}
}

// both returns the words with their forms, or nil if the site lacks one of them.
func (x *Index) both(words []string) (all []*wanted, err error) {
	for _, word := range words {
		w := &wanted{word: word}
		if err := x.exact(w); err != nil || len(w.forms) == 0 {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// fewWords is the maximum number of words in a query for its function words to count.
const fewWords = 3

// queryEnds reports whether the last word of a query is finished.
func queryEnds(s string) bool {
	return s == "" || strings.ContainsRune(" \t\n\".?!,;:)", rune(s[len(s)-1]))
}

// exact takes the forms with the same stem as the word. If the site lacks the word, it
// removes one of the site's endings and tries again.
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

// take adds the forms of a group. With several groups, the most common one determines the
// rarity of the word.
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

// group returns the group of a form, or nil if there is none.
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

// Limits for an unfinished word: its minimum length in letters, the number of files to
// search for words that begin with it, and the number of those words that count.
const (
	shortestPrefix = 2
	prefixFiles    = 2
	mostBegun      = 8
)

// begins takes the most frequent words that begin with the word, or do so without their
// marks.
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
	add := func(g *group, begin string) {
		for i := range g.forms {
			f := &g.forms[i]
			if strings.HasPrefix(f.word, begin) && !slices.ContainsFunc(all, func(b begun) bool { return b.f == f }) {
				all = append(all, begun{g, f, len(f.body) + 2*len(f.headings)})
			}
		}
	}
	from := x.fileOf(x.words, w.word)
	var folded []string
	for i := from; i < len(x.words) && i < from+prefixFiles; i++ {
		if i > from && !strings.HasPrefix(x.words[i].first, w.word) {
			break
		}
		l, err := x.lexicon(i)
		if err != nil {
			return err
		}
		for j := range l.groups {
			add(&l.groups[j], w.word)
		}
		for alias := range l.aliases {
			if strings.HasPrefix(alias, w.word) {
				folded = append(folded, alias)
			}
		}
	}
	slices.Sort(folded)
	for _, alias := range folded[:min(len(folded), mostFolded)] {
		g, err := x.group(alias)
		if err != nil {
			return err
		}
		if g != nil {
			add(g, "")
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

// mostFolded is the maximum number of spellings without marks that are followed to their
// words, which may be in other files.
const mostFolded = 8
