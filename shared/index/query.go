package index

import (
	"slices"
	"strings"

	"seam/shared/embed/lexical"
	"seam/shared/text"
	"seam/shared/token"
)

// term is a word that a query asks for.
type term struct {
	form string // under which it is indexed
	word string // as it was typed, in lower case
}

// functionWords are English words that say nothing of what is looked for. For
// other languages the weights of BM25 have to do.
var functionWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a about after all also am an and any are as at be because been before being but by can could did do does
		doing for from had has have having he her here hers him his how i if in into is it its just like me more most my no nor not of on
		one only or other our out over own same she should so some such than that the their them then there these they this those through
		to too under until up us very was we were what when where which while who whom whose why will with would you your`) {
		m[w] = true
	}
	return m
}()

// terms returns the different words of a query in their order, without
// function words unless there is nothing else.
func terms(query string) []term {
	var all, telling []term
	for w := range token.EachWord(query) {
		word := strings.ToLower(w.Of(query))
		t := term{lexical.Term(word), word}
		if slices.ContainsFunc(all, func(o term) bool { return o.form == t.form }) {
			continue
		}
		all = append(all, t)
		if !functionWords[word] {
			telling = append(telling, t)
		}
	}
	if len(telling) == 0 {
		return all
	}
	return telling
}

// Marks returns the words of t that a query asks for.
func Marks(t, query string) []text.Span {
	wanted := map[string]bool{}
	for _, term := range terms(query) {
		wanted[term.form] = true
	}
	var marks []text.Span
	for w := range token.EachWord(t) {
		if wanted[lexical.Term(w.Of(t))] {
			marks = append(marks, w)
		}
	}
	return marks
}
