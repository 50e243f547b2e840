package reading

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// Criteria for headings that are not in an outline.
const (
	largeHeading   = 1.12 // minimum size, relative to the text's
	maxHeadingRows = 4
	maxLarge       = 160 // letters of one in large type
	maxBold        = 100 // letters of one in bold type or in capitals
	maxLevel       = 6
	smallCapital   = 0.75 // minimum size of a line of small capitals, relative to the text's
	maxEntries     = 64   // outline entries on one page to compare with its rows
)

// match finds the rows for the entries of the outline.
func (d *document) match(outline []text.Bookmark) {
	entries := make([][]int, len(d.pages))
	for i, b := range outline {
		if b.Page >= 0 && b.Page < len(d.pages) && len(entries[b.Page]) < maxEntries {
			entries[b.Page] = append(entries[b.Page], i)
		}
	}
	d.pitch = map[int]float64{}
	var all []row
	for i := range d.pages {
		rows := d.pages[i].rows
		all = append(all, rows...)
		if len(entries[i]) == 0 {
			continue
		}
		names := make([]string, len(rows))
		for k := range rows {
			if rows[k].letters <= maxLarge {
				names[k] = folded(rows[k].text)
			}
		}
		for _, e := range entries[i] {
			markEntry(rows, names, outline[e].Title, e+1)
		}
	}
	d.pitch = pitches(all)
}

// markEntry sets the entry of the first rows that together form the title, with or without
// its number. names are the folded texts of rows.
func markEntry(rows []row, names []string, title string, entry int) {
	want := []string{folded(title)}
	if mark, rest, ok := strings.Cut(title, " "); ok && (sectionNumber(title) > 0 || enumerates(strings.TrimSuffix(mark, "."))) {
		want = append(want, folded(rest))
	}
	for _, w := range want {
		for i := range rows {
			if n := headed(rows[i:], names[i:], w); n > 0 {
				for k := range n {
					rows[i+k].entry = entry
				}
				return
			}
		}
	}
}

// headed returns how many of the first rows together form the folded title want. The first
// one may begin with a number. It returns 0 if they do not.
func headed(rows []row, names []string, want string) int {
	left, ok := strings.CutPrefix(want, names[0])
	if !ok && sectionNumber(rows[0].text) > 0 {
		_, rest, _ := strings.Cut(rows[0].text, " ")
		left, ok = strings.CutPrefix(want, folded(rest))
	}
	if !ok || names[0] == "" || rows[0].entry > 0 {
		return 0
	}
	n := 1
	for n < min(len(rows), maxHeadingRows) && left != "" && names[n] != "" && rows[n].leaf == rows[0].leaf && strings.HasPrefix(left, names[n]) {
		left = left[len(names[n]):]
		n++
	}
	if left != "" {
		return 0
	}
	return n
}

// findHeadings turns blocks of p into headings.
func (d *document) findHeadings(p *page) {
	for i := range slices.Backward(p.blocks) { // a heading may be above another one
		b := &p.blocks[i]
		if b.kind == turned || b.kind == note {
			continue
		}
		if b.first().entry > 0 || d.looksLikeHeading(p, i) {
			b.kind = heading
		}
	}
	for i := 0; i+1 < len(p.blocks); i++ {
		b, next := &p.blocks[i], &p.blocks[i+1]
		if b.kind != heading || next.kind != heading || b.last().leaf != next.first().leaf || !division(b.first().text) || len(b.rows) > 1 || sectionNumber(next.first().text) > 0 {
			continue
		}
		next.first().relation = item
		if next.first().entry == 0 {
			next.first().entry = b.first().entry
		}
		b.first().entry, b.rows = next.first().entry, append(b.rows, next.rows...)
		b.first().size = next.first().size
		p.blocks = slices.Delete(p.blocks, i+1, i+2)
	}
}

// divisions lists the names of a book's parts, in lower case.
const divisions = " chapter part appendix book section kapitel teil anhang abschnitt chapitre partie capítulo capitolo parte hoofdstuk глава часть "

// division reports whether s is only the number of a part of a book, "Chapter 3", so that
// the heading below it is its title.
func division(s string) bool {
	word, number, ok := strings.Cut(strings.ToLower(s), " ")
	number = strings.TrimRight(number, ".:")
	return ok && strings.Contains(divisions, " "+word+" ") && (enumerates(number) || fromRoman(number) > 0)
}

// looksLikeHeading judges block i of p by its type and its surroundings.
func (d *document) looksLikeHeading(p *page, i int) bool {
	b := &p.blocks[i]
	r := b.first()
	if len(b.rows) > maxHeadingRows || b.kind == legend || b.kind == code || b.kind == table || b.kind == list && (len(b.rows) > 1 || sectionNumber(r.text) == 0) {
		return false
	}
	letters, all, word := 0, 0, false
	for k := range b.rows {
		x := &b.rows[k]
		letters, all, word = letters+lettersIn(x.text), all+x.letters, word || hasWord(x.text)
		if x.bold != r.bold || !sameSize(x, r) {
			return false
		}
	}
	last, _ := utf8.DecodeLastRuneInString(b.last().text)
	if !word || 2*letters < all || hasAddress(b.last().text) {
		return false
	}
	if r.size >= largeHeading*d.body {
		return letters <= maxLarge && !strings.ContainsRune(",;，；。", last) && (last != '.' || letters <= maxLarge/8)
	}
	if letters > maxBold || len(b.rows) > 2 || numberedLine(r.text) || r.size < 0.93*d.body && !d.smallCapitals(p, i) || strings.ContainsRune(",;.:，；。：", last) {
		return false
	}
	if i+1 == len(p.blocks) || p.blocks[i+1].kind == table {
		return false
	}
	if r.bold && !d.bodyBold {
		return true
	}
	// In plain type: capitals or a number, with space around, above a paragraph. Or in italics.
	below := &p.blocks[i+1]
	room := i == 0 || p.blocks[i-1].last().leaf != r.leaf || r.base-p.blocks[i-1].last().base > 1.3*pitchOf(r, d.pitch)
	if !room || len(b.rows) > 1 || below.first().leaf != r.leaf {
		return false
	}
	if below.kind == heading {
		return upperCase(r.text) && (below.first().italic || len(below.rows) > 1)
	}
	return below.opensText() &&
		(upperCase(r.text) || sectionNumber(r.text) > 0 && b.kind != list || d.leans(r, below.first()))
}

// opensText reports whether b begins with a paragraph of several lines. A list may follow it
// in the same block.
func (b *block) opensText() bool {
	if len(b.rows) < 2 {
		return false
	}
	is, _ := b.first().marked()
	return b.kind == paragraph || b.kind == list && !is && b.rows[1].relation == wrapped
}

// smallCapitals reports whether block i of p is a line of small capitals between two texts in
// the size of the document's, as journals set headings without a number.
func (d *document) smallCapitals(p *page, i int) bool {
	if i == 0 || i+1 == len(p.blocks) {
		return false
	}
	r, above, below := p.blocks[i].first(), p.blocks[i-1].last(), p.blocks[i+1].first()
	usual := func(x *row) bool { return x.leaf == r.leaf && math.Abs(x.size-d.body) < 0.07*d.body }
	return r.size >= smallCapital*d.body && upperCase(r.text) && usual(above) && usual(below)
}

// leans reports whether r is the italic heading of a text in upright type that begins with
// below, at the same margin.
func (d *document) leans(r, below *row) bool {
	start := firstRune(r.text)
	return r.italic && !d.bodyLean && !below.italic && (unicode.IsUpper(start) || unicode.IsDigit(start)) &&
		math.Abs(r.box.X0-below.left) < 0.5*r.size && !below.short()
}

// hasAddress reports whether s has an address of mail, as below the authors of a paper.
func hasAddress(s string) bool {
	before, after, ok := strings.Cut(s, "@")
	return ok && before != "" && after != "" && !strings.HasSuffix(before, " ") && !strings.HasPrefix(after, " ")
}

// numberedLine reports whether s is a line of an algorithm: "6: end for".
func numberedLine(s string) bool {
	number, _, ok := strings.Cut(s, ": ")
	return ok && digits(number)
}

// style is the typographic style of a heading, which determines its level.
type style struct {
	size int // sizeKey
	bold bool
	caps bool
	lean bool
}

func compareStyles(a, b style) int {
	number := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(number(b.bold), number(a.bold)), cmp.Compare(number(b.caps), number(a.caps)), cmp.Compare(number(a.lean), number(b.lean)))
}

// maxParts exceeds the number of parts in any section number.
const maxParts = 16

// rankHeadings sets the level of all headings. It is the level of their outline entry, or
// of outlined headings in the same style. Other styles get the next lower level, from the
// largest to the smallest. If a section number has more parts than the shortest one in its
// style, the level is lower accordingly. No level is skipped on the way down.
func (d *document) rankHeadings(outline []text.Bookmark) {
	type known struct {
		levels  [maxLevel + 1]int // headings of each level given by the outline
		shallow int               // the fewest parts of a number
	}
	styles := map[style]*known{}
	var all []*block
	for i := range d.pages {
		for k := range d.pages[i].blocks {
			b := &d.pages[i].blocks[k]
			if b.kind != heading {
				continue
			}
			all = append(all, b)
			s := b.style()
			if styles[s] == nil {
				styles[s] = &known{shallow: maxParts}
			}
			styles[s].shallow = min(styles[s].shallow, max(1, sectionNumber(b.first().text)))
			if e := b.first().entry; e > 0 {
				styles[s].levels[min(outline[e-1].Level, maxLevel)]++
			}
		}
	}
	order := make([]style, 0, len(styles))
	for s := range styles {
		order = append(order, s)
	}
	slices.SortFunc(order, compareStyles)
	level := map[style]int{}
	last := 0
	for _, s := range order {
		best := 0
		for l, n := range styles[s].levels {
			if n > styles[s].levels[best] {
				best = l
			}
		}
		if best *= maxParts; best == 0 {
			best = last + maxParts
		}
		level[s], last = best, best
	}
	rank := func(b *block) int {
		if e := b.first().entry; e > 0 {
			return outline[e-1].Level * maxParts
		}
		s := b.style()
		return level[s] + max(1, sectionNumber(b.first().text)) - styles[s].shallow
	}
	series := seriesRanks(all, rank)
	var above []int // levels of the headings around
	for _, b := range all {
		l := rank(b)
		if common, ok := series[seriesOf(b.first().text)]; ok && b.first().entry == 0 {
			l = common
		}
		for len(above) > 0 && above[len(above)-1] >= l {
			above = above[:len(above)-1]
		}
		above = append(above, l)
		b.level = min(len(above), maxLevel)
	}
}

// leastSeries is the minimum number of headings with the same word and a number in a
// series.
const leastSeries = 3

// seriesRanks returns the ranks of numbered headings. "Chapter 18" has the rank of most
// chapters, even if it is set a little smaller. Among equally frequent ranks the higher one
// wins.
func seriesRanks(all []*block, rank func(*block) int) map[string]int {
	counts := map[string]map[int]int{}
	for _, b := range all {
		if name := seriesOf(b.first().text); name != "" {
			if counts[name] == nil {
				counts[name] = map[int]int{}
			}
			counts[name][rank(b)]++
		}
	}
	ranks := map[string]int{}
	for name, ranked := range counts {
		total, best := 0, 0
		for l, n := range ranked {
			total += n
			if n > ranked[best] || n == ranked[best] && l < best {
				best = l
			}
		}
		if total >= leastSeries {
			ranks[name] = best
		}
	}
	return ranks
}

// seriesOf returns the word before the number at the beginning of a heading, in lower case,
// such as "chapter". It returns "" for any other heading.
func seriesOf(title string) string {
	words := strings.Fields(title)
	if len(words) < 2 {
		return ""
	}
	number := strings.TrimRight(words[1], ":.–—-")
	if number == "" || strings.Trim(number, "0123456789") != "" && strings.Trim(number, "IVXLC") != "" {
		return ""
	}
	word := strings.ToLower(words[0])
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return ""
		}
	}
	return word
}

func (b *block) style() style {
	r := b.first()
	return style{sizeKey(r.size), r.bold, upperCase(r.text), r.italic}
}
