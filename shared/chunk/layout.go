package chunk

import (
	"slices"
	"strings"

	"seam/shared/markup"
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
	l := layout{text: in.View.Text, sentences: in.Sentences, blocks: markup.Blocks(in.View.Text), gaps: make([]topic.Gap, n-1)}
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
	gaps      []topic.Gap
}

// gapBefore is the gap before the sentence that has the byte at, or the first
// one behind it; -1 for that before the first.
func (l *layout) gapBefore(at int) int {
	i, _ := slices.BinarySearchFunc(l.sentences, at, func(s text.Span, at int) int { return s.End - at - 1 })
	return min(i, len(l.sentences)-1) - 1
}

// heading marks the gap before one. It is not cut off what follows it.
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

// insides marks those of code, tables, front matter and lists.
func (l *layout) insides() {
	block, item := l.begin(0)
	for i := range l.gaps {
		b, next := l.begin(i + 1)
		if l.gaps[i].Heading == 0 && (b == block && l.whole(b) || next && (item || strings.HasSuffix(l.text[:l.sentences[i].End], ":"))) {
			l.gaps[i].Inside = true
		}
		block, item = b, next
	}
}

// begin returns the block that sentence i begins in, and whether it is an item of
// a list, which may stand within a line too.
func (l *layout) begin(i int) (block int, item bool) {
	s := l.sentences[i]
	own := s.Of(l.text)
	block = markup.At(l.blocks, s.Start)
	return block, len(own) <= shortItem && !l.whole(block) && sentence.ItemMark(own) > 0
}

// whole reports whether a block is one that is not cut.
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
