// Package language detects the languages of a text by its scripts and, for languages that
// share a script, by their most common function words. It is meant to notice a text in a
// language that a model does not know, not to identify every language.
package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Share is a language with its share of a text's letters.
type Share struct {
	Code  string // ISO 639-1; "" if undetermined, as in tables, lists of names and code
	Share float64
}

// window is the number of words judged together: a paragraph. Fewer contain too few
// function words; more would hide a second language.
const window = 60

// Detect returns the shares of a text's languages, largest first. It returns nothing for a
// text without letters.
func Detect(t string) []Share {
	d := detector{letters: map[string]int{}}
	word := make([]byte, 0, maxWord)
	for i := 0; i < len(t); {
		c := t[i]
		if lower := c | 0x20; 'a' <= lower && lower <= 'z' { // the most common case
			if len(word) < maxWord-utf8.UTFMax {
				word = append(word, lower)
			}
			d.scripts[latin]++
			i++
			continue
		}
		r, size := rune(c), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(t[i:])
		}
		i += size
		s := scriptOf(r)
		switch {
		case s == none:
			if len(word) > 0 {
				d.word(word)
				word = word[:0]
			}
			continue
		case s == latin || s == cyrillic:
			if len(word) < maxWord-utf8.UTFMax {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
		}
		d.scripts[s]++
	}
	if len(word) > 0 {
		d.word(word)
	}
	d.judge()
	return d.shares()
}

// maxWord is the maximum number of bytes of a word that are examined.
const maxWord = 32

type detector struct {
	scripts [scripts]int // letters of the window, by script
	words   int          // words of the window
	hits    [len(languages)]float64
	letters map[string]int // by language
}

func (d *detector) word(w []byte) {
	if len(w) <= longestLittle {
		for _, l := range littleWords[string(w)] {
			d.hits[l.language] += l.weight
		}
	}
	if d.words++; d.words == window {
		d.judge()
	}
}

// judge assigns the letters of a window to languages.
func (d *detector) judge() {
	for s, n := range d.scripts {
		if n == 0 {
			continue
		}
		code := alone[script(s)]
		switch script(s) {
		case latin, cyrillic:
			code = d.bySmallWords(script(s))
		case han:
			if d.scripts[kana] > n/10 {
				code = "ja"
			}
		}
		d.letters[code] += n
	}
	d.scripts, d.words, d.hits = [scripts]int{}, 0, [len(languages)]float64{}
}

// evidence is the minimum share of a language's function words in a window, and fewestWords
// their minimum number. In prose of the listed languages the share is .2 to .5; in another
// language it is below .05.
const (
	evidence    = .08
	fewestWords = 2
	margin      = 1.2 // ratio of the best language to the second
)

func (d *detector) bySmallWords(s script) string {
	best, second := -1, 0.0
	for i, l := range languages {
		if l.script != s {
			continue
		}
		switch {
		case best < 0 || d.hits[i] > d.hits[best]:
			if best >= 0 {
				second = d.hits[best]
			}
			best = i
		case d.hits[i] > second:
			second = d.hits[i]
		}
	}
	if d.hits[best] >= max(fewestWords, evidence*float64(d.words)) && d.hits[best] >= margin*second {
		return languages[best].code
	}
	return alone[s]
}

func (d *detector) shares() []Share {
	total := 0
	for _, n := range d.letters {
		total += n
	}
	var out []Share
	for code, n := range d.letters {
		s := Share{code, float64(n) / float64(total)}
		at := len(out) // there are few, and package sort would be most of this package's size
		for at > 0 && (out[at-1].Share < s.Share || out[at-1].Share == s.Share && out[at-1].Code > code) {
			at--
		}
		out = slices.Insert(out, at, s)
	}
	return out
}

// Name returns the English name of a language.
func Name(code string) string {
	for _, l := range languages {
		if l.code == code {
			return l.name
		}
	}
	if n := names[code]; n != "" {
		return n
	}
	return code
}

// mostUnknown is the share of other languages in a text from which a single-language model
// counts as not knowing it.
const mostUnknown = .25

// Unknown examines this many pieces of this many bytes in a long text.
const pieces, pieceSize = 64, 4 << 10

// sample returns evenly spaced parts of a text.
func sample(t string) string {
	if len(t) <= pieces*pieceSize {
		return t
	}
	var b strings.Builder
	for i := range pieces {
		at := (len(t) - pieceSize) / (pieces - 1) * i
		b.WriteString(t[at : at+pieceSize])
		b.WriteByte('\n')
	}
	return strings.ToValidUTF8(b.String(), " ")
}

// Unknown returns the share of a text's letters in languages other than the model's, and
// the most common of these languages. ok is false if the share is small enough. It examines
// a sample if the text has more than 256 kB.
func Unknown(t, model string) (code string, share float64, ok bool) {
	best := 0.0
	for _, s := range Detect(sample(t)) {
		if s.Code == "" || s.Code == model {
			continue
		}
		share += s.Share
		if s.Share > best {
			code, best = s.Code, s.Share
		}
	}
	return code, share, share >= mostUnknown
}

// littleWords maps each function word to the languages that have it. A word of n languages
// counts 1/n for each.
var littleWords = func() map[string][]littleWord {
	all := map[string][]littleWord{}
	for i, l := range languages {
		for w := range strings.FieldsSeq(l.words) {
			all[w] = append(all[w], littleWord{i, 1})
		}
	}
	for _, list := range all {
		for i := range list {
			list[i].weight = 1 / float64(len(list))
		}
	}
	return all
}()

// longestLittle is the maximum length of a function word in bytes.
var longestLittle = func() (n int) {
	for w := range littleWords {
		n = max(n, len(w))
	}
	return n
}()

type littleWord struct {
	language int // index in languages
	weight   float64
}

// Little returns the most frequent function words of a language, given its code, most
// frequent first. They say little about the topic of a text. It returns none for languages
// that are recognized by their script.
func Little(code string) []string {
	for _, l := range languages {
		if l.code == code {
			return strings.Fields(l.words)
		}
	}
	return nil
}
