package token

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// prefix is the number of letters of a word that count: a substitute for a stemmer.
const prefix = 6

// before is the maximum number of letters of a Hebrew or Arabic word that may be attached
// articles, conjunctions and prepositions.
const before = 3

// LongestTerm is the maximum length of a term in bytes, unless it has many marks.
const LongestTerm = utf8.UTFMax * (prefix + before)

// EachTerm calls add for the terms of s, by which texts are compared. Terms are runs of
// letters, digits and "_" in lower case, with ligatures expanded, cut to 6 letters. In
// Hebrew and Arabic, attached prefixes are removed. Scripts without spaces between words
// give every pair of adjacent characters, and Han also single ones. So does Korean, where
// particles are attached to words. Hiragana, which spells endings and particles, gives
// none. Terms are passed in buf, which has room for one.
func EachTerm(s string, buf []byte, add func([]byte)) {
	w := termer{s: s, buf: buf[:0], add: add, prev: -1, at: -1}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if lower := c | 0x20; lower >= 'a' && lower <= 'z' {
				c = lower
			} else if (c < '0' || c > '9') && c != '_' {
				w.end(i)
				i++
				continue
			}
			w.endPairs(i)
			if w.letters++; w.letters <= prefix {
				w.buf = append(w.buf, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		w.rune(r, i)
		i += size
	}
	w.end(len(s))
}

// dense lists the scripts with pairs of characters as terms.
var dense = []*unicode.RangeTable{unicode.Han, unicode.Katakana, unicode.Hiragana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

const (
	firstDense = '\u0e00' // no letter of dense comes before
	longVowel  = 'ー'      // part of Katakana, although Unicode assigns it to no script
	tatweel    = 'ـ'      // only stretches an Arabic word
	softHyphen = '\u00ad' // marks a possible break in a word
)

// termer is the state of EachTerm.
type termer struct {
	s       string
	buf     []byte // the current word
	letters int    // number of its letters
	semitic bool   // it is Hebrew or Arabic
	add     func([]byte)

	script   *unicode.RangeTable // of the current run of characters; nil if there is none
	prev, at int                 // starts of its last two characters; -1 if there are none
}

// rune handles a non-ASCII rune at byte i.
func (w *termer) rune(r rune, i int) {
	mark := unicode.IsMark(r)
	if w.script != nil && (mark || r == longVowel) {
		if r == longVowel {
			w.character(w.script, i)
		}
		return
	}
	for _, script := range dense {
		if r >= firstDense && unicode.Is(script, r) {
			w.character(script, i)
			return
		}
	}
	semitic := unicode.In(r, unicode.Hebrew, unicode.Arabic)
	switch {
	case mark && (semitic || w.semitic) || r == tatweel || r == softHyphen: // vowel marks, which most writers omit
	case mark || unicode.IsLetter(r) || unicode.IsDigit(r):
		w.endPairs(i)
		w.semitic = w.semitic || semitic
		if drawn := text.Ligature(r); drawn != "" {
			for _, r := range drawn {
				w.letter(r)
			}
		} else {
			w.letter(unicode.ToLower(r))
		}
	default:
		w.end(i)
	}
}

// letter adds a letter to the current word, in lower case, if it counts.
func (w *termer) letter(r rune) {
	if w.letters++; w.letters <= prefix || w.semitic && w.letters <= prefix+before {
		w.buf = utf8.AppendRune(w.buf, r)
	}
}

// character begins a character at byte i.
func (w *termer) character(script *unicode.RangeTable, i int) {
	if w.script != script {
		w.end(i)
		w.script = script
	}
	w.characterEnds(i)
	w.prev, w.at = w.at, i
}

// characterEnds ends the character before byte i. It adds the character if it is a word,
// and its pair with the previous one.
func (w *termer) characterEnds(i int) {
	if w.at >= 0 && (w.script == unicode.Han || w.script == unicode.Hangul) {
		w.add(append(w.buf[:0], w.s[w.at:i]...))
	}
	if w.prev >= 0 && w.script != unicode.Hiragana {
		w.add(append(w.buf[:0], w.s[w.prev:i]...))
	}
}

// endPairs ends a run of characters before byte i.
func (w *termer) endPairs(i int) {
	if w.script != nil {
		w.characterEnds(i)
		w.script, w.prev, w.at = nil, -1, -1
	}
}

// end ends the current run or word before byte i.
func (w *termer) end(i int) {
	w.endPairs(i)
	if w.letters > 0 {
		word := w.buf
		if w.semitic {
			word = bare(word)
		}
		w.add(word)
	}
	w.buf, w.letters, w.semitic = w.buf[:0], 0, false
}

// bare returns a Hebrew or Arabic word without attached prefixes, cut to prefix letters.
// All letters of these scripts have two bytes.
func bare(word []byte) []byte {
	const letter = 2
	least := 3 * letter // minimum length of the result
	for _, article := range []string{"وال", "بال", "كال", "فال", "ال", "لل", "و"} {
		if rest, ok := bytes.CutPrefix(word, []byte(article)); ok && len(rest) >= least {
			word = rest
			break
		}
	}
	for n := 0; n < 2 && len(word) >= least+letter && bytes.Contains([]byte("ושהבלמכ"), word[:letter]) && word[0] == 0xd7; n++ {
		word = word[letter:]
		if n == 0 && !bytes.HasPrefix(word, []byte("ה")) {
			break
		}
	}
	return word[:min(len(word), prefix*letter)]
}
