package index

import (
	"slices"
	"strings"
)

// compounding are the languages that write several words in one, and how many letters make a
// word or a stem one that is looked for within others.
var compounding = []string{"da", "de", "nl", "no", "sv"}

const (
	shortestInside     = 5
	shortestStemInside = 6
)

// compounds adds the words that hold a word or its stem: "Abschaltung" is found in
// "Sicherheitsabschaltungen".
func (c *Collection) compounds(word string, known []weighted) []weighted {
	for _, l := range c.languages {
		if !slices.Contains(compounding, l) {
			continue
		}
		s := stem(word, l)
		for f, form := range c.forms {
			inside := len(word) >= shortestInside && strings.Contains(form, word) || len(s) >= shortestStemInside && strings.Contains(form, s)
			if inside && !slices.ContainsFunc(known, func(w weighted) bool { return w.form == int32(f) }) {
				known = append(known, weighted{int32(f), ofCompound})
			}
		}
	}
	return known
}
