package pipeline

import (
	"unicode/utf8"

	"seam/shared/language"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/topic"
)

// sampled is the number of bytes of a text examined to measure the length of its
// characters.
const sampled = 64 << 10

// lettersPerCharacter returns how many characters of a text hold as much as one English
// letter: 1 in alphabets, a fifth in Chinese.
func lettersPerCharacter(t string) float64 {
	t = t[:text.Edge(t, sampled)]
	length := topic.Length(t)
	if length == 0 {
		return 1
	}
	return float64(utf8.RuneCountInString(t)) / (length / topic.Length("a"))
}

// tokensPerWord returns how many tokens of the lexical embedder a text has for each English
// word that would hold as much: 1 in Latin letters, 4 in Arabic.
func tokensPerWord(t string) float64 {
	t = t[:text.Edge(t, sampled)]
	words := token.EvenWords.Count(t)
	if words == 0 {
		return 1
	}
	return max(1, float64(token.WordTokens.Count(t))/float64(words))
}

// Unknown describes the part of a document in a language that an embedder does not know.
type Unknown struct {
	Language string  `json:"language"` // English name of its main language
	Share    float64 `json:"share"`    // share of the document's letters
}

// unknown returns the part of a text that an embedder of one language does not know. It
// returns nil if that is little.
func unknown(v *text.View, knows string) *Unknown {
	code, share, much := language.Unknown(v.Text, knows)
	if !much {
		return nil
	}
	return &Unknown{language.Name(code), share}
}
