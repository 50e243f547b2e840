package encoder

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of a word that the model puts together from pieces: how long one of them is at least, in
// characters, for it to be more than letters; and the first character of a script other
// than Latin, of which models in lower case have single letters at best.
const (
	tellingPiece = 3
	otherScript  = 0x250
)

// Knows reports whether the model knows at least half of the words of a text: has them
// whole, or a piece of three letters. Of others it sees nothing but letters, and what is
// near to these is near by chance. A model whose tokens are not BERT's knows all.
// web/widget/meaning has the same.
func (m *Model) Knows(text string) bool {
	if _, _, ok := m.tokens.BERT(); !ok {
		return true
	}
	words, known := 0, 0
	var word []string // its pieces
	end := func() {
		if len(word) > 0 {
			words++
		}
		if len(word) == 1 && isLatin(word[0]) || slices.ContainsFunc(word, isTelling) {
			known++
		}
		word = word[:0]
	}
	all := m.tokens.Tokens()
	for _, id := range m.tokens.Append(nil, text, 0) {
		piece, continues := strings.CutPrefix(all[id], "##")
		if !continues {
			end()
		}
		first, _ := utf8.DecodeRuneInString(piece)
		switch {
		case int(id) == m.tokens.Unknown():
			words++
		case continues || unicode.IsLetter(first) || unicode.IsDigit(first):
			word = append(word, piece)
		}
	}
	end()
	return words > 0 && 2*known >= words
}

func isLatin(piece string) bool {
	first, _ := utf8.DecodeRuneInString(piece)
	return first < otherScript
}

func isTelling(piece string) bool {
	return isLatin(piece) && utf8.RuneCountInString(piece) >= tellingPiece
}
