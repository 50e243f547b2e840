// Package reading makes the reading view of a document: its text as a person
// reads it, for chunking.
//
// The way of a page: its lines become fragments in the frame in which its text
// runs (fragment.go). What repeats at the edges of pages is set apart
// (furniture.go). Gutters divide the page into columns (columns.go; what a
// column is, column.go), the order of the content divides what has no gutters
// (chain.go). Each part becomes rows (row.go), rows become blocks by how they
// follow on each other (relate.go), blocks get a kind (block.go, heading.go).
// Then the blocks of all pages flow: a paragraph goes on over columns, pages
// and what stands between (flow.go), and the view is written (write.go), with
// the hyphens at line ends undone (hyphen.go).
//
// mark.go knows what the first and last characters of lines tell.
//
// The order of the content is a strong prior: it decides wherever the geometry
// leaves a choice. Everything is deterministic: no order depends on a map, and
// no sum on a fused multiplication.
package reading

import (
	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// Result is a document as it is read.
type Result struct {
	View text.View
	// Furniture is what the view leaves out of each page, see text.Page.
	Furniture [][]text.Span
	Sections  []text.Section
	Elements  []text.Element // its lists and tables
}

// Read makes the reading view of pages from their lines, in content order, and
// from the outline of the file.
//
// Every byte of a page that is not blank is in the view once, or furniture, or a
// hyphen at the end of a line that only divided a word.
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
	w := writer{pages: pages}
	w.write(d.flow())
	return Result{View: text.View{Text: string(w.out), Runs: w.runs}, Furniture: d.furniture(), Sections: w.closed(), Elements: w.elements.list}
}

// document is a document at work.
type document struct {
	texts    []text.Page
	pages    []page
	body     float64         // size of most of its text
	bodyBold bool            // and whether that is bold
	leaves   int             // so far
	pitch    map[int]float64 // usual distance of lines, by sizeKey
	// How many paragraphs begin with a line that stands in, and how many do not.
	indented, flush int
}

// page is a page at work.
type page struct {
	fragments []fragment
	frame     frame
	rows      []row // in reading order
	turned    []row // text in other directions than the page's
	blocks    []block
}

// extent is from where to where the page t reaches in the frame of p, across
// its lines.
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

// measure finds the size of most of the text.
func (d *document) measure() {
	letters := map[int]int{}
	bold := map[int]int{}
	for i := range d.pages {
		for k := range d.pages[i].fragments {
			f := &d.pages[i].fragments[k]
			letters[sizeKey(f.size)] += f.letters
			if f.bold {
				bold[sizeKey(f.size)] += f.letters
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
	d.bodyBold = 2*bold[best] > letters[best]
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

// furniture lists the spans that are left out.
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
