package pdftext_test

import (
	"slices"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// Headings in italics are below those in capitals. The authors of a paper, the lines of an
// algorithm and emphasised sentences are no headings.
func TestHeadings(t *testing.T) {
	c := &pdftest.Block{X: 60, Y: 640, Width: 300, Size: 10, Font: "Times-Roman", After: 8}
	var p sheet
	line := func(size float64, font, s string) {
		p.add([]pdftest.Text{{X: c.X, Y: c.Y - 6, Size: size, Font: font, S: s}})
		c.Y -= 20
	}
	c.Y = 760
	line(18, "Times-Bold", "Wheels @ work")
	line(12, "Times-Roman", "Ada Miller, Upper Mill, ada@mill.example")
	line(10, "Times-Roman", "I. WATER")
	line(10, "Times-Italic", "A. Ponds")
	p.add(c.Set(mills))
	line(10, "Times-Italic", "Two of them")
	p.add(c.Set(looms))
	line(10, "Times-Italic", "Nothing stops a mill for long.")
	p.add(c.Set(trains))
	line(10, "Times-Bold", "6: end for")
	p.add(c.Set(birds))
	line(10, "Times-Roman", "II. STEAM")
	line(10, "Times-Italic", "A. Coal")
	p.add(c.Set(floods))
	d := must(t, pdftest.Write(doc(p)), pdftext.Options{})
	var got []string
	for _, s := range d.Sections {
		got = append(got, string(rune('0'+s.Level))+" "+s.Title)
	}
	want := []string{"1 Wheels @ work", "2 I. WATER", "3 A. Ponds", "3 Two of them", "2 II. STEAM", "3 A. Coal"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q\n%s", got, want, d.View(text.Reading).Text)
	}
}

// A line of small capitals between paragraphs is a heading, and so is an italic line above a
// paragraph that a list follows. Small capitals at the top of a page or above a table are none.
func TestHeadingsOfJournals(t *testing.T) {
	c := &pdftest.Block{X: 60, Y: 760, Width: 300, Size: 10, Font: "Times-Roman", After: 8}
	var p sheet
	line := func(x, size float64, font, s string) {
		p.add([]pdftest.Text{{X: x, Y: c.Y - 6, Size: size, Font: font, S: s}})
		c.Y -= 20
	}
	line(150, 8, "Times-Roman", "PAPERS OF THE VALLEY")
	p.add(c.Set(mills))
	line(60, 10, "Times-Italic", "B. Ponds")
	c.After = 0
	p.add(c.Set("The ponds of the valley were measured by boat in each spring of those years, and once more in the autumn, from the road:"))
	for _, s := range []string{"• Upper Pond", "• Long Pond", "• Mill Pond"} {
		p.add(c.Set(s))
	}
	c.Y, c.After = c.Y-8, 8
	p.add(c.Set(looms))
	line(160, 8, "Times-Roman", "THANKS")
	p.add(c.Set(trains))
	line(150, 8, "Times-Roman", "CARTS OF THE YEAR")
	for _, s := range []string{"1800", "1820", "1840"} {
		p.add([]pdftest.Text{{X: 60, Y: c.Y, Size: 8, Font: "Times-Roman", S: s}, {X: 200, Y: c.Y, Size: 8, Font: "Times-Roman", S: "40"}})
		c.Y -= 10
	}
	d := must(t, pdftest.Write(doc(p)), pdftext.Options{})
	var got []string
	for _, s := range d.Sections {
		got = append(got, s.Title)
	}
	if want := []string{"B. Ponds", "THANKS"}; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q\n%s", got, want, d.View(text.Reading).Text)
	}
}
