package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Three kinds of abbreviations, in lower case without the last full stop:
// those that always stand before something (titles), those before a number, and
// those that may also end a sentence (then the next word decides).
var (
	titles  = set("mr mrs ms dr prof rev gen col maj capt lt sgt cmdr hon sen rep gov pres st mt ft messrs mme mlle hr fr sr jr e.g i.e viz cf vs al ca approx bzw z.b d.h u.a vgl sog p.ex ej fig figs eq eqs tab sec ch chap vol pp ed eds nos dept univ")
	numbers = set("no nr art p pg § ver v jan feb mar apr jun jul aug sep sept oct nov dec")
	enders  = set("inc ltd co corp llc plc gmbh bros etc a.m p.m u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.sc m.sc esq est min max usw ff")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// starters are words that, with a capital, nearly always begin a sentence.
var starters = set("the a an this that these those it he she they we i you there here in on at as but and or so if when while after before however for from with what who why how his her their our my its all some many most no not one two both each")

// joins reports whether the full stop behind word belongs to an abbreviation
// that goes on with next.
func joins(word, next string) bool {
	if word == "" {
		return false
	}
	w := strings.ToLower(word)
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case titles[w]:
		return true
	case numbers[w]:
		return unicode.IsDigit(first)
	case enders[w] || dotted(w):
		return !starters[strings.ToLower(next)] && !(unicode.IsDigit(first) && w != "u.s")
	}
	// An initial: one capital letter, "I" only behind another initial.
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.IsUpper(r) && r != 'I' && unicode.IsUpper(first) && !starters[strings.ToLower(next)]
}

// dotted reports whether w is letters with full stops between them: "u.s", "a.d".
func dotted(w string) bool {
	letter := true
	dots := 0
	for _, r := range w {
		switch {
		case letter && !unicode.IsLetter(r), !letter && r != '.':
			return false
		case !letter:
			dots++
		}
		letter = !letter
	}
	return dots > 0
}
