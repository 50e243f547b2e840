package chunk

import (
	"math"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"seam/shared/text"
)

// builder brings groups of sentences within limits.
type builder struct {
	view         *text.View
	sentences    []text.Span
	similarities []float64 // empty, or one per gap
	limits       Limits
	inner        []float64 // value of a cut at each gap, see topics; nil for other methods
	curve        []float64 // the curve of the topics, if inner is set
	names        *namer
	ends         []boundary // the boundaries of the method, ascending
	before       []int      // tokens of all sentences before the i-th, including the text between them, counted one by one; set only with a maximum or a minimum
}

// group is the sentences [from, to) and the reason it ends.
type group struct {
	from, to int
	reason   Reason
}

// forced is the reason for a boundary that only the maximum requires, at a place without a
// name of its own; see namer.
var forced = Reason{Kind: ReasonMax}

func (b *builder) build() ([]Chunk, error) {
	var groups []group
	from := 0
	for _, x := range b.ends {
		groups = append(groups, group{from, x.after + 1, x.reason})
		from = x.after + 1
	}
	groups = append(groups, group{from, len(b.sentences), Reason{Kind: ReasonEnd}})
	if b.limits.Max > 0 || b.limits.Min > 0 {
		if err := b.count(); err != nil {
			return nil, err
		}
	}
	if b.limits.Max > 0 {
		var fitting []group
		for i, g := range groups {
			if err := b.limits.report(i, len(groups)); err != nil {
				return nil, err
			}
			fitting = b.divide(fitting, g)
		}
		groups = fitting
	}
	if b.limits.Min > 0 {
		groups = b.join(groups)
	}
	var chunks []Chunk
	for _, g := range groups {
		s := b.span(g)
		if b.limits.Max > 0 && g.to-g.from == 1 {
			for _, part := range b.splitLong(s) {
				chunks = append(chunks, Chunk{Span: part, Reason: forced})
			}
			if len(chunks) > 0 {
				chunks[len(chunks)-1].Reason = g.reason
			}
			continue
		}
		chunks = append(chunks, Chunk{Span: s, Reason: g.reason})
	}
	if b.limits.Overlap > 0 {
		b.overlap(chunks)
	}
	return finish(b.view, chunks, b.limits)
}

// count fills before, from the memo if it has exactly these sentences.
func (b *builder) count() error {
	m := b.limits.Memo
	if b.before = m.Lengths(b.sentences); b.before != nil {
		return nil
	}
	b.before = make([]int, len(b.sentences)+1)
	for i, s := range b.sentences {
		if err := b.limits.report(i, len(b.sentences)); err != nil {
			return err
		}
		end := s.End
		if i+1 < len(b.sentences) {
			end = b.sentences[i+1].Start
		}
		b.before[i+1] = b.before[i] + b.limits.Counter.Count(b.view.Text[s.Start:end])
	}
	if m != nil {
		m.before, m.first = b.before, &b.sentences[0]
	}
	return nil
}

func (b *builder) span(g group) text.Span {
	return text.Span{Start: b.sentences[g.from].Start, End: b.sentences[g.to-1].End}
}

func (b *builder) tokens(g group) int {
	// Skip sentences without tokens at both ends, such as those with only punctuation.
	// There may be many, and join asks again for each one it adds.
	if b.before != nil {
		g.to = max(g.from+1, sort.SearchInts(b.before, b.before[g.to]))
		g.from = min(g.to-1, sort.SearchInts(b.before, b.before[g.from]+1)-1)
	}
	return b.limits.Memo.count(b.view, b.span(g), b.limits.Counter)
}

// whole reports whether a group is within the maximum or is a single sentence. A group that
// is far too long is not counted as a whole, because a long document would be counted at
// every level.
func (b *builder) whole(g group) bool {
	return g.to-g.from == 1 || b.before[g.to]-b.before[g.from] <= 2*b.limits.Max && b.tokens(g) <= b.limits.Max
}

// divide appends g to out, in parts that are within the maximum or a single sentence. It
// cuts where the similarity is lowest, and in the middle among equals.
func (b *builder) divide(out []group, g group) []group {
	if b.inner != nil {
		for _, cut := range b.parts(g) {
			out = b.halve(out, group{g.from, cut, b.reason(cut - 1)})
			g.from = cut
		}
	}
	return b.halve(out, g)
}

// halve is divide at the least similar gap only.
func (b *builder) halve(out []group, g group) []group {
	if b.whole(g) {
		return append(out, g)
	}
	cut, least := (g.from+g.to)/2, math.Inf(1)
	code := b.names.listings()
	for i := g.from; i < g.to-1 && (len(b.similarities) > 0 || len(code.spans) > 0); i++ {
		off := 2*(i+1) - g.from - g.to
		best := 2*cut - g.from - g.to
		s := code.cost(b.sentences[i], b.sentences[i+1])
		if len(b.similarities) > 0 {
			s += b.similarities[i]
		}
		if s < least || s == least && max(off, -off) < max(best, -best) {
			cut, least = i+1, s
		}
	}
	out = b.halve(out, group{g.from, cut, b.reason(cut - 1)})
	return b.halve(out, group{cut, g.to, g.reason})
}

// join merges groups below the minimum with a neighbour that keeps the maximum: the more
// similar one, or the next one if similarities are unknown, because the one before already
// has its minimum. If neither neighbour fits, join tries to share out the sentences with
// the group before so that both are within the limits. A group that is still too short has
// no room on either side.
func (b *builder) join(groups []group) []group {
	var out []group
	for i := 0; i < len(groups); i++ {
		g := groups[i]
		for b.tokens(g) < b.limits.Min {
			before := len(out) > 0 && b.fits(out[len(out)-1], g)
			after := i+1 < len(groups) && b.fits(g, groups[i+1])
			switch {
			case before && (!after || b.similarity(g.from-1) >= b.similarity(g.to-1) && b.compared()):
				g = group{out[len(out)-1].from, g.to, g.reason}
				out = out[:len(out)-1]
				continue
			case after:
				i++
				g = group{g.from, groups[i].to, groups[i].reason}
				continue
			}
			if len(out) > 0 {
				if left, right, ok := b.share(out[len(out)-1], g); ok {
					out[len(out)-1], g = left, right
				}
			}
			break
		}
		out = append(out, g)
	}
	return out
}

// fits reports whether two neighbours together keep the maximum.
func (b *builder) fits(l, r group) bool {
	return b.limits.Max == 0 || b.tokens(group{from: l.from, to: r.to}) <= b.limits.Max
}

// compared reports whether the similarity of neighbours is known.
func (b *builder) compared() bool { return len(b.similarities) > 0 || b.inner != nil }

// similarity returns the similarity across the gap after sentence i, or 0 if it is unknown.
// For topics it returns the negated value of a boundary there.
func (b *builder) similarity(i int) float64 {
	if i >= 0 && i < len(b.inner) {
		return -b.inner[i]
	}
	if i < 0 || i >= len(b.similarities) {
		return 0
	}
	return b.similarities[i]
}

// share moves the boundary between two neighbours so that both are within the limits. Among
// several places it takes the least similar.
func (b *builder) share(l, r group) (left, right group, ok bool) {
	for cut := l.from + 1; cut < r.to; cut++ {
		x, y := group{from: l.from, to: cut}, group{cut, r.to, r.reason}
		nx, ny := b.tokens(x), b.tokens(y)
		within := nx >= b.limits.Min && ny >= b.limits.Min && nx <= b.limits.Max && ny <= b.limits.Max
		if within && (!ok || b.similarity(cut-1) < b.similarity(left.to-1)) {
			left, right, ok = x, y, true
		}
	}
	if ok {
		left.reason = b.reason(left.to - 1)
	}
	return left, right, ok
}

// splitLong cuts one sentence into parts within the maximum: after the last clause mark
// that fits, otherwise after the last word, otherwise after the last grapheme. A single
// grapheme is never cut. In code it cuts after a line if one fits.
func (b *builder) splitLong(s text.Span) []text.Span {
	var parts []text.Span
	for s.Start < s.End {
		t := s.Of(b.view.Text)
		fit := b.longest(t)
		if fit == len(t) {
			return append(parts, s)
		}
		cut := 0
		if _, in := b.names.listings().at(s.Start); in {
			cut = lastLine(t[:fit], t[fit:])
		}
		if cut == 0 {
			cut = lastCut(t[:fit], t[fit:])
		}
		if end := trimmed(t, cut); end > 0 { // otherwise t begins with white space that no sentence accounts for
			parts = append(parts, text.Span{Start: s.Start, End: s.Start + end})
		}
		s.Start += len(t) - len(strings.TrimLeftFunc(t[cut:], unicode.IsSpace))
	}
	return parts
}

// longest returns the end of the longest run of whole graphemes of t within the maximum, at
// least one. It doubles a window before it narrows down, so it counts only a few times the
// length of the result.
func (b *builder) longest(t string) int {
	var ends []int
	fit := func(i int) bool { return b.limits.Counter.Count(t[:ends[i]]) <= b.limits.Max }
	seg := graphemes.FromString(t)
	grow := func(n int) bool { // reads graphemes until there are n
		for len(ends) < n {
			if !seg.Next() {
				return false
			}
			ends = append(ends, seg.End())
		}
		return true
	}
	lo, hi := 0, 1 // ends[lo] fits; ends[hi] is to be tried
	for grow(hi+1) && fit(hi) {
		lo, hi = hi, 2*hi
	}
	hi = min(hi, len(ends))
	for lo+1 < hi {
		if mid := (lo + hi) / 2; fit(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return ends[lo]
}

// lastCut returns the best place to cut near the end of t when rest follows: after a clause
// mark in its second half, otherwise at white space, otherwise at its end.
func lastCut(t, rest string) int {
	next, _ := utf8.DecodeRuneInString(rest)
	if last, _ := utf8.DecodeLastRuneInString(t); unicode.IsSpace(next) && isClauseMark(last) {
		return len(t)
	}
	for i := len(t); i > len(t)/2; {
		r, n := utf8.DecodeLastRuneInString(t[:i])
		if following, _ := utf8.DecodeRuneInString(t[i:]); isClauseMark(r) && (unicode.IsSpace(following) || r >= utf8.RuneSelf) {
			return i
		}
		i -= n
	}
	if unicode.IsSpace(next) {
		return len(t)
	}
	if i := strings.LastIndexFunc(t, unicode.IsSpace); i > 0 && strings.TrimSpace(t[:i]) != "" {
		return i
	}
	return len(t)
}

// overlap extends the start of each chunk backwards over whole sentences of the chunk
// before, up to Limits.Overlap units and within the maximum.
func (b *builder) overlap(chunks []Chunk) {
	t, at := b.view.Text, len(b.sentences)
	for i := len(chunks) - 1; i > 0; i-- {
		c, core := &chunks[i], chunks[i].Start
		for at > 0 && b.sentences[at-1].Start >= core {
			at--
		}
		for k := at - 1; k >= 0 && b.sentences[k].Start >= chunks[i-1].Start; k-- {
			start := b.sentences[k].Start
			n := b.limits.Counter.Count(t[start:c.End])
			if b.limits.Counter.Count(t[start:core]) > b.limits.Overlap || b.limits.Max > 0 && n > b.limits.Max {
				break
			}
			c.Start, c.Tokens = start, n
		}
	}
}

// clauseMarks end a clause, in addition to the ASCII marks.
const clauseMarks = "—–、，；："

func isClauseMark(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ',' || r == ';' || r == ':'
	}
	return strings.ContainsRune(clauseMarks, r)
}
