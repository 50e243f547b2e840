// Package markup parses the blocks of Markdown and wiki texts: headings, lists, code,
// tables, quotes, front matter and paragraphs. All packages use it: package sentence for a
// line, package chunk for the layout of any text, package read for a Markdown file. A text
// without marks consists of paragraphs.
//
// Lines end with "\n", "\r\n", "\r" or "\f". Time is linear in the text, and no text causes
// a panic.
package markup

import (
	"slices"
	"strings"
	"unicode"

	"seam/shared/text"
)

// Kind is the kind of a block.
type Kind byte

// The kinds of blocks.
const (
	Paragraph   Kind = iota // lines without a blank line in between
	Heading                 // "# Title", "== Title ==", or a line above one of "=" or "-"
	Item                    // of a list: its mark and the lines up to the next block
	Code                    // from a fence of "```" or "~~~" to the closing one, or to the end of the text
	Table                   // rows that begin with "|", have two or more tabs, or are below "--- | ---"
	Quote                   // lines that begin with ">", and those that continue without it
	Rule                    // a line of three or more "-", "*" or "_" that underlines nothing
	FrontMatter             // metadata at the very beginning: see front.go
)

// Block is a part of a text.
type Block struct {
	Kind Kind
	// Level is the level of a heading, 1 to 6, or of an item, from 1 for the outermost
	// list, or the number of ">" of a quote. It is 0 for other kinds.
	Level int
	// Span covers the block without white space at its ends. Otherwise it consists of whole
	// lines.
	text.Span
}

// Blocks returns the blocks of t in order. They do not overlap and have only white space in
// between. A byte order mark at the beginning of t counts as white space.
func Blocks(t string) []Block {
	r := reader{t: t, lines: newLines(t)}
	if strings.HasPrefix(t, byteOrderMark) {
		r.lines.at = len(byteOrderMark)
	}
	r.frontMatter()
	for r.lines.next() {
		r.line(r.lines.line)
	}
	return r.blocks
}

const byteOrderMark = "\ufeff"

// Title returns the text of a heading of t, without its marks.
func (b Block) Title(t string) string {
	line := strings.TrimSpace(b.Of(t)[:lineLen(b.Of(t))])
	switch n := b.Level; {
	case b.Len() > len(line): // underlined
		return line
	case wikiLevel(line) == n:
		return strings.TrimSpace(line[n : len(line)-n])
	case hashes(line) == n:
		title := strings.TrimSpace(line[n:])
		if bare := strings.TrimRight(title, "#"); bare == "" || bare != trimRight(bare) { // "# Title ##"
			return trimRight(bare)
		}
		return title
	}
	return line
}

// reader groups lines into blocks.
type reader struct {
	t      string
	lines  lines
	blocks []Block
	open   bool            // the last block may continue
	held   int             // lines of the last block
	fence  fence           // the open fence
	bare   bool            // the rows of the open table may begin with any character
	indent []int           // indentations of the last item and the items around it
	raw    string          // ends the open HTML block
	never  map[string]bool // ends of HTML blocks that the rest of the text does not have
}

// line handles the next line. A blank line ends blocks that may end there.
func (r *reader) line(s text.Span) {
	s = trimmed(r.t, s)
	if s.Len() == 0 {
		r.open = r.open && (r.fence.size > 0 || r.raw != "")
		return
	}
	line := s.Of(r.t)
	if r.raw != "" {
		r.extend(s)
		r.closeRaw(line)
		return
	}
	if r.fence.size > 0 {
		r.extend(s)
		if r.fence.closedBy(line) {
			r.fence, r.open = fence{}, false
		}
		return
	}
	kind := LineKind(line)
	last := Kind(255) // kind of the open block
	if r.open {
		last = r.blocks[len(r.blocks)-1].Kind
	}
	if r.raw = r.rawEnd(s); r.raw != "" {
		if last != Paragraph {
			r.begin(Paragraph, s)
		} else {
			r.extend(s)
		}
		r.closeRaw(line)
		r.held = max(r.held, 2)
		return
	}
	switch {
	case (kind == Heading && line[0] == '#' || kind == Code) && r.isCode(s.Start):
		if last == Paragraph || last == Item || last == Quote {
			r.extend(s)
		} else {
			r.begin(Paragraph, s)
		}
		r.held = max(r.held, 2) // no line below makes it a heading
	case last == Paragraph && r.held == 1 && drawn(line) > 0:
		r.extend(s)
		b := &r.blocks[len(r.blocks)-1]
		b.Kind, b.Level, r.open = Heading, drawn(line), false
	case last == Paragraph && r.held == 1 && delimits(line) && strings.Contains(r.blocks[len(r.blocks)-1].Of(r.t), "|"):
		r.extend(s)
		r.blocks[len(r.blocks)-1].Kind, r.bare = Table, true
	case kind == Item && last == Paragraph && !interrupts(line):
		r.extend(s)
	case last == kind && (kind == Table || kind == Quote),
		(kind == Paragraph || kind == Item) && last == Table && r.bare && strings.Contains(line, "|"),
		kind == Paragraph && (last == Paragraph || last == Item || last == Quote):
		r.extend(s)
	default:
		r.begin(kind, s)
	}
}

// begin starts a block with a line.
func (r *reader) begin(kind Kind, s text.Span) {
	b, line := Block{Kind: kind, Span: s}, s.Of(r.t)
	r.open, r.held, r.bare = true, 1, false
	indent := r.indentation(s.Start)
	switch kind {
	case Heading:
		b.Level, r.open = headingLevel(line), false
	case Rule:
		r.open = false
	case Code:
		r.fence = fenceOf(line)
	case Quote:
		b.Level = quoteLevel(line)
	case Item:
		for len(r.indent) > 0 && r.indent[len(r.indent)-1] >= indent {
			r.indent = r.indent[:len(r.indent)-1]
		}
		r.indent = append(r.indent, indent)
		b.Level = len(r.indent)
		if f := fenceOf(strings.TrimLeftFunc(line[itemMark(line):], unicode.IsSpace)); f.size > 0 {
			b.Kind, b.Level, r.fence = Code, 0, f // an item that is code
		}
	}
	if kind != Item && indent == 0 {
		r.indent = r.indent[:0]
	}
	r.blocks = append(r.blocks, b)
}

// extend adds a line to the last block.
func (r *reader) extend(s text.Span) {
	r.blocks[len(r.blocks)-1].End = s.End
	r.held++
}

// indentation returns the number of columns before byte i in its line.
func (r *reader) indentation(i int) int { return columns(r.t[r.lines.line.Start:i]) }

// columns returns the number of columns of a part of a line, with tab stops every four
// columns. Any other byte takes one column.
func columns(part string) (n int) {
	for _, c := range []byte(part) {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

// isCode reports whether the text at byte i is indented enough to be code without fences in
// Markdown: four columns more than the margin, or than the text of the item around it.
func (r *reader) isCode(i int) bool {
	least := 4
	if n := len(r.indent); n > 0 {
		least += r.indent[n-1] + len("- ")
	}
	return r.indentation(i) >= least
}

// trimmed returns s without white space at its ends.
func trimmed(t string, s text.Span) text.Span {
	part := s.Of(t)
	s.End = s.Start + len(trimRight(part))
	s.Start += len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
	s.Start = min(s.Start, s.End)
	return s
}

func trimRight(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

// lines iterates over the lines of t.
type lines struct {
	t    string
	at   int       // start of the next line
	line text.Span // without its line end
	ends [3]int    // next positions of "\n", "\r" and "\f" at or after at
}

func newLines(t string) lines { return lines{t: t, ends: [3]int{-1, -1, -1}} }

// next advances to the next line. It returns false after the last.
func (l *lines) next() bool {
	if l.at >= len(l.t) {
		return false
	}
	for i, c := range []byte("\n\r\f") {
		if l.ends[i] < l.at { // once per occurrence, so that time is linear
			l.ends[i] = len(l.t)
			if n := strings.IndexByte(l.t[l.at:], c); n >= 0 {
				l.ends[i] = l.at + n
			}
		}
	}
	end := slices.Min(l.ends[:])
	l.line = text.Span{Start: l.at, End: end}
	l.at = end + lineEnd(l.t[end:])
	return true
}

// HeadingEnd returns the end of the heading that begins at byte start of t, without white
// space: the end of its line, or of the line drawn below it. A heading without marks, as in
// a PDF, ends with its line.
func HeadingEnd(t string, start int) int {
	end := start + lineLen(t[start:])
	next := end + lineEnd(t[end:])
	line := trimmed(t, text.Span{Start: start, End: end})
	under := trimmed(t, text.Span{Start: next, End: next + lineLen(t[next:])})
	if drawn(under.Of(t)) > 0 && LineKind(line.Of(t)) == Paragraph {
		return under.End
	}
	return line.End
}

// lineLen returns the length of the first line of t without its line end.
func lineLen(t string) int {
	if i := strings.IndexAny(t, "\n\r\f"); i >= 0 {
		return i
	}
	return len(t)
}

// lineEnd returns the length of the line end at the beginning of t.
func lineEnd(t string) int {
	if strings.HasPrefix(t, "\r\n") {
		return 2
	}
	return min(1, len(t))
}

// At returns the index of the block that contains byte i, or of the first block after it.
// It returns len(blocks) if there is none.
func At(blocks []Block, i int) int {
	n, _ := slices.BinarySearchFunc(blocks, i, func(b Block, i int) int { return b.End - i - 1 })
	return n
}
