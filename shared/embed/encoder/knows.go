package encoder

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tellingPiece is the minimum length, in characters, of a word piece that is more than
// letters. otherScript is the first character of scripts other than Latin, where lower-case
// models have single letters at best.
const (
	tellingPiece = 3
	otherScript  = 0x250
)

// Knows reports whether the model knows at least half of the words of a text: as a whole,
// or by a piece of three letters. The model sees other words only as letters, so their
// neighbours are a matter of chance. A model without BERT's tokens counts as knowing all
// words. web/widget/meaning has the same rule.
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
