package index

import (
	"seam/shared/language"
	"seam/shared/text"
)

// EachWord calls add for the words of s in order: those of Words, and also single Han and
// Hangul characters within a longer run. form is valid only until add returns.
func EachWord(s string, add func(form []byte, single bool)) {
	eachWord(s, make([]byte, 0, longestWord), func(form []byte, _ text.Span, single bool) { add(form, single) })
}

// Stem returns the part that the forms of a word share in a language, without marks.
func Stem(word, language string) string { return stem(word, language) }

// Fold returns a word without marks, as typed on a keyboard that lacks them.
func Fold(word string) string { return fold(word) }

// FunctionWords returns the words of a language that do not show what a query is about.
func FunctionWords(code string) []string {
	if code == "en" {
		return functionWords
	}
	return language.Little(code)
}

// Distance returns the number of letters that are missing, extra, wrong or swapped with a
// neighbour between two words. If that exceeds most, it returns some number above most.
func Distance(a, b string, most int) int {
	var row [3][]int
	letters := []rune(a)
	for i := range row {
		row[i] = make([]int, len(letters)+1)
	}
	return distance(letters, b, most, &row)
}
