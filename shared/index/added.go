package index

import "seam/shared/language"

// Weights of a word that occurs only in texts written about a passage, relative to a word
// that occurs once in the passage: a little for one phrase, twice that for several. A
// passage gets at most mostAdded such words, because a model that writes at length does not
// make the passage about more things.
const (
	ofOnePhrase = .25
	ofPhrases   = .5
	mostAdded   = 24
)

// Adder finds the words that phrases add to texts in one language.
type Adder struct {
	language string
	little   map[string]bool // stems of function words
}

// NewAdder returns an Adder for a language, by its code. For an unknown language it uses
// English.
func NewAdder(language string) *Adder {
	a := &Adder{language, map[string]bool{}}
	for _, w := range littleOf(language) {
		a.little[stem(w, language)] = true
	}
	return a
}

// Added returns the words that occur in phrases but not in texts, with weights for
// Source.Expansions. It returns nil if there are none. It omits function words and other
// forms of words in the texts.
func (a *Adder) Added(phrases, texts []string) (out map[string]float64) {
	known := map[string]bool{}
	for _, t := range texts {
		EachWord(t, func(form []byte, _ bool) { known[stem(string(form), a.language)] = true })
	}
	for _, phrase := range phrases {
		seen := map[string]bool{}
		EachWord(phrase, func(form []byte, single bool) {
			w := string(form)
			if single || seen[w] {
				return
			}
			if s := stem(w, a.language); known[s] || a.little[s] {
				return
			}
			seen[w] = true
			if out[w] > 0 {
				out[w] = ofPhrases
			} else if len(out) < mostAdded {
				if out == nil {
					out = map[string]float64{}
				}
				out[w] = ofOnePhrase
			}
		})
	}
	return out
}

// littleOf returns the function words of a language, or the English ones for an unknown
// language.
func littleOf(code string) []string {
	if words := language.Little(code); len(words) > 0 && code != "en" {
		return words
	}
	return functionWords
}
