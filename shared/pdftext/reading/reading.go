// Package reading makes the reading view of a document: its text in reading order, for
// chunking.
//
// The lines of a page become fragments in the frame of its text (fragment.go). Repeated
// text at the edges of pages is set apart (furniture.go). Gutters divide the page into
// columns (columns.go, column.go), and the order of the content divides regions without
// gutters (chain.go). Each part becomes rows (row.go), and rows become blocks according to
// their relations (relate.go). Blocks get a kind (block.go, heading.go). Then the blocks of
// all pages are joined: a paragraph continues across columns, pages and interruptions
// (flow.go). Finally the view is written (write.go), with hyphens at line ends removed
// (hyphen.go), ligatures as their letters (letters.go), and code line by line (code.go).
//
// mark.go interprets the first and last characters of lines.
//
// The order of the content is a strong prior: it decides wherever the geometry is
// ambiguous. Everything is deterministic: no order depends on a map, and no sum on a fused
// multiplication.
package reading

import (
	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// Result is the reading view of a document.
type Result struct {
	View text.View
	// Furniture is the text that the view leaves out of each page; see text.Page.
	Furniture [][]text.Span
	Sections  []text.Section
	Elements  []text.Element // its lists and tables
}

// Read makes the reading view of pages from their lines, in content order, and the file's
// outline.
//
// Every non-blank byte of a page is in the view once, or in furniture, or is a hyphen at
// the end of a line that only divided a word, or a ligature whose letters are in the view, or
// hidden.
func Read(pages []text.Page, lines [][]layout.Line, outline []text.Bookmark) Result {
	d := document{texts: pages, pages: make([]page, len(pages))}
	for i := range pages {
		d.pages[i].fragments, d.pages[i].frame = fragments(pages[i].Text, lines[i])
	}
	d.measure()
	markFurniture(d.pages, pages, d.body)
	for i := range d.pages {
		d.divide(i)
	}
	d.match(outline)
	for i := range d.pages {
		d.build(&d.pages[i])
	}
	d.rankHeadings(outline)
	w := writer{pages: pages, pitch: d.pitch}
	w.write(d.flow())
	return Result{View: text.View{Text: string(w.out), Runs: w.runs}, Furniture: d.furniture(), Sections: w.closed(), Elements: w.elements.list}
}

// document is the state of Read for a document.
type document struct {
	texts    []text.Page
	pages    []page
	body     float64         // size of most of its text
	bodyBold bool            // whether most of its text is bold
	bodyLean bool            // whether most of its text is italic
	leaves   int             // number of leaves so far
	pitch    map[int]float64 // usual distance of lines, by sizeKey
	// Numbers of paragraphs with and without an indented first line.
	indented, flush int
}

// page is the state of Read for a page.
type page struct {
	fragments []fragment
	frame     frame
	rows      []row // in reading order
	turned    []row // text in other directions than the page's
	blocks    []block
}

// extent returns the extent of page t in the frame of p, across its lines.
func (p *page) extent(t text.Page) (top, bottom float64) {
	width, height := within(t.Width, 0, maxPlace), within(t.Height, 0, maxPlace)
	switch p.frame.turn {
	case down:
		return -width, 0
	case upsideDown:
		return -height, 0
	case up:
		return 0, width
	}
	return 0, height
}

// measure finds the size of most of the text, and whether monospaced text in it is code.
func (d *document) measure() {
	letters := map[int]int{}
	bold, lean := map[int]int{}, map[int]int{}
	mono, all := 0, 0
	for i := range d.pages {
		for k := range d.pages[i].fragments {
			f := &d.pages[i].fragments[k]
			letters[sizeKey(f.size)] += f.letters
			if all += f.letters; f.mono {
				mono += f.letters
			}
			if f.bold {
				bold[sizeKey(f.size)] += f.letters
			}
			if f.italic {
				lean[sizeKey(f.size)] += f.letters
			}
		}
	}
	best := 0
	for size, n := range letters {
		if n > letters[best] || n == letters[best] && size < best {
			best = size
		}
	}
	d.body = max(float64(best)/2, 0.5)
	d.bodyBold, d.bodyLean = 2*bold[best] > letters[best], 2*lean[best] > letters[best]
	if 2*mono > all { // a typescript, not code
		for i := range d.pages {
			for k := range d.pages[i].fragments {
				d.pages[i].fragments[k].mono = false
			}
		}
	}
}

// divide finds the rows of page i, in reading order.
func (d *document) divide(i int) {
	p := &d.pages[i]
	var main []*fragment
	var turned [turns + 1][]*fragment
	for k := range p.fragments {
		switch f := &p.fragments[k]; {
		case f.furniture:
		case f.turn == p.frame.turn:
			main = append(main, f)
		default:
			turned[f.turn] = append(turned[f.turn], f)
		}
	}
	var c cutter
	c.cut(main, 0)
	for _, leaf := range c.leaves {
		d.leaves++
		p.rows = append(p.rows, rowsOf(i, d.leaves, leaf)...)
	}
	for _, list := range turned {
		if len(list) > 0 {
			d.leaves++
			p.turned = append(p.turned, rowsOf(i, d.leaves, list)...)
		}
	}
}

// furniture returns the spans that are left out.
func (d *document) furniture() [][]text.Span {
	out := make([][]text.Span, len(d.pages))
	for i := range d.pages {
		for k := range d.pages[i].fragments {
			if f := &d.pages[i].fragments[k]; f.furniture {
				out[i] = append(out[i], f.Span)
			}
		}
	}
	return out
}
