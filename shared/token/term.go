package token

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// prefix is how many letters of a word count: inflection without a stemmer.
const prefix = 6

// before is how many letters of a Hebrew or Arabic word may be articles, conjunctions
// and prepositions, which are written together with it.
const before = 3

// LongestTerm is the most bytes of a term, but of one with many marks.
const LongestTerm = utf8.UTFMax * (prefix + before)

// EachTerm calls add for the terms of s, what texts are compared by, in buf, which has
// room for one: runs of letters, digits and "_" in lower case, without ligatures, cut to
// 6 letters, in Hebrew and Arabic without what is written together with the word before
// it. Scripts without blanks between words give every two characters that follow each
// other, Han single ones as well; and so does Korean, whose particles are written together
// with the word. Hiragana, which spells endings and particles, gives none.
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

// dense are the scripts whose terms are pairs of characters.
var dense = []*unicode.RangeTable{unicode.Han, unicode.Katakana, unicode.Hiragana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

const (
	firstDense = '\u0e00' // no letter of those comes before
	longVowel  = 'ー'      // of Katakana, though Unicode has it in no script
	tatweel    = 'ـ'      // only makes an Arabic word longer
	softHyphen = '\u00ad' // says where a word may be broken
)

// termer is the state of EachTerm.
type termer struct {
	s       string
	buf     []byte // the word at hand
	letters int    // of it
	semitic bool   // it is Hebrew or Arabic
	add     func([]byte)

	script   *unicode.RangeTable // of the run of characters at hand, nil for none
	prev, at int                 // where the last two of its characters begin, -1 for none
}

// rune looks at one that is not ASCII, at byte i.
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
	case mark && (semitic || w.semitic) || r == tatweel || r == softHyphen: // vowels, which most writers leave out
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

// letter adds one to the word at hand, in lower case, if it counts.
func (w *termer) letter(r rune) {
	if w.letters++; w.letters <= prefix || w.semitic && w.letters <= prefix+before {
		w.buf = utf8.AppendRune(w.buf, r)
	}
}

// character begins one at byte i.
func (w *termer) character(script *unicode.RangeTable, i int) {
	if w.script != script {
		w.end(i)
		w.script = script
	}
	w.characterEnds(i)
	w.prev, w.at = w.at, i
}

// characterEnds adds the one that ends before byte i, where it is a word by itself,
// and the pair of it and the one before.
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

// end ends whatever is at hand before byte i.
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

// bare is a Hebrew or Arabic word without what is written together with it, cut to
// prefix letters. Of such words all letters have two bytes.
func bare(word []byte) []byte {
	const letter = 2
	least := 3 * letter // of what is left
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
