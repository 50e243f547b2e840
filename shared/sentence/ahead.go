package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ahead describes the text after a terminator.
type ahead struct {
	at     int    // start of the first word or sign
	first  rune   // its first rune; 0 at the end of the text
	open   rune   // the last opening bracket or quotation mark before it, or 0
	dash   bool   // a dash precedes it
	bullet bool   // a bullet precedes it
	word   string // "" for a sign
	stop   bool   // the word has a full stop directly after it
	more   bool   // the word continues after a sign, like a decimal fraction
}

func lookAhead(t string, next int) (a ahead) {
	for i := next; i < len(t) && i < next+wordReach; {
		r, n := utf8.DecodeRuneInString(t[i:])
		switch {
		case r == '-' || r == '–' || r == '—':
			a.dash = true
		case isBullet(r):
			a.bullet = true
		case opening(r):
			a.open = r
		case r == '#' || blank(r):
		default:
			a.at, a.first = i, r
			a.word = firstWord(t[i:])
			rest := t[i+len(a.word):]
			a.stop = a.word != "" && strings.HasPrefix(rest, ".")
			a.more = len(rest) > 1 && strings.IndexByte("./:,'", rest[0]) >= 0 && isDigit(rest[1])
			return a
		}
		i += n
	}
	return a
}

// startsSmall reports whether a sentence may begin with the lower-case letter that comes
// next. It may if the word is a program's name, such as "iPhone" or "os.path", if a word in
// a script without capitals precedes it, and if the writer uses no capitals.
func (p *place) startsSmall() bool {
	t, a := p.t, p.after
	word, wordAt := p.lastToken(p.first)
	if (a.open == '\'' || a.open == '’') && utf8.RuneCountInString(a.word) == 1 {
		return true // Dutch "'s Avonds"
	}
	program := isProgram(t[a.at:])
	if prev, _ := p.lastToken(wordAt); program && endsInDigit(prev) {
		return true
	}
	asks := t[p.run-1] == '!' || t[p.run-1] == '?'
	if a.dash || !isReference(p.closed()) || p.run-p.first > 1 && !asks || classify(word) != none || utf8.RuneCountInString(word) < 2 {
		return false
	}
	if last, _ := utf8.DecodeLastRuneInString(word); program || isCaseless(last) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(t[skipBlank(t, p.start):p.first])
	if unicode.IsLower(first) && word != a.word && (asks || strings.ContainsAny(word, "aeiouy")) {
		return true
	}
	around := t[max(0, p.first-caseReach):min(len(t), p.close+caseReach)]
	return len(word) > 2 && strings.IndexFunc(around, unicode.IsUpper) < 0
}

// isReference reports whether closers is empty or a reference to a footnote or source.
func isReference(closers string) bool {
	return strings.Trim(closers, "[]0123456789,¹²³⁰⁴⁵⁶⁷⁸⁹") == ""
}

// isProgram reports whether t begins with a name that contains capitals, digits, full
// stops, underscores or brackets: "pH", "numpy.float32", "open()".
func isProgram(t string) bool {
	word := t[:min(len(t), wordReach)]
	if i := strings.IndexFunc(word, blank); i >= 0 {
		word = word[:i]
	}
	word = strings.TrimRight(word, ".,;:!?")
	i := strings.IndexByte(word, '.')
	if i > 1 && i+2 < len(word) || strings.Contains(word, "_") || strings.HasSuffix(word, "()") {
		return true
	}
	return i < 0 && strings.IndexFunc(word, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) > 0
}

// hesitates reports whether an ellipsis is inside a sentence although a capital follows:
// the same word is repeated, or the next word is "I".
func (p *place) hesitates(word string) bool {
	return strings.EqualFold(strings.TrimLeftFunc(word, opening), p.after.word) || p.after.word == "I"
}

// speaks reports whether t, which begins with word, continues after direct speech with a
// name and a verb: "John said".
func speaks(t, word string) bool {
	if lookup(isStarter, word) && word != "I" {
		return false
	}
	for i, w := range strings.Fields(t[:min(len(t), wordReach)]) {
		if i > 0 && i < 4 && isSpeech[strings.TrimRight(w, ".,;:")] {
			return true
		}
	}
	return isSpeech[word]
}
