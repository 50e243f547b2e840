package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LineKind says what a line is by itself, whatever stands around it. It has to be
// without white space at its ends. A fence is Code; a line of "-" is a Rule, also
// one that underlines a heading; what has no mark is Paragraph.
func LineKind(line string) Kind {
	if line == "" {
		return Paragraph
	}
	switch c := line[0]; {
	case c == '#' && hashes(line) > 0, c == '=' && wikiLevel(line) > 0:
		return Heading
	case (c == '`' || c == '~') && fenceOf(line).size > 0:
		return Code
	case c == '|':
		return Table
	case c == '>':
		return Quote
	case isRule(line):
		return Rule
	case itemMark(line) > 0:
		return Item
	case tabs(line):
		return Table
	}
	return Paragraph
}

// headingLevel is the level, from 1 at the top, of a heading that a line is by
// itself: "# Title" or "== Title =="; 0 for another line. Wikis and files of wiki
// texts count their signs of equality in two ways: here one is the top.
func headingLevel(line string) int { return max(hashes(line), wikiLevel(line)) }

// hashes is the level of "## Title": one to six "#", a blank and a title.
func hashes(line string) int {
	title := strings.TrimLeft(line, "#")
	n := len(line) - len(title)
	if n == 0 || n > 6 || title == strings.TrimSpace(title) {
		return 0
	}
	return n
}

// wikiLevel is the level of "== Title ==".
func wikiLevel(line string) int {
	title := strings.TrimLeft(line, "=")
	n := len(line) - len(title)
	if n == 0 || n > 6 {
		return 0
	}
	rest, ok := strings.CutSuffix(title, line[:n])
	if !ok || strings.TrimSpace(rest) == "" || strings.HasSuffix(rest, "=") {
		return 0
	}
	return n
}

// drawn is the level of the heading that a line underlines, 1 for "===" and 2 for
// "---"; 0 for another line.
func drawn(line string) int {
	switch {
	case len(line) < 3:
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// isRule reports whether a line is three or more "-", "*" or "_" with nothing but
// blanks between them.
func isRule(line string) bool {
	c, n := line[0], 0
	if c != '-' && c != '*' && c != '_' {
		return false
	}
	for _, x := range []byte(line) {
		switch x {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// fence is what code begins with: how many of which character.
type fence struct {
	char byte
	size int // 0: none
}

// fenceOf returns the fence that a line opens. Behind one of "`" there is none of
// it in the line: "```x```" is code within a text.
func fenceOf(line string) fence {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return fence{}
	}
	info := strings.TrimLeft(line, line[:1])
	n := len(line) - len(info)
	if n < 3 || line[0] == '`' && strings.IndexByte(info, '`') >= 0 {
		return fence{}
	}
	return fence{line[0], n}
}

// closedBy reports whether a line closes the fence: it is of the same character,
// at least as many, and nothing else.
func (f fence) closedBy(line string) bool {
	return len(line) >= f.size && line[0] == f.char && strings.Trim(line, line[:1]) == ""
}

// Bullets are drawn before list items and hardly elsewhere. The last two are what
// Word and PowerPoint leave in PDFs.
const Bullets = "☐☑☒•◦▪▫‣⁃●○■□►▸▶➢➤✓✔❖\uf0b7\uf0a7"

// itemMark is how many bytes at the beginning of a line are the mark of a list
// item: a bullet, or "-", "*", "+", "7." or "7)" before a blank. 0 for none.
func itemMark(line string) int {
	r, n := utf8.DecodeRuneInString(line)
	switch {
	case r == '-' || r == '*' || r == '+':
	case '0' <= r && r <= '9':
		for n < len(line) && '0' <= line[n] && line[n] <= '9' {
			n++
		}
		if n > mostDigits || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0
		}
		n++
	case r >= utf8.RuneSelf && strings.ContainsRune(Bullets, r):
		return n
	default:
		return 0
	}
	if next, _ := utf8.DecodeRuneInString(line[n:]); n < len(line) && !unicode.IsSpace(next) {
		return 0
	}
	return n
}

// mostDigits are those that the number of an item has at most.
const mostDigits = 9

// interrupts reports whether an item may stand right behind a line of a paragraph:
// not if it is a number other than 1, which that line may have been wrapped at,
// and not if it is empty.
func interrupts(line string) bool {
	n := itemMark(line)
	return n < len(line) && (line[0] < '0' || line[0] > '9' || line[:n-1] == "1")
}

// quoteLevel is how many ">" a line begins with.
func quoteLevel(line string) (n int) {
	for _, c := range []byte(line) {
		switch c {
		case '>':
			n++
		case ' ', '\t':
		default:
			return n
		}
	}
	return n
}

// delimits reports whether a line stands below the head of a table: "--- | :-:".
func delimits(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: \t") == ""
}

// tabs reports whether a line has two tabs or more, as a row of a table that was
// copied from somewhere.
func tabs(line string) bool {
	i := strings.IndexByte(line, '\t')
	return i >= 0 && strings.IndexByte(line[i+1:], '\t') >= 0
}
