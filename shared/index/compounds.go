package index

import (
	"slices"
	"strings"
)

// Compounding reports whether a language, given by its code, writes compounds as one word:
// "Sicherheitsabschaltung".
func Compounding(language string) bool {
	return slices.Contains([]string{"da", "de", "nb", "nl", "nn", "no", "sv"}, language)
}

// Minimum lengths in bytes of a word and of a stem to search for within other words.
const (
	shortestInside     = 5
	shortestStemInside = 6
)

// compounds adds to the known forms of a word those that contain the word or its stem.
// "Abschaltung" then finds "Sicherheitsabschaltungen".
func (c *Corpus) compounds(word string, known []weighted) []weighted {
	var parts []string
	for _, l := range c.languages {
		if !Compounding(l) {
			continue
		}
		if len(word) >= shortestInside {
			parts = append(parts, word)
		}
		if s := stem(word, l); len(s) >= shortestStemInside {
			parts = append(parts, s)
		}
	}
	if parts == nil {
		return known
	}
	exact := known
	for f, form := range c.forms {
		inside := slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(form, part) })
		if inside && !slices.ContainsFunc(exact, func(w weighted) bool { return w.form == int32(f) }) {
			known = append(known, weighted{int32(f), ofCompound})
		}
	}
	return known
}
