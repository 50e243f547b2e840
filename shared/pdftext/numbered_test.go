package pdftext_test

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// The numbers of lines of code are set apart, also of empty lines and over pages. Numbers
// that do not count, and numbers in the font of the code, stay.
func TestNumberedCode(t *testing.T) {
	type line struct{ number, code string }
	listing := func(font string, lines ...line) (p sheet) {
		p = append(p, column(80, 720, 420).Set(mills)...)
		for i, l := range lines {
			y := 640 - 11*float64(i)
			if l.number != "" {
				p = append(p, pdftest.Text{X: 88 - 4*float64(len(l.number)), Y: y, Size: 8, Font: font, S: l.number})
			}
			if l.code != "" {
				p = append(p, pdftest.Text{X: 96, Y: y, Size: 8, Font: "Courier", S: l.code})
			}
		}
		return append(p, column(80, 500, 420).Set(looms)...)
	}
	code := []line{{"1", "func mill() {"}, {"2", "    grind(flour)"}, {"3", ""}, {"4", "    return"}, {"5", "}"}}
	want := "func mill() {\n    grind(flour)\n\n    return\n}"
	for _, c := range []struct {
		name  string
		pages []sheet
		want  string
	}{
		{"one listing", []sheet{listing("Times-Roman", code...)}, mills + "\n\n" + want + "\n\n" + looms},
		{"two pages", []sheet{listing("Times-Roman", code...), listing("Times-Roman", line{"6", "func weir() {"}, line{"7", "}"})},
			mills + "\n\n" + want + "\n\n" + looms + "\n\n" + mills + "\n\nfunc weir() {\n}\n\n" + looms},
		{"wrapped line", []sheet{listing("Times-Roman", line{"1", "grind(flour,"}, line{"", "    oats)"}, line{"2", "stop(wheel)"}, line{"3", "rest()"})},
			mills + "\n\ngrind(flour,\n    oats)\nstop(wheel)\nrest()\n\n" + looms},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must(t, pdftest.Write(doc(c.pages...)), pdftext.Options{})
			if got := d.View(text.Reading).Text; got != c.want {
				t.Errorf("got\n%s\n\nwant\n%s", got, c.want)
			}
		})
	}
	for _, c := range []struct {
		name string
		page sheet
		want string
	}{
		{"amounts", listing("Times-Roman", line{"17", "flour"}, line{"4", "oats"}, line{"250", "bran"}, line{"9", "salt"}), "250"},
		{"in the font of the code", listing("Courier", code...), "2"},
		{"two lines", listing("Times-Roman", code[:2]...), "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := must(t, pdftest.Write(doc(c.page)), pdftext.Options{})
			if got := d.View(text.Reading).Text; !strings.Contains(got, c.want) {
				t.Errorf("%s is left out:\n%s", c.want, got)
			}
			if f := d.Pages[0].Furniture; len(f) > 0 {
				t.Errorf("set apart: %v", fmt.Sprint(f))
			}
		})
	}
}
