package reading

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Criteria for the furniture of pages without others to compare. A line stays if they do not
// decide.
const (
	lonePages   = 2    // maximum number of pages of the document
	loneRows    = 8    // minimum number of lines on the page
	marginRows  = 12   // the same, for lines without a number
	loneGap     = 0.7  // minimum gap in sizes between furniture and text
	loneStep    = 1.4  // minimum distance to the next line, relative to the usual one
	marginZone  = 0.07 // share of the height of a page that is its margin
	marginGap   = 3    // minimum gap in sizes between a line in the margin and the text
	marginSize  = 0.9  // maximum size of such a line, relative to the text's
	outerZone   = 0.04 // share of the height of a page that only stamps reach
	maxStamp    = 240  // bytes
	maxRunning  = 120  // letters of a line with a page number
	numberPlace = 2    // maximum distance in sizes of a page number from the middle or a margin
)

// markLone marks the stamps of downloads, and on pages without neighbours page numbers, the
// titles beside them, and small lines in the margin.
func (m *furniture) markLone() {
	for i := range m.pages {
		p := &m.pages[i]
		for k := range p.fragments {
			if f := &p.fragments[k]; f.turn != p.frame.turn && (isStamp(f.text) || isPreprint(f.text)) {
				f.furniture = true
			}
		}
		s := newSurroundings(p)
		s.pageTop, s.pageEnd = p.extent(m.texts[i])
		for _, bottom := range []bool{false, true} {
			s.lines = m.edge(i, bottom, s.top, s.end)
			s.markStamps()
			if len(m.pages) <= lonePages && s.rows >= loneRows {
				m.markLoneEdge(&s)
			}
		}
	}
}

// surroundings are the measures of the text on a page, and its lines at one edge.
type surroundings struct {
	page             *page
	rows             int // distinct baselines
	step             float64
	top, end         float64 // of the text
	pageTop, pageEnd float64
	lines            []edgeLine
}

func newSurroundings(p *page) surroundings {
	s := surroundings{page: p, top: math.Inf(1), end: math.Inf(-1)}
	var steps []float64
	var last *fragment
	for k := range p.fragments {
		f := &p.fragments[k]
		if f.turn != p.frame.turn {
			continue
		}
		s.top, s.end = min(s.top, f.box.Y0), max(s.end, f.box.Y1)
		if last == nil || !alongside(last, f) {
			s.rows++
		}
		if last != nil && f.base-last.base > 0.5*f.size && f.base-last.base < 4*f.size {
			steps = append(steps, f.base-last.base)
		}
		last = f
	}
	if len(steps) > 0 {
		slices.Sort(steps)
		s.step = steps[len(steps)/2]
	}
	return s
}

// margins returns the horizontal extent of the text outside the furniture.
func (s *surroundings) margins() (left, right float64) {
	left, right = math.Inf(1), math.Inf(-1)
	for k := range s.page.fragments {
		if f := &s.page.fragments[k]; f.turn == s.page.frame.turn && !f.furniture {
			left, right = min(left, f.box.X0), max(right, f.box.X1)
		}
	}
	return left, right
}

// inZone reports whether l is in the outer share of the height of the page.
func (s *surroundings) inZone(l *edgeLine, share float64) bool {
	f, zone := l.list[0], share*(s.pageEnd-s.pageTop)
	return f.base < s.pageTop+zone || f.base > s.pageEnd-zone
}

// apart reports whether a gap separates l from the text.
func (s *surroundings) apart(l *edgeLine) bool {
	size := l.list[0].size
	return l.inner > loneGap*size && l.inner+size > loneStep*s.step
}

// markStamps marks the stamp at the edge, which may have several lines.
func (s *surroundings) markStamps() {
	n, all := 0, ""
	for i := range s.lines {
		l := &s.lines[i]
		switch {
		case l.bottom:
			all = l.text() + " " + all
		case n == 0:
			all += l.text() + " "
		}
		if (l.bottom || n == 0) && isStamp(all) && (s.inZone(l, outerZone) || s.apart(l)) {
			n = i + 1
		}
	}
	for _, l := range s.lines[:n] {
		l.mark()
	}
}

func (l *edgeLine) mark() {
	for _, f := range l.list {
		f.furniture = true
	}
}

// stamps begin the lines that a site adds to a file when it is fetched, in lower case.
var stamps = []string{"downloaded from ", "downloaded by ", "downloaded on ", "downloaded: ", "download date", "this content downloaded ", "all use subject to ",
	"digitized by ", "printed from ", "heruntergeladen ", "téléchargé ", "descargado ", "scaricato da", "baixado de"}

// isStamp reports whether s is the line of a site, with its address or a date.
func isStamp(s string) bool {
	low := strings.ToLower(s)
	return len(s) <= maxStamp && slices.ContainsFunc(stamps, func(p string) bool { return strings.HasPrefix(low, p) }) &&
		(strings.ContainsFunc(s, unicode.IsDigit) || isWebAddress(low) || low == "digitized by google")
}

// isPreprint reports whether s is the line that arXiv prints up the margin of the first page:
// "arXiv:1703.01234v1 [math.HO] 12 Jun 2017".
func isPreprint(s string) bool {
	return strings.HasPrefix(s, "arXiv:") && len(s) <= maxStamp && unicode.IsDigit(rune(s[len(s)-1]))
}

// isWebAddress reports whether a word of s, in lower case, is the address of a site.
func isWebAddress(s string) bool {
	return strings.Contains(s, "http://") || strings.Contains(s, "https://") || strings.HasPrefix(s, "www.") || strings.Contains(s, " www.")
}

// markLoneEdge marks the furniture at one edge of a page, from the edge inwards.
func (m *furniture) markLoneEdge(s *surroundings) {
	for i := range s.lines {
		l := &s.lines[i]
		if !strings.ContainsFunc(l.text(), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue // a rule or a smudge
		}
		if !l.list[0].furniture && !m.isLone(s, i) {
			return
		}
		for k := range i + 1 {
			s.lines[k].mark()
		}
	}
}

// text returns the text of l as it is seen.
func (l *edgeLine) text() string {
	sorted := slices.SortedStableFunc(slices.Values(l.list), func(f, g *fragment) int { return cmp.Compare(f.box.X0, g.box.X0) })
	words := make([]string, len(sorted))
	for i, f := range sorted {
		words[i] = f.text
	}
	return strings.Join(words, " ")
}

// isLone reports whether line i at an edge is furniture, from its page alone.
func (m *furniture) isLone(s *surroundings, i int) bool {
	l, rest := &s.lines[i], s.lines[i+1:]
	letters, numbers := 0, 0
	for _, f := range l.list {
		if f.size > furnitureUp*m.body {
			return false
		}
		letters += f.letters
		if m.isNumber(l, f) {
			numbers++
		}
	}
	if l.even || !s.apart(l) || len(l.list) > 1 && len(rest) > 0 && sameCells(l.list, rest[0].list) {
		return false
	}
	f := l.list[0]
	switch {
	case numbers == 1 && len(l.list) == 1:
		return s.isPlace(f) && !slices.ContainsFunc(rest, func(o edgeLine) bool { return inColumn(f, o.list) })
	case numbers == 1:
		return len(l.list) <= edgeLines && letters <= maxRunning
	}
	return s.inZone(l, marginZone) && l.inner > marginGap*f.size && letters <= maxBeside && s.rows >= marginRows && !f.bold &&
		(f.size < marginSize*m.body || isWebAddress(strings.ToLower(f.text))) && !strings.ContainsFunc(l.text(), unicode.IsDigit)
}

// isNumber reports whether f is a page number, not an amount or a year.
func (m *furniture) isNumber(l *edgeLine, f *fragment) bool {
	k, s := m.key(l, f)
	if !isPageNumber(k.text) || strings.ContainsAny(f.text, "%$€£¥°+*=<>§&#") || f.letters > maxNumber || s.numbers[0] == 0 ||
		1500 <= s.numbers[0] && s.numbers[0] <= 2100 {
		return false
	}
	first, last := firstRune(f.text), f.text[len(f.text)-1]
	return last != ')' || first == '('
}

// isPlace reports whether f is in the middle of the page's text, or at one of its margins.
func (s *surroundings) isPlace(f *fragment) bool {
	near := numberPlace * f.size
	left, right := s.margins()
	return math.Abs(f.centre()-(left+right)/2) < near || f.box.X0 < left+near || f.box.X1 > right-near
}

// inColumn reports whether f is the end of a column of numbers: one of list is a number
// and ends or begins where f does.
func inColumn(f *fragment, list []*fragment) bool {
	return slices.ContainsFunc(list, func(g *fragment) bool {
		return numeric(g.text) && (math.Abs(f.box.X0-g.box.X0) < 0.5*f.size || math.Abs(f.box.X1-g.box.X1) < 0.5*f.size)
	})
}

// sameCells reports whether a and b may be rows of one table: two short cells begin or end
// at the same places.
func sameCells(a, b []*fragment) bool {
	n := 0
	for _, f := range a {
		if slices.ContainsFunc(b, func(g *fragment) bool {
			return g.letters <= maxCell && (math.Abs(f.box.X0-g.box.X0) < 0.5*f.size || math.Abs(f.box.X1-g.box.X1) < 0.5*f.size)
		}) {
			n++
		}
	}
	return n > 1
}
