package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

const softHyphen = '\u00ad'

func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u2011' || r == softHyphen }

// endsInHyphen reports whether s ends in a letter or digit and a hyphen.
func endsInHyphen(s string) bool {
	last, n := utf8.DecodeLastRuneInString(s)
	if !isHyphen(last) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-n])
	return unicode.IsLetter(before) || unicode.IsDigit(before)
}

// divided is a word with a hyphen at the end of a line: the part before the hyphen, and the
// part on the next line. token is the part before the hyphen with the marks before it.
type divided struct{ stem, rest, token string }

// dividedWord returns the word divided between lines a and b. ok is false if there is none,
// or if its hyphen always stays.
func dividedWord(a, b string) (w divided, ok bool) {
	if !endsInHyphen(a) || !unicode.IsLower(firstRune(b)) {
		return w, false
	}
	_, n := utf8.DecodeLastRuneInString(a)
	w.stem = a[:len(a)-n]
	if i := strings.LastIndexFunc(w.stem, unicode.IsSpace); i >= 0 {
		w.stem = w.stem[i+1:]
	}
	w.token = w.stem
	w.stem = strings.TrimLeftFunc(w.stem, notInWord)
	w.rest = b
	if i := strings.IndexFunc(b, unicode.IsSpace); i >= 0 {
		w.rest = b[:i]
	}
	w.rest = strings.TrimRightFunc(w.rest, notInWord)
	before, _ := utf8.DecodeLastRuneInString(w.stem)
	return w, unicode.IsLetter(before)
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// Words that keep their hyphen if the document gives no evidence, by their first or second part.
// A number word keeps it before a digit's word.
const (
	firstParts  = " self well half quasi non ex anti pseudo so "
	secondParts = " term based dependent independent related sectional specific induced mediated driven level wide known scale type time cost "
	tens        = " twenty thirty forty fifty sixty seventy eighty ninety "
	ones        = " one two three four five six seven eight nine first second third fourth fifth sixth seventh eighth ninth "
)

// conjunctions follow a suspended hyphen, as in "Ein- und Ausfuhr". No syllable is one
// of them. pairs are such words that are also syllables, so they count only after a consonant,
// where hyphenation begins no syllable with a vowel.
const (
	conjunctions = " and und oder sowie och eller og nebo lub oraz sau vagy through y e o i u a "
	pairs        = " or to en of et ou ja "
)

func in(list, word string) bool { return strings.Contains(list, " "+strings.ToLower(word)+" ") }

// suspended reports whether the hyphen replaces the end of a later word.
func (w divided) suspended() bool {
	if in(conjunctions, w.rest) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(w.stem)
	return in(pairs, w.rest) && !strings.ContainsRune("aeiouyäöüéèê", unicode.ToLower(last))
}

// compound reports whether the word keeps its hyphen by its form: an address or an option of
// a command, a part of one letter as in "X-ray", a number word, or a usual part.
func (w divided) compound() bool {
	if strings.HasPrefix(w.token, "-") || strings.ContainsAny(w.token, "@/\\=_") || strings.Contains(w.token, "www.") {
		return true
	}
	if utf8.RuneCountInString(w.stem) == 1 || strings.ContainsAny(w.stem, "-\u2010\u2011") {
		return true
	}
	return in(firstParts, w.stem) || in(secondParts, w.rest) && len(w.stem) > 2 || in(tens, w.stem) && in(ones, w.rest)
}

// hyphens decides about divided words by the words of the document.
type hyphens map[string]int // occurrences of the requested words, in lower case

// ask records the word divided between two lines, if there is one, and its parts.
func (h hyphens) ask(a, b string) {
	if w, ok := dividedWord(a, b); ok {
		for _, s := range [...]string{w.stem + w.rest, w.stem + "-" + w.rest, w.stem, w.rest} {
			h[strings.ToLower(s)] += 0
		}
	}
}

// askAll records all words that need a decision: between the rows of a paragraph, between
// the lines of a cell, after a drop cap.
func (h hyphens) askAll(blocks []placed) {
	var last *row
	for _, p := range blocks {
		for i := range p.rows {
			r := &p.rows[i]
			if last != nil && (i == 0 && p.joined || i > 0 && r.relation == wrapped) {
				h.ask(last.text, r.text)
			}
			for _, c := range r.cells {
				for k := 1; k < len(c.list); k++ {
					if above, f := c.list[k-1], c.list[k]; f.glued {
						h.askInitial(above.text, f.text)
					} else if !sameLine(above, f) {
						h.ask(above.text, f.text)
					}
				}
			}
			last = r
		}
	}
}

// count counts the recorded words.
func (h hyphens) count(pages []text.Page) {
	if len(h) == 0 {
		return
	}
	all, article := 0, 0
	for i := range pages {
		p := &pages[i]
		all += len(p.Words)
		for _, word := range p.Words {
			s := strings.ToLower(strings.TrimFunc(word.Of(p.Text), notInWord))
			if s == "the" {
				article++
			}
			if n, asked := h[s]; asked && !endsInHyphen(word.Of(p.Text)) {
				h[s] = n + 1
			}
		}
	}
	if float64(article) >= englishArticles*float64(all) {
		h[english]++
	}
}

// english is the key by which hyphens knows that a document is in English, where few
// compounds are written as one word. englishArticles is the minimum share of "the".
const (
	english         = " the "
	englishArticles = 0.02
)

// apart reports whether the parts of w are words of an English document. Parts of few
// letters may be syllables, and closed lists the first parts of words such as "sometimes".
func (h hyphens) apart(w divided) bool {
	return h[english] > 0 && len(w.stem) >= leastStem && len(w.rest) >= leastRest && !in(closed, w.stem) &&
		h[strings.ToLower(w.stem)] >= leastSeen && h[strings.ToLower(w.rest)] >= leastSeen
}

const (
	leastStem, leastRest = 4, 5
	leastSeen            = 2 // occurrences of each part in the document
	closed               = " some with them your under over inter after fore what when where there here through every other super counter hand back work data stock head trans house land "
)

// undone reports whether the hyphen of w only divides it. It does if the word without the
// hyphen is more frequent than with it, and by the usual rule if neither occurs. A word
// with more hyphens keeps them: "state-of-the-".
func (h hyphens) undone(w divided, hyphen rune) bool {
	if hyphen == softHyphen {
		return true
	}
	if one, two := h[strings.ToLower(w.stem+w.rest)], h[strings.ToLower(w.stem+"-"+w.rest)]; one != two {
		return one > two
	}
	return !w.compound() && !h.apart(w)
}

// whole reports whether the document has the word elsewhere without its hyphen.
func (h hyphens) whole(w divided) bool { return h[strings.ToLower(w.stem+w.rest)] > 0 }

// initialWords are letters that are words by themselves, as a drop cap may be.
const initialWords = "AIOYEUÀÈÉÓ"

// askInitial records a word that may begin with the drop cap.
func (h hyphens) askInitial(initial, line string) {
	_, word, joined := initialWord(initial, line)
	h[word] += 0
	h[joined] += 0
}

// single reports whether a drop cap is a separate word: the document has the line's first
// word elsewhere, but not the two combined.
func (h hyphens) single(initial, line string) bool {
	can, word, joined := initialWord(initial, line)
	return can && h[word] > 1 && h[joined] == 0
}

// initialWord returns the first word of a line after a drop cap, without and with it, and
// whether the drop cap can be a word itself.
func initialWord(initial, line string) (can bool, word, joined string) {
	initial = strings.TrimLeft(initial, opening)
	word, _, _ = strings.Cut(line, " ")
	word = strings.ToLower(strings.TrimFunc(word, notInWord))
	return strings.Contains(initialWords, initial), word, strings.ToLower(initial) + word
}
