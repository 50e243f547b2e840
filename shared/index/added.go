package index

import "seam/shared/language"

// What a word weighs that only what was written of a text has, beside one that the text has
// once: a little in one phrase, twice that in several. The most that a text gets are mostAdded
// words: what a model writes at length is not more of what the text is about.
const (
	ofOnePhrase = .25
	ofPhrases   = .5
	mostAdded   = 24
)

// Adder finds what phrases add to texts of one language.
type Adder struct {
	language string
	little   map[string]bool // stems of function words
}

// NewAdder is an Adder for a language by its code; where that is not known, for English.
func NewAdder(language string) *Adder {
	a := &Adder{language, map[string]bool{}}
	for _, w := range littleOf(language) {
		a.little[stem(w, language)] = true
	}
	return a
}

// Added are the words that phrases have and some texts have not, with weights, as
// Source.Expansions takes them; nil where there are none. Function words of the language are
// none of them, and neither is another form of a word of the texts.
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

// littleOf are the function words of a language, and the English ones where it is not known.
func littleOf(code string) []string {
	if words := language.Little(code); len(words) > 0 && code != "en" {
		return words
	}
	return functionWords
}
