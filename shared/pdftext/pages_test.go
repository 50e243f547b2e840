package pdftext_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"seam/shared/pdftext/pdftest"
)

// The pages for layouts_test.go and elements_test.go.

// sheet collects the texts of a page.
type sheet []pdftest.Text

func (s *sheet) add(texts []pdftest.Text) { *s = append(*s, texts...) }

func doc(pages ...sheet) (d pdftest.Doc) {
	for _, p := range pages {
		d.Pages = append(d.Pages, pdftest.Page{Texts: p})
	}
	return d
}

// column returns a column of running text at 9 points.
func column(x, y, width float64) *pdftest.Block {
	return &pdftest.Block{X: x, Y: y, Width: width, Size: 9, Font: "Times-Roman"}
}

func head(x, y, size float64, s string) []pdftest.Text {
	return []pdftest.Text{{X: x, Y: y, Size: size, Font: "Times-Bold", S: s}}
}

func twoColumns() pdftest.Doc {
	var p sheet
	p.add(head(190, 780, 18, "Wheels of the valley"))
	p.add([]pdftest.Text{{X: 235, Y: 755, Size: 10, Font: "Times-Roman", S: "A. Miller and B. Weaver"}})
	p.add(head(275, 725, 10, "Abstract"))
	p.add(column(100, 708, 390).Set(mills))
	left, right := column(60, 640, 230), column(305, 640, 230)
	left.Indent, right.Indent = 12, 12
	p.add(head(60, 640, 11, "1 Water"))
	left.Y -= 18
	all := left.Set(looms + " " + trains)
	half := len(all) - 3 // three lines are in the second column
	p.add(all[:half])
	for i, l := range all[half:] {
		p.add([]pdftest.Text{{X: 305, Y: 640 - 10.8*float64(i), Size: 9, Font: "Times-Roman", S: l.S}})
	}
	right.Y -= 3 * 10.8
	p.add(right.Set(birds))
	p.add(head(305, right.Y-8, 11, "2 Steam"))
	right.Y -= 26
	p.add(right.Set(floods))
	p.add(right.Set(short))
	return doc(p)
}

func acrossColumns() pdftest.Doc {
	left, right := column(60, 700, 230), column(305, 700, 230)
	left.After, right.After = 6, 6
	a, b := left.Set(mills, looms), right.Set(trains, birds)
	var p sheet
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			p = append(p, a[i])
		}
		if i < len(b) {
			p = append(p, b[i])
		}
	}
	return doc(p)
}

func newsletter() pdftest.Doc {
	var p sheet
	p.add(head(60, 780, 30, "The Valley Gazette"))
	for i, texts := range [][]string{{mills, looms}, {trains, birds}, {floods, short}} {
		c := column(60+165*float64(i), 740, 150)
		c.After = 6
		p.add(c.Set(texts...))
	}
	return doc(p)
}

// scrambled has lines in the order of their place on the page, as written by programs that
// sort them. Lines in neighbouring columns are not level.
func scrambled() pdftest.Doc {
	var p sheet
	for i, texts := range [][]string{{mills, looms}, {trains, birds}, {floods, short}} {
		c := column(60+165*float64(i), 740-4*float64(i), 155)
		c.After = 6
		p.add(c.Set(texts...))
	}
	slices.SortStableFunc(p, func(a, b pdftest.Text) int { return cmp.Compare(b.Y, a.Y) })
	return doc(p)
}

func sidebar() pdftest.Doc {
	var p sheet
	note := &pdftest.Block{X: 440, Y: 705, Width: 100, Size: 7.5, Font: "Helvetica"}
	p.add([]pdftest.Text{{X: 440, Y: 718, Size: 9, Font: "Helvetica-Bold", S: "Opening hours"}})
	p.add(note.Set("Tuesday to Sunday, from ten in the morning until the light fails. Boats go out when the wind allows it."))
	p.add(head(60, 760, 16, "Walks around the ponds"))
	c := &pdftest.Block{X: 60, Y: 730, Width: 350, Size: 10.5, Font: "Times-Roman", After: 6}
	p.add(c.Set(mills, birds, floods))
	return doc(p)
}

func footnotes() pdftest.Doc {
	var one, two sheet
	c := column(80, 300, 420)
	all := c.Set(mills + " " + looms)
	one.add(all[:4])
	n := &pdftest.Block{X: 80, Y: 120, Width: 420, Size: 7, Font: "Times-Roman"}
	one.add(n.Set("1 The oldest of them is first named in a deed of sale.", "2 Its shaft lies in the museum of the town, among other things of iron."))
	for i, l := range all[4:] {
		two.add([]pdftest.Text{{X: 80, Y: 760 - 10.8*float64(i), Size: 9, Font: "Times-Roman", S: l.S}})
	}
	c = column(80, 760-10.8*float64(len(all)-4)-6, 420)
	c.After = 6
	two.add(c.Set(trains, birds))
	return doc(one, two)
}

func cells() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	p.add(c.Set(looms))
	c.Y -= 14
	at := []float64{60, 180, 270}
	p.add(c.Row(at, "Mill", "First year", "What it made"))
	p.add(c.Row(at, "Upper Mill", "1642", "Flour, and later paper for"))
	p.add(c.Row(at, "", "", "the printers of the town"))
	p.add(c.Row(at, "Stone Mill", "1711", "Oil"))
	p.add(c.Row(at, "Long Mill", "1803", "Cotton cloth, thread"))
	p.add(c.Row(at, "", "", "and ribbon"))
	c.Y -= 14
	p.add(c.Set(trains))
	return doc(p)
}

func tableBetween() pdftest.Doc {
	var p sheet
	p.add(column(60, 760, 230).Set(mills))
	p.add(column(305, 760, 230).Set(looms))
	t := column(60, 640, 480)
	p.add(t.Rows([]float64{60, 190, 320, 450}, []string{"Year", "Wheels", "Looms", "Carts"}, []string{"1800", "12", "0", "40"}, []string{"1820", "14", "60", "95"}, []string{"1840", "9", "180", "120"}, []string{"1860", "3", "20", "10"}))
	p.add(column(60, 550, 230).Set(trains))
	p.add(column(305, 550, 230).Set(birds))
	return doc(p)
}

// tableBeside has a table at the top of the second column. Two of its rows are level with
// the last line and the italic heading of the paragraphs in the first one.
func tableBeside() pdftest.Doc {
	var p sheet
	left := column(60, 760, 230)
	left.Indent, left.After = 12, 8
	first := left.Set(mills)
	p.add(first)
	italic := func(s string) {
		p.add([]pdftest.Text{{X: 60, Y: left.Y - 4, Size: 9, Font: "Times-Italic", S: s}})
		left.Y -= 18
	}
	italic("A. Water")
	p.add(left.Set(looms))
	italic("B. Steam")
	p.add(left.Set(trains))
	last, head := first[len(first)-1].Y, p[len(first)].Y
	for i, y := range []float64{last + 11, last, (last + head) / 2, head, head - 11} {
		for k, s := range []string{fmt.Sprint(1800 + 20*i), fmt.Sprint(3 * i), fmt.Sprint(20 + i), fmt.Sprint(40 - i)} {
			p.add([]pdftest.Text{{X: 305 + 55*float64(k), Y: y, Size: 9, Font: "Times-Roman", S: s}})
		}
	}
	right := column(305, head-40, 230)
	right.Indent = 12
	p.add(right.Set(birds))
	return doc(p)
}

// onPages sets paragraphs with n lines per page.
func onPages(n int, paragraphs ...string) (pages []sheet) {
	c := column(80, 0, 420)
	c.Indent = 14
	var p sheet
	for i, l := range c.Set(paragraphs...) {
		if i > 0 && i%n == 0 {
			pages, p = append(pages, p), nil
		}
		l.Y = 720 - 11*float64(i%n)
		p = append(p, l)
	}
	return append(pages, p)
}

func runningHeads() pdftest.Doc {
	pages := onPages(4, mills+" "+looms, trains+" "+birds, floods+" "+mills, looms, short)
	for i := range pages {
		text, x := "The valley and its wheels", 80.0
		if i%2 == 1 {
			text, x = "A history of water", 400
		}
		number := pdftest.Text{X: 80 + float64(i%2)*410, Y: 40, Size: 8, Font: "Times-Roman", S: fmt.Sprint(i + 17)}
		running := pdftest.Text{X: x, Y: 790, Size: 8, Font: "Times-Italic", S: text}
		pages[i] = append(sheet{number}, append(pages[i], running)...)
	}
	return doc(pages...)
}

func copies() pdftest.Doc {
	var pages []sheet
	for i := range 2 {
		text := func(y float64, s string) pdftest.Text {
			return pdftest.Text{X: 72, Y: y, Size: 11, Font: "Times-Roman", S: s}
		}
		pages = append(pages, sheet{text(780, "The mill is open on Tuesdays, for school classes alone."), text(766, "All others may see it from the road."), text(40, fmt.Sprint(i+1))})
	}
	return doc(pages...)
}

func hyphens() pdftest.Doc {
	c := column(60, 700, 300)
	return doc(c.Set("The water-wheel is a machine. A water-\nwheel turns slowly, and its mill-\nstones turn quickly: between them stand gears of apple wood. In\n" +
		"the north-eastern corner stood a self-\nacting hoist, and every ma-\nchine had one. The millstones came from Baden-\nBaden and the state-of-the-\nart gears from a foundry."))
}

func slides() pdftest.Doc {
	bullets := func(x, y float64, items ...string) (texts []pdftest.Text) {
		for i, s := range items {
			texts = append(texts, pdftest.Text{X: x, Y: y - 40*float64(i), Size: 24, S: "• " + s})
		}
		return texts
	}
	title := func(s string) []pdftest.Text {
		return []pdftest.Text{{X: 60, Y: 480, Size: 36, Font: "Helvetica-Bold", S: s}}
	}
	box := func(x float64, head, s string) []pdftest.Text {
		b := &pdftest.Block{X: x, Y: 370, Width: 240, Size: 24}
		return append([]pdftest.Text{{X: x, Y: 400, Size: 24, Font: "Helvetica-Bold", S: head}}, b.Set(s)...)
	}
	var d pdftest.Doc
	for i, p := range [][]pdftest.Text{
		slices.Concat(title("Why wheels stopped"), bullets(80, 400, "Coal by rail", "Steam at any season", "Silt in the ponds")),
		slices.Concat(box(80, "Before", "Water in the race, carts on the road"), box(400, "After", "Coal in the yard, reeds in the pond")),
		slices.Concat(bullets(80, 400, "One wheel", "Two ponds", "Many herons"), title("What is left")),
	} {
		p = append(p, pdftest.Text{X: 60, Y: 20, Size: 10, S: "Valley society"}, pdftest.Text{X: 690, Y: 20, Size: 10, S: fmt.Sprint(i + 1)})
		d.Pages = append(d.Pages, pdftest.Page{Width: 720, Height: 540, Texts: p})
	}
	return d
}

func form() pdftest.Doc {
	var p sheet
	p.add(head(60, 760, 16, "Request for a boat"))
	c := &pdftest.Block{Y: 720, Size: 10, Leading: 2}
	p.add(c.Rows([]float64{60, 220}, []string{"Name:", "Ada Miller"}, []string{"Street:", "4 Mill Lane"}, []string{"Town:", "Upper Valley"}, []string{"Number of guests:", "7"}, []string{"Date of the trip:", "12 May"}))
	p.add([]pdftest.Text{{X: 60, Y: 560, Size: 10, S: "Sign below."}})
	return doc(p)
}

func contents() pdftest.Doc {
	var p sheet
	p.add(head(60, 760, 16, "Contents"))
	c := column(60, 730, 430)
	p.add(c.Set("Water .................... 1", "Wheels and what they drive .................... 12", "Steam .................... 104"))
	c.Y -= 20
	p.add(c.Set(short))
	return doc(p)
}

func captions() pdftest.Doc {
	var p sheet
	left, right := column(60, 760, 230), column(305, 760, 230)
	all := left.Set(mills + " " + looms)
	p.add(all[:6])
	left.Y = all[6].Y - 150 // a figure
	small := &pdftest.Block{X: 60, Y: left.Y, Width: 230, Size: 8, Font: "Times-Roman"}
	p.add(small.Set("Figure 1: The upper mill, seen from the road."))
	for i, l := range all[6:] {
		l.Y = left.Y - 26 - 10.8*float64(i)
		p = append(p, l)
	}
	all = right.Set(trains + " " + birds)
	p.add(all[:5])
	small = &pdftest.Block{X: 305, Y: all[5].Y - 12, Width: 230, Size: 8, Font: "Times-Roman"}
	p.add(small.Set("Table 2. Ponds by size."))
	for i, l := range all[5:] {
		l.Y = small.Y - 120 - 10.8*float64(i)
		p = append(p, l)
	}
	right.Y = p[len(p)-1].Y - 18
	p.add(right.Set(floods))
	return doc(p)
}

func nested() pdftest.Doc {
	var p sheet
	c := &pdftest.Block{X: 60, Y: 760, Width: 300, Size: 10}
	p.add(c.Set("Take with you:"))
	in := func(x float64, s string) {
		c.X, c.Width, c.Hang = x, 360-x, 8
		p.add(c.Set(s))
	}
	in(74, "• good shoes, which should have been worn before, as the path is long and stony in places")
	in(92, "– with nails in winter")
	in(92, "– without them in summer")
	in(74, "• bread")
	in(92, "1. rye, if the baker has any")
	in(92, "2. wheat")
	c.X, c.Width, c.Hang, c.Y = 60, 300, 0, c.Y-8
	p.add(c.Set(short))
	return doc(p)
}

func dropCap() pdftest.Doc {
	var p sheet
	p.add([]pdftest.Text{{X: 60, Y: 740, Size: 28, Font: "Times-Roman", S: "A"}})
	beside, below := column(82, 750, 308), column(60, 0, 330)
	below.After = 8
	rest := strings.TrimPrefix(mills, "A ")
	lines := beside.Set(rest)
	p.add(lines[:2])
	var left []string
	for _, l := range lines[2:] {
		left = append(left, strings.TrimSpace(l.S))
	}
	below.Y = lines[2].Y
	p.add(below.Set(strings.Join(left, " "), looms))
	return doc(p)
}

func stamp() pdftest.Doc {
	c := column(100, 700, 400)
	c.After = 8
	d := doc(c.Set(mills, looms))
	d.Pages[0].Raw = "BT /Times-Roman 20 Tf 0 1 -1 0 40 300 Tm (valley:1703.01 [hist] 12 Jun 2017) Tj ET\n"
	return d
}

func chapter() pdftest.Doc {
	var first sheet
	first.add(head(80, 700, 14, "Chapter 3"))
	first.add(head(80, 670, 22, "The weavers"))
	pages := onPages(3, mills+" "+looms)
	for i, l := range pages[0] {
		l.Y -= 120
		pages[0][i] = l
	}
	more := onPages(5, trains+" "+birds, floods)
	for k, p := range more {
		for i := range p {
			more[k][i].Y -= 60
		}
	}
	second := append(pages[1], head(80, 720-11*float64(len(pages[1]))-12, 12, "A road of wool")...)
	last := append(sheet{}, more[0]...)
	for i, l := range last {
		l.Y = 720 - 11*float64(len(pages[1])) - 32 - 11*float64(i)
		second = append(second, l)
	}
	all := append([]sheet{append(first, pages[0]...), second}, more[1:]...)
	for i := range all {
		if i > 0 {
			all[i] = append(all[i], pdftest.Text{X: 80, Y: 800, Size: 8, Font: "Times-Roman", S: fmt.Sprintf("%d   The weavers", 40+i)})
		}
	}
	d := doc(all...)
	d.Outline = []pdftest.Bookmark{{Title: "3. The weavers", Level: 1, Y: 700}, {Title: "A road of wool", Level: 2, Page: 1, Y: 600}}
	return d
}

func invoice() pdftest.Doc {
	var p sheet
	p.add(head(60, 780, 20, "Invoice"))
	c := &pdftest.Block{X: 60, Y: 740, Width: 200, Size: 10}
	p.add(c.Set("Upper Mill Ltd\n4 Mill Lane\nUpper Valley"))
	c.Y -= 20
	p.add(c.Rows([]float64{60, 120}, []string{"Number:", "2017-114"}, []string{"Date:", "12 May 2017"}))
	c.Y -= 20
	p.add(c.Rows([]float64{60, 300, 420}, []string{"Item", "Quantity", "Price"}, []string{"Flour, sack", "3", "24.00"}, []string{"Bread", "12", "18.00"}, []string{"Total", "", "42.00"}))
	c.Y -= 30
	c.Width = 400
	p.add(c.Set("Please pay within thirty days."))
	return doc(p)
}

func verse() pdftest.Doc {
	var p sheet
	p.add(head(60, 780, 14, "The wheel"))
	c := &pdftest.Block{X: 60, Y: 750, Width: 400, Size: 10, After: 12}
	p.add(c.Set(mills, "The wheel goes round,\nThe stone goes too,\nThe miller sleeps\nThe whole day through.",
		"The water falls,\nThe cat is fed,\nThe miller’s wife\nBakes all the bread."))
	return doc(p)
}
