package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/markup"
)

// place is a run of terminators with the text around it. All positions are byte offsets in
// the text.
type place struct {
	*splitter
	first, run int   // the run of terminators is t[first:run]
	close      int   // the closing marks are t[run:close]
	next       int   // where the text continues
	wide       bool  // the terminators need no space after them
	after      ahead // the text at next
}

func (p *place) marks() string  { return p.t[p.first:p.run] }
func (p *place) closed() string { return p.t[p.run:p.close] }

// terminator handles a run of terminators and decides whether the sentence ends after it.
// It leaves s.at after the closing marks.
func (s *splitter) terminator() {
	t, first := s.t, s.at
	if !s.long && first+1 < len(t) && 'a' <= t[first+1] && t[first+1] <= 'z' {
		s.at++ // "example.org", most of the time
		return
	}
	if !s.long && s.plainStop() {
		if s.at = first + 1; !s.nested(first, s.at) {
			s.end(s.at)
		}
		return
	}
	p := &place{splitter: s, first: first, run: runEnd(t, first)}
	p.wide = isWide(p.marks())
	p.close = p.closers()
	if p.marks() == "." {
		s.inlineMark(p.close - 1)
	}
	s.at = p.close
	p.next = skipBlank(t, p.close)
	switch {
	case p.next == len(t) || lineEnds(t[p.close:p.next]) > 1:
		// the end of the text and blank lines end every sentence
	case p.omits():
		s.end(first + 1)
	case p.next == p.close && !p.wide && !p.lostBlank():
		// no white space: 3.14, example.org, U.S.A
	case p.ends() && !s.nested(first, p.close):
		s.end(p.close)
	}
}

// plainStop reports whether s.at is at the most common kind of full stop: after a
// lower-case word that is not an abbreviation, and before a space and a capital. This is a
// shortcut; the full rules decide the same.
func (s *splitter) plainStop() bool {
	t, i := s.t, s.at
	if i+2 >= len(t) || t[i] != '.' || t[i+1] != ' ' && t[i+1] != '\n' || t[i+2] < 'A' || t[i+2] > 'Z' {
		return false
	}
	lo := i
	for lo > s.start && i-lo < longestWord && 'a' <= t[lo-1] && t[lo-1] <= 'z' {
		lo--
	}
	if i-lo < 5 || lo == s.start {
		return false // short words may belong to the one before, "d.h."
	}
	return i-lo == longestWord || isSpace(t[lo-1]) && abbreviations[t[lo:i]] == none && t[i-3:i] != "str"
}

// runEnd returns the end of the run of terminators that begins at byte i, including the
// spaces of ". . ." and "? !".
func runEnd(t string, i int) int {
	first := i
	_, n := utf8.DecodeRuneInString(t[i:])
	for i += n; i < len(t); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(t[i:])
		switch {
		case r == '.' || r == '!' || r == '?' || isTerminator(r):
		case (r == ' ' || r == '\u00a0') && spacedMark(t[first:i], t[i+n:]):
			n++
		default:
			return i
		}
	}
	return i
}

// spacedMark reports whether a run continues with rest after a space: another full stop of
// ". . .", or the next mark of "? !".
func spacedMark(run, rest string) bool {
	if rest == "" {
		return false
	}
	switch run[len(run)-1] {
	case '.':
		return rest[0] == '.' && (strings.HasPrefix(rest, ". .") || strings.HasPrefix(rest, ".\u00a0.") ||
			strings.HasSuffix(run, " .") || strings.HasSuffix(run, "\u00a0."))
	case '!', '?':
		return rest[0] == '!' || rest[0] == '?'
	}
	return false
}

// isWide reports whether a run ends a sentence even without white space after it. All
// terminators do, except the ASCII ones and the ellipses.
func isWide(run string) bool {
	for _, r := range run {
		if r >= utf8.RuneSelf && r != '…' && r != '⋯' && r != '\u037e' && r != '\u00a0' {
			return true
		}
	}
	return false
}

// omits reports whether a spaced ellipsis begins with the full stop of a sentence, which
// ends there: "compounds. . . . The practice".
func (p *place) omits() bool {
	t, run := p.t, p.marks()
	if len(run) < len(". . . .") || run[1] != ' ' || p.close > p.run || strings.Trim(run, ". ") != "" {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(t[:p.first])
	return (unicode.IsLetter(before) || unicode.IsDigit(before)) && capital(t[p.next:])
}

// lostBlank reports whether a sentence ends although a letter follows directly. That
// happens in scripts without spaces, and where the space was lost.
func (p *place) lostBlank() bool {
	t := p.t
	before, _ := utf8.DecodeLastRuneInString(t[:p.first])
	after, _ := utf8.DecodeRuneInString(t[p.close:])
	ascii := t[p.first] < utf8.RuneSelf
	if ideograph(after) && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		if ascii {
			return len(p.marks()) <= 2 && !p.leads(p.first-1)
		}
		// A Chinese ellipsis of six dots ends a sentence, a Japanese one rarely.
		so := t[p.start:p.first]
		return len(p.marks()) >= len("……") && len(so) > 6*len("字") && !hasKana(so) && !hasKana(t[p.close:min(len(t), p.close+len("字"))])
	}
	word := lastWord(t[p.start:p.first])
	if !unicode.IsLower(before) || !unicode.IsUpper(after) || strings.ContainsAny(word, "./@:=&(_") || len(word) < 2 {
		return false
	}
	if t[p.first] != '.' {
		return p.close == p.run
	}
	next := firstWord(t[p.close:])
	return lookup(isStarter, next) && strings.HasPrefix(t[p.close+len(next):], " ") && strings.ToLower(next[1:]) == next[1:]
}

// ends decides whether the sentence ends with the terminators and closing marks.
func (p *place) ends() bool {
	t, marks, closed := p.t, p.marks(), p.closed()
	if p.leads(p.first) && marks != "." {
		return false // an ellipsis at the beginning of a sentence
	}
	if len(marks) > 1 && strings.HasSuffix(t[:p.first], "[") && strings.HasPrefix(closed, "]") {
		return false // words left out within a sentence
	}
	p.after = lookAhead(t, p.next)
	a := p.after
	quoted := closed != "" && t[p.run-1] != '.'
	small := unicode.IsLower(a.first) && !smallOnly(a.first)
	switch {
	case a.first == 0:
		return true
	case a.open == 0 && strings.ContainsRune(",;:.!?…)", a.first):
		return false
	case a.open == 0 && quoted && isCaseless(a.first) && opensWithQuote(t[p.start:p.first]):
		return false // direct speech and its speaker
	case p.wide:
		return !p.quoteGoesOn() && !p.urduInitial()
	case a.bullet:
		return true
	case p.inDandaText():
		return false
	case len(marks) > 3 && unicode.IsDigit(a.first) && strings.Trim(marks, ". ") == "":
		return false // the dots of a table of contents
	case a.dash && closed != "" && smallOnly(a.first), small && !p.startsSmall(),
		a.open == 0 && strings.ContainsRune("&+=/|%^~>", a.first) && t[p.run-1] == '.' && !(a.first == '+' && a.at+1 < len(t) && isDigit(t[a.at+1])):
		return false
	}
	word, wordAt := p.lastToken(p.first)
	if m := parseMark(strings.TrimLeft(word, markup.Bullets) + t[p.first:min(p.close, p.first+4)]); m.kind != 0 && p.leads(wordAt) {
		p.list = m
		return false
	}
	switch {
	case marks == ".":
		return closed != "" && !strings.ContainsAny(word, "([\"“„«‘") || !p.fullStop(word, wordAt).goesOn()
	case strings.HasPrefix(closed, ")") && (a.first == '(' || small):
		return false
	case marks == "!" && lookup(isName, word):
		return lookup(isStarter, a.word)
	case quoted && speaks(t[a.at:], a.word):
		return false
	case strings.HasSuffix(marks, "..") || strings.HasPrefix(marks, "…") || strings.HasPrefix(marks, ". ."):
		return !p.hesitates(word)
	}
	return true
}

// fullStop collects the facts that decide about a single full stop after word, which begins
// at byte at.
func (p *place) fullStop(word string, at int) fullStop {
	a := p.after
	prev, prevAt := p.lastToken(at)
	if i := strings.LastIndexFunc(word, ideograph); i >= 0 { // "美国St. Louis"
		_, n := utf8.DecodeRuneInString(word[i:])
		word = word[i+n:]
	}
	f := fullStop{
		word: strings.TrimLeftFunc(strings.TrimLeft(word, markup.Bullets), opening), prev: strings.TrimLeftFunc(prev, opening),
		leading: p.leads(at), leads: prev != "" && p.leads(prevAt),
		next: a.word, stop: a.stop, more: a.more, dash: a.dash, open: a.open, first: a.first,
	}
	if so := p.t[p.start:p.first]; len(so) < wordReach {
		words := strings.Fields(so)
		f.opensWithTime = len(words) <= 4 && len(words) > 0 && lookup(isTimeOpener, words[0])
	}
	return f
}

// nested reports whether the terminators at byte first are in brackets that open within the
// sentence and close later in the same paragraph.
func (s *splitter) nested(first, end int) bool {
	t := s.t
	lo := max(s.start, first-bracketReach)
	if s.opened < lo {
		return false
	}
	depth, open := 0, -1
	for i, r := range t[lo:end] {
		switch r {
		case '(', '[', '「', '（':
			if depth++; depth == 1 {
				open = lo + i
			}
		case ')', ']', '」', '）':
			depth = max(0, depth-1)
		}
	}
	if depth == 0 || s.leads(open) {
		return false
	}
	hi := min(len(t), end+bracketReach)
	for _, blank := range [...]string{"\n\n", "\n\r\n"} {
		if i := strings.Index(t[end:hi], blank); i >= 0 {
			hi = end + i
		}
	}
	return strings.ContainsAny(t[end:hi], ")]」）")
}
