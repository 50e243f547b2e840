package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// inline collects the elements and marks of lines.
type inline struct {
	t        string
	elements []text.Element
	marks    []Mark
}

// Bounds on the search in a line, so that no text takes long.
const (
	longLine = 20_000 // bytes; the rest of a longer line is not examined
	longPart = 1_000  // bytes between two marks
	mostTick = 8      // maximum number of ticks around code
)

func (l *inline) add(kind text.ElementKind, start, end int) int {
	l.elements = append(l.elements, text.Element{Kind: kind, Span: text.Span{Start: start, End: end}})
	return len(l.elements) - 1
}

func (l *inline) mark(look Look, start, end int) {
	if look != 0 && start < end {
		l.marks = append(l.marks, Mark{look, text.Span{Start: start, End: end}})
	}
}

// line adds the code, links and emphasis of a part of one line.
func (l *inline) line(s text.Span) {
	s.End = min(s.End, text.Edge(l.t, s.Start+longLine))
	var missing [mostTick + 1]bool // no such run of ticks follows
	for i := s.Start; i < s.End; {
		switch c := l.t[i]; c {
		case '\\':
			if i+1 < s.End && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", l.t[i+1]) >= 0 {
				l.mark(Hidden, i, i+1)
				i++
			}
			i++
		case '`':
			i = l.code(i, s.End, &missing)
		case '[':
			i = l.link(i, i, s.End)
		case '!':
			if i++; i < s.End && l.t[i] == '[' {
				i = l.link(i-1, i, s.End)
			}
		case '*', '_':
			i = l.emphasis(i, s)
		default:
			i++
		}
	}
}

// part adds an element between two marks, or a link if kind is 0, and the parts inside it.
// It returns the element's end.
func (l *inline) part(kind text.ElementKind, start, from, to, end int) int {
	if kind > 0 {
		l.add(kind, start, end)
	} else {
		l.mark(Link, start, end)
	}
	l.mark(Hidden, start, from)
	if kind != text.Code {
		l.line(text.Span{Start: from, End: to})
	}
	l.mark(Hidden, to, end)
	return end
}

// ticks returns the number of "`" at i.
func (l *inline) ticks(i, end int) int {
	n := 0
	for i+n < end && l.t[i+n] == '`' {
		n++
	}
	return n
}

// code adds the code between two equally long runs of ticks.
func (l *inline) code(start, end int, missing *[mostTick + 1]bool) int {
	n := l.ticks(start, end)
	from := start + n
	if n > mostTick || missing[n] {
		return from
	}
	for at := from; at < end; {
		found := strings.IndexByte(l.t[at:end], '`')
		if found < 0 {
			break
		}
		at += found
		if k := l.ticks(at, end); k != n {
			at += k
			continue
		}
		return l.part(text.Code, start, from, at, at+n)
	}
	missing[n] = true
	return from
}

// link adds a link, "[label](address "title")", or a picture. The label begins at bracket.
func (l *inline) link(start, bracket, end int) int {
	end = min(end, bracket+3*longPart)
	n := strings.IndexAny(l.t[bracket+1:end], "[]")
	to := bracket + 1 + n
	if n < 0 || l.t[to] == '[' || to+1 >= end || l.t[to+1] != '(' {
		return bracket + 1
	}
	at, depth := to+2, 0
	for ; at < end && !(l.t[at] == ')' && depth == 0) && l.t[at] != ' '; at++ {
		switch l.t[at] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 1 {
			return bracket + 1
		}
	}
	if title := l.t[min(at, end):end]; strings.HasPrefix(title, ` "`) {
		n := strings.IndexByte(title[2:], '"')
		if n < 0 {
			return bracket + 1
		}
		at += 2 + n + 1
	}
	if at >= end || l.t[at] != ')' {
		return bracket + 1
	}
	if to == bracket+1 { // nothing visible
		l.mark(Hidden, start, at+1)
		return at + 1
	}
	return l.part(0, start, bracket+1, to, at+1)
}

// emphasis adds the text between two "*" or "_", and the strong text between two pairs of them.
func (l *inline) emphasis(start int, s text.Span) int {
	c := l.t[start]
	n := 1
	if start+1 < s.End && l.t[start+1] == c {
		n = 2
	}
	from := start + n
	if from >= s.End || l.t[from] == ' ' || l.t[from] == '\t' || n == 1 && isWord(lastRune(l.t[s.Start:start])) {
		return from
	}
	window := l.t[from:min(s.End, from+longPart)]
	if n == 2 {
		found := strings.Index(window[1:], l.t[start:from])
		if found < 0 {
			return from
		}
		for found += 1; found+2 < len(window) && window[found+2] == c; {
			found++
		}
		return l.part(text.Strong, start, from, from+found, from+found+2)
	}
	found := strings.IndexAny(window, "*_")
	if found <= 0 || window[found] != c {
		return from
	}
	if behind, _ := utf8.DecodeRuneInString(l.t[from+found+1 : s.End]); isWord(behind) {
		return from
	}
	return l.part(text.Emphasis, start, from, from+found, from+found+1)
}

func lastRune(t string) rune {
	r, _ := utf8.DecodeLastRuneInString(t)
	return r
}

// isWord reports whether r, next to an emphasis mark, means that the mark is inside a word
// or a run of marks.
func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '*' }
