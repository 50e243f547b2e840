package reading

import (
	"math"
	"slices"
	"strings"

	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// row is what stands on one baseline of a page: one line, or several that gaps
// divide.
type row struct {
	page     int         // index
	parts    []text.Span // of the page's text; blanks at their ends left out
	text     string      // of the parts, a blank between them
	box      text.Box
	baseline float64
	size     float64
	bold     bool
	level    bool    // text runs from left to right, upright
	first    float64 // width of its first word
	right    float64 // right margin of the block it stands in
	left     float64 // left margin of that block
}

// maxParts is the most parts that a row may have.
const maxParts = 256

// upright is the least cosine between the direction of level text and the
// horizontal.
const upright = 0.999

// sameBaseline is by how much, in sizes, baselines of one row may differ.
const sameBaseline = 0.25

// rowsOf makes rows of the lines of a page. Lines of blanks are left out.
func rowsOf(page int, t string, lines []layout.Line) (rows []row) {
	for _, l := range lines {
		raw := l.Span.Of(t)
		s := strings.TrimSpace(raw)
		if s == "" {
			continue
		}
		start := l.Start + strings.Index(raw, s)
		r := row{page: page, parts: []text.Span{{Start: start, End: start + len(s)}}, text: s, box: l.Box,
			baseline: l.Baseline, size: l.Size, bold: l.Bold, level: l.Dir.X > upright}
		r.first = firstWidth(s, l.Box)
		if n := len(rows); n > 0 && rows[n-1].continues(&r) {
			rows[n-1].extend(&r)
			continue
		}
		rows = append(rows, r)
	}
	return rows
}

// firstWidth is about how wide the first word of s is.
func firstWidth(s string, b text.Box) float64 {
	n := strings.IndexByte(s, ' ')
	if n < 0 {
		n = len(s)
	}
	return (b.X1 - b.X0) * float64(n) / float64(len(s))
}

// continues reports whether b stands to the right of r on the same baseline.
func (r *row) continues(b *row) bool {
	return len(r.parts) < maxParts && r.level && b.level && b.box.X0 >= r.box.X1-0.5*r.size &&
		math.Abs(r.baseline-b.baseline) < sameBaseline*max(r.size, b.size)
}

func (r *row) extend(b *row) {
	r.parts = append(r.parts, b.parts...)
	r.text += " " + b.text
	r.box = r.box.Union(b.box)
	r.bold = r.bold && b.bold
	r.size = max(r.size, b.size)
}

// sizeKey groups sizes that are the same but for rounding.
func sizeKey(size float64) int { return int(math.Round(size * 2)) }

// pitches is the usual distance of baselines for each size: the lower quartile
// of those that can be distances of lines at all.
func pitches(pages [][]row) map[int]float64 {
	all := map[int][]float64{}
	for _, rows := range pages {
		for i := 1; i < len(rows); i++ {
			a, b := &rows[i-1], &rows[i]
			d := b.baseline - a.baseline
			if a.level && b.level && sameSize(a, b) && d > 0.7*a.size && d < 2.6*a.size {
				all[sizeKey(b.size)] = append(all[sizeKey(b.size)], d)
			}
		}
	}
	pitch := map[int]float64{}
	for size, list := range all {
		slices.Sort(list)
		pitch[size] = list[len(list)/4]
	}
	return pitch
}

func sameSize(a, b *row) bool {
	return max(a.size, b.size) <= 1.08*min(a.size, b.size)
}

// follows reports whether b stands right below a, at the usual distance.
func follows(a, b *row, pitch map[int]float64) bool {
	if !a.level || !b.level || !sameSize(a, b) || a.page != b.page {
		return false
	}
	p, ok := pitch[sizeKey(b.size)]
	if !ok {
		p = 1.2 * b.size
	}
	d := b.baseline - a.baseline
	return d > 0.3*b.size && d <= wideGap*p
}

// setMargins finds the margins of every row of a page: those of the block of
// rows that follow on each other and overlap from side to side.
func setMargins(rows []row, pitch map[int]float64) {
	for i := 0; i < len(rows); {
		k := i + 1
		left, right := rows[i].box.X0, rows[i].box.X1
		for k < len(rows) && follows(&rows[k-1], &rows[k], pitch) &&
			rows[k].box.X0 < right && rows[k].box.X1 > left {
			left, right = min(left, rows[k].box.X0), max(right, rows[k].box.X1)
			k++
		}
		for ; i < k; i++ {
			rows[i].left, rows[i].right = left, right
		}
	}
	widen(rows)
}

// widen gives blocks of the page with the same left margin and size the
// widest right margin among them: a paragraph of one short line does not tell
// where lines end.
func widen(rows []row) {
	type key struct{ left, size int }
	at := func(r *row) key { return key{int(math.Round(r.left / 4)), sizeKey(r.size)} }
	right := map[key]float64{}
	for i := range rows {
		right[at(&rows[i])] = max(right[at(&rows[i])], rows[i].right)
	}
	for i := range rows {
		rows[i].right = right[at(&rows[i])]
	}
}
