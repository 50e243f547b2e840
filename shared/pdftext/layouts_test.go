package pdftext_test

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// Paragraphs of the layouts below.
const (
	mills = "A mill stands where water falls. The wheel takes the weight of the stream and gives it to the stones, and the stones " +
		"give it to the grain. Nothing in a mill is quick, but nothing in it stands still as long as there is water in the race."
	looms = "Weavers came when the mills were old. They set their frames beside the wheel, and a shaft carried its turning to twenty " +
		"looms at once. Cloth left the valley in carts that had brought wool on the way up, and the road was never empty."
	trains = "The railway changed what the valley was for. Coal arrived in an hour, and steam did not ask how high the river stood. " +
		"Within ten years most wheels were idle, and the ponds behind them filled with silt and reeds."
	birds = "Reeds brought birds. A heron was seen at the upper pond in the first spring without a miller, and bitterns followed. " +
		"Those who had worked in the mills took visitors out in flat boats, and sold them bread that was baked elsewhere."
	floods = "Every fifty years the river takes its bed back. The marks on the church wall tell how far it came, and the highest of " +
		"them is older than any mill. After each flood the town was built again a little higher up the slope."
	short = "The last wheel turns for school classes, on Tuesdays."
)

// layouts are typical pages, with the text that a careful reader would type.
var layouts = []struct {
	name string
	doc  func() pdftest.Doc
	want []string // paragraphs, separated by blank lines
}{
	{"two columns below a title and an abstract", twoColumns, []string{
		"Wheels of the valley", "A. Miller and B. Weaver", "Abstract", mills, "1 Water", looms + " " + trains, birds, "2 Steam", floods, short}},
	{"last line of a title above the middle one of three columns", longTitle, []string{"Wheels, weirs, ponds and the people of the valley of Mills",
		short, trains, short, mills + " " + looms}},
	{"formulas with a number in a sentence, and a table", formulas, []string{
		mills + " The work of a wheel is found from the water and its fall, so it was defined as W = m g h , (1) where m is the weight of the water.",
		"a = 1\tfirst\t(7)\nb = 2\tsecond\t(8)\nc = 3\tthird\t(9)\nd = 4\tfourth\t(10)", "These are the wheels.", looms}},
	{"two columns written line by line across", acrossColumns, []string{mills, looms, trains, birds}},
	{"three columns written from top to bottom, whatever the column", scrambled, []string{mills, looms, trains, birds, floods, short}},
	{"newsletter of three columns", newsletter, []string{"The Valley Gazette", mills, looms, trains, birds, floods, short}},
	{"sidebar that the file has first", sidebar, []string{"Walks around the ponds", mills, birds, floods, "Opening hours", "Tuesday to Sunday, from ten in the morning until the light fails. Boats go out when the wind allows it."}},
	{"footnotes below a paragraph that goes on", footnotes, []string{mills + " " + looms, "1 The oldest of them is first named in a deed of sale.", "2 Its shaft lies in the museum of the town, among other things of iron.", trains, birds}},
	{"table with cells of several lines", cells, []string{looms,
		"Mill\tFirst year\tWhat it made\nUpper Mill\t1642\tFlour, and later paper for the printers of the town\nStone Mill\t1711\tOil\nLong Mill\t1803\tCotton cloth, thread and ribbon", trains}},
	{"full-width table between columns", tableBetween, []string{mills, looms, "Year\tWheels\tLooms\tCarts\n1800\t12\t0\t40\n1820\t14\t60\t95\n1840\t9\t180\t120\n1860\t3\t20\t10", trains, birds}},
	{"table beside prose, and italic headings", tableBeside, []string{mills, "A. Water", looms, "B. Steam", trains,
		"1800\t0\t20\t40\n1820\t3\t21\t39\n1840\t6\t22\t38\n1860\t9\t23\t37\n1880\t12\t24\t36", birds}},
	{"running heads and page numbers, left and right", runningHeads, []string{mills + " " + looms, trains + " " + birds, floods + " " + mills, looms, short}},
	{"notice in two copies", copies, slices.Repeat([]string{"The mill is open on Tuesdays, for school classes alone. All others may see it from the road."}, 2)},
	{"hyphens at line ends", hyphens, []string{"The water-wheel is a machine. A water-wheel turns slowly, and its millstones turn quickly: between them stand gears of apple wood. " +
		"In the north-eastern corner stood a self-acting hoist, and every machine had one. The millstones came from Baden-Baden and the state-of-the-art gears from a foundry."}},
	{"slides", slides, []string{"Why wheels stopped", "• Coal by rail\n• Steam at any season\n• Silt in the ponds", "Before", "Water in the race, carts on the road", "After", "Coal in the yard, reeds in the pond", "What is left", "• One wheel\n• Two ponds\n• Many herons"}},
	{"form", form, []string{"Request for a boat", "Name: Ada Miller\nStreet: 4 Mill Lane\nTown: Upper Valley\nNumber of guests: 7\nDate of the trip: 12 May", "Sign below."}},
	{"right to left", rightToLeft, []string{hebrew("אבגדה"), hebrew("ונסמל")}},
	{"table of contents", contents, []string{"Contents", "Water .................... 1\nWheels and what they drive .................... 12\nSteam .................... 104", short}},
	{"captions between columns of text", captions, []string{mills + " " + looms, "Figure 1: The upper mill, seen from the road.", trains + " " + birds, "Table 2. Ponds by size.", floods}},
	{"nested lists", nested, []string{"Take with you:\n• good shoes, which should have been worn before, as the path is long and stony in places\n– with nails in winter\n– without them in summer\n• bread\n1. rye, if the baker has any\n2. wheat", short}},
	{"drop cap", dropCap, []string{mills, looms}},
	{"stamp in the margin", stamp, []string{mills, looms, "valley:1703.01 [hist] 12 Jun 2017"}},
	{"chapter of a book", chapter, []string{"Chapter 3\nThe weavers", mills + " " + looms, "A road of wool", trains + " " + birds, floods}},
	{"invoice", invoice, []string{"Invoice", "Upper Mill Ltd\n4 Mill Lane\nUpper Valley", "Number: 2017-114\nDate: 12 May 2017",
		"Item\tQuantity\tPrice\nFlour, sack\t3\t24.00\nBread\t12\t18.00\nTotal\t\t42.00", "Please pay within thirty days."}},
	{"verse below prose", verse, []string{"The wheel", mills, "The wheel goes round,\nThe stone goes too,\nThe miller sleeps\nThe whole day through.", "The water falls,\nThe cat is fed,\nThe miller’s wife\nBakes all the bread."}},
	{"upside down", upsideDown, []string{mills, looms}},
	{"written from the bottom to the top", bottomUp, []string{mills, looms}},
}

func TestLayouts(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			d := must(t, pdftest.Write(l.doc()), pdftext.Options{})
			if got, want := d.View(text.Reading).Text, strings.Join(l.want, "\n\n"); got != want {
				t.Errorf("got\n%s\n\nwant\n%s", got, want)
			}
		})
	}
}

func formulas() pdftest.Doc {
	at := func(x, y float64, s string) pdftest.Text {
		return pdftest.Text{X: x, Y: y, Size: 9, Font: "Times-Roman", S: s}
	}
	c := column(100, 700, 300)
	p := sheet(c.Set(mills + " The work of a wheel is found from the water and its fall, so it was defined as"))
	y := p[len(p)-1].Y
	p.add([]pdftest.Text{at(200, y-18, "W = m g h ,"), at(389.5, y-18, "(1)"), at(100, y-36, "where m is the weight of the water.")})
	for i, row := range [][]string{{"a = 1", "first", "(7)"}, {"b = 2", "second", "(8)"}, {"c = 3", "third", "(9)"}, {"d = 4", "fourth", "(10)"}} {
		for k, s := range row {
			p.add([]pdftest.Text{at(100+100*float64(k), y-70-12*float64(i), s)})
		}
	}
	p.add([]pdftest.Text{at(100, y-140, "These are the wheels.")})
	p.add(column(100, y-170, 300).Set(looms))
	return doc(p)
}

func longTitle() pdftest.Doc {
	var p sheet
	p.add(head(90, 780, 18, "Wheels, weirs, ponds and the people of the"))
	p.add(head(240, 758, 18, "valley of Mills"))
	for i, s := range []string{short, trains, short} {
		p.add(column(60+170*float64(i), 742, 150).Set(s))
	}
	p.add(column(60, 560, 490).Set(mills + " " + looms))
	return doc(p)
}
