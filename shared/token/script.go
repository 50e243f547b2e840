package token

import (
	"unicode/utf8"

	"seam/shared/text"
)

// WordTokens counts words like Words, except in scripts in which a word has several tokens
// of a model. There it estimates the tokens: a fixed number for each letter of a script.
// It is the unit of an embedder without tokens of its own.
var WordTokens Counter = wordTokens{}

// sixteenths is the fineness of the tokens of a letter.
const sixteenths = 16

// firstScript is the first character that a row of scripts covers.
const firstScript = 0x0370

// firstCyrillic is the first character after the main block of Greek.
const firstCyrillic = 0x0400

// scripts has the tokens of a letter, in sixteenths, for the scripts that are far from
// Latin: their blocks of Unicode, ascending. The numbers are the tokens of cl100k divided by
// letters and marks, measured on texts about daily life in 30 languages that were written
// for it (testdata/scripts). Languages with the same script differ: Russian has 10
// sixteenths and Ukrainian 13, Arabic 14 and Urdu 23. o200k needs a third to two thirds of
// these tokens, except in Chinese and Japanese, where it needs two thirds to three quarters.
var scripts = []struct {
	first, last rune
	tokens      int
}{
	{0x0370, 0x03ff, 17},   // Greek
	{0x0400, 0x052f, 11},   // Cyrillic
	{0x0530, 0x058f, 36},   // Armenian
	{0x0590, 0x05ff, 19},   // Hebrew
	{0x0600, 0x06ff, 16},   // Arabic
	{0x0750, 0x077f, 16},   // Arabic
	{0x08a0, 0x08ff, 16},   // Arabic
	{0x0900, 0x097f, 21},   // Devanagari
	{0x0980, 0x09ff, 25},   // Bengali
	{0x0a00, 0x0a7f, 33},   // Gurmukhi
	{0x0a80, 0x0aff, 33},   // Gujarati
	{0x0b00, 0x0b7f, 49},   // Oriya
	{0x0b80, 0x0bff, 25},   // Tamil
	{0x0c00, 0x0c7f, 33},   // Telugu
	{0x0c80, 0x0cff, 33},   // Kannada
	{0x0d00, 0x0d7f, 29},   // Malayalam
	{0x0d80, 0x0dff, 36},   // Sinhala
	{0x0e00, 0x0e7f, 16},   // Thai
	{0x0e80, 0x0eff, 37},   // Lao
	{0x1000, 0x109f, 35},   // Myanmar
	{0x10a0, 0x10ff, 35},   // Georgian
	{0x1100, 0x11ff, 25},   // Hangul
	{0x1200, 0x139f, 50},   // Ethiopic
	{0x1780, 0x17ff, 29},   // Khmer
	{0x1f00, 0x1fff, 17},   // Greek
	{0x2e80, 0x2fdf, 24},   // Han
	{0x3005, 0x3007, 24},   // Han
	{0x3021, 0x3029, 24},   // Han
	{0x3040, 0x309f, 18},   // Hiragana
	{0x30a0, 0x30ff, 18},   // Katakana
	{0x3130, 0x318f, 25},   // Hangul
	{0x31f0, 0x31ff, 18},   // Katakana
	{0x3400, 0x9fff, 24},   // Han
	{0xac00, 0xd7ff, 25},   // Hangul
	{0xf900, 0xfaff, 24},   // Han
	{0xfb1d, 0xfb4f, 19},   // Hebrew
	{0xfb50, 0xfdff, 16},   // Arabic
	{0xfe70, 0xfeff, 16},   // Arabic
	{0x20000, 0x3ffff, 40}, // Han
}

// tokensOf returns the tokens of a letter in sixteenths, or 0 if its script has no row.
func tokensOf(r rune) int {
	if r < firstScript {
		return 0
	}
	lo, hi := 0, len(scripts)
	for lo < hi {
		if mid := (lo + hi) / 2; scripts[mid].last < r {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(scripts) || r < scripts[lo].first {
		return 0
	}
	return scripts[lo].tokens
}

// meter adds up sixteenths and yields a unit whenever a token is full. The first part of a
// token counts as one.
type meter struct {
	sum, units int
	yield      func(text.Span) bool
}

// add adds the sixteenths of a character. A unit has the characters that begin in it, so a
// character of several tokens is the first of them and the others are empty. It returns
// false if yield did.
func (m *meter) add(n int, s text.Span) bool {
	for m.sum += n; m.sum > sixteenths*m.units; m.units++ {
		if !m.yield(s) {
			return false
		}
		s.Start = s.End
	}
	return true
}

type wordTokens struct{}

func (wordTokens) Name() string { return "word tokens" }

func (c wordTokens) Count(t string) int {
	n := 0
	c.Each(t, func(text.Span) bool { n++; return true })
	return n
}

// wordSum returns the sixteenths of a word, or 0 for a word that is one unit. The first
// character decides. A Greek letter before no other, as in “β1”, is a symbol in texts of any
// script, and its word is one unit.
func wordSum(w string) (sum int) {
	if w[0] < 0xcd { // below firstScript, like most words
		return 0
	}
	r, size := utf8.DecodeRuneInString(w)
	if tokensOf(r) == 0 {
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(w[size:]); r < firstCyrillic && tokensOf(next) == 0 {
		return 0
	}
	for _, r := range w {
		sum += max(1, tokensOf(r))
	}
	return sum
}

func (c wordTokens) Spans(t string) (spans []text.Span) {
	c.Each(t, func(s text.Span) bool { spans = append(spans, s); return true })
	return spans
}

// Each yields the units of t in order. A character of several tokens is in the first of
// them; the others are empty.
func (wordTokens) Each(t string, yield func(text.Span) bool) {
	m := meter{yield: yield}
	for s := range EachWord(t) {
		w := s.Of(t)
		if wordSum(w) == 0 {
			if !yield(s) {
				return
			}
			continue
		}
		for i, r := range w {
			end := s.Start + i + utf8.RuneLen(r)
			if r == utf8.RuneError {
				_, size := utf8.DecodeRuneInString(w[i:])
				end = s.Start + i + size
			}
			if !m.add(max(1, tokensOf(r)), text.Span{Start: s.Start + i, End: end}) {
				return
			}
		}
	}
}

// estimate is the Counter Estimate.
type estimate struct{}

func (estimate) Name() string { return "estimated tokens" }

func (estimate) Count(t string) int {
	return (estimated(t) + sixteenths - 1) / sixteenths
}

// estimated returns the tokens of a text in sixteenths.
func estimated(t string) (sum int) {
	sum = len(t) * sixteenths / bytesPerToken
	for i := 0; i < len(t); {
		if t[i] < 0xcd {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(t[i:])
		if n := tokensOf(r); n > 0 {
			sum += n - size*sixteenths/bytesPerToken
		}
		i += size
	}
	return sum
}

// characters calls do with each character and its sixteenths until it returns false.
func (estimate) characters(t string, do func(s text.Span, n int) bool) {
	for i := 0; i < len(t); {
		r, size := utf8.DecodeRuneInString(t[i:])
		n := tokensOf(r)
		if n == 0 {
			n = size * sixteenths / bytesPerToken
		}
		if !do(text.Span{Start: i, End: i + size}, n) {
			return
		}
		i += size
	}
}

// Fit returns the length of the longest prefix with at most n tokens.
func (c estimate) Fit(t string, n int) int {
	sum, end := 0, 0
	c.characters(t, func(s text.Span, k int) bool {
		if sum += k; sum > n*sixteenths {
			return false
		}
		end = s.End
		return true
	})
	return end
}

// Spans returns the characters of each token, without gaps. A token that ends inside a
// character has the whole of it.
func (c estimate) Spans(t string) []text.Span {
	var spans []text.Span
	m := meter{yield: func(s text.Span) bool { spans = append(spans, s); return true }}
	c.characters(t, func(s text.Span, n int) bool {
		units := m.units
		m.add(n, s)
		if m.units == units {
			spans[len(spans)-1].End = s.End
		}
		return true
	})
	return spans
}
