package topic

import (
	"cmp"
	"math"
	"slices"
	"unicode"

	"seam/shared/vector"
)

// Target lengths of the parts of a text with headings. At granularity g, a part shorter
// than g·Target is joined to a neighbour, unless both together are longer than mostJoined
// times that.
const (
	// Target is in tokens, as estimated by Length.
	Target     = 150.0
	mostJoined = 3.0
)

// Length estimates the tokens that a text would have in English: one per character of
// Chinese and Japanese, two per five syllables of Korean, one per five letters, spaces and
// marks of any other script.
func Length(t string) float64 {
	fifths := 0
	for _, r := range t {
		switch {
		case r < 0x1100:
			fifths++
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			fifths += 5
		case unicode.Is(unicode.Hangul, r):
			fifths += 2
		default:
			fifths++
		}
	}
	return float64(fifths) / 5
}

// sizer joins the parts between boundaries to parts of a useful length.
type sizer struct {
	before []float64 // [i] is the length of the sentences before i
	seams  []seam    // [i] describes the gap before sentence i

	parts []part // scratch memory for join
	open  meetings
}

// seam is a place where two parts meet. The lesser seam is closed first.
type seam struct {
	level int  // of the heading after it; math.MaxInt for none
	begin bool // the part before it begins with the heading above this one
}

// headed returns the sizer of a text with headings, or nil for a text without.
func headed(in *Input) *sizer {
	if !slices.ContainsFunc(in.Layout, func(g Gap) bool { return g.Heading > 0 }) {
		return nil
	}
	n := len(in.Sentences)
	s := &sizer{before: make([]float64, n+1), seams: make([]seam, n)}
	last := 0
	for i, t := range in.Sentences {
		s.before[i+1] = s.before[i] + Length(t) + 0.2
		s.seams[i].level = math.MaxInt
		if i == 0 {
			continue
		}
		if h := in.Layout[i-1].Heading; h > 0 {
			s.seams[i] = seam{level: h, begin: last < h}
			last = h
		}
	}
	return s
}

// part is the sentences from..to-1 between two cuts, in a linked list.
type part struct {
	from, to   int
	prev, next int // indexes of parts; -1 for none
	fixed      bool
	gone       bool
}

// meeting is a seam that may be closed: the one before parts[right].
type meeting struct {
	seam
	length      float64 // of both parts together
	left, right int
	from, to    int // of both parts, when it was found
}

// before reports whether a meeting is closed before another.
func (m *meeting) before(n *meeting) bool {
	switch {
	case m.level != n.level:
		return m.level > n.level
	case m.begin != n.begin:
		return n.begin
	}
	return cmp.Or(cmp.Compare(m.length, n.length), cmp.Compare(m.from, n.from)) < 0
}

// meetings is a heap with the next seam to close on top. It is a typed version of
// container/heap, because it is used some thousand times per text.
type meetings []meeting

func (m *meetings) push(x meeting) {
	*m = append(*m, x)
	h := *m
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(&h[up]) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (m *meetings) pop() meeting {
	h := *m
	last := len(h) - 1
	h[0], h[last] = h[last], h[0]
	for i := 0; ; {
		next := 2*i + 1
		if next >= last {
			break
		}
		if right := next + 1; right < last && h[right].before(&h[next]) {
			next = right
		}
		if !h[next].before(&h[i]) {
			break
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
	*m = h[:last]
	return h[last]
}

// join removes cuts, weakest seams first, until no part that a neighbour can absorb is
// shorter than target. It never removes those in stay.
func (s *sizer) join(cuts, stay []int, target float64) []int {
	parts, open := s.parts[:0], s.open[:0]
	from := 0
	for i := range len(cuts) + 1 {
		to := len(s.seams)
		if i < len(cuts) {
			to = cuts[i]
		}
		_, fixed := slices.BinarySearch(stay, from)
		parts = append(parts, part{from: from, to: to, prev: i - 1, next: i + 1, fixed: fixed || from == 0})
		from = to
	}
	parts[len(parts)-1].next = -1
	meet := func(right int) {
		if right < 0 || parts[right].fixed {
			return
		}
		l, r := parts[parts[right].prev], parts[right]
		length := s.before[r.to] - s.before[l.from]
		if length <= mostJoined*target && min(s.before[l.to]-s.before[l.from], s.before[r.to]-s.before[r.from]) < target {
			open.push(meeting{s.seams[r.from], length, r.prev, right, l.from, r.to})
		}
	}
	for i := range parts {
		meet(i)
	}
	for len(open) > 0 {
		m := open.pop()
		l, r := &parts[m.left], &parts[m.right]
		if l.gone || r.gone || l.from != m.from || r.to != m.to {
			continue // its parts have grown, and it was queued again
		}
		l.to, l.next, r.gone = r.to, r.next, true
		if r.next >= 0 {
			parts[r.next].prev = m.left
		}
		meet(m.left)
		meet(l.next)
	}
	s.parts, s.open = parts, open
	var out []int
	for _, p := range parts[1:] {
		if !p.gone {
			out = append(out, p.from)
		}
	}
	return out
}

// strengths lowers a curve to the coarsest granularity at which each boundary remains when
// short parts are joined. The result is nested like the curve: level 0 is joined freely, a
// coarser level joins the remaining parts, and a finer level keeps the cuts.
func (s *sizer) strengths(curve []float64) {
	strength := make([]float64, len(curve))
	for i, v := range curve {
		strength[i] = min(v, unmade)
	}
	at := func(level int) (cuts []int) {
		for i, v := range curve {
			if v >= float64(level)/perOctave {
				cuts = append(cuts, i+1)
			}
		}
		return cuts
	}
	mark := func(cuts []int, level int) {
		for _, c := range cuts {
			strength[c-1] = max(strength[c-1], float64(level)/perOctave)
		}
	}
	base := s.join(at(0), nil, Target)
	mark(base, 0)
	cuts := base
	for level := 1; level <= levels; level++ {
		found := at(level)
		cuts = slices.DeleteFunc(slices.Clone(cuts), func(c int) bool { _, ok := slices.BinarySearch(found, c); return !ok })
		cuts = s.join(cuts, nil, granularity(level)*Target)
		mark(cuts, level)
	}
	cuts = base
	for level := -1; level >= -levels; level-- {
		cuts = s.join(at(level), cuts, granularity(level)*Target)
		mark(cuts, level)
	}
	copy(curve, strength)
}

// unmade is the value on a curve of a gap that is a boundary at no granularity, although a
// boundary there costs nothing.
var unmade = -float64(levels)/perOctave - vector.Ln(1.0625)/math.Ln2
