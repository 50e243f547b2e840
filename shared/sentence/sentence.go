// Package sentence splits a text into sentences with exact spans.
//
// The rules look at one place at a time: a run of sentence terminators, the
// closing quotes and brackets behind it, the white space, and the words on both
// sides. Lines matter too: a blank line, a list item or a heading ends a
// sentence that has no full stop; a line that was only wrapped does not.
package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// Split returns the sentences of t in order. Spans do not overlap, hold no
// white space at either end, and between them there is nothing but white space.
// A text without anything but white space has none. Time is linear in len(t).
func Split(t string) []text.Span {
	spans, _ := SplitProgress(t, func(int, int) error { return nil }) // that has no error
	return spans
}

// reportEvery is how many bytes are split between two calls of a progress hook:
// some milliseconds of work in a browser.
const reportEvery = 64 << 10

// SplitProgress is Split with a hook that is told how many bytes are done. An
// error from it ends the work and is returned.
func SplitProgress(t string, progress func(done, total int) error) ([]text.Span, error) {
	s := splitter{t: t}
	for next := 0; s.at < len(t); {
		s.step()
		if s.at >= next {
			if err := progress(s.at, len(t)); err != nil {
				return nil, err
			}
			next = s.at + reportEvery
		}
	}
	s.end(len(t))
	return s.spans, nil
}

// Notebook splits t as the notebook pipelines do, on the two characters ". ",
// which belong to no sentence. A text of n such separators has n+1 sentences,
// empty ones among them; an empty text has one.
func Notebook(t string) []text.Span {
	var spans []text.Span
	at := 0
	for {
		i := strings.Index(t[at:], ". ")
		if i < 0 {
			return append(spans, text.Span{Start: at, End: len(t)})
		}
		spans = append(spans, text.Span{Start: at, End: at + i})
		at += i + 2
	}
}

type splitter struct {
	t     string
	spans []text.Span
	start int // where the sentence under way begins; white space may come first
	line  int // where the line under way begins
	at    int // what is looked at next
}

// end closes the sentence under way before byte i.
func (s *splitter) end(i int) {
	lo, hi := s.start, i
	lo += len(s.t[lo:hi]) - len(strings.TrimLeftFunc(s.t[lo:hi], blank))
	hi = lo + len(strings.TrimRightFunc(s.t[lo:hi], blank))
	if lo < hi {
		s.spans = append(s.spans, text.Span{Start: lo, End: hi})
	}
	s.start = i
}

// blank is what no sentence begins or ends with: white space and the byte order
// mark that some files begin with.
func blank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// step looks at the byte at s.at and moves on.
func (s *splitter) step() {
	switch c := s.t[s.at]; {
	case c == '\n' || c == '\f' || c == '\r':
		s.newline()
	case c == '.' || c == '!' || c == '?':
		s.terminator()
	case c < utf8.RuneSelf:
		s.at++
	default:
		r, n := utf8.DecodeRuneInString(s.t[s.at:])
		switch {
		case wideTerminators[r]:
			s.wide()
		case r == '…':
			s.terminator()
		default:
			s.at += n
		}
	}
}

// wideTerminators end a sentence without white space behind them.
var wideTerminators = map[rune]bool{
	'。': true, '！': true, '？': true, '｡': true, '．': true,
	'।': true, '॥': true, // Devanagari and its neighbours
	'۔': true, '؟': true, // Arabic script
	'።': true, '፧': true, // Ethiopic
	'։': true,            // Armenian
	'။': true,            // Myanmar
	'។': true, '៕': true, // Khmer
}

// wide handles a terminator that needs no white space behind it.
func (s *splitter) wide() {
	for s.at < len(s.t) {
		r, n := utf8.DecodeRuneInString(s.t[s.at:])
		if !wideTerminators[r] && !closing(r) {
			break
		}
		s.at += n
	}
	s.end(s.at)
}

// newline handles line ends: all of them up to the next text.
func (s *splitter) newline() {
	first := s.at
	lines := 0
	for s.at < len(s.t) {
		r, n := utf8.DecodeRuneInString(s.t[s.at:])
		if r == '\n' || r == '\r' && !strings.HasPrefix(s.t[s.at+1:], "\n") {
			lines++
		}
		if r == '\f' {
			lines = 2
		}
		if !unicode.IsSpace(r) {
			break
		}
		s.at += n
	}
	if lines > 1 || breaksLine(s.t[s.line:first], s.t[s.at:]) {
		s.end(first)
	}
	s.line = s.at
}

// shortLine is a length in bytes below which a line that ends without
// punctuation was not wrapped but ended: most texts are wrapped at 60 or more.
const shortLine = 48

// breaksLine reports whether a sentence ends with line although there is only
// one line end before rest.
func breaksLine(line, rest string) bool {
	if opensItem(rest) || strings.HasPrefix(line, "#") || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "|") {
		return true
	}
	line = strings.TrimSpace(line)
	if line == "" || len(line) > shortLine {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	next, _ := utf8.DecodeRuneInString(rest)
	return (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ':') && (unicode.IsUpper(next) || unicode.IsDigit(next))
}

// opensItem reports whether a line begins with the mark of a list item: a
// bullet, a dash, or a number or letter with a full stop or a bracket.
func opensItem(line string) bool {
	r, n := utf8.DecodeRuneInString(line)
	if strings.ContainsRune("•◦▪‣·*-–—●○", r) {
		next, _ := utf8.DecodeRuneInString(line[n:])
		return unicode.IsSpace(next)
	}
	mark, _, ok := strings.Cut(line[:min(len(line), 12)], " ")
	return ok && isItemMark(mark)
}

// isItemMark reports whether w is the number of a list item: "3.", "12)",
// "(a)", "b)", "iv.", "2.1.".
func isItemMark(w string) bool {
	body := strings.TrimLeft(w, "(")
	trimmed := strings.TrimRight(body, ".)")
	if trimmed == body || trimmed == "" {
		return false
	}
	if strings.Trim(trimmed, "0123456789.") == "" {
		return true
	}
	return strings.HasSuffix(w, ")") && (len(trimmed) == 1 || strings.Trim(trimmed, "ivxIVX") == "")
}

// closing reports whether r closes a quotation or a bracket.
func closing(r rune) bool {
	return r == '"' || r == '\'' || unicode.Is(unicode.Pe, r) || unicode.Is(unicode.Pf, r)
}

// opening reports whether r may stand before the first word of a sentence.
func opening(r rune) bool {
	return r == '"' || r == '\'' || r == '¿' || r == '¡' || unicode.Is(unicode.Ps, r) || unicode.Is(unicode.Pi, r)
}

// terminator handles a run of full stops, exclamation and question marks.
func (s *splitter) terminator() {
	first := s.at
	for s.at < len(s.t) {
		r, n := utf8.DecodeRuneInString(s.t[s.at:])
		if !strings.ContainsRune(".!?…", r) {
			if !spacedDots(s.t[first:s.at], s.t[s.at:]) {
				break
			}
			n = len(" .")
		}
		s.at += n
	}
	run := s.t[first:s.at]
	quoted := false
	for s.at < len(s.t) {
		r, n := utf8.DecodeRuneInString(s.t[s.at:])
		if !closing(r) {
			break
		}
		s.at += n
		quoted = true
	}
	for _, spaced := range []string{" »", "\u00a0»", "\u202f»"} { // French sets its quotation marks apart
		if strings.HasPrefix(s.t[s.at:], spaced) {
			s.at += len(spaced)
			quoted = true
		}
	}
	end := s.at
	rest := s.t[end:]
	if rest == "" {
		return
	}
	after := strings.TrimLeft(rest, " \t\u00a0")
	if after == rest && rest[0] != '\n' && rest[0] != '\r' {
		return // no white space: 3.14, example.org, U.S.A
	}
	if s.breaks(first, run, quoted, strings.TrimLeftFunc(after, unicode.IsSpace)) {
		s.end(end)
	}
}

// spacedDots reports whether a run that ends in a full stop goes on as an
// ellipsis with blanks, ". . .".
func spacedDots(run, rest string) bool {
	return strings.HasSuffix(run, ".") && strings.HasPrefix(rest, " .") &&
		(strings.HasPrefix(rest, " . .") || strings.HasSuffix(run, " ."))
}

// breaks decides whether the terminators run, which stand at byte first, end a
// sentence when after comes next.
func (s *splitter) breaks(first int, run string, quoted bool, after string) bool {
	next, size := utf8.DecodeRuneInString(after)
	for size > 0 && opening(next) {
		after = after[size:]
		next, size = utf8.DecodeRuneInString(after)
	}
	if unicode.IsLower(next) || strings.ContainsRune(",;:)", next) && size > 0 {
		return false
	}
	if run != "." {
		return true
	}
	before := s.t[s.start:first]
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	if quoted && !strings.ContainsAny(word, "(\"'“‘") {
		return true
	}
	word = strings.TrimLeftFunc(word, func(r rune) bool { return opening(r) })
	if isItemMark(word+".") && len(strings.TrimSpace(before)) == len(word) {
		return false // the number of a list item belongs to its text
	}
	return !joins(word, firstWord(after))
}

// firstWord returns the letters, digits and inner apostrophes that t begins with.
func firstWord(t string) string {
	i := strings.IndexFunc(t, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' })
	if i < 0 {
		return t
	}
	return t[:i]
}
