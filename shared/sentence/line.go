package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/markup"
)

// block is a paragraph: lines without a blank line in between.
type block struct {
	end   int // the first byte after it
	width int // length of its longest line in bytes
}

// lineEnds counts the line ends in white space. The end of a page counts as two.
func lineEnds(gap string) int {
	n := 0
	for i, r := range gap {
		switch r {
		case '\n', '\u2028', '\u0085':
			n++
		case '\r':
			if !strings.HasPrefix(gap[i+1:], "\n") {
				n++
			}
		case '\f', '\v', '\u2029':
			n += 2
		}
	}
	return n
}

// newline handles the line ends up to the next text.
func (s *splitter) newline() {
	first := s.at
	s.at = skipBlank(s.t, first)
	if s.at == len(s.t) {
		return
	}
	gap := s.t[first:s.at]
	sure := s.start == first || gap == "\n" && s.plainWrap(first)
	if (s.long || !sure) && (lineEnds(gap) > 1 || s.lineEnded(first)) {
		s.end(first)
	}
	s.line = s.at
}

// plainWrap reports whether the line that ends at byte first continues in the next one: it
// begins with a letter, and the next with two lower-case letters that are not a list mark.
// This is a shortcut; lineEnded decides the same.
func (s *splitter) plainWrap(first int) bool {
	t, next := s.t, s.at
	if first <= s.line || next+8 > len(t) {
		return false
	}
	c := t[s.line] | ' '
	small := func(c byte) bool { return 'a' <= c && c <= 'z' }
	return small(c) && small(t[next]) && small(t[next+1]) && strings.IndexByte(t[next:next+8], ')') < 0
}

// paragraph returns the length of the longest line of the paragraph around the line end at
// byte i.
func (s *splitter) paragraph(i int) int {
	if i < s.block.end {
		return s.block.width
	}
	t, width := s.t, 0
	for lo := s.line; ; {
		n := strings.IndexByte(t[lo:], '\n')
		hi := lo + n
		if n < 0 {
			hi = len(t)
		}
		line := strings.TrimSpace(t[lo:hi])
		if line == "" && lo > i || n < 0 {
			width = max(width, len(line))
			s.block = block{hi, width}
			return width
		}
		width = max(width, len(line))
		lo = hi + 1
	}
}

// lineEnded reports whether the sentence ends with the line that ends at byte first. The
// next line begins at s.at.
func (s *splitter) lineEnded(first int) bool {
	t := s.t
	line, rest := strings.TrimSpace(t[min(s.line, first):first]), t[s.at:min(len(t), s.at+4*wordReach)]
	if i := strings.IndexAny(rest, "\n\r"); i >= 0 {
		rest = rest[:i]
	}
	if line == "" || onlyMark(line) {
		return false
	}
	if opensItem(rest) || hasStamp(rest) || isRule(line) || isRule(rest) || marksBlock(line) || marksBlock(rest) {
		w, _, _ := strings.Cut(rest, " ")
		return !joinsNext(line) || isBulletLine(rest) || opensItem(line) || parseMark(w).follows(s.list)
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, opening))
	switch {
	case unicode.IsLower(next), last == ',' || last == ';' || last == '-' || last == '\u00ad' || last == '–' || last == '—':
		return false
	case strings.Contains(line, "....") && unicode.IsDigit(last), label(rest) && label(line),
		len(line) < wordReach && isDigit(line[0]) && isDigit(rest[0]) && unicode.In(last, unicode.L, unicode.N) && s.line >= s.start && s.leads(s.line):
		return true
	case !(unicode.In(last, unicode.L, unicode.M) || unicode.IsDigit(last) || last == ':' || closing(last)):
		return false
	case !unicode.IsUpper(next) && !unicode.IsDigit(next) && !unicode.Is(unicode.Lo, next), joinsNext(line):
		return false
	}
	if opensItem(line) && utf8.RuneCountInString(line) < wordReach && t[s.at-1] == '\n' {
		return true // after the last item of a list
	}
	// A line with room for the next word was not wrapped.
	width := s.paragraph(first)
	word := rest
	if i := strings.IndexByte(rest, ' '); i >= 0 {
		word = rest[:i]
	}
	if unicode.Is(unicode.Lo, next) {
		return 2*len(line) < width // its words are long or not separated by spaces
	}
	if s.line < s.start || !s.leads(s.line) {
		return false
	}
	return len(line)+1+len(word) <= width-width/8 || isHeading(line, rest)
}

// onlyMark reports whether a line is only the mark of a list item, with the text on the
// next line.
func onlyMark(line string) bool {
	r, n := utf8.DecodeRuneInString(line)
	return isBullet(r) && n == len(line) || len(line) < 8 && parseMark(line).kind != 0
}

// marksBlock reports whether a line is a heading, a table row or a code fence, as in
// Markdown and wikis. A hashtag and an arrow, "=>", begin with the same characters.
func marksBlock(line string) bool {
	switch line[0] {
	case '#', '|', '=':
		return true
	case '`', '~':
		return markup.LineKind(line) == markup.Code
	}
	return false
}

// hasStamp reports whether a line begins with a date, like a log line: 2023-11-02.
func hasStamp(line string) bool {
	return len(line) > 10 && line[4] == '-' && line[7] == '-' && strings.Trim(line[:10], "0123456789-") == ""
}

// isRule reports whether a line is a drawn rule: "-----", "=====".
func isRule(line string) bool {
	return len(line) > 2 && strings.Trim(line, "-=*_~ ") == ""
}

// isOption reports whether a line begins with a command-line option, as in the command's
// help: "-q, --quiet", "--num N".
func isOption(line string) bool {
	name := strings.TrimLeft(line, "-")
	dashes := len(line) - len(name)
	return dashes == 2 && name != "" && unicode.IsLetter(rune(name[0])) || dashes == 1 && len(name) > 1 && unicode.IsLetter(rune(name[0])) && (name[1] == ',' || name[1] == ' ')
}

func isBulletLine(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return isBullet(r)
}

// opensItem reports whether a line begins with the mark of a list item: a bullet, a dash,
// or a number or letter with a full stop or a bracket.
func opensItem(line string) bool {
	r, n := utf8.DecodeRuneInString(line)
	if isBulletLine(line) || isOption(line) {
		return true
	}
	if strings.ContainsRune("·*+-–—→・", r) {
		return r == '・' || blankAt(line+" ", n) && len(line) > n
	}
	if strings.HasPrefix(line, "[ ] ") || strings.HasPrefix(line, "[x] ") || strings.HasPrefix(line, "[X] ") {
		return true
	}
	w, _, ok := strings.Cut(line[:min(len(line), 12)], " ")
	if !ok {
		return false
	}
	if strings.Trim(w, "0123456789.") == "" && strings.Count(w, ".") > 1 && len(w) > 3 {
		return strings.HasSuffix(w, ".")
	}
	m := parseMark(w)
	return m.kind != 0 && (m.after != "." || m.kind == '1')
}

// label reports whether a line begins with a name and a colon: "Weight: 72 kg".
func label(line string) bool {
	i := strings.IndexByte(line[:min(len(line), wordReach)], ':')
	if i < 1 || !capital(line) || i+1 < len(line) && line[i+1] != ' ' {
		return false
	}
	return strings.Count(line[:i], " ") < 4 && !strings.ContainsAny(line[:i], ".!?,\"(")
}

// joinsNext reports whether a line cannot end a sentence, because its last word needs
// another word.
func joinsNext(line string) bool {
	return lookup(isJoiner, lastWord(line))
}

var isJoiner = set(`the a an and or of in on at to for with from by as is are was were be that which who than into between under over about near per via but its their his her our my your this these those
	across against along among around before after because behind beside between beyond despite down during except inside including into near off onto out outside since through throughout toward towards under until up upon within without
	called named president professor king queen saint san new los lake mount captain general sir lord lady mr mrs ms dr prof der die das den dem des ein eine einen und oder von vom zu zum zur im in am mit für auf bei nach aus ist sind war als wie le la les un une des du de et ou à au aux en dans par pour sur avec
	el los las una y o del al con por para que il lo gli di e da nel della dei i os as um uma do da dos das em no na het een van op te met voor der`)

// isHeading reports whether a line above rest looks like a heading. It has no full stop,
// and capitals on all longer words, capitals throughout, or a section number.
func isHeading(line, rest string) bool {
	if len(line) > 80 || strings.HasSuffix(line, ",") {
		return false
	}
	if strings.ToUpper(line) == line && strings.ToLower(line) != line {
		return strings.ToUpper(rest) != rest
	}
	words := strings.Fields(line)
	n := strings.TrimRight(words[0], ".")
	if numbered := n != "" && strings.Trim(n, "0123456789.") == ""; len(words) > 1 && (numbered || len(line) < wordReach && parseMark(words[0]).kind != 0) {
		return capital(words[1])
	}
	small := 0
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(w, opening))
		if !unicode.IsUpper(r) && !unicode.IsDigit(r) && len(w) > 3 {
			small++
		}
	}
	return small == 0 || len(words) <= 3 && small < len(words)
}
