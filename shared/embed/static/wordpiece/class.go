package wordpiece

import (
	"unicode"

	"seam/shared/embed/static/norm"
	"seam/shared/text"
)

// class is the role of a byte or a character.
type class uint8

const (
	inWord  class = iota
	blank         // ends a word
	alone         // is a word: punctuation
	dropped       // is removed
	wide          // a byte of a non-ASCII character
)

// classify fills the tables of bytes. A zero byte is not in fold; if it is not dropped, it
// takes the slow path.
func (t *Tokenizer) classify() {
	for i := range t.class {
		t.class[i] = wide
		if i > 0 && i < 0x80 {
			t.class[i] = t.classOf(rune(i))
		}
		c := byte(i)
		if t.opt.Lowercase && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if t.class[i] == inWord {
			t.fold[i] = c
		}
	}
}

func (t *Tokenizer) classOf(r rune) class {
	switch {
	case t.opt.Clean && Dropped(r):
		return dropped
	case unicode.IsSpace(r):
		return blank
	case Punctuation(r):
		return alone
	}
	return inWord
}

// Dropped reports whether BERT's cleaning removes r: control and format characters, private
// use, U+FFFD. Tab and line ends stay as white space.
func Dropped(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case 0, unicode.ReplacementChar:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// Punctuation reports whether BERT treats r as a separate word: ASCII characters other than
// letters, digits, space and control characters, and Unicode's category P.
func Punctuation(r rune) bool {
	if r < 0x80 {
		return r > ' ' && r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x7f
	}
	return unicode.Is(unicode.P, r)
}

// Han reports whether BERT separates r as a Chinese character. The gaps are the same as in
// BERT's list.
func Han(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf ||
		r >= 0x20000 && r <= 0x2a6df || r >= 0x2a700 && r <= 0x2b81f || r >= 0x2b920 && r <= 0x2ceaf ||
		r >= 0xf900 && r <= 0xfaff || r >= 0x2f800 && r <= 0x2fa1f
}

// AppendLower appends r in lower case. One character becomes two: İ is i with a dot above
// it.
func AppendLower(dst []rune, r rune) []rune {
	if r == 'İ' {
		return append(dst, 'i', '\u0307')
	}
	return append(dst, unicode.ToLower(r))
}

// wide runs a non-ASCII character through the steps of the normalizer, in order: clean,
// ligatures, Chinese characters, accents, lower case.
func (x *scratch) wide(r rune, from, to int) {
	o := &x.t.opt
	switch x.t.classOf(r) {
	case dropped:
		return
	case blank:
		x.flush()
		return
	}
	if letters := text.Ligature(r); letters != "" && o.Ligatures {
		for _, letter := range letters {
			x.put(letter, from, to)
		}
		return
	}
	han := o.Han && Han(r)
	if han {
		x.flush()
	}
	var room, lowered [4]rune
	parts := append(room[:0], r)
	if o.StripAccents {
		parts = norm.AppendCanonical(room[:0], r)
	}
	for _, p := range parts {
		if o.StripAccents && p >= 0x300 && unicode.Is(unicode.Mn, p) {
			x.accent(to)
			continue
		}
		last := append(lowered[:0], p)
		if o.Lowercase {
			last = AppendLower(lowered[:0], p)
		}
		for _, q := range last {
			x.place(q, from, to)
		}
	}
	if han {
		x.flush()
	}
}

// place handles a normalized character according to the pre-tokenizer.
func (x *scratch) place(r rune, from, to int) {
	switch {
	case unicode.IsSpace(r):
		x.flush()
	case Punctuation(r):
		x.flush()
		x.put(r, from, to)
		x.flush()
	default:
		x.put(r, from, to)
	}
}
