package pdftext_test

import (
	"fmt"
	"slices"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// The numbers at the axes of a chart are set apart. Numbers of tables, lists and sentences
// stay.
func TestAxes(t *testing.T) {
	at := func(x, y float64, s string) pdftest.Text {
		return pdftest.Text{X: x, Y: y, Size: 8, Font: "Times-Roman", S: s}
	}
	across := func(y, step float64, values ...string) (p sheet) {
		for i, v := range values {
			p = append(p, at(120+step*float64(i), y, v))
		}
		return p
	}
	// down sets values so that they end at one place.
	down := func(x, y, step float64, values ...string) (p sheet) {
		for i, v := range values {
			p = append(p, at(x-4*float64(len(v)), y+step*float64(i), v))
		}
		return p
	}
	body := func() sheet { return column(80, 720, 420).Set(mills, looms, trains) }
	table := func(p sheet) sheet {
		for i := range 4 {
			p = append(p, across(250-11*float64(i), 60, fmt.Sprint(17*i+3), fmt.Sprint(91-7*i), fmt.Sprint(5+i*i), fmt.Sprint(44))...)
		}
		return p
	}
	for _, c := range []struct {
		name string
		page sheet
		want []string
	}{
		{"both axes", slices.Concat(body(), across(300, 60, "0", "20", "40", "60", "80"), down(110, 320, 40, "0.5", "1.0", "1.5", "2.0")),
			[]string{"0", "20", "40", "60", "80", "0.5", "1.0", "1.5", "2.0"}},
		{"title below the axis", slices.Concat(body(), across(300, 60, "-2", "-1", "0", "1"), sheet{at(170, 286, "height of the fall in feet")}), []string{"-2", "-1", "0", "1"}},
		{"labels in the chart", slices.Concat(body(), across(300, 60, "10", "20", "30", "40", "50"), sheet{at(160, 340, "oak"), at(225, 322, "elm")}), []string{"10", "20", "30", "40", "50"}},
		{"powers", slices.Concat(body(), across(300, 60, "0.1", "1", "10", "100")), []string{"0.1", "1", "10", "100"}},
		{"shares", slices.Concat(body(), across(300, 60, "10%", "20%", "30%", "40%")), []string{"10%", "20%", "30%", "40%"}},
		{"two charts side by side", slices.Concat(body(), down(110, 320, 40, "1", "2", "3", "4"), down(330, 320, 40, "5", "10", "15", "20")),
			[]string{"1", "2", "3", "4", "5", "10", "15", "20"}},

		{"years above a table", slices.Concat(body(), table(across(262, 60, "1800", "1820", "1840", "1860"))), nil},
		{"years far above a table", slices.Concat(body(), table(across(290, 60, "1800", "1820", "1840", "1860"))), nil},
		{"years above one row with gaps", slices.Concat(body(), across(300, 60, "1800", "1820", "1840", "1860", "1880"), sheet{at(120, 289, "12"), at(240, 289, "14")}), nil},
		{"years above rows with gaps", slices.Concat(body(), across(300, 60, "1800", "1820", "1840", "1860", "1880"), sheet{at(120, 289, "12"), at(180, 278, "14"), at(300, 267, "9")}), nil},
		{"first column of a table", slices.Concat(body(), down(100, 217, 11, "1", "2", "3", "4"), table(nil)), nil},
		{"list", slices.Concat(body(), down(100, 300, 20, "4", "3", "2", "1"), sheet{at(120, 300, "four wheels"), at(120, 320, "three wheels"), at(120, 340, "two"), at(120, 360, "one")}), nil},
		{"uneven values", slices.Concat(body(), across(300, 60, "1", "2", "4", "7")), nil},
		{"uneven places", slices.Concat(body(), across(300, 60, "1", "2", "3"), sheet{at(330, 300, "4")}), nil},
		{"three numbers", slices.Concat(body(), across(300, 60, "1", "2", "3")), nil},
		{"equal numbers", slices.Concat(body(), across(300, 60, "7", "7", "7", "7")), nil},
		{"numbers of steps", slices.Concat(body(), across(300, 60, "1.", "2.", "3.", "4.")), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkFurniture(t, c.page, c.want)
		})
	}
}
