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
