package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lookup tables made from the lists of lexicon.go.
var (
	abbreviations, capitalised = func() (map[string]class, map[string]class) {
		lower, exact := map[string]class{}, map[string]class{}
		for _, row := range lexicon {
			for w := range strings.FieldsSeq(row.words) {
				lower[w] = row.class
			}
		}
		for _, row := range capitals {
			for w := range strings.FieldsSeq(row.words) {
				exact[w] = row.class
			}
		}
		return lower, exact
	}()
	isStarter    = set(starters)
	isName       = set(names)
	isLabel      = set(labels)
	isSpeech     = set(speech)
	isDivision   = set(divisions)
	isZone       = set(zones)
	isMonth      = set(months)
	isOrdinal    = set(ordinals)
	isTimeOpener = set(timeOpeners)
)

// classify returns the class of a word, given without its last full stop.
func classify(word string) class {
	if c := capitalised[word]; c != none {
		return c
	}
	return lookup(abbreviations, word)
}

// fullStop is a single full stop with the word before it and the text after it.
type fullStop struct {
	word          string // without opening quotes and brackets
	prev          string // the word before word
	leading       bool   // the sentence has only word so far
	leads         bool   // prev is the sentence's first word
	opensWithTime bool   // the sentence is like "At 5 a.m." so far
	next          string // the word after the full stop, or "" if a sign comes next
	stop          bool   // next has a full stop directly after it
	more          bool   // next is part of a longer number
	dash          bool   // a dash precedes next
	open          rune   // the bracket or quotation mark before next, or 0
	first         rune   // the first letter, digit or sign of the text after it
}

// goesOn reports whether the sentence continues after the full stop. The next word begins
// with a capital or a letter of a script without capitals, or the next text is a digit or a
// sign.
func (f fullStop) goesOn() bool {
	word := f.word
	if strings.Contains(word, "\u200c") || strings.Contains(word, "\u200d") {
		word = joiners.Replace(word)
	}
	if i := strings.LastIndexAny(word, "-‐"); i > 0 && word[i-1] == '.' { // "J.-B."
		word = strings.TrimLeft(word[i:], "-‐")
	}
	if word == "" || strings.ContainsAny(word, "/@") {
		return false // a path, an address
	}
	roman, isNumber := numeral(word)
	if f.leads && lookup(isDivision, strings.TrimSuffix(f.prev, ".")) && (isNumber || isDigit(word[0]) || len(word) == 1) {
		return true // "Item 1A. Risk Factors", "Appendix A. Tables"
	}
	switch c := f.class(word); {
	case f.first == '§':
		return true
	case isNumber && !(roman && c != none):
		return f.numberGoesOn(word, roman)
	case f.leading && (c == ender || c == part || dotted(word)):
		return true // an abbreviation alone is not a sentence
	case c != none:
		return f.abbreviationGoesOn(c) || f.dash && c != final
	case utf8.RuneCountInString(word) == 1:
		return f.letterGoesOn(word)
	case dotted(word):
		return f.abbreviationGoesOn(ender)
	default:
		return f.unknownGoesOn(word)
	}
}

// joiners are invisible characters in Persian abbreviations.
var joiners = strings.NewReplacer("\u200c", "", "\u200d", "")

// initial reports whether the next word is one letter with a full stop.
func (f fullStop) initial() bool {
	return f.stop && utf8.RuneCountInString(f.next) == 1
}

// starts reports whether the next word usually begins a sentence.
func (f fullStop) starts() bool {
	elided := len(f.next) > 2 && strings.IndexAny(f.next[1:], "'’") == 0 && strings.IndexByte("LCJNSM", f.next[0]) >= 0 // "L'auteur"
	return (elided || lookup(isStarter, f.next)) && !(f.stop && (f.initial() || classify(f.next) != none))
}

// class looks up the word. It first tries the word with the short word before it as one
// abbreviation ("z. B.", "и т. д."), then alone, then without a part joined by a hyphen or
// an apostrophe ("l'art.", "Gen.-Maj.").
func (f fullStop) class(word string) class {
	letters := utf8.RuneCountInString(word)
	if letters <= 4 && len(f.prev) <= 8 {
		if c := classify(strings.TrimSuffix(f.prev, ".") + "." + word); c != none {
			return c
		}
	}
	if c := classify(word); c != none && (letters > 1 || !capital(word)) {
		return c
	}
	if i := strings.LastIndexAny(word, "-'’—–(["); i >= 0 {
		_, n := utf8.DecodeRuneInString(word[i:])
		if tail := word[i+n:]; len(tail) > 1 && (word[i] != '\'' || i <= 5) {
			return classify(tail)
		}
	}
	if len(word) > 5 && strings.HasSuffix(word, "str") { // "Goethestr. 17"
		return part
	}
	if before, ok := strings.CutSuffix(f.prev, "."); ok && capital(word) && letters > 1 && letters <= 6 && capitalised[before] == part {
		return part // "Proc. Roy. Inst. Hydrol."
	}
	return none
}

func (f fullStop) abbreviationGoesOn(c class) bool {
	digit := unicode.IsDigit(f.first)
	sign := f.next == "" && !digit // "§", "$", "&"
	if f.open == '(' && digit && c != month {
		return true
	}
	switch c {
	case title:
		if lookup(abbreviations, f.word) == unit && endsInDigit(f.prev) {
			return false // "2500 Ft." is money
		}
		return !f.starts() || !capital(f.prev) && !endsInDigit(f.prev) && !strings.HasSuffix(f.prev, "th")
	case always:
		return true
	case number:
		if utf8.RuneCountInString(f.word) == 1 && !digit { // "p. Wrona" is a Polish gentleman
			return !endsInDigit(f.prev) && !f.starts() && !sign
		}
		return digit || len(f.next) == 1 || isRoman(f.next) || strings.ContainsAny(f.next, "0123456789")
	case part:
		return digit || !f.starts()
	case month:
		return digit || len(f.next) <= 4 && lookup(abbreviations, f.next) == month || f.next == "J" && f.stop // "apr. J.-C."
	case ender:
		if digit {
			return endsInDigit(f.prev) || f.more || strings.ContainsAny(f.next, "'’")
		}
		return f.open != '"' && f.open != '“' && !f.starts() && f.next != "De"
	case clock:
		return f.opensWithTime || f.open == '(' || lookup(isZone, f.next)
	case unit:
		return digit && endsInDigit(f.prev)
	case year:
		_, ok := numeral(f.prev)
		return !ok && !f.starts()
	case final:
		source := (f.open == '(' || f.open == '[') && !f.starts()    // the bracket belongs to the sentence
		pages := digit && (f.word == "ff" || f.word == "f")          // "ff. 1-30"
		upper := dotted(f.word) && strings.ToUpper(f.word) == f.word // "P.O. Box", "A.D. 400", but "44 B.C. Rome"
		return source || (pages || upper && !f.starts()) && !endsInDigit(f.prev)
	}
	return false
}

// numberGoesOn decides about a number with a full stop. At the beginning of a sentence it
// marks a list item or a section. In a date or after a German article it is an ordinal
// number.
func (f fullStop) numberGoesOn(word string, roman bool) bool {
	switch {
	case f.leading || f.inDate(word) || len(f.next) > 1 && isRoman(f.next):
		return true
	case roman || len(word) > 3 || f.next == "":
		return false
	case lookup(isMonth, f.next):
		return true
	}
	return lookup(isOrdinal, f.prev) && !f.starts()
}

// inDate reports whether the number is part of a date with spaces: "12. 3. 1887", or "2021.
// 5. 12." followed by a Korean or Hungarian word.
func (f fullStop) inDate(word string) bool {
	n := len(f.next)
	before := strings.HasSuffix(f.prev, ".") && endsInDigit(f.prev[:len(f.prev)-1])
	if unicode.IsDigit(f.first) {
		return len(word) <= 2 && (n <= 2 && f.stop || n == 4 && before) || isYear(word) && n <= 2 && f.stop
	}
	return before && len(word) <= 2 && !unicode.IsUpper(f.first)
}

// letterGoesOn decides about a single letter, which may be an initial.
func (f fullStop) letterGoesOn(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case ideograph(r) || !unicode.IsLetter(r):
		return false
	case f.leading || f.initial() || smallOnly(r):
		return true
	case unicode.IsLower(r) && f.stop && utf8.RuneCountInString(f.next) <= 4: // "n. Chr."
		return true
	case lookup(isLabel, strings.TrimSuffix(f.prev, ".")), f.prev == "in" && strings.Contains("CDR", word) && !f.stop:
		return false // "Plan B. Everyone", "App. A. See", "in C. Bindings"
	case unicode.IsDigit(f.first):
		return true
	case f.next == "" || unicode.IsLower(r) || r == 'I' && !capital(f.prev):
		return false
	case isCaseless(r) && !unicode.Is(unicode.Arabic, r) && endsInDigit(f.prev):
		return false
	case (word == "C" || word == "F") && endsInDigit(f.prev) && strings.Contains(f.prev, "."):
		return false // degrees
	}
	return !f.starts()
}

// unknownGoesOn decides about a word that is in no list. A short word without a vowel is
// also an abbreviation: "Mgr.", "Pfc.".
func (f fullStop) unknownGoesOn(word string) bool {
	first, n := utf8.DecodeRuneInString(word)
	switch {
	case unicode.In(first, indic...):
		return utf8.RuneCountInString(word[n:]) <= 1 && !isShortVerb[word]
	case len(word) == 2 && f.stop && len(f.next) == 2 && strings.ToUpper(word+f.next) == word+f.next: // "EE. UU."
		return true
	case f.next == "" || f.starts() || len(word) > 4 || len(word) < 2 || !unicode.IsUpper(first) || strings.ToLower(word[n:]) != word[n:]:
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool { return r < 'A' || r > 'z' || strings.ContainsRune("aeiouyAEIOUY", r) })
}
