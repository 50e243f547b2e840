package main

import (
	"fmt"
	"strings"

	"seam/shared/pdftext/pdftest"
)

// Measures of the paper, in points: two columns on A4.
const (
	paperTop    = 780.0
	paperFoot   = 90.0
	paperLeft   = 57.0
	columnWidth = 230.0
	columnGap   = 20.0
	paperSize   = 10.5
	paperPitch  = 1.25 // line spacing, as a factor of the font size
)

// setPaper typesets a paper like a journal: title and abstract across the page, the rest in
// two columns. A paragraph that begins with "# " is the title, "## " and "### " are
// headings, which become bookmarks. Lines that begin with "|" are table rows. The two
// paragraphs after the title are the author and the heading of the abstract.
func setPaper(source string) pdftest.Doc {
	paragraphs := strings.Split(strings.TrimSpace(source), "\n\n")
	p := &paper{doc: pdftest.Doc{Author: paragraphs[1], Compress: true}}
	p.begin(paragraphs[:4])
	for _, each := range paragraphs[4:] {
		p.paragraph(each)
	}
	p.endPage()
	return p.doc
}

// paper fills columns from top to bottom.
type paper struct {
	doc    pdftest.Doc
	texts  []pdftest.Text
	top    float64 // top of the columns of this page
	y      float64 // the last baseline
	column int
}

// begin sets the head of the paper: title, author, heading of the abstract, abstract.
func (p *paper) begin(head []string) {
	p.doc.Title = strings.TrimPrefix(head[0], "# ")
	block := pdftest.Block{X: paperLeft, Y: paperTop, Width: 2*columnWidth + columnGap, Size: 18, Font: "Times-Bold", After: 8}
	p.texts = append(p.texts, block.Set(p.doc.Title)...)
	block.Size, block.Font, block.After = 10.5, "Times-Italic", 14
	p.texts = append(p.texts, block.Set(head[1])...)
	block.Size, block.Font, block.After = 11, "Times-Bold", 4
	p.bookmark(strings.TrimPrefix(head[2], "## "), 1, block.Y)
	p.texts = append(p.texts, block.Set(strings.TrimPrefix(head[2], "## "))...)
	abstract := pdftest.Block{X: paperLeft + 30, Y: block.Y, Width: block.Width - 60, Size: paperSize, Font: "Times-Roman", Leading: paperPitch}
	p.texts = append(p.texts, abstract.Set(head[3])...)
	p.top = abstract.Y - 16
	p.y = p.top
}

func (p *paper) bookmark(title string, level int, y float64) {
	p.doc.Outline = append(p.doc.Outline, pdftest.Bookmark{Title: title, Level: level, Page: len(p.doc.Pages), Y: y + 12})
}

func (p *paper) endPage() {
	number := fmt.Sprint(len(p.doc.Pages) + 1)
	p.texts = append(p.texts, pdftest.Text{X: 294, Y: 40, Size: 9, Font: "Times-Roman", S: number})
	p.doc.Pages = append(p.doc.Pages, pdftest.Page{Texts: p.texts})
	p.texts, p.top, p.y, p.column = nil, paperTop, paperTop, 0
}

func (p *paper) x() float64 { return paperLeft + float64(p.column)*(columnWidth+columnGap) }

// room starts the next column or page if this one has too little space left.
func (p *paper) room(height float64) {
	if p.y-height >= paperFoot {
		return
	}
	if p.column == 0 {
		p.column, p.y = 1, p.top
	} else {
		p.endPage()
	}
}

func (p *paper) paragraph(s string) {
	switch level := len(s) - len(strings.TrimLeft(s, "#")); {
	case level > 0:
		p.heading(strings.TrimSpace(s[level:]), level)
	case s[0] == '|':
		p.table(strings.Split(s, "\n"))
	default:
		block := pdftest.Block{Width: columnWidth, Size: paperSize, Font: "Times-Roman"}
		if !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "Table ") {
			block.Indent = 10
		}
		p.lines(block.Set(s), paperPitch*paperSize)
	}
}

// heading keeps the next three lines in the same column.
func (p *paper) heading(title string, level int) {
	size, font := 12.0, "Times-Bold"
	if level > 2 {
		size, font = 10.5, "Times-BoldItalic"
	}
	if p.y < p.top {
		p.y -= 8
	}
	p.room(size + 3*paperPitch*paperSize)
	p.bookmark(title, level-1, p.y-size)
	p.lines((&pdftest.Block{Width: columnWidth, Size: size, Font: font}).Set(title), 1.2*size)
	p.y -= 3
}

// lines places lines, which were set at 0, below each other.
func (p *paper) lines(lines []pdftest.Text, pitch float64) {
	for _, l := range lines {
		p.room(pitch)
		p.y -= pitch
		l.X, l.Y = p.x()+l.X, p.y
		p.texts = append(p.texts, l)
	}
}

// table sets a table in one column, with the numbers of a row side by side.
func (p *paper) table(rows []string) {
	const size, pitch = 8.0, 10.5
	p.y -= 6
	p.room(float64(len(rows)) * pitch)
	for i, row := range rows {
		font := "Times-Roman"
		if i == 0 {
			font = "Times-Bold"
		}
		p.y -= pitch
		block := pdftest.Block{Y: p.y, Size: size, Font: font}
		x := p.x()
		p.texts = append(p.texts, block.Row([]float64{x, x + 58, x + 118, x + 178}, strings.Split(row, "|")[1:]...)...)
	}
	p.y -= 4
}
