package reading

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Criteria for code: lines in a monospaced font in a document of another font.
const (
	codeGap   = 3.4 // maximum distance of two lines of a listing, relative to the usual distance
	blankGap  = 1.6 // minimum distance that is a blank line, relative to the usual distance
	codeSize  = 1.1 // maximum size, relative to the text's
	maxIndent = 120 // columns
)

// listing returns the number of rows of the listing that begins at row i, or 0.
func (d *document) listing(rows []row, i int) int {
	is := func(r *row) bool { return r.mono && r.entry == 0 && r.size <= codeSize*d.body }
	n := 0
	for i+n < len(rows) && is(&rows[i+n]) {
		r := &rows[i+n]
		if n > 0 {
			a := &rows[i+n-1]
			if gap := r.upper - a.base; a.leaf != r.leaf || !sameSize(a, r) || gap <= 0 || gap > codeGap*pitchOf(r, d.pitch) {
				break
			}
		}
		n++
	}
	if n != 1 || i == 0 {
		return n
	}
	// A single line may be a name, or an address in a paragraph.
	a, r := &rows[i-1], &rows[i]
	if !containsBlank(r.text) || follows(a, r, d.pitch) && math.Abs(r.box.X0-a.left) < 0.5*r.size && !endsSentence(a.text) && !strings.HasSuffix(a.text, ":") {
		return 0
	}
	return n
}

// listing makes a block of rows of code. Each row is a line.
func listing(rows []row) block {
	for i := range rows {
		if rows[i].relation = item; i == 0 {
			rows[i].relation = apart
		}
	}
	return block{kind: code, rows: rows}
}

// blankAbove reports whether a blank line is between two lines of a listing.
func blankAbove(a, b *row, pitch map[int]float64) bool {
	return b.upper-a.base >= blankGap*pitchOf(b, pitch)
}

// codeLine writes a line of a listing with spaces for its indentation and for the gaps in
// it.
func (w *writer) codeLine(r *row, b *block) {
	left, column := b.left(), 0
	for i := range r.cells {
		for _, f := range r.cells[i].list {
			n := utf8.RuneCountInString(f.text)
			advance := max((f.box.X1-f.box.X0)/float64(n), minSize)
			want := int(math.Round(min((f.box.X0-left)/advance, maxIndent)))
			if column > 0 {
				want = max(want, column+1)
			}
			w.out = append(w.out, strings.Repeat(" ", max(want-column, 0))...)
			w.fragment(r.page, f)
			column = max(want, column) + n
		}
	}
}

// left returns the left edge of b.
func (b *block) left() float64 {
	left := b.rows[0].box.X0
	for i := range b.rows {
		left = min(left, b.rows[i].box.X0)
	}
	return left
}
