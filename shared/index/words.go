package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// longestWord is the maximum number of bytes of a word that count. Longer strings are not
// real words, and usually differ within these bytes anyway.
const longestWord = 64

// eachWord calls add for the words of s in order. form is the word in lower case, composed,
// with ligatures expanded and at ordinary width. It is stored in buf and is valid only
// until add returns.
//
// Words are runs of letters, marks and digits. An apostrophe within a word joins its parts.
// But if an elided French or Italian word, such as an article, comes before it, that word
// is dropped. A point or comma between digits joins them, and the comma is dropped. Scripts
// without spaces between words give every pair of adjacent characters. So does Korean,
// where particles are attached to words. Han and Hangul also give single characters.
//
// A name composed of several words (max_tokens, maxTokens, HTTPServer) gives the whole name
// and each word.
//
// extra is set for forms by which a text can be found, but which a query does not have: a
// single character within a longer run, the end of a name (eventlistener for
// addEventListener), and other spellings (see variants).
func eachWord(s string, buf []byte, add func(form []byte, at text.Span, extra bool)) {
	w := wordReader{s: s, buf: buf[:0], add: add}
	for i := 0; i < len(s); {
		c := s[i]
		if class := ascii[c&0x7f]; c < utf8.RuneSelf && class != other {
			i = w.ascii(i)
			continue
		} else if c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isDense(r):
			i = w.dense(i)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			i = w.word(i)
		default:
			i += size
		}
	}
}

// Word is a word of a text in the form used for comparison.
type Word struct {
	Form string
	// Pair reports whether the word is two characters, or an isolated single one, of a
	// script without spaces between words.
	Pair bool
}

// Words returns the words of s in order, in the form used by search: in lower case and
// composed. Names of several words appear as a whole and in parts.
func Words(s string) (out []Word) {
	eachWord(s, nil, func(form []byte, _ text.Span, extra bool) {
		if !extra {
			first, _ := utf8.DecodeRune(form)
			out = append(out, Word{string(form), isDense(first)})
		}
	})
	return out
}

const (
	other byte = iota
	lower
	upper
	digit
	joiner // for names: "_"
)

// ascii holds the classes of ASCII characters.
var ascii = func() (t [128]byte) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = lower, upper
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	t['_'] = joiner
	return t
}()

type wordReader struct {
	s   string
	buf []byte
	add func([]byte, text.Span, bool)
	// signed is whether the current word ends with "++" or "#".
	signed bool
}

// ascii reads the word at byte i, which begins with ASCII. Nearly all words also end within
// this function.
func (w *wordReader) ascii(i int) int {
	start, parts := i, false
	w.buf = w.buf[:0]
	before, capitals := other, 0
	for ; i < len(w.s); i++ {
		c := w.s[i]
		if c >= utf8.RuneSelf {
			if r, _ := utf8.DecodeRuneInString(w.s[i:]); r == '’' || r == softHyphen || !isDense(r) && isWordRune(r) {
				return w.word(start)
			}
			break
		}
		class := ascii[c]
		switch class {
		case other:
			if c == '\'' && i > start && w.elided(i+1) {
				return i + 1
			}
			if w.joins(start, i) {
				if c == '.' {
					w.put(c)
					parts = true
				}
				continue
			}
		case upper:
			parts = parts || before == lower || before == digit
			capitals++
			w.put(c | 0x20)
			before = class
			continue
		default:
			parts = parts || class == joiner || class == digit && before != digit && i > start || class == lower && capitals > 2
			capitals = 0
			w.put(c)
			before = class
			continue
		}
		break
	}
	i = w.sign(start, i)
	w.end(text.Span{Start: start, End: i}, parts)
	return i
}

// put adds a byte to the current word, unless the word is too long.
func (w *wordReader) put(c byte) {
	if len(w.buf) < longestWord {
		w.buf = append(w.buf, c)
	}
}

// joins reports whether the ASCII character at byte i is inside the word that begins at
// start: an apostrophe, or a point or comma between digits.
func (w *wordReader) joins(start, i int) bool {
	if i == start || i+1 >= len(w.s) {
		return false
	}
	before, after := ascii[w.s[i-1]&0x7f], ascii[w.s[i+1]&0x7f]
	switch w.s[i] {
	case '\'':
		return before != digit && after != digit && after != other && w.s[i+1] < utf8.RuneSelf
	case '.', ',':
		return before == digit && after == digit && w.s[i+1] < utf8.RuneSelf
	}
	return false
}

// elided reports whether the current word is a French, Italian or Catalan word that lost
// its last letter before the word at byte i, which begins with a vowel: "l'homme" is the
// word "homme". The s of "Dell's" is not a word.
func (w *wordReader) elided(i int) bool {
	switch string(w.buf) {
	default:
		return false
	case "c", "d", "j", "l", "m", "n", "s", "t", "v", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
		"un", "gl", "all", "dall", "dell", "nell", "sull", "coll", "quell", "agl", "dagl", "degl", "negl", "sugl":
	}
	r, _ := utf8.DecodeRuneInString(w.s[i:])
	r = unicode.ToLower(r)
	for p, ok := plain[r]; ok; p, ok = plain[r] {
		r = p
	}
	return strings.ContainsRune("aeiouhyœæ", r)
}

// sign includes "++" or "#" after a single letter: C++, C#, F#.
func (w *wordReader) sign(start, i int) int {
	if i-start != 1 || w.s[start] == '_' {
		return i
	}
	for _, sign := range []string{"++", "#"} {
		if strings.HasPrefix(w.s[i:], sign) {
			w.buf = append(w.buf, sign...)
			w.signed = true
			return i + len(sign)
		}
	}
	return i
}

// word reads a word at byte i in any script with spaces.
func (w *wordReader) word(i int) int {
	start := i
	w.buf = w.buf[:0]
	for i < len(w.s) {
		r, size := utf8.DecodeRuneInString(w.s[i:])
		if r == '’' || r == '\'' {
			next, _ := utf8.DecodeRuneInString(w.s[i+size:])
			if i == start || !unicode.IsLetter(next) || isDense(next) {
				break
			}
			i += size
			if w.elided(i) {
				return i
			}
			continue
		}
		if !isWordRune(r) && r != tatweel && r != softHyphen || isDense(r) {
			break
		}
		i += size
		if len(w.buf) < longestWord && r != tatweel && r != softHyphen {
			w.buf = compose(w.buf, unicode.ToLower(r))
		}
	}
	w.end(text.Span{Start: start, End: i}, false)
	return i
}

const (
	tatweel    = 'ـ'      // only stretches an Arabic word
	softHyphen = '\u00ad' // marks a possible break in a word
)

// dense reads the run of characters at byte i in scripts without spaces.
func (w *wordReader) dense(i int) int {
	end, n := i, 0
	for end < len(w.s) {
		r, size := utf8.DecodeRuneInString(w.s[end:])
		if mark := isDenseMark(r); !mark && !isDense(r) {
			break
		} else if !mark {
			n++
		}
		end += size
	}
	before := -1
	for at := i; at < end; {
		r, size := utf8.DecodeRuneInString(w.s[at:])
		next := at + size
		for next < end {
			mark, size := utf8.DecodeRuneInString(w.s[next:])
			if !isDenseMark(mark) {
				break
			}
			next += size
		}
		if n == 1 || unicode.In(r, unicode.Han, unicode.Hangul) {
			w.add(widen(w.buf[:0], w.s[at:next]), text.Span{Start: at, End: next}, n > 1)
		}
		if before >= 0 {
			w.add(widen(w.buf[:0], w.s[before:next]), text.Span{Start: before, End: next}, false)
		}
		before, at = at, next
	}
	return end
}

// isDense reports whether a letter belongs to a script whose words are found by pairs of
// characters.
func isDense(r rune) bool {
	return r >= 'ก' && (r == 'ー' || isHalf(r) && r < voiced || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// isDenseMark reports whether a character belongs to the one before it.
func isDenseMark(r rune) bool { return unicode.IsMark(r) || r == voiced || r == halfVoiced }

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_' || isSubscript(r)
}
