package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"seam/shared/language"
	"seam/shared/text"
)

// Correction is a word of a query that no text has, with the word used instead.
type Correction struct {
	Word  string `json:"word"`
	Taken string `json:"taken"`
}

// term is a word of a query, with the forms in the corpus that match it.
type term struct {
	word  string // as typed, in lower case
	known []weighted
	idf   float64
}

// weighted is a form of the corpus that matches a term. Weight 1 is the term itself.
type weighted struct {
	form   int32
	weight float64
}

// Asked is a query as a corpus understands it.
type Asked struct {
	// Words are the words that count: those that carry meaning, or all if none does.
	Words []string
	// Corrected is the query with misspelt words replaced.
	Corrected string
	// Unknown are words that no text has and that resemble no word of a text. Related may
	// still match them.
	Unknown     []string
	Corrections []Correction

	terms   []term
	phrases [][][]string // for each word of each phrase, its forms
}

// Related is a word of a corpus with nearly the same meaning as another.
type Related struct {
	Form   int     // index in Forms
	Weight float64 // at most 1
}

// Weights of the forms that match a word.
const (
	ofStem     = .9 // another form of it
	ofRelated  = .5 // a word with nearly the same meaning, times its own weight
	ofCompound = .5 // a compound that contains it
	ofPrefix   = .6 // a word that begins with it
	ofTypo     = .7 // a correction of it
)

// functionWords are English words that do not show what a query is about. For other
// languages see language.Little.
var functionWords = strings.Fields(`a about after all also am an and any are as at be because been before being but by can could did do does
	doing for from had has have having he her here hers him his how i if in into is it its just like me more most my no nor not of on
	one only or other our out over own same she should so some such than that the their them then there these they this those through
	to too under until up us very was we were what when where which while who whom whose why will with would you your`)

// little returns the function words for a query with the given words. It uses the language
// with most of them as function words, among those of the corpus and English.
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

// Limits for very long queries: the number of words that count, of unknown words to
// correct, of phrases, and of words in each phrase.
const (
	mostWords   = 200
	mostMended  = 16
	mostPhrases = 8
	mostInside  = 32
)

// Parse analyses a query. If typing is set, its last word may be unfinished. related returns
// words with nearly the same meaning as a word that no text has. It may be nil.
func (c *Corpus) Parse(query string, typing bool, related func(word string) []Related) *Asked {
	a := &Asked{Corrected: query, phrases: c.phrasesOf(query)}
	telling := c.contentWords(query)
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
			if known = c.near(w.form, typing && i == len(telling)-1); len(known) > 0 {
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
	pair  bool // of characters of a script without spaces
}

// unknownWords collects words that no text has. In a script without spaces these are whole
// runs of characters with no known pair.
type unknownWords struct {
	all  []text.Span
	run  text.Span // the current run of pairs
	some bool      // the run has a known pair
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

// asked returns the distinct words of a query, and the set of function words among them.
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

// contentWords returns the distinct words of a query without function words, unless it has only
// those.
func (c *Corpus) contentWords(query string) []askedWord {
	words, empty := c.asked(query)
	telling := slices.DeleteFunc(slices.Clone(words), func(w askedWord) bool { return empty[w.form] })
	if len(telling) == 0 {
		return words
	}
	return telling
}

// CountContentWords returns the number of distinct words in a query that are not function words.
func (c *Corpus) CountContentWords(query string) int {
	words, empty := c.asked(query)
	n := 0
	for _, w := range words {
		if !empty[w.form] {
			n++
		}
	}
	return n
}

// corrected returns query with the corrections applied.
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

// exact returns the word itself and its other forms in the languages of the corpus.
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

// Minimum lengths in letters of a word to complete and of a word to correct.
const (
	shortestPrefix = 3
	shortestTypo   = 4
	shortestTwice  = 8 // of a word to correct with two errors
)

// mostNear is the maximum number of words that may replace an unknown one.
const mostNear = 16

// near returns likely meanings of a word that no text has, most frequent first. For a word
// that may be unfinished these are words that begin with it, otherwise words one typing
// error away. Function words are never among them: every text has them.
func (c *Corpus) near(word string, unfinished bool) []weighted {
	var known []weighted
	if unfinished && len(word) >= shortestPrefix {
		from, to := c.withPrefix(word)
		for f := from; f < to; f++ {
			if !c.isLittle(c.forms[f]) {
				known = append(known, weighted{int32(f), ofPrefix})
			}
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

// isLittle reports whether a form is a function word of English or of a language of the corpus.
func (c *Corpus) isLittle(form string) bool {
	return slices.Contains(functionWords, form) || slices.ContainsFunc(c.languages, func(l string) bool { return slices.Contains(language.Little(l), form) })
}

// misspelt returns the forms within the given number of typing errors of a word.
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
		if distance(w, form, errors, &row) == errors && !c.isLittle(form) {
			known = append(known, weighted{int32(f), ofTypo})
		}
	}
	return known
}

// distance returns the number of letters that are missing, extra, wrong or swapped with a
// neighbour between a and b (Damerau 1964, as optimal string alignment). If that exceeds
// most, it returns some number above most.
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

// Quoted returns the phrases of a query: the texts between quotation marks.
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

// phrasesOf returns, for each phrase of a query, the forms of its words in order.
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
