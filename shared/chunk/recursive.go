package chunk

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"seam/shared/breakpoint"
	"seam/shared/markup"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
)

// recursive fills each chunk up to Limits.Max and ends it at the best place: after the last
// paragraph that fits, otherwise the last line, sentence, clause, word or grapheme. It
// avoids an end right after a marked heading.
//
// With an overlap, the chunks are cut with a maximum of Max less Overlap. Each then reaches
// back over whole sentences of the one before, or over words if no sentence is short
// enough. A minimum rules out ends that come too early. It needs only View.
func recursive() Method {
	return Method{Name: "recursive", Label: "Recursive", View: text.Reading, Max: DefaultSize, TakeMin: true, Overlap: true, Chunker: direct(filled),
		Help: "Fills each chunk up to the maximum and ends it after a paragraph, otherwise after a line, a sentence, a clause or a word."}
}

func recursiveWords() Words {
	return Words{Group: Size, Words: breakpoint.Words{Good: "any text in any language, instantly and without a model. Most programs work this way.",
		German: breakpoint.German{Label: "Rekursiv",
			Help: "Füllt jeden Abschnitt bis zum Maximum und beendet ihn nach einem Absatz, sonst nach einer Zeile, einem Satz, einem Teilsatz, einem Wort.",
			Good: "jeden Text in jeder Sprache, sofort und ohne Modell. So arbeiten die meisten Programme."}}}
}

func filled(in Input, limits Limits) ([]Chunk, error) {
	limits = limits.within(DefaultSize)
	if err := limits.Check(); err != nil {
		return nil, err
	}
	t := in.View.Text
	c := cutter{t: t[:trimmed(t, len(t))], counter: limits.Counter, most: limits.Max - limits.Overlap}
	for _, b := range markup.Blocks(c.t) {
		if b.Kind == markup.Heading && b.Len() <= longestHeading {
			c.headings = append(c.headings, b.Span)
		}
	}
	c.least = min(limits.Min, c.most)
	c.tail = c.lastBytes(c.least)
	var chunks []Chunk
	var before text.Span // the last chunk without its overlap
	f := newFinisher(in.View, limits)
	for at := skipBlank(t, 0); at < len(c.t); {
		if err := limits.report(at, len(t)); err != nil {
			return nil, err
		}
		x := c.next(at)
		if at = skipBlank(c.t, x.End); at >= len(c.t) {
			x.Reason = Reason{Kind: ReasonEnd}
		}
		own := x.Span
		if limits.Overlap > 0 && len(chunks) > 0 {
			reachBack(t, &x, before, limits)
		}
		before = own
		if err := f.finish(&x); err != nil {
			return nil, err
		}
		chunks = append(chunks, x)
	}
	return chunks, nil
}

// cutter cuts a text that has no trailing white space.
type cutter struct {
	t           string
	counter     token.Counter
	least, most int
	tail        int         // text from this byte to the end is shorter than least
	headings    []text.Span // by ascending Start, including underlines
}

// lastBytes returns the start of the shortest end of the text with n units. If that is in
// white space, it returns a place one word earlier.
func (c *cutter) lastBytes(n int) int {
	if n == 0 {
		return len(c.t)
	}
	for window := 8*n + 64; ; window *= 2 {
		from := text.Edge(c.t, len(c.t)-window)
		if spans := c.counter.Spans(c.t[from:]); len(spans) >= n {
			from += spans[len(spans)-n].Start
			if end := trimmed(c.t, from); skipBlank(c.t, from) > from && end > 0 {
				from = text.Edge(c.t, end-1)
			}
			return from
		}
		if from == 0 {
			return 0
		}
	}
}

// next returns the chunk that begins at byte at.
func (c *cutter) next(at int) Chunk {
	end := at + token.Fit(c.counter, c.t[at:], c.most)
	if end == len(c.t) {
		return Chunk{Span: text.Span{Start: at, End: end}}
	}
	lo := at
	if c.least > 0 {
		lo += token.Fit(c.counter, c.t[at:], c.least-1)
		if lo < c.tail {
			end = min(end, c.tail)
		}
	}
	for {
		cut, kind := c.choose(at, lo, end)
		n := c.counter.Count(c.t[at:cut])
		if n <= c.most || cut > end {
			return Chunk{Span: text.Span{Start: at, End: cut}, Tokens: n, Reason: Reason{Kind: kind}}
		}
		end = text.Edge(c.t, cut-1) // without the text after it, it has more units
	}
}

// choose returns the best place in (lo, hi] to end a chunk that begins at byte at, the last
// of its kind. A single grapheme that is longer ends after hi.
func (c *cutter) choose(at, lo, hi int) (cut int, kind Kind) {
	if cut, kind = c.line(lo, hi); cut > 0 {
		return cut, kind
	}
	if cut = c.sentence(at, lo, hi); cut > 0 {
		return cut, ReasonSentence
	}
	if cut, kind = c.word(lo, hi); cut > 0 {
		return cut, kind
	}
	return c.grapheme(at, hi), ReasonSize
}

// longestHeading is the maximum length of a heading in bytes. Longer ones are treated as
// text.
const longestHeading = 200

// line returns the last end of a paragraph in (lo, hi], otherwise of a line, otherwise 0. A
// heading stays with the text that follows it.
func (c *cutter) line(lo, hi int) (cut int, kind Kind) {
	t := c.t
	for i := skipBlank(t, hi); i > lo; i-- { // white space may end after hi
		x := t[i-1]
		if x > '\r' && x < utf8.RuneSelf || x < '\n' || x > '\r' && lineEnds(t[max(0, i-3):i]) == 0 {
			continue
		}
		first := trimmed(t, i)
		if first <= lo {
			break
		}
		feeds := lineEnds(t[first:skipBlank(t, i)])
		switch start := c.headingTo(first); {
		case start >= lo && feeds > 0:
			first = start + 1 // and continue before it
		case feeds > 1:
			return first, ReasonParagraph
		case feeds == 1 && cut == 0:
			cut, kind = first, ReasonLine
		}
		i = first
	}
	return cut, kind
}

// headingTo returns the start of the heading that ends at byte end, or -1.
func (c *cutter) headingTo(end int) int {
	i, ok := slices.BinarySearchFunc(c.headings, end, func(h text.Span, end int) int { return h.End - end })
	if !ok {
		return -1
	}
	return c.headings[i].Start
}

// word returns the last end of a clause in (lo, hi], otherwise of a word, otherwise 0.
func (c *cutter) word(lo, hi int) (cut int, kind Kind) {
	t := c.t
	for p := hi; p > lo; {
		first := trimmed(t, p)
		if first <= lo {
			break
		}
		mark, n := utf8.DecodeLastRuneInString(t[:first])
		space := first < p || skipBlank(t, first) > first
		switch {
		case isClauseMark(mark) && (space || mark >= utf8.RuneSelf):
			return first, ReasonClause
		case space && cut == 0:
			cut, kind = first, ReasonWord
		}
		p = first - n
		for p > lo && t[p-1] > ' ' && t[p-1] < utf8.RuneSelf {
			p--
		}
	}
	return cut, kind
}

// lineEnds counts the line ends in white space. The end of a page or a paragraph counts as
// two.
func lineEnds(gap string) (n int) {
	for i, r := range gap {
		switch {
		case r == '\n' || r == '\u0085' || r == '\u2028', r == '\r' && !strings.HasPrefix(gap[i+1:], "\n"):
			n++
		case r == '\f' || r == '\u2029':
			n += 2
		}
	}
	return n
}

// Bytes examined to find the end of a sentence: after the limit, and before it in the first
// attempt.
const sentenceAhead, sentenceBack = 64, 512

// sentence returns the last end of a sentence in (lo, hi], or 0.
func (c *cutter) sentence(at, lo, hi int) int {
	t := c.t[:text.Edge(c.t, hi+sentenceAhead)]
	for back := sentenceBack; ; back *= 4 {
		from := at
		if back < hi-at {
			from = text.Edge(t, hi-back)
		}
		spans := sentence.Split(t[from:])
		for i := len(spans) - 2; i >= 0; i-- { // the last one may be cut off
			if end := from + spans[i].End; end > lo && end <= hi {
				return end
			}
		}
		if from == at {
			return 0
		}
	}
}

// grapheme returns the last edge of a grapheme in (at, hi], or the end of the first
// grapheme.
func (c *cutter) grapheme(at, hi int) int {
	t := c.t
	apart := func(i int) bool { // ASCII letters are single graphemes
		return t[i-1] < utf8.RuneSelf && t[i] < utf8.RuneSelf && t[i-1] != '\r'
	}
	from := hi
	for from > at && !apart(from) {
		from--
	}
	if from == hi && hi > at {
		return hi
	}
	end := from
	for seg := graphemes.FromString(t[from:]); seg.Next(); {
		if from+seg.End() > hi {
			if end == at {
				end = from + seg.End()
			}
			break
		}
		end = from + seg.End()
	}
	return end
}

// reachBack moves the start of a chunk back into the one before; see recursive.
func reachBack(t string, c *Chunk, before text.Span, limits Limits) {
	part := t[before.Start:c.Start]
	least := 0
	if units := limits.Counter.Spans(part); len(units) > limits.Overlap {
		least = units[len(units)-limits.Overlap].Start
	}
	fits := func(at int) bool {
		start := before.Start + at
		if at < least || limits.Counter.Count(t[start:c.Start]) > limits.Overlap {
			return false
		}
		n := limits.Counter.Count(t[start:c.End])
		if limits.Max > 0 && n > limits.Max {
			return false
		}
		c.Start, c.Tokens = start, n
		return true
	}
	for _, s := range sentence.Split(part) {
		if fits(s.Start) {
			return
		}
	}
	for at := least; at < len(part); {
		space := strings.IndexFunc(part[at:], unicode.IsSpace)
		if space < 0 {
			return
		}
		if at = skipBlank(part, at+space); at == len(part) || fits(at) {
			return
		}
	}
}
