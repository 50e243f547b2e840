package reading

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"seam/shared/text"
)

// Criteria for running heads and feet. They are the outermost lines of a page that repeat
// on nearby pages, at the same distance from the edge. Their letters are no larger than the
// text's, and a gap separates them from the text.
const (
	edgeZone    = 0.2  // share of the height of a page
	numberZone  = 0.25 // the same, for page numbers
	edgeLines   = 4    // maximum number at either edge
	sameEdge    = 4.0  // maximum difference of distances from the edge, in points
	nearPages   = 4    // maximum distance in pages between two of them: left and right ones, and one page without
	sureOffset  = 3    // number of consistent page numbers that confirm others
	furnitureUp = 1.15 // maximum size, relative to the text's
	edgeGap     = 0.5  // minimum gap in sizes between them and the text
	sameGap     = 0.1  // maximum relative difference of the spaces between rows of a table
	maxHead     = 200  // bytes
)

// edgeLine is a line near an edge of a page.
type edgeLine struct {
	page   int
	bottom bool
	away   float64 // from the edge
	far    bool    // too far away for anything except a page number
	inner  float64 // free space after it, towards the middle of the page
	even   bool    // the next two lines have the same space after them, as rows of a table have
	list   []*fragment
}

// edgeKey identifies lines that repeat.
type edgeKey struct {
	bottom bool
	text   string // with digits and Roman numerals replaced
}

// seen is one occurrence of an edgeKey.
type seen struct {
	page    int
	away    float64
	size    float64
	raw     string
	numbers []int
}

// furniture marks the running heads and feet and the page numbers of a document.
type furniture struct {
	pages []page
	texts []text.Page
	body  float64
	index map[edgeKey][]seen
	// offsets counts the differences between page numbers and page indexes, for known page
	// numbers.
	offsets map[int]int
}

// markFurniture sets fragment.furniture.
func markFurniture(pages []page, texts []text.Page, body float64) {
	m := furniture{pages, texts, body, map[edgeKey][]seen{}, map[int]int{}}
	lines := make([][]edgeLine, 0, 2*len(pages))
	for i := range pages {
		for _, bottom := range []bool{false, true} {
			top, end := pages[i].extent(texts[i])
			edge := m.edge(i, bottom, top, end)
			lines = append(lines, edge)
			for _, l := range edge {
				for _, f := range l.list {
					k, s := m.key(&l, f)
					m.index[k] = append(m.index[k], s)
				}
			}
		}
	}
	for _, edge := range lines {
		m.mark(edge, true)
	}
	for _, edge := range lines {
		m.mark(edge, false)
	}
	m.keepForms(lines)
	m.markLone()
	m.keepShortPages()
	markLineNumbers(pages)
	markCodeNumbers(pages)
	for i := range pages {
		pages[i].markAxes()
		pages[i].markOptions()
	}
}

// markOptions marks the options of list boxes that are not chosen, which are no answer of the
// person who filled the form in.
func (p *page) markOptions() {
	for k := range p.fragments {
		if f := &p.fragments[k]; f.source.Option {
			f.furniture = true
		}
	}
}

// keepShortPages removes the mark from words if most pages would lose all their text. Similar
// short pages, such as two copies of a notice, have no running heads.
func (m *furniture) keepShortPages() {
	written, lost := 0, 0
	for _, p := range m.pages {
		words, left := 0, 0
		for _, f := range p.fragments {
			if hasWord(f.text) {
				words++
				if !f.furniture {
					left++
				}
			}
		}
		if words > 0 {
			written++
			if left == 0 {
				lost++
			}
		}
	}
	if 2*lost <= written {
		return
	}
	for _, p := range m.pages {
		for k := range p.fragments {
			if f := &p.fragments[k]; hasWord(f.text) {
				f.furniture = false
			}
		}
	}
}

// edge returns the lines of page i nearest to an edge of its area between top and end, from
// the edge inwards.
func (m *furniture) edge(i int, bottom bool, top, end float64) (lines []edgeLine) {
	p := &m.pages[i]
	away := func(f *fragment) float64 {
		if bottom {
			return end - f.base
		}
		return f.base - top
	}
	var list []*fragment
	for k := range p.fragments {
		if f := &p.fragments[k]; f.turn == p.frame.turn && len(f.text) <= maxHead {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(f, g *fragment) int { return cmp.Compare(away(f), away(g)) })
	for _, f := range list {
		if n := len(lines); n > 0 && alongside(lines[n-1].list[0], f) {
			lines[n-1].list = append(lines[n-1].list, f)
			continue
		}
		if n := len(lines); n > 0 {
			a, b := lines[n-1].list[0].box, f.box
			lines[n-1].inner = max(b.Y0-a.Y1, a.Y0-b.Y1)
		}
		if len(lines) == edgeLines+2 {
			break
		}
		lines = append(lines, edgeLine{page: i, bottom: bottom, away: away(f), far: away(f) > edgeZone*(end-top), inner: math.Inf(1), list: []*fragment{f}})
	}
	n := 0
	for n < min(len(lines), edgeLines) && lines[n].away <= numberZone*(end-top) {
		if n+2 < len(lines) {
			gap := lines[n].inner
			lines[n].even = math.Abs(lines[n+1].inner-gap) <= sameGap*gap && math.Abs(lines[n+2].inner-gap) <= sameGap*gap
		}
		n++
	}
	return lines[:n]
}

// key returns the key of f, which is part of l.
func (m *furniture) key(l *edgeLine, f *fragment) (edgeKey, seen) {
	var sb strings.Builder
	s := seen{page: l.page, away: l.away, size: f.size, raw: f.text}
	for word := range strings.FieldsSeq(f.text) {
		bare := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n := fromRoman(bare); n > 0 {
			s.numbers = append(s.numbers, n)
			sb.WriteString("i")
			continue
		}
		for i := 0; i < len(word); {
			k := i
			for k < len(word) && '0' <= word[k] && word[k] <= '9' {
				k++
			}
			if n, err := strconv.Atoi(word[i:k]); err == nil {
				s.numbers = append(s.numbers, n)
				sb.WriteByte('#')
				i = k
				continue
			}
			sb.WriteByte(word[i])
			i++
		}
	}
	return edgeKey{l.bottom, sb.String()}, s
}

// fromRoman returns the value of a Roman numeral up to 399, or 0 for anything else.
func fromRoman(s string) (n int) {
	if len(s) == 0 || len(s) > 9 || strings.ToLower(s) != s && strings.ToUpper(s) != s {
		return 0
	}
	last := 0
	for i := len(s) - 1; i >= 0; i-- {
		v := 0
		switch s[i] | 0x20 {
		case 'i':
			v = 1
		case 'v':
			v = 5
		case 'x':
			v = 10
		case 'l':
			v = 50
		case 'c':
			v = 100
		default:
			return 0
		}
		if v < last {
			n -= v
		} else {
			n, last = n+v, v
		}
	}
	return n
}

// mark decides about the lines at one edge. Furniture extends over the lines that repeat,
// up to the last one with a gap after it. count records their numbers.
func (m *furniture) mark(edge []edgeLine, count bool) {
	n := 0
	for i := range edge {
		l := &edge[i]
		if !m.repeats(l) {
			break
		}
		if l.inner > edgeGap*l.list[0].size && (!l.even || m.numbers(l)) {
			n = i + 1
		}
	}
	for _, l := range edge[:n] {
		for _, f := range l.list {
			f.furniture = true
			if k, s := m.key(&l, f); count {
				if _, counts, _ := m.found(k, s); counts && len(s.numbers) == 1 {
					m.offsets[s.numbers[0]-s.page]++
				}
			}
		}
	}
}

// repeats reports whether l is furniture, judging by other pages: all its parts repeat, or
// its page number does and the rest is short.
func (m *furniture) repeats(l *edgeLine) bool {
	again, same, counted, letters := 0, 0, false, 0
	for _, f := range l.list {
		if f.size > furnitureUp*m.body {
			return false
		}
		k, s := m.key(l, f)
		ok, counts, equal := m.found(k, s)
		if l.far && !(counts && len(l.list) == 1 && len(f.text) <= maxNumber) {
			return false
		}
		switch {
		case ok:
			again++
		case equal:
			same++
		}
		counted = counted || counts && len(f.text) <= maxNumber
		letters += f.letters
	}
	return again > 0 && again+same == len(l.list) || counted && len(l.list) <= 3 && letters <= maxBeside && l.inner > 2*edgeGap*l.list[0].size
}

const (
	maxNumber = 16 // bytes of a page number with its decoration
	maxBeside = 90 // letters of a line with a page number and the title of a section
)

// found reports whether s repeats on another page nearby. counts reports whether a number
// in it counts the pages. equal is set if s is the same but has no words, which alone
// proves little.
func (m *furniture) found(k edgeKey, s seen) (ok, counts, equal bool) {
	list := m.index[k]
	at, _ := slices.BinarySearchFunc(list, s.page, func(e seen, page int) int { return cmp.Compare(e.page, page) })
	words := strings.ContainsFunc(strings.ReplaceAll(k.text, "i", ""), unicode.IsLetter)
	section := strings.Contains(k.text, "#.#.#") // as of headings, which no page number has
	elsewhere := 0                               // numbers that count the pages in another place
	look := func(e *seen) {
		if e.page == s.page || math.Abs(e.size-s.size) > 0.1*s.size || m.texts[e.page].Text == m.texts[s.page].Text {
			return
		}
		if math.Abs(e.away-s.away) > sameEdge {
			if !words && len(s.numbers) == 1 && len(e.numbers) == 1 && s.numbers[0]-e.numbers[0] == s.page-e.page {
				elsewhere++
			}
			return
		}
		for i, n := range s.numbers {
			if !section && i < len(e.numbers) && n-e.numbers[i] == s.page-e.page {
				ok, counts = true, true
			}
		}
		equal = equal || e.raw == s.raw
		ok = ok || words && (e.raw == s.raw || len(s.numbers) == 0)
	}
	for i := at; i < len(list) && i < at+maxSeen && list[i].page <= s.page+nearPages; i++ {
		look(&list[i])
	}
	for i := at - 1; i >= 0 && i > at-maxSeen && list[i].page >= s.page-nearPages; i-- {
		look(&list[i])
	}
	bare := len(s.numbers) == 1 && (k.text == "#" || k.text == "i")
	if elsewhere > 1 || bare && (m.offsets[s.numbers[0]-s.page] >= sureOffset || s.raw == m.texts[s.page].Label) {
		ok, counts = true, true
	}
	return ok, counts, equal
}

// maxSeen is the maximum number of nearby occurrences compared.
const maxSeen = 16
