package markup

import (
	"strings"

	"seam/shared/text"
)

// Look is the way a Mark is shown.
type Look byte

// The looks of marks. The page uses the same numbers (web/lib/marks.ts).
const (
	Hidden    Look = iota + 1 // a mark such as "**", or the address of a link
	SoftBreak                 // the end of a line within a paragraph, shown as a space
	Drawn                     // a rule
	Bullet                    // before an item, including its box: "- [x] "
	Number                    // before an item: "1. "
	Centred                   // a cell in the middle of its column
	AtEnd                     // a cell at the end of its column
)

// Mark is a part of a text that is shown in a special way but is not an element.
type Mark struct {
	Look      Look
	text.Span // never empty
}

// Looks returns the elements of t, a Markdown text, in the order of text.CheckElements. It
// also returns its marks, ordered by their starts, outer ones first. Headings only have
// marks here; Blocks returns them. Links follow CommonMark, and code and emphasis do if they
// begin and end in one line; any other syntax stays as text. Time is linear in t.
func Looks(t string) ([]text.Element, []Mark) {
	l := looksOf(t)
	return l.elements, l.marks
}

func looksOf(t string) *looker {
	l := &looker{inline: inline{t: t}}
	blocks := Blocks(t)
	for _, b := range blocks {
		if b.Kind == Paragraph {
			l.define(b.Span)
		}
	}
	for _, b := range blocks {
		l.block(b)
		l.last = b.End
	}
	l.leave(0)
	return l
}

// looker collects the elements and marks of blocks.
type looker struct {
	inline
	open []openItem // the items around the next block, outer first
	last int        // end of the last block
}

// openItem is a list item that may continue.
type openItem struct {
	column     int // column of its mark
	list, item int // indexes of its elements
}

// block adds the elements and marks of a block.
func (l *looker) block(b Block) {
	lines := l.linesOf(b)
	first := lines[0]
	column, margin := columns(l.t[first.Start:b.Start]), 0
	l.enter(b, column)
	if n := len(l.open); n > 0 {
		margin = l.open[n-1].column + len("- ")
	}
	l.indented, l.quoted = len(l.open) > 0, b.Kind == Quote
	switch b.Kind {
	case Code, FrontMatter:
		l.listing(b, lines)
	case Heading:
		l.heading(b, lines)
	case Rule:
		l.indent(first)
		l.mark(Drawn, b.Start, b.End)
	case Table:
		l.table(b, lines)
	case Quote:
		l.add(text.Quote, b.Start, b.End)
		l.line(text.Span{Start: l.quote(first).Start, End: b.End})
	case Paragraph:
		l.indent(first)
		if column < margin+4 { // otherwise it is code
			l.line(text.Span{Start: l.define(b.Span), End: b.End})
		}
	default:
		l.indent(first)
		l.line(text.Span{Start: l.bullet(trimmed(l.t, first)).Start, End: b.End})
	}
}

// linesOf returns the lines of a block, including the white space before the first one.
func (l *looker) linesOf(b Block) []text.Span {
	in := newLines(l.t[:b.End])
	in.at = strings.LastIndexAny(l.t[:b.Start], "\n\r\f") + 1
	if in.at == 0 && strings.HasPrefix(l.t, byteOrderMark) {
		in.at = len(byteOrderMark)
	}
	var all []text.Span
	for in.next() {
		all = append(all, in.line)
	}
	return all
}

// enter ends the open items that do not contain block b, which begins at column. If b is an
// item, enter opens it, in the list of the previous item if there is one.
func (l *looker) enter(b Block, column int) {
	n, list := len(l.open), -1
	for n > 0 && l.open[n-1].column >= column {
		n--
		list = l.open[n].list
	}
	l.leave(n)
	if b.Kind != Item {
		return
	}
	kind := text.List
	if c := l.t[b.Start]; '0' <= c && c <= '9' {
		kind = text.OrderedList
	}
	if list < 0 || l.elements[list].Kind != kind {
		list = l.add(kind, b.Start, b.End)
	}
	l.open = append(l.open, openItem{column, list, l.add(text.Item, b.Start, b.End)})
}

// leave ends all items except the first n.
func (l *looker) leave(n int) {
	for _, item := range l.open[n:] {
		l.elements[item.item].End, l.elements[item.list].End = l.last, l.last
	}
	l.open = l.open[:n]
}

// indent hides the spaces before a line of an item, because the item is indented as a
// whole.
func (l *looker) indent(s text.Span) {
	if len(l.open) > 0 {
		l.mark(Hidden, s.Start, trimmed(l.t, s).Start)
	}
}

// listing hides the lines around code or front matter. The rest is unchanged.
func (l *looker) listing(b Block, lines []text.Span) {
	open, end := b.Of(l.t), len(lines)
	open = strings.TrimSpace(open[itemMark(open):lineLen(open)]) // "- ```"
	f := fenceOf(open)
	last := trimmed(l.t, lines[end-1]).Of(l.t)
	closed := end > 1 && (b.Kind == FrontMatter || f.closedBy(last))
	if closed {
		end--
	}
	l.mark(Hidden, lines[0].Start, l.next(lines[0]))
	if end > 1 && lines[1].Start < lines[end-1].End {
		l.add(text.Listing, lines[1].Start, lines[end-1].End)
	}
	if closed {
		l.mark(Hidden, lines[end].Start, l.next(lines[end]))
	}
}

// next returns the start of the line after s.
func (l *looker) next(s text.Span) int {
	end := s.End + lineLen(l.t[s.End:])
	return end + lineEnd(l.t[end:])
}

// heading hides the signs around a title, and the line below it.
func (l *looker) heading(b Block, lines []text.Span) {
	s := trimmed(l.t, lines[0])
	line := s.Of(l.t)
	from, to := s.Start, s.End
	switch {
	case len(lines) > 1:
	case wikiLevel(line) == b.Level:
		from, to = from+b.Level, to-b.Level
	default:
		from += b.Level
		if title := strings.TrimRight(line[b.Level:], "#"); title != trimRight(title) {
			to = s.Start + b.Level + len(title)
		}
	}
	title := trimmed(l.t, text.Span{Start: from, End: max(from, to)})
	if title.Start > s.Start {
		l.mark(Hidden, lines[0].Start, title.Start)
	}
	l.line(title)
	l.mark(Hidden, title.End, s.End)
	for _, under := range lines[1:] {
		l.mark(Hidden, under.Start, l.next(under))
	}
}

// quote hides the mark of a line of a quote, and returns the rest of the line.
func (l *inline) quote(s text.Span) text.Span {
	start := trimmed(l.t, s).Start
	from := start
	for from < s.End && l.t[from] == '>' {
		if from++; from < s.End && l.t[from] == ' ' {
			from++
		}
	}
	if from > start {
		l.mark(Hidden, s.Start, from)
	}
	return l.bullet(trimmed(l.t, text.Span{Start: from, End: s.End}))
}

// bullet marks the bullet or number of an item, and returns the rest of its line.
func (l *inline) bullet(s text.Span) text.Span {
	line := s.Of(l.t)
	n := itemMark(line)
	if n == 0 {
		return s
	}
	look := Bullet
	if '0' <= line[0] && line[0] <= '9' {
		look = Number
	}
	rest := strings.TrimLeft(line[n:], " \t")
	if look == Bullet && len(rest) > 3 && rest[0] == '[' && strings.IndexByte(" xX", rest[1]) >= 0 && rest[2] == ']' && (rest[3] == ' ' || rest[3] == '\t') {
		rest = strings.TrimLeft(rest[3:], " \t")
	}
	from := s.Start + len(line) - len(rest)
	l.mark(look, s.Start, from)
	return text.Span{Start: from, End: s.End}
}

// table adds the rows of a table. If the table has a head, it also adds cells and hides the
// line below the head.
func (l *looker) table(b Block, lines []text.Span) {
	l.add(text.Table, b.Start, b.End)
	var sides []Look
	if len(lines) > 1 {
		if under := trimmed(l.t, lines[1]).Of(l.t); delimits(under) && bars(under) == bars(trimmed(l.t, lines[0]).Of(l.t)) {
			for of := range strings.SplitSeq(strings.Trim(under, "|"), "|") {
				sides = append(sides, sideOf(strings.TrimSpace(of)))
			}
		}
	}
	for i, s := range lines {
		l.indent(s)
		s = trimmed(l.t, s)
		switch {
		case sides == nil:
			l.add(text.Row, s.Start, s.End)
			l.line(s)
		case i == 0:
			l.row(s, text.HeadCell, sides)
		case i == 1:
			l.mark(Hidden, s.Start, l.next(s))
		default:
			l.row(s, text.Cell, sides)
		}
	}
}

// bars returns the number of bars that separate the cells of a row. Bars at its ends are a
// frame and do not count.
func bars(row string) (n int) {
	row = strings.TrimPrefix(row, "|")
	for i := bar(row, 0); i+1 < len(row); i = bar(row, i+1) {
		n++
	}
	return n
}

// bar returns the index of the first bar of a row at or after i, without a backslash before
// it, or the row's length.
func bar(row string, i int) int {
	for ; i < len(row) && row[i] != '|'; i++ {
		if row[i] == '\\' {
			i++
		}
	}
	return min(i, len(row))
}

// sideOf returns the alignment given by the dashes below a column's head. 0 means the
// beginning.
func sideOf(dashes string) Look {
	switch {
	case !strings.HasSuffix(dashes, ":"):
		return 0
	case strings.HasPrefix(dashes, ":"):
		return Centred
	}
	return AtEnd
}

// row adds a row with its cells. The bar before the first cell is not part of the row.
func (l *looker) row(s text.Span, kind text.ElementKind, sides []Look) {
	if l.t[s.Start] == '|' {
		s.Start++
		s = trimmed(l.t, s)
	}
	if s.Len() == 0 {
		return
	}
	l.add(text.Row, s.Start, s.End)
	row := s.Of(l.t)
	for column, from := 0, 0; from <= len(row); column++ {
		to := bar(row, from)
		if cell := trimmed(l.t, text.Span{Start: s.Start + from, End: s.Start + to}); cell.Len() > 0 {
			l.add(kind, cell.Start, cell.End)
			if column < len(sides) {
				l.mark(sides[column], cell.Start, cell.End)
			}
			l.line(cell)
		}
		from = to + 1
	}
}
