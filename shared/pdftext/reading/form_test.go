package reading

import (
	"fmt"
	"testing"
)

// On pages that are alike everything repeats: that proves no running head.
func TestForms(t *testing.T) {
	names := []string{"Anna", "Berta", "Cora", "Dora"}
	tests := []struct {
		name string
		add  func(s *sheet, i int)
		want string // of page 3
	}{
		{"bills", func(s *sheet, i int) {
			s.line(60, 40, 10, false, fmt.Sprint("Invoice no. ", 1001+i))
			s.line(60, 60, 10, false, fmt.Sprint("For ", names[i]))
			s.line(60, 140, 10, false, "Rope")
			s.line(300, 140, 10, false, "10.00")
			s.line(60, 220, 10, false, fmt.Sprintf("Total: %d.00", 40+i))
			s.line(60, 720, 10, false, "Pay within 30 days.")
		}, ""},
		{"certificates", func(s *sheet, i int) {
			s.line(60, 40, 10, false, "Certificate of Berth")
			s.line(60, 90, 10, false, "Name: "+names[i])
			s.line(60, 110, 10, false, "Length: 40 m")
			s.line(60, 700, 10, false, "Signed by the harbour master")
			s.line(300, 760, 10, false, fmt.Sprint("Page ", 1+i))
		}, "Page 3"},
		{"rows that fill the page", func(s *sheet, i int) {
			for k, day := range []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"} {
				s.line(60, 60+150*float64(k), 10, false, day)
				s.line(300, 60+150*float64(k), 10, false, fmt.Sprint(names[(i*k+k)%4], " ", 3*i+k))
			}
		}, ""},
		{"the last row of a table", func(s *sheet, i int) {
			s.line(60, 30, 10, false, "Account 12-345")
			for k := range 28 {
				s.line(60, 80+20*float64(k), 10, false, fmt.Sprintf("%c%c", 'a'+i, 'a'+k))
				s.line(300, 80+20*float64(k), 10, false, fmt.Sprint(17*i*k, ".50"))
			}
			s.line(60, 640, 10, false, "Carried forward")
			s.line(300, 640, 10, false, fmt.Sprintf("%d.00", 1000+i))
		}, "Account 12-345"},
	}
	for _, c := range tests {
		var sheets []*sheet
		for i := range 4 {
			s := newSheet()
			c.add(s, i)
			sheets = append(sheets, s)
		}
		if got := left(read(t, nil, sheets...), sheets...); got[2] != c.want {
			t.Errorf("%s: %q, not %q", c.name, got[2], c.want)
		}
	}
}
