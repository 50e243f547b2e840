package index

import (
	"seam/shared/language"
	"seam/shared/text"
)

// EachWord calls add for the words of s, in order: as Words has them, and also the single
// characters of Han and Hangul that stand within a run of several. The form may be used
// again after add has returned.
func EachWord(s string, add func(form []byte, single bool)) {
	eachWord(s, make([]byte, 0, longestWord), func(form []byte, _ text.Span, single bool) { add(form, single) })
}

// Stem returns what the forms of a word have in common in a language, without marks.
func Stem(word, language string) string { return stem(word, language) }

// Fold returns a word without marks, as a keyboard that lacks them has it.
func Fold(word string) string { return fold(word) }

// FunctionWords are the words of a language that say nothing of what is looked for.
func FunctionWords(code string) []string {
	if code == "en" {
		return functionWords
	}
	return language.Little(code)
}

// Distance is how many letters are missing, too many, wrong or exchanged with their
// neighbour between two words; more than most where it is more.
func Distance(a, b string, most int) int {
	var row [3][]int
	letters := []rune(a)
	for i := range row {
		row[i] = make([]int, len(letters)+1)
	}
	return distance(letters, b, most, &row)
}
