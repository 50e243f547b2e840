package token

import (
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// EvenWords counts words as Words does, but in scripts without blanks between words,
// of which Words counts nearly every character: there so many characters make one
// as hold what an English word does, two in Chinese and Japanese, three in Thai. So a
// number of them is about as much text in every language.
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
	var unit text.Span // the one under way
	room := 0          // how many characters more it may take
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

// charactersIn is how many characters make a unit that begins with a word of Words.
func charactersIn(word string) int {
	if word[0] < 0xe0 { // what is below U+0800, as most words are
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
