package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// inline collects the elements, marks and links of lines.
type inline struct {
	t        string
	elements []text.Element
	marks    []Mark
	links    []text.Link
	targets  map[string]string // by label; see targets.go
	indented bool              // the lines of the block are an item's
	quoted   bool              // the lines of the block are a quote's
	within   byte              // 0, or see inLink
}

// The values of inline.within: the text being examined is part of a link or a picture.
const (
	inLink    = iota + 1 // no URL without marks
	inPicture            // no link
)

// Bounds on the search in a text, so that no text takes long.
const (
	longPart = 1_000 // bytes between two marks
	mostTick = 8     // maximum number of ticks around code
	deepest  = 4     // maximum number of brackets around one in a label
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

// line adds the code, links and emphasis of a part of a block. Code and emphasis do not go
// beyond a line, links do.
func (l *inline) line(s text.Span) {
	var missing [mostTick + 1]bool // no such run of ticks follows in the line
	end := s.Start                 // of the line
	for i := s.Start; i < s.End; {
		if i >= end {
			end = i + lineLen(l.t[i:s.End])
			missing = [mostTick + 1]bool{}
		}
		switch c := l.t[i]; c {
		case '\n', '\r', '\f':
			i = l.lineEnd(i)
		case '\\':
			if i+1 < s.End && isPunct(l.t[i+1]) {
				l.mark(Hidden, i, i+1)
				i++
			} else if i+1 == end && end < s.End {
				l.mark(Hidden, i, i+1)
			}
			i++
		case '`':
			i = l.code(i, end, &missing)
		case '[':
			i = l.link(i, i, s.End)
		case '!':
			if i++; i < s.End && l.t[i] == '[' {
				i = l.link(i-1, i, s.End)
			}
		case '<':
			i = l.angled(i, end)
		case 'h', 'w':
			i = l.bare(i, s.Start, end)
		case '*', '_':
			i = l.emphasis(i, text.Span{Start: s.Start, End: end})
		default:
			i++
		}
	}
}

// isPunct reports whether a backslash before c is hidden.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// lineEnd marks the end of a line within a block, and the marks before the words of the next
// line. It returns the offset of those words.
func (l *inline) lineEnd(i int) int {
	next := i + lineEnd(l.t[i:])
	line := text.Span{Start: next, End: next + lineLen(l.t[next:])}
	if l.quoted {
		return l.quote(line).Start
	}
	if before := l.t[:i]; !strings.HasSuffix(before, "  ") && !strings.HasSuffix(trimRight(before[max(0, i-longPart):]), `\`) {
		l.mark(SoftBreak, i, next)
	}
	if l.indented {
		from := trimmed(l.t, line).Start
		l.mark(Hidden, next, from)
		return from
	}
	return next
}

// part adds an element between two marks, and the parts inside it. It returns the element's
// end.
func (l *inline) part(kind text.ElementKind, start, from, to, end int) int {
	l.add(kind, start, end)
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
