package chunk

import (
	"slices"
	"strings"
	"unicode"

	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/topic"
)

// shortItem is the length in bytes up to which an item of a list is one of a
// list, and not a paragraph with a number.
const shortItem = 200

// Layout says for each gap between sentences what the text shows there: the
// heading that begins behind it, the inside of what is not cut (a list, a table,
// code, a heading and what it is about), the inside of a paragraph.
func Layout(in Input) []topic.Gap {
	n := len(in.Sentences)
	if n < 2 {
		return nil
	}
	l := layout{text: in.View.Text, sentences: in.Sentences, gaps: make([]topic.Gap, n-1)}
	l.headings(in.Sections)
	l.lines()
	l.blocks()
	return l.gaps
}

type layout struct {
	text      string
	sentences []text.Span
	gaps      []topic.Gap
}

// gapBefore is the gap before the sentence that has the byte at, or the first
// one behind it; -1 for that before the first.
func (l *layout) gapBefore(at int) int {
	i, _ := slices.BinarySearchFunc(l.sentences, at, func(s text.Span, at int) int { return s.End - at - 1 })
	return min(i, len(l.sentences)-1) - 1
}

// headings marks those of the document, or of a text that is written with them.
// A heading is not cut off what follows it.
func (l *layout) headings(sections []text.Section) {
	mark := func(start, end, level int) {
		if before := l.gapBefore(start); before >= 0 {
			l.gaps[before].Heading = level
		}
		if after := l.gapBefore(end-1) + 1; after < len(l.gaps) {
			for i := l.gapBefore(start) + 1; i <= after; i++ {
				l.gaps[i].Inside = true
			}
		}
	}
	if len(sections) > 0 {
		for _, s := range sections {
			if s.Start >= 0 && s.Start < len(l.text) {
				mark(s.Start, s.Start+max(1, lineLen(l.text[s.Start:])), max(1, s.Level))
			}
		}
		return
	}
	found, _ := outline(l.text)
	for _, h := range found {
		line := l.text[h.start:h.end]
		mark(h.start, h.end, headingLevel(strings.TrimSpace(line)))
	}
}

// headingLevel is the level, from 1 at the top, of a heading as headings finds
// it. Wikis and files of wiki texts count their signs of equality in two ways:
// here one is the top.
func headingLevel(h string) int {
	if n := len(h) - len(strings.TrimLeft(h, "#")); n > 0 {
		return n
	}
	if n := wikiHeading(h); n > 0 {
		return n
	}
	if strings.HasSuffix(h, "-") { // underlined
		return 2
	}
	return 1
}

// lines marks gaps within paragraphs, in a text that has paragraphs: blank
// lines, or else lines that are not wrapped.
func (l *layout) lines() {
	ends := func(i, least int) bool {
		return lineEnds(l.text[l.sentences[i].End:l.sentences[i+1].Start]) >= least
	}
	count := func(least int) (n int) {
		for i := range l.gaps {
			if ends(i, least) {
				n++
			}
		}
		return n
	}
	least := 2
	if count(2) == 0 {
		least = 1
		if lines := count(1); lines == 0 || len(l.text)/(lines+1) < wrapped {
			return
		}
	}
	for i := range l.gaps {
		l.gaps[i].Within = !ends(i, least)
	}
}

// wrapped is the mean length in bytes of lines below which they are taken for
// wrapped ones: no paragraph is that short on average.
const wrapped = 120

// blocks marks the insides of code, tables and lists.
func (l *layout) blocks() {
	kinds := l.kinds()
	for i := range l.gaps {
		a, b := kinds[i], kinds[i+1]
		between := l.text[l.sentences[i].End:l.sentences[i+1].Start]
		switch {
		case a == blockCode && b == blockCode && !l.fenceBetween(i),
			a == blockTable && b == blockTable && lineEnds(between) < 2,
			a == blockItem && b == blockItem,
			b == blockItem && strings.HasSuffix(l.text[:l.sentences[i].End], ":"):
			if l.gaps[i].Heading == 0 {
				l.gaps[i].Inside = true
			}
		}
	}
}

type block byte

const (
	blockText block = iota
	blockCode
	blockTable
	blockItem
)

// kinds says of each sentence in what kind of block it begins.
func (l *layout) kinds() []block {
	kinds := make([]block, len(l.sentences))
	fences, at := 0, 0    // counted up to byte at
	row, end := false, -1 // of the line up to byte end: a row of a table; once a line, as a whole text may be one
	for i, s := range l.sentences {
		fences += fenceLines(l.text[at:s.Start])
		at = s.Start
		if s.Start > end {
			end = s.Start + lineLen(l.text[s.Start:])
			line := strings.TrimSpace(l.text[lineStart(l.text, s.Start):end])
			row = strings.HasPrefix(line, "|") || strings.Count(line, "\t") >= 2
		}
		own := s.Of(l.text)
		switch {
		case fences%2 == 1 || strings.HasPrefix(own, "```"):
			kinds[i] = blockCode
		case row:
			kinds[i] = blockTable
		case sentence.ItemMark(own) > 0 && len(own) <= shortItem:
			kinds[i] = blockItem
		}
	}
	return kinds
}

// fenceBetween reports whether a fence of code stands between a sentence and
// the next.
func (l *layout) fenceBetween(i int) bool {
	return fenceLines(l.text[l.sentences[i].Start:l.sentences[i+1].Start]) > 0
}

// fenceLines counts the lines that begin or end code.
func fenceLines(t string) (n int) {
	for at := 0; at < len(t); {
		end := at + lineLen(t[at:])
		if strings.HasPrefix(strings.TrimLeftFunc(t[at:end], unicode.IsSpace), "```") {
			n++
		}
		at = end + lineEnd(t[end:])
	}
	return n
}

// lineStart is where the line of byte i begins.
func lineStart(t string, i int) int { return strings.LastIndexAny(t[:i], "\r\n\f") + 1 }
