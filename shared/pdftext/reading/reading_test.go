package reading

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// sheet builds a page line by line.
type sheet struct {
	page  text.Page
	lines []layout.Line
}

func newSheet() *sheet { return &sheet{page: text.Page{Number: 1, Width: 600, Height: 800}} }

// line adds a line with letters half an em wide and its baseline at y.
func (s *sheet) line(x, y, size float64, bold bool, words string) {
	from := len(s.page.Text)
	s.page.Text += words + "\n"
	n := utf8.RuneCountInString(words)
	s.lines = append(s.lines, layout.Line{Span: text.Span{Start: from, End: len(s.page.Text)}, Baseline: y, Dir: glyph.Point{X: 1}, Size: size,
		Bold: bold, Letters: n, Box: text.Box{X0: x, Y0: y - 0.8*size, X1: x + 0.5*size*float64(n), Y1: y + 0.2*size}})
	at := from
	for _, w := range strings.Fields(words) {
		i := at + strings.Index(s.page.Text[at:], w)
		s.page.Words = append(s.page.Words, text.Word{Span: text.Span{Start: i, End: i + len(w)}})
		at = i + len(w)
	}
}

// read reads sheets and checks the invariants of every document.
func read(t testing.TB, outline []text.Bookmark, sheets ...*sheet) Result {
	t.Helper()
	var pages []text.Page
	var lines [][]layout.Line
	for _, s := range sheets {
		pages, lines = append(pages, s.page), append(lines, s.lines)
	}
	r := Read(pages, lines, outline)
	if err := r.View.Check(pages); err != nil {
		t.Fatal(err)
	}
	if err := text.CheckElements(r.View.Text, r.Elements); err != nil {
		t.Fatalf("%v: %v", err, r.Elements)
	}
	once(t, pages, r)
	return r
}

// once checks that every non-blank byte is in the view once, or in furniture, or is a
// hyphen at the end of a line.
func once(t testing.TB, pages []text.Page, r Result) {
	t.Helper()
	for i, p := range pages {
		times := make([]int, len(p.Text))
		count := func(from, to int) {
			for k := from; k < to; k++ {
				times[k]++
			}
		}
		for _, run := range r.View.Runs {
			if run.Page == i {
				count(run.From, run.From+run.Len)
			}
		}
		for _, s := range r.Furniture[i] {
			count(s.Start, s.End)
		}
		for k, c := range p.Text {
			hyphen := isHyphen(c)
			if n := times[k]; n > 1 || n == 0 && !unicode.IsSpace(c) && !hyphen {
				t.Fatalf("page %d: %q at byte %d is read %d times", i, c, k, n)
			}
		}
	}
	at := 0
	for _, s := range r.Sections {
		if s.Start < at || s.End < s.Start || s.End > len(r.View.Text) || s.Level < 1 || s.Level > maxLevel {
			t.Errorf("section %+v after byte %d", s, at)
		}
		at = s.Start
	}
}

// random returns a page with random contents at random places.
func random(r *rand.Rand) *sheet {
	words := []string{"one", "Two", "hyphen-", "soft\u00ad", "•", "1.", "(a)", "Figure 3:", "....", "12", "iv", "A", "ÄÖ", "漢字", "אבג", "end.", "*", "—", "Chapter", "x"}
	s := newSheet()
	for range r.Intn(60) {
		var line []string
		for range 1 + r.Intn(8) {
			line = append(line, words[r.Intn(len(words))])
		}
		size := []float64{7, 10, 10, 10, 16, 40}[r.Intn(6)]
		x, y := float64(60+r.Intn(3)*180+r.Intn(2)*9), float64(60+12*r.Intn(60))
		s.line(x, y, size, r.Intn(9) == 0, strings.Join(line, " "))
		last := &s.lines[len(s.lines)-1]
		switch r.Intn(40) {
		case 0:
			last.Dir = glyph.Point{Y: -1}
		case 1:
			last.Dir = glyph.Point{Y: 1}
		case 2:
			last.Dir = glyph.Point{X: 0.7, Y: 0.7}
		case 3:
			last.Box.X0, last.Baseline = math.NaN(), math.Inf(1)
		case 4:
			last.Box = text.Box{X0: -1e300, Y0: 1e300, X1: 1e300, Y1: -1e300}
		case 5:
			last.Size, last.Letters = 0, 0
		}
	}
	return s
}

func TestEverythingIsReadOnce(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		sheets := []*sheet{random(r), random(r), random(r)}
		outline := []text.Bookmark{{Title: "One Two", Level: 1}, {Title: "3 one", Level: 9, Page: 1}, {Title: "x", Page: -1}, {Title: "y", Level: 1, Page: 7}}
		a, b := read(t, outline, sheets...), read(t, outline, sheets...)
		if a.View.Text != b.View.Text {
			t.Fatal("the same pages are read differently")
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a page of any lines"), int64(1))
	f.Add([]byte{0, 1, 2, 3, 255, 254}, int64(2))
	f.Fuzz(func(t *testing.T, b []byte, seed int64) {
		s := newSheet()
		r := rand.New(rand.NewSource(seed))
		for i := 0; i+5 <= len(b) && i < 2000; i += 5 {
			n := 1 + int(b[i+3])%12
			words := strings.ToValidUTF8(strings.ReplaceAll(string(b[i:min(i+n, len(b))]), "\n", " "), "?")
			s.line(3*float64(b[i]), 4*float64(b[i+1]), float64(b[i+2])/8, b[i+4]&1 == 0, words+" ")
			if b[i+4] > 250 {
				s.lines[len(s.lines)-1].Dir = glyph.Point{X: float64(r.Intn(3) - 1), Y: float64(r.Intn(3) - 1)}
			}
		}
		read(t, nil, s, random(r))
	})
}

// Unusual pages must take no longer than ordinary ones.
func TestHostilePages(t *testing.T) {
	const many = 10_000
	pages := map[string]func(s *sheet, i int){
		"one row":          func(s *sheet, i int) { s.line(float64(i), 100, 10, false, "x") },
		"one column":       func(s *sheet, i int) { s.line(100, float64(i), 10, false, "x-") },
		"one place":        func(s *sheet, i int) { s.line(100, 100, 10, false, "x") },
		"upwards":          func(s *sheet, i int) { s.line(100, float64(many-i), 10, false, "x") },
		"diagonal":         func(s *sheet, i int) { s.line(float64(i), float64(i), 10, false, "A") },
		"letters anywhere": func(s *sheet, i int) { s.line(float64(i*7919%600), float64(i*104729%800), 10, false, "x") },
		"tiny":             func(s *sheet, i int) { s.line(float64(i%100)/100, float64(i/100)/100, 0.001, false, "x") },
		"huge":             func(s *sheet, i int) { s.line(float64(i), float64(i%13), 1e9, false, "x") },
		"a table":          func(s *sheet, i int) { s.line(float64(i%6)*90, float64(i/6)*12, 10, false, "cell") },
		"two columns": func(s *sheet, i int) {
			s.line(float64(i%2)*300, float64(i/2)*12, 10, false, "a line of words that is long")
		},
	}
	for name, add := range pages {
		for _, n := range []int{maxChains - 1, many} {
			s := newSheet()
			var sb strings.Builder
			for i := range n {
				s.page.Text = ""
				add(s, i)
				l := &s.lines[i]
				l.Start = sb.Len()
				sb.WriteString(s.page.Text)
				l.End = sb.Len()
			}
			s.page.Text, s.page.Words = sb.String(), nil
			t.Run(fmt.Sprint(name, " ", n), func(t *testing.T) { read(t, nil, s) })
		}
	}
	for _, size := range []float64{0, math.NaN(), math.Inf(1), -5} {
		s := newSheet()
		s.page.Width, s.page.Height = size, size
		s.line(10, 10, 10, false, "12")
		read(t, nil, s, s)
	}
	read(t, nil)
}
