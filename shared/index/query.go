package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/language"
	"seam/shared/text"
)

// Correction is a word of a query that no text has, and one that was taken for it.
type Correction struct {
	Word  string `json:"word"`
	Taken string `json:"taken"`
}

// term is a word that a query asks for, and what of the corpus stands for it.
type term struct {
	word  string // as it was typed, in lower case
	known []weighted
	idf   float64
}

// weighted is a form of the corpus that stands for a term: 1 is the term itself.
type weighted struct {
	form   int32
	weight float64
}

// Asked is a query as a corpus understands it.
type Asked struct {
	// Words are those that say what is looked for, as they are counted: the others when
	// there are no such.
	Words []string
	// Corrected is the query with what was taken for misspelt words in their place.
	Corrected string
	// Unknown are words that no text has, nor anything like them, but by Related.
	Unknown     []string
	Corrections []Correction

	terms   []term
	phrases [][][]string // for each word of them its forms
}

// Related is a word of a corpus that means nearly what another does.
type Related struct {
	Form   int     // index in Forms
	Weight float64 // 1 at most
}

// weights of what stands for a word.
const (
	ofStem     = .9 // another form of it
	ofRelated  = .5 // a word that means nearly the same, by its weight
	ofCompound = .5 // a word that is made of it and others
	ofPrefix   = .6 // a word that begins with it
	ofTypo     = .7 // a word that was meant, if it was misspelt
)

// functionWords are English words that say nothing of what is looked for. For
// other languages there are language.Little.
var functionWords = strings.Fields(`a about after all also am an and any are as at be because been before being but by can could did do does
	doing for from had has have having he her here hers him his how i if in into is it its just like me more most my no nor not of on
	one only or other our out over own same she should so some such than that the their them then there these they this those through
	to too under until up us very was we were what when where which while who whom whose why will with would you your`)

// little returns the words that say nothing in a query of these words: those of the
// language that has most of them, among those of the corpus and English.
func little(words []askedWord, languages []string) map[string]bool {
	var best map[string]bool
	most := 0
	for _, l := range append(slices.Clone(languages), "en") {
		list := language.Little(l)
		if l == "en" {
			list = functionWords
		}
		set := make(map[string]bool, len(list))
		for _, w := range list {
			set[w] = true
		}
		n := 0
		for _, w := range words {
			if set[w.form] {
				n++
			}
		}
		if n > most {
			best, most = set, n
		}
	}
	return best
}

// Of a query that is very long: how many of its words count, for how many that no text
// has another is looked for, how many phrases and how many words of each are held.
const (
	mostWords   = 200
	mostMended  = 16
	mostPhrases = 8
	mostInside  = 32
)

// Parse finds what a query asks for. related returns words that mean nearly what one does
// that no text has; nil: none are known.
func (c *Corpus) Parse(query string, related func(word string) []Related) *Asked {
	a := &Asked{Corrected: query, phrases: c.phrasesOf(query)}
	telling := c.telling(query)
	var unknown unknownWords
	missing := 0
	for i, w := range telling {
		a.Words = append(a.Words, w.typed)
		known := c.compounds(w.form, c.exact(w.form))
		if len(known) == 0 {
			missing++
		}
		mend := len(known) == 0 && missing <= mostMended
		if mend && !w.pair {
			if known = c.near(w.form, i == len(telling)-1); len(known) > 0 {
				a.Corrections = append(a.Corrections, Correction{w.typed, c.forms[known[0].form]})
			}
		}
		if unknown.add(w, len(known) == 0); len(known) == 0 {
			if related != nil && mend {
				for _, r := range related(w.typed) {
					known = append(known, weighted{int32(r.Form), ofRelated * r.Weight})
				}
			}
		}
		if len(known) > 0 {
			a.terms = append(a.terms, term{word: w.typed, known: known})
		}
	}
	a.Unknown = unknown.list(query)
	if len(a.Corrections) > 0 {
		a.Corrected = corrected(query, a.Corrections)
	}
	return a
}

// askedWord is a word of a query.
type askedWord struct {
	form  string // see eachWord
	typed string // in lower case
	at    text.Span
	pair  bool // of characters of a script without blanks
}

// unknownWords are those that no text has. Of a script without blanks it is whole runs
// of characters, if no pair of one is known.
type unknownWords struct {
	all  []text.Span
	run  text.Span // of pairs
	some bool      // of those are known
}

func (u *unknownWords) add(w askedWord, unknown bool) {
	if !w.pair || w.at.Start >= u.run.End {
		u.endRun()
	}
	switch {
	case w.pair && u.run.End == 0:
		u.run, u.some = w.at, !unknown
	case w.pair:
		u.run.End, u.some = w.at.End, u.some || !unknown
	case unknown:
		u.all = append(u.all, w.at)
	}
}

func (u *unknownWords) endRun() {
	if u.run.End > 0 && !u.some {
		u.all = append(u.all, u.run)
	}
	u.run = text.Span{}
}

func (u *unknownWords) list(query string) (words []string) {
	u.endRun()
	for _, at := range u.all {
		words = append(words, strings.ToLower(at.Of(query)))
	}
	return words
}

// asked returns the different words of a query, and those that say nothing.
func (c *Corpus) asked(query string) (words []askedWord, empty map[string]bool) {
	eachWord(query, nil, func(form []byte, at text.Span, single bool) {
		first, _ := utf8.DecodeRune(form)
		w := askedWord{string(form), strings.ToLower(at.Of(query)), at, isDense(first)}
		if len(words) < mostWords && !single && !slices.ContainsFunc(words, func(o askedWord) bool { return o.form == w.form }) {
			words = append(words, w)
		}
	})
	return words, little(words, c.languages)
}

// telling returns the different words of a query, without those that say nothing unless
// there is nothing else.
func (c *Corpus) telling(query string) []askedWord {
	words, empty := c.asked(query)
	telling := slices.DeleteFunc(slices.Clone(words), func(w askedWord) bool { return empty[w.form] })
	if len(telling) == 0 {
		return words
	}
	return telling
}

// Telling counts the different words of a query that say what is looked for: none, where
// all of them are little ones.
func (c *Corpus) Telling(query string) int {
	words, empty := c.asked(query)
	n := 0
	for _, w := range words {
		if !empty[w.form] {
			n++
		}
	}
	return n
}

// corrected puts what was taken for words of a query in their place.
func corrected(query string, corrections []Correction) string {
	var b strings.Builder
	end := 0
	eachWord(query, nil, func(_ []byte, at text.Span, _ bool) {
		i := slices.IndexFunc(corrections, func(c Correction) bool { return c.Word == strings.ToLower(at.Of(query)) })
		if i >= 0 && at.Start >= end {
			b.WriteString(query[end:at.Start])
			b.WriteString(corrections[i].Taken)
			end = at.End
		}
	})
	b.WriteString(query[end:])
	return b.String()
}

// exact returns the word itself and its other forms, as the languages of the corpus
// make them.
func (c *Corpus) exact(word string) []weighted {
	var known []weighted
	if f, ok := c.formAt(word); ok {
		known = append(known, weighted{f, 1})
	}
	for _, l := range c.languages {
		for _, f := range c.withStem(stem(word, l)) {
			if !slices.ContainsFunc(known, func(w weighted) bool { return w.form == f }) {
				known = append(known, weighted{f, ofStem})
			}
		}
	}
	return known
}

// shortest are the fewest letters of a word that is completed, and of one that is corrected.
const (
	shortestPrefix = 3
	shortestTypo   = 4
	shortestTwice  = 8 // of one with two errors
)

// mostNear is how many words may stand for one that no text has.
const mostNear = 16

// near returns what may be meant by a word that no text has: where it may be unfinished the
// words that begin with it, else those that one typing error makes of it, the most frequent first.
func (c *Corpus) near(word string, unfinished bool) []weighted {
	var known []weighted
	if unfinished && len(word) >= shortestPrefix {
		from, to := c.withPrefix(word)
		for f := from; f < to; f++ {
			known = append(known, weighted{int32(f), ofPrefix})
		}
	}
	for errors := 1; errors <= 2 && len(known) == 0 && len(word) >= shortestTypo; errors++ {
		if errors == 2 && len(word) < shortestTwice {
			break
		}
		known = c.misspelt(word, errors)
	}
	order(known, func(a, b *weighted) bool {
		x, y := c.frequency(a.form), c.frequency(b.form)
		return x > y || x == y && a.form < b.form
	})
	return known[:min(len(known), mostNear)]
}

// misspelt returns the forms that so many typing errors make of a word.
func (c *Corpus) misspelt(word string, errors int) []weighted {
	var known []weighted
	w := []rune(word)
	var row [3][]int
	for i := range row {
		row[i] = make([]int, longestWord+2)
	}
	for f, form := range c.forms {
		if n := len(form) - len(word); n > 2*errors || n < -2*errors || len(w) > longestWord || errors > 1 && form[0] != word[0] {
			continue
		}
		if distance(w, form, errors, &row) == errors {
			known = append(known, weighted{int32(f), ofTypo})
		}
	}
	return known
}

// distance is how many letters are missing, too many, wrong or exchanged with their
// neighbour between a and b (Damerau 1964, in the form of optimal string alignment); more
// than `most` where it is more.
func distance(a []rune, b string, most int, row *[3][]int) int {
	before, at, next := row[0], row[1], row[2]
	for j := range len(a) + 1 {
		at[j] = j
	}
	i, last := 0, rune(0)
	for _, r := range b {
		i++
		next[0] = i
		least := i
		for j := 1; j <= len(a); j++ {
			d := at[j-1]
			if a[j-1] != r {
				d++
			}
			d = min(d, at[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[j-1] == last && a[j-2] == r {
				d = min(d, before[j-2]+1)
			}
			next[j] = d
			least = min(least, d)
		}
		if least > most {
			return least
		}
		before, at, next = at, next, before
		last = r
	}
	return at[len(a)]
}

// Quoted returns the phrases of a query: what stands between quotation marks.
func Quoted(query string) []string {
	var all []string
	start := -1
	for i, r := range query {
		switch {
		case !strings.ContainsRune(`"“”„«»`, r):
		case start >= 0:
			all = append(all, query[start:i])
			start = -1
		default:
			start = i + utf8.RuneLen(r)
		}
	}
	return all
}

// phrasesOf returns for each phrase of a query the forms of its words, in their order.
func (c *Corpus) phrasesOf(query string) [][][]string {
	var all [][][]string
	for _, quote := range Quoted(query) {
		if len(all) == mostPhrases {
			break
		}
		var phrase [][]string
		eachWord(quote, nil, func(form []byte, _ text.Span, single bool) {
			if single || len(phrase) == mostInside {
				return
			}
			forms := []string{string(form)}
			for _, w := range c.exact(string(form)) {
				forms = append(forms, c.forms[w.form])
			}
			phrase = append(phrase, forms)
		})
		if len(phrase) > 0 {
			all = append(all, phrase)
		}
	}
	return all
}
