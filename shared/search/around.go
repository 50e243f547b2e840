package search

import (
	"math"
	"sort"
	"strings"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// Bounds of the text around hits. On the 276 questions of Chroma's chunking evaluation about
// chat logs, a speech and articles (hybrid, five hits), neighbours raise the share of the
// excerpts that are found from .743 to .880 with chunks of 64 tokens and from .895 to .953
// with 128; as much text of further hits gives .833 and .936. With 200 tokens and more there
// is little left to gain. See TestAroundFindsMore.
const (
	mostTimes  = 2    // of the length of all hits, with their neighbours
	leastEach  = 300  // bytes for each hit that are not too many
	leastAll   = 4000 // bytes for all hits that are not too many, within mostTimes
	mostChunks = 6    // neighbours on each side
)

// growing is a hit whose text grows.
type growing struct {
	*Hit
	section     text.Span // neighbours end with it
	first, last int       // chunks
	stopped     [2]bool   // before, after
}

// around finds the neighbours of hits, best hits and nearest neighbours first, without lists
// that the query does not name. Each chunk belongs to one hit. With them, all hits are at
// most twice as long, and no longer than k of the longest chunks, so that a question costs
// no more than its chunks may. Short hits may be longer.
func (s *reading) around(query string, hits []Hit, k int) {
	all, taken := make([]growing, len(hits)), map[place]bool{}
	sum, longest := 0, 0
	for i := range hits {
		h := &hits[i]
		r := s.results[h.Source]
		c := r.Chunks[h.Chunk]
		h.Wide = c.Span
		at := c.Start + h.Passage.Start
		all[i] = growing{Hit: h, section: sectionAt(r, at), first: h.Chunk, last: h.Chunk}
		taken[place{h.Source, h.Chunk}] = true
		sum += c.Len()
		for _, c := range r.Chunks {
			longest = max(longest, c.Len())
		}
	}
	room := max(len(hits)*leastEach, min(mostTimes*sum, max(k*longest, leastAll))) - sum
	for range mostChunks {
		for i := range all {
			for side := range 2 {
				room -= s.grow(query, &all[i], side, room, taken)
			}
		}
	}
}

// sectionAt returns the innermost section around byte at of the text, or the text between
// sections.
func sectionAt(r *pipeline.Result, at int) text.Span {
	sections := r.Document.Sections
	if r.Plan.View == text.Content {
		sections = nil
	}
	if i := r.Document.Enclosing(r.Plan.View, text.Span{Start: at, End: at + 1}); i >= 0 {
		return sections[i].Span
	}
	between := text.Span{End: math.MaxInt}
	for _, s := range sections {
		if s.Start > at {
			between.End = s.Start
			break
		}
		between.Start = max(between.Start, s.End)
	}
	return between
}

// grow adds the next chunk before or after a hit, if it fits in room bytes. It returns the
// number of bytes added.
func (s *reading) grow(query string, g *growing, side, room int, taken map[place]bool) int {
	if g.stopped[side] {
		return 0
	}
	g.stopped[side] = true
	at := g.last + 1
	if side == 0 {
		at = g.first - 1
	}
	r := s.results[g.Source]
	if at < 0 || at >= len(r.Chunks) || taken[place{g.Source, at}] {
		return 0
	}
	c := r.Chunks[at]
	from, to := max(c.Start, g.section.Start), min(c.End, g.section.End)
	if side == 0 {
		to = min(to, g.Wide.Start)
	} else {
		from = max(from, g.Wide.End)
	}
	long := g.Wide.Len()
	if from >= to || max(to, g.Wide.End)-min(from, g.Wide.Start)-long > room {
		return 0
	}
	t := s.text(sort.Search(len(s.places), func(i int) bool {
		p := s.places[i]
		return p.source > g.Source || p.source == g.Source && p.chunk >= at
	}))
	if p := r.PartOf(at, t); len(t) != c.Len() || p != "" && !text.NamesPart(query, p) { // or a shelved text could not be read
		return 0
	}
	t = t[from-c.Start : to-c.Start]
	if side == 0 {
		t = strings.TrimLeft(t, " \n")
		g.Before, g.first = t+gap(g.Wide.Start-to)+g.Before, at
		g.Wide.Start = to - len(t)
	} else {
		t = strings.TrimRight(t, " \n")
		g.After, g.last = g.After+gap(from-g.Wide.End)+t, at
		g.Wide.End = from + len(t)
	}
	taken[place{g.Source, at}] = true
	g.stopped[side] = from > c.Start && side == 0 || to < c.End && side == 1
	return g.Wide.Len() - long
}

// gap returns white space for n bytes between chunks. A shelved result does not have the
// text between its chunks, and the same passages must give the same request.
func gap(n int) string { return "\n\n"[:min(n, 2)] }
