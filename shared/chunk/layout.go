package chunk

import (
	"slices"
	"strings"

	"seam/shared/markup"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/topic"
)

// shortItem is the length in bytes up to which an item counts as a list item. A longer one
// is a paragraph with a number.
const shortItem = 200

// Layout returns the visible structure at each gap between sentences: a heading that begins
// after it, the inside of a block that is not cut (a list, a table, code, a heading with
// the text it introduces), or the inside of a paragraph.
func Layout(in Input) []topic.Gap {
	n := len(in.Sentences)
	if n < 2 {
		return nil
	}
	l := layout{text: in.View.Text, sentences: in.Sentences, blocks: markup.Blocks(in.View.Text), gaps: make([]topic.Gap, n-1)}
	l.code = codeOf(in, l.blocks)
	for _, h := range headings(in, l.blocks) {
		l.heading(h)
	}
	l.lines()
	l.insides()
	return l.gaps
}

type layout struct {
	text      string
	sentences []text.Span
	blocks    []markup.Block
	code      code
	gaps      []topic.Gap
}

// gapBefore returns the gap before the sentence that contains byte at, or before the first
// sentence after it. It returns -1 for the first sentence.
func (l *layout) gapBefore(at int) int {
	i, _ := slices.BinarySearchFunc(l.sentences, at, func(s text.Span, at int) int { return s.End - at - 1 })
	return min(i, len(l.sentences)-1) - 1
}

// heading marks the gap before a heading. The heading stays with the text that follows it.
func (l *layout) heading(h heading) {
	before := l.gapBefore(h.Start)
	if before >= 0 {
		l.gaps[before].Heading = h.level
	}
	if after := l.gapBefore(max(h.Start, h.End-1)) + 1; after < len(l.gaps) {
		for i := before + 1; i <= after; i++ {
			l.gaps[i].Inside = true
		}
	}
}

// lines marks gaps within paragraphs, if the text has paragraphs.
func (l *layout) lines() {
	least := paragraphEnds(l.text, l.sentences)
	for i := range l.gaps {
		l.gaps[i].Within = least > 0 && lineEnds(l.text[l.sentences[i].End:l.sentences[i+1].Start]) < least
	}
}

// paragraphEnds returns the number of line ends that part two paragraphs: two for blank
// lines, or otherwise one for lines that are not wrapped. It returns 0 for a text without
// paragraphs.
func paragraphEnds(t string, sentences []text.Span) int {
	var lines, blank int
	for i := range len(sentences) - 1 {
		n := lineEnds(t[sentences[i].End:sentences[i+1].Start])
		if n > 0 {
			lines++
		}
		if n > 1 {
			blank++
		}
	}
	switch {
	case blank > 0:
		return 2
	case lines > 0 && len(t)/(lines+1) >= wrapped:
		return 1
	}
	return 0
}

// wrapped is a mean line length in bytes. Shorter lines on average mean wrapped text,
// because no paragraphs are that short on average.
const wrapped = 120

// insides marks the gaps inside code, tables, front matter and lists.
func (l *layout) insides() {
	block, item := l.begin(0)
	for i := range l.gaps {
		b, next := l.begin(i + 1)
		if l.gaps[i].Heading == 0 && (b == block && l.whole(b) || l.code.cost(l.sentences[i], l.sentences[i+1]) > 0 || next && (item || strings.HasSuffix(l.text[:l.sentences[i].End], ":"))) {
			l.gaps[i].Inside = true
		}
		block, item = b, next
	}
}

// begin returns the block where sentence i begins. It also reports whether the sentence is
// a list item, which may begin in the middle of a line.
func (l *layout) begin(i int) (block int, item bool) {
	s := l.sentences[i]
	own := s.Of(l.text)
	block = markup.At(l.blocks, s.Start)
	return block, len(own) <= shortItem && !l.whole(block) && sentence.ItemMark(own) > 0
}

// whole reports whether a block is never cut.
func (l *layout) whole(block int) bool {
	if block == len(l.blocks) {
		return false
	}
	switch l.blocks[block].Kind {
	case markup.Code, markup.Table, markup.FrontMatter:
		return true
	}
	return false
}
