package token

import (
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// EvenWords counts words like Words, except in scripts without spaces between words, where
// Words counts nearly every character. There it counts as many characters as hold one
// English word: two in Chinese and Japanese, three in Thai. So equal numbers are about
// equally much text in every language.
var EvenWords Counter = evenCounter{}

type evenCounter struct{}

func (evenCounter) Name() string { return "even words" }

func (c evenCounter) Count(t string) int {
	n := 0
	c.Each(t, func(text.Span) bool { n++; return true })
	return n
}

func (c evenCounter) Spans(t string) (spans []text.Span) {
	c.Each(t, func(s text.Span) bool { spans = append(spans, s); return true })
	return spans
}

// Each yields the units of t in order.
func (evenCounter) Each(t string, yield func(text.Span) bool) {
	var unit text.Span // the current unit
	room := 0          // number of characters it may still take
	for s := range EachWord(t) {
		size := charactersIn(s.Of(t))
		if room > 0 && size > 1 && unit.End == s.Start {
			unit.End = s.End
			room--
			continue
		}
		if unit.End > 0 && !yield(unit) {
			return
		}
		unit, room = s, size-1
	}
	if unit.End > 0 {
		yield(unit)
	}
}

// charactersIn returns the number of characters in a unit that begins with the given word
// of Words.
func charactersIn(word string) int {
	if word[0] < 0xe0 { // below U+0800, like most words
		return 1
	}
	switch r, _ := utf8.DecodeRuneInString(word); {
	case unicode.In(r, unicode.Han, unicode.Hiragana):
		return 2
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return 3
	}
	return 1
}
