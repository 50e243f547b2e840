package pdftext_test

import (
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// marked writes the elements of a document around its text: lists as ( ), numbered lists as
// (# ), items as < >, tables as { }, cells as [ ], and head cells as [! ].
func marked(t *testing.T, d *text.Document) string {
	t.Helper()
	s := d.View(text.Reading).Text
	if err := text.CheckElements(s, d.Elements); err != nil {
		t.Fatal(err)
	}
	signs := map[text.ElementKind][2]string{text.List: {"(", ")"}, text.OrderedList: {"(#", ")"}, text.Item: {"<", ">"},
		text.Table: {"{", "}"}, text.Row: {}, text.Cell: {"[", "]"}, text.HeadCell: {"[!", "]"}}
	var out strings.Builder
	var open []text.Element
	at := 0
	to := func(end int) {
		for n := len(open); n > 0 && open[n-1].End <= end; n = len(open) {
			out.WriteString(s[at:open[n-1].End] + signs[open[n-1].Kind][1])
			at, open = open[n-1].End, open[:n-1]
		}
		out.WriteString(s[at:end])
		at = end
	}
	for _, e := range d.Elements {
		to(e.Start)
		sign, ok := signs[e.Kind]
		if !ok {
			t.Fatalf("an element of kind %d", e.Kind)
		}
		out.WriteString(sign[0])
		open = append(open, e)
	}
	to(len(s))
	return strings.ReplaceAll(out.String(), "\t", "|")
}

// results is a table with a two-line head, empty cells, and a row in which one line is
// everything.
func results() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	p.add(c.Set(looms))
	c.Y -= 14
	at := []float64{60, 180, 240, 300, 360}
	p.add(c.Rows(at,
		[]string{"Mill", "1800", "1820", "1840", "Owner"},
		[]string{"Upper Mill", "12", "", "9", "Miller"},
		[]string{"Those without water in August, by the count of the town"},
		[]string{"Stone Mill", "", "60", "", "Weaver"},
		[]string{"Long Mill", "14", "180", "", ""},
	))
	return doc(p)
}

// gate is a cell of three lines that each begin with a capital letter.
const gate = "Upper Mill, Stone Mill, Long Mill, Mill Lane, Church Mill, Reed Mill, Old Mill, Race Mill, Weaver Mill, Oak Mill, " +
	"Valley Mill, Ash Mill, Pond Mill, North Mill, South Mill, Hill Mill, Dale Mill, Bridge Mill, Ford Mill, Elm Mill, Heron Mill, " +
	"Coal Mill, Steam Mill"

// described is a table with its last column wrapped at the text margin, and one with a
// single cell in its first column's group.
func described() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	p.add(c.Set(mills))
	c.Y -= 14
	at := []float64{60, 120, 170}
	cell := column(at[2], c.Y, 320)
	p.add(c.Row(at, "Gate", "oak"))
	p.add(cell.Set(gate))
	c.Y = cell.Y
	p.add(c.Row(at, "Stone", "flint", "Grinds."))
	p.add(c.Row(at, "", "", "Rests."))
	p.add(c.Row(at, "Hopper", "ash", "Feeds the stone."))
	c.Y -= 14
	p.add(c.Set(trains))
	return doc(p)
}

// figures is rows of numbers, spaced like the words of a stretched line.
func figures() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	p.add(c.Set(mills))
	c.Y -= 14
	p.add(c.Rows([]float64{60, 90, 120, 150}, []string{"16", "11", "10", "24"}, []string{"12", "12", "14", "19"}, []string{"99", "99", "99", "99"}))
	return doc(p)
}

// program is lines of source code with wide gaps, and entries of a bibliography.
func program() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	at := []float64{60, 140, 220}
	p.add(c.Row(at, "func mill()", "Stone", "{"))
	p.add(c.Row(at, "if water ==", "nil", "{"))
	c.Y -= 30
	p.add(c.Row(at, "[1] Miller, A.", "On wheels,", "1711."))
	p.add(c.Row(at, "[2] Weaver, B.", "On looms,", "1803."))
	return doc(p)
}

// equation is the parts of a formula in two lines.
func equation() pdftest.Doc {
	var p sheet
	c := column(60, 760, 430)
	p.add(c.Set(mills))
	c.Y -= 14
	p.add(c.Row([]float64{120, 160, 200}, "x", "y", "z"))
	p.add(c.Row([]float64{120, 160, 200}, "u", "v", "w"))
	return doc(p)
}

// overPages is a list with a last item that continues and ends on the next page.
func overPages() pdftest.Doc {
	var p, q sheet
	c := &pdftest.Block{X: 60, Y: 110, Width: 300, Size: 10, Hang: 12}
	p.add(c.Set("1) bread, cheese and what"))
	p.add(c.Set("2) a miller takes with him to the upper pond, where the reeds are as high as"))
	c.Y = 760
	q.add(c.Set("a house and nobody hears him"))
	c.Y -= 30
	q.add(c.Set(mills))
	return doc(p, q)
}

func TestElements(t *testing.T) {
	for _, tt := range []struct {
		doc  pdftest.Doc
		want string
	}{
		{cells(), looms + "\n\n{[!Mill]|[!First year]|[!What it made]\n[Upper Mill]|[1642]|[Flour, and later paper for the printers of the town]\n" +
			"[Stone Mill]|[1711]|[Oil]\n[Long Mill]|[1803]|[Cotton cloth, thread and ribbon]}\n\n" + trains},
		{invoice(), "{[!Item]|[!Quantity]|[!Price]\n[Flour, sack]|[3]|[24.00]\n[Bread]|[12]|[18.00]\n[Total]||[42.00]}"},
		{results(), "{[Mill]|[1800]|[1820]|[1840]|[Owner]\n[Upper Mill]|[12]||[9]|[Miller]\n[Those without water in August, by the count of the town]\n" +
			"[Stone Mill]||[60]||[Weaver]\n[Long Mill]|[14]|[180]}"},
		{nested(), "Take with you:\n(<• good shoes, which should have been worn before, as the path is long and stony in places\n" +
			"(<– with nails in winter>\n<– without them in summer>)>\n<• bread\n(#<1. rye, if the baker has any>\n<2. wheat>)>)\n\n" + short},
		{slides(), "(<• Coal by rail>\n<• Steam at any season>\n<• Silt in the ponds>)"},
		{overPages(), "(#<1) bread, cheese and what>\n<2) a miller takes with him to the upper pond, where the reeds are as high as a house and nobody hears him>)"},
		{described(), "{[Gate]|[oak]|[" + gate + "]\n[Stone]|[flint]|[Grinds.]\n||[Rests.]\n[Hopper]|[ash]|[Feeds the stone.]}\n\n" + trains},
		{figures(), "{[16]|[11]|[10]|[24]\n[12]|[12]|[14]|[19]\n[99]|[99]|[99]|[99]}"},
		{program(), "func mill()|Stone|{\nif water ==|nil|{\n\n[1] Miller, A.|On wheels,|1711.\n[2]"},
		{equation(), mills + "\n\nx|y|z\nu|v|w"},
		{contents(), "\n\nWater .................... 1\nWheels"},
		{form(), "Name: Ada Miller\nStreet:"},
		{rightToLeft(), hebrew("אבגדה")},
	} {
		got := marked(t, must(t, pdftest.Write(tt.doc), pdftext.Options{}))
		if !strings.Contains(got, tt.want) {
			t.Errorf("got\n%s\n\nwant\n%s", got, tt.want)
		}
	}
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			marked(t, must(t, pdftest.Write(l.doc()), pdftext.Options{}))
		})
	}
}
