package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LineKind returns the kind of a line, judged without the lines around it. The line must
// have no white space at its ends. A fence is Code. A line of "-" is a Rule, even if it
// underlines a heading. A line without marks is Paragraph.
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

// headingLevel returns the level, from 1 at the top, of a heading written on one line, "#
// Title" or "== Title ==", or 0 for another line. Wikis count equals signs in two ways;
// here a single one is the top level.
func headingLevel(line string) int { return max(hashes(line), wikiLevel(line)) }

// hashes returns the level of a heading like "## Title": one to six "#", a space and a
// title.
func hashes(line string) int {
	title := strings.TrimLeft(line, "#")
	n := len(line) - len(title)
	if n == 0 || n > 6 || title == strings.TrimSpace(title) {
		return 0
	}
	return n
}

// wikiLevel returns the level of a heading like "== Title ==".
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

// drawn returns the level of the heading that a line underlines: 1 for "===" and 2 for
// "---". It returns 0 for another line.
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

// isRule reports whether a line consists of three or more "-", "*" or "_", possibly with
// spaces in between.
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

// fence is the start of a code block: a character and its number of repetitions.
type fence struct {
	char byte
	size int // 0 means no fence
}

// fenceOf returns the fence that a line opens. After a fence of "`" the line may contain no
// more of them: "```x```" is code within a text.
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

// closedBy reports whether a line closes the fence. It must consist of the same character,
// at least as many times.
func (f fence) closedBy(line string) bool {
	return len(line) >= f.size && line[0] == f.char && strings.Trim(line, line[:1]) == ""
}

// Bullets are characters used before list items and rarely elsewhere. Word and PowerPoint
// leave the last two in PDFs.
const Bullets = "☐☑☒•◦▪▫‣⁃●○■□►▸▶➢➤✓✔❖\uf0b7\uf0a7"

// itemMark returns the number of bytes of the list item mark at the beginning of a line: a
// bullet, or "-", "*", "+", "7." or "7)" before a space. It returns 0 if there is none.
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

// mostDigits is the maximum number of digits in an item's number.
const mostDigits = 9

// interrupts reports whether an item may directly follow a line of a paragraph. A number
// other than 1 may not, because the line may have been wrapped there. An empty item may
// not, either.
func interrupts(line string) bool {
	n := itemMark(line)
	return n < len(line) && (line[0] < '0' || line[0] > '9' || line[:n-1] == "1")
}

// quoteLevel returns the number of ">" at the beginning of a line.
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

// delimits reports whether a line is the delimiter below the head of a table: "--- | :-:".
func delimits(line string) bool {
	return strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: \t") == ""
}

// tabs reports whether a line has at least two tabs, like a row of a table copied from
// another program.
func tabs(line string) bool {
	i := strings.IndexByte(line, '\t')
	return i >= 0 && strings.IndexByte(line[i+1:], '\t') >= 0
}
