package pipeline

import (
	"unicode/utf8"

	"seam/shared/language"
	"seam/shared/text"
	"seam/shared/topic"
)

// sampled is how many bytes of a text tell how much its characters hold.
const sampled = 64 << 10

// lettersPerCharacter is how many characters of a text hold what a letter of English
// does: 1 in alphabets, a fifth in Chinese.
func lettersPerCharacter(t string) float64 {
	t = t[:text.Edge(t, sampled)]
	length := topic.Length(t)
	if length == 0 {
		return 1
	}
	return float64(utf8.RuneCountInString(t)) / (length / topic.Length("a"))
}

// Unknown is what an embedder does not know of a document.
type Unknown struct {
	Language string  `json:"language"` // of most of it: its English name
	Share    float64 `json:"share"`    // of the document's letters
}

// unknown tells what an embedder of one language does not know of a text; nil where
// that is little.
func unknown(v *text.View, knows string) *Unknown {
	code, share, much := language.Unknown(v.Text, knows)
	if !much {
		return nil
	}
	return &Unknown{language.Name(code), share}
}
