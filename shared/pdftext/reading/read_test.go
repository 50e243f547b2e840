package reading

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/pdftext/glyph"
	"seam/shared/text"
)

// body adds n full lines of a paragraph, starting at y; the last one ends early.
func (s *sheet) body(y float64, n int) *sheet {
	for i := range n {
		words := "these are the words of one full line of the text here"
		switch i {
		case 0:
			words = "T" + words[1:]
		case n - 1:
			words = "and it ends."
		}
		s.line(60, y+12*float64(i), 10, false, words)
	}
	return s
}

// prose adds n lines, starting at y, each with its own first word.
func (s *sheet) prose(y float64, n, page int) *sheet {
	for i := range n {
		s.line(60, y+12*float64(i), 10, false, fmt.Sprintf("%c%c begins a line of the text of one page here", 'a'+page, 'a'+i))
	}
	return s
}

// left returns the text that the view leaves out.
func left(r Result, sheets ...*sheet) (out []string) {
	for i, s := range sheets {
		var parts []string
		for _, f := range r.Furniture[i] {
			parts = append(parts, f.Of(s.page.Text))
		}
		out = append(out, strings.Join(parts, "|"))
	}
	return out
}

func TestFurniture(t *testing.T) {
	at := func(y, size float64, format string) func(s *sheet, i int) {
		return func(s *sheet, i int) {
			words := format
			if strings.Contains(format, "%") {
				words = fmt.Sprintf(format, i+7)
			}
			s.line(60, y, size, false, words)
		}
	}
	tests := []struct {
		name  string
		pages int
		add   func(s *sheet, i int)
		want  []string
	}{
		{"head", 3, at(40, 8, "On mills"), []string{"On mills", "On mills", "On mills"}},
		{"number", 3, at(770, 8, "%d"), []string{"7", "8", "9"}},
		{"number in words", 2, at(770, 8, "Page %d of 9"), []string{"Page 7 of 9", "Page 8 of 9"}},
		{"number high above the edge", 3, at(640, 8, "– %d –"), []string{"– 7 –", "– 8 –", "– 9 –"}},
		{"one page", 1, at(770, 8, "%d"), []string{"7"}},
		{"numbers that count no pages", 3, func(s *sheet, i int) { s.line(60, 770, 8, false, fmt.Sprint(17*i*i)) }, []string{"", "", ""}},
		{"words in the middle", 3, at(400, 8, "On mills"), []string{"", "", ""}},
		{"titles in large type", 3, at(40, 20, "On mills"), []string{"", "", ""}},
		{"other words", 3, func(s *sheet, i int) { s.line(60, 40, 8, false, []string{"one", "two", "three"}[i]) }, []string{"", "", ""}},
		{"without a gap", 3, at(92, 8, "Name"), []string{"", "", ""}},
		{"roman", 3, func(s *sheet, i int) { s.line(60, 770, 8, false, []string{"iii", "iv", "v"}[i]) }, []string{"iii", "iv", "v"}},
		{"first pages of chapters", 6, func(s *sheet, i int) {
			if i == 1 {
				s.line(60, 700, 8, false, "12")
				return
			}
			s.line(60, 770, 8, false, fmt.Sprint("Mills ", i+11))
		}, []string{"Mills 11", "12", "Mills 13", "Mills 14", "Mills 15", "Mills 16"}},
		{"every other page", 4, func(s *sheet, i int) { s.line(60, 40, 8, false, []string{"left head", "right head"}[i%2]) },
			[]string{"left head", "right head", "left head", "right head"}},
		{"number and changing title", 3, func(s *sheet, i int) {
			s.line(60, 40, 8, false, []string{"Water", "Wheels", "Wool"}[i])
			s.line(500, 40, 8, false, fmt.Sprint(i+3))
		}, []string{"Water|3", "Wheels|4", "Wool|5"}},
	}
	for _, c := range tests {
		var sheets []*sheet
		for i := range c.pages {
			s := newSheet().prose(100, 20+i, i)
			c.add(s, i)
			sheets = append(sheets, s)
		}
		if got := left(read(t, nil, sheets...), sheets...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// A number that is the label of its page needs no evidence: neither from other pages nor from
// its place.
func TestPageLabels(t *testing.T) {
	s := newSheet().body(100, 20)
	s.page.Label = "A-7"
	s.line(150, 770, 8, false, "7")
	if got := left(read(t, nil, s), s); got[0] != "" {
		t.Errorf("%q is left out", got)
	}
	s.page.Label = "7"
	if got := left(read(t, nil, s), s); got[0] != "7" {
		t.Errorf("%q is left out", got)
	}
}

// titles returns the sections of r, indented by level.
func titles(r Result) (out []string) {
	for _, s := range r.Sections {
		out = append(out, strings.Repeat(" ", s.Level-1)+s.Title)
		if got := strings.Join(strings.Fields(s.Of(r.View.Text)), " "); !strings.HasPrefix(got, s.Title) {
			out = append(out, "which begins with "+got)
		}
	}
	return out
}

func TestSectionsByType(t *testing.T) {
	s := newSheet()
	s.line(60, 60, 18, true, "On mills")
	s.line(60, 90, 13, true, "1 Water")
	s.body(110, 3)
	s.line(60, 160, 13, true, "1.1 Rivers")
	s.body(180, 3)
	s.line(60, 230, 10, true, "A bold line")
	s.body(250, 3)
	s.line(60, 300, 10, true, "This bold sentence is no heading.")
	s.line(60, 330, 10, true, "Nor this:")
	s.body(350, 3)
	s.line(60, 400, 13, true, "2 Steam")
	s.body(420, 3)
	s.line(60, 480, 10, false, "ALL IN CAPITALS")
	s.body(500, 3)
	s.line(20, 700, 30, false, "a stamp")
	s.lines[len(s.lines)-1].Dir = glyph.Point{Y: -1}
	r := read(t, nil, s)
	want := []string{"On mills", " 1 Water", "  1.1 Rivers", "   A bold line", " 2 Steam", "  ALL IN CAPITALS"}
	if got := titles(r); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if water := r.Sections[1]; !strings.HasSuffix(strings.TrimSpace(water.Of(r.View.Text)), "Nor this:\n\nThese are the words of one full line of the text here "+
		"these are the words of one full line of the text here and it ends.") {
		t.Errorf("section %q", water.Of(r.View.Text))
	}
}

// A chapter heading must have the rank of other chapters, even if it is set a little
// smaller.
func TestSectionsThatCount(t *testing.T) {
	s := newSheet()
	for i, size := range []float64{14, 14, 13, 14} {
		s.line(60, float64(40+150*i), size, true, fmt.Sprintf("Chapter %d: Mills", i+1))
		s.line(60, float64(70+150*i), 12, true, "Water")
		s.body(float64(90+150*i), 3)
	}
	want := []string{"Chapter 1: Mills", " Water", "Chapter 2: Mills", " Water", "Chapter 3: Mills", " Water", "Chapter 4: Mills", " Water"}
	if got := titles(read(t, nil, s)); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for title, want := range map[string]string{"Chapter 18: The end": "chapter", "Kapitel IV": "kapitel", "Article 2. Loans": "article", "Chapter One": "", "In 1990": "in",
		"A": "", "": "", "1.2 Rivers": "", "Teil 3 – Ende": "teil", "Wheel :": ""} {
		if got := seriesOf(title); got != want {
			t.Errorf("%q is of %q, not %q", title, got, want)
		}
	}
}

// Two headings in a row stay two if each has its number. A chapter's number without one keeps
// its title.
func TestHeadingsInARow(t *testing.T) {
	s := newSheet()
	for i, pair := range [][2]string{{"PART I", "1. Mills"}, {"2 Water", "2.1 Rivers"}, {"CHAPTER 3", "Steam"}, {"A long title of", "two lines"}} {
		s.line(60, float64(70+165*i), 14, true, pair[0])
		s.line(60, float64(86+165*i), 14, true, pair[1])
		s.body(float64(110+165*i), 3)
	}
	got := titles(read(t, nil, s))
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if want := []string{"PART I", "1. Mills", "2 Water", "2.1 Rivers", "CHAPTER 3 Steam", "A long title of two lines"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// A title in the outline is a heading in any type, even without its number or over several
// lines.
func TestSectionsByOutline(t *testing.T) {
	s := newSheet()
	s.line(60, 60, 10, false, "Water and what")
	s.line(60, 72, 10, false, "it drives")
	s.body(84, 3)
	s.line(60, 140, 10, false, "1.1 Rivers")
	s.body(152, 3)
	s.line(60, 200, 10, false, "Steam")
	s.body(212, 3)
	r := read(t, []text.Bookmark{{Title: "Water and what it drives", Level: 1}, {Title: "Rivers", Level: 2}, {Title: "3. Steam", Level: 1},
		{Title: "words", Level: 1}, {Title: "Nowhere", Level: 1, Page: -1}}, s)
	if got, want := titles(r), []string{"Water and what it drives", " 1.1 Rivers", "Steam"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// The words of the document decide about a hyphen at the end of a line.
func TestHyphens(t *testing.T) {
	for _, c := range []struct{ name, elsewhere, first, second, want string }{
		{"unknown", "Nothing of it", "one mill-", "stone here", "one millstone here"},
		{"known as one", "A millstone there", "one mill-", "stone here", "one millstone here"},
		{"known with it", "A mill-stone there", "one mill-", "stone here", "one mill-stone here"},
		{"known in capitals", "A MILL-STONE there", "one (mill-", "stone, here", "one (mill-stone, here"},
		{"soft", "A mill-stone there", "one mill\u00ad", "stone here", "one millstone here"},
		{"before a capital", "Nothing", "in Baden-", "Baden there", "in Baden-Baden there"},
		{"a chain", "Nothing", "state-of-the-", "art it is", "state-of-the-art it is"},
		{"a compound", "Nothing", "one self-", "made thing", "one self-made thing"},
		{"a number", "Nothing", "in 1990-", "bis war", "in 1990-bis war"},
		{"a dash", "Nothing", "one -", "two three", "one - two three"},
		{"suspended", "Nothing", "die Ein-", "und Ausfuhr", "die Ein- und Ausfuhr"},
		{"suspended, a pair of letters", "Nothing", "de laad-", "en loskosten", "de laad- en loskosten"},
		{"a syllable of these letters", "Nothing", "die Frau-", "en dort", "die Frauen dort"},
		{"one of these letters that is known", "The sailor there", "one sail-", "or there", "one sailor there"},
		{"an address", "Nothing", "at www.mill.example/port-", "fees now", "at www.mill.example/port-fees now"},
		{"an option", "Nothing", "with --dry-", "run here", "with --dry-run here"},
		{"one letter", "Nothing", "an X-", "ray there", "an X-ray there"},
		{"a number word", "Nothing", "of twenty-", "three men", "of twenty-three men"},
		{"a number word and another", "Nothing", "of twenty-", "fold value", "of twentyfold value"},
		{"a second part", "Nothing", "a short-", "term plan", "a short-term plan"},
		{"a hyphen and a soft one", "Nothing", "the cross-\u00ad", "cut saw", "the cross-cut saw"},
		{"one that does not break", "Nothing", "one mill\u2011", "stone here", "one millstone here"},
		{"years", "Nothing", "in 1998–", "2001 and", "in 1998–2001 and"},
		{"a dash without spaces", "Nothing", "it closed—", "and fell", "it closed—and fell"},
		{"a dash after a space", "Nothing", "it closed –", "and fell", "it closed – and fell"},
		{"a path", "Nothing", "in /var/log/", "mill there", "in /var/log/mill there"},
		{"two words and a slash", "Nothing", "one and/", "or two", "one and/or two"},
		{"an address and a sentence", "Nothing", "see mill.example/", "The end", "see mill.example/ The end"},
	} {
		s := newSheet()
		s.line(60, 100, 10, false, c.first)
		s.line(60, 112, 10, false, c.second)
		s.line(60, 300, 10, false, c.elsewhere)
		if got, _, _ := strings.Cut(read(t, nil, s).View.Text, "\n\n"); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// Text between the halves of a sentence must come after the sentence.
// A raised number does not make another number, and belongs to no name.
func TestRaisedNumbers(t *testing.T) {
	for _, c := range []struct{ line, raised, want string }{
		{"about 3 × 108 m/s", "8", "about 3 × 10^8 m/s"},
		{"about 10−8 m/s", "−8", "about 10^−8 m/s"},
		{"by Smith1,2 and others", "1,2", "by Smith^1,2 and others"},
		{"on the 1st of May", "st", "on the 1st of May"},
		{"in the harbour.3 The", "3", "in the harbour.3 The"},
		{"4 The note", "4", "4 The note"},
	} {
		s := newSheet()
		s.line(60, 100, 10, false, c.line)
		i := strings.Index(c.line, c.raised)
		s.lines[0].Raised = []text.Span{{Start: i, End: i + len(c.raised)}}
		if got := strings.TrimSpace(read(t, nil, s).View.Text); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// A title above one of three columns hides no gutter.
func TestTitleAboveColumns(t *testing.T) {
	s := newSheet()
	rows := func(x, y float64, words ...string) {
		for i, w := range words {
			name, value, _ := strings.Cut(w, "=")
			s.line(x, y+12*float64(i), 8, false, name)
			s.line(x+120, y+12*float64(i), 8, false, value)
		}
	}
	s.line(500, 50, 20, false, "CX 570")
	rows(40, 240, "Model=Y 98", "Fuel=Diesel", "Cylinders=4", "Speed=2.5 mph")
	for i, l := range []string{"The harbour office keeps a log of every", "ship that enters the bay. Each entry", "names the captain and the cargo. Fees", "depend on weight and on the length of", "the stay. In winter the pilots work in", "pairs because the channel is narrow. A new", "crane was built last year and it lifts forty", "tons. Local crews repair the nets on the", "eastern pier. Storm signals are raised on"} {
		s.line(210, 106+10*float64(i), 9, false, l)
	}
	rows(400, 100, "Tank=31.7 gal", "Oil=3.1 gal", "Cooler=2.5 gal", "Swing=9 rpm")
	got := read(t, nil, s).View.Text
	for _, want := range []string{"names the captain and the cargo. Fees depend on weight", "Model\tY 98\nFuel\tDiesel\nCylinders\t4\nSpeed\t2.5 mph", "Tank\t31.7 gal\nOil\t3.1 gal\nCooler\t2.5 gal\nSwing\t9 rpm"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

// The spaces between the letters of a spread word are left out, and tight words get them.
func TestSpreadWords(t *testing.T) {
	s := newSheet()
	s.line(60, 100, 10, false, "W O R K and theharbour")
	l := &s.lines[0]
	l.InWords, l.NewWords = []int{1, 3, 5}, []int{15}
	if got := read(t, nil, s).View.Text; got != "WORK and the harbour" {
		t.Errorf("%q", got)
	}
}

// A drop cap may have a quotation mark before it, or be the first digit of a number.
func TestDropCaps(t *testing.T) {
	for _, c := range []struct{ initial, line, want string }{
		{"T", "his morning all of them got up", "This morning all of them got up and went"},
		{"“T", "his morning all of them got up", "“This morning all of them got up and went"},
		{"¿Q", "ué pasa con las redes del puerto", "¿Qué pasa con las redes del puerto and went"},
		{"1", "914 was the year of the floods", "1914 was the year of the floods and went"},
		{"1", "The crews got up in the morning", "1 The crews got up in the morning and went"},
		{"“A", "crew got up in the morning", "“A crew got up in the morning and went"},
	} {
		s := newSheet()
		s.line(60, 124, 28, false, c.initial)
		x := 64 + 14*float64(utf8.RuneCountInString(c.initial))
		s.line(x, 112, 10, false, c.line)
		s.line(x, 124, 10, false, "and went to the pier of the harbour.")
		s.line(60, 136, 10, false, "Each crew of a ship has its pier. One crew sleeps.")
		if got := read(t, nil, s).View.Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("%q before %q: %q", c.initial, c.line, got)
		}
	}
}

func TestFlow(t *testing.T) {
	full := "these are the words of one full line of the text here"
	page := func(small string) *sheet {
		s := newSheet()
		s.line(60, 100, 10, false, full)
		s.line(60, 112, 10, false, full)
		if small != "" {
			s.line(60, 600, 7, false, small)
		}
		return s
	}
	next := func() *sheet {
		s := newSheet()
		s.line(60, 60, 8, false, "Figure 1: A mill.")
		s.line(60, 160, 10, false, "which go on and end.")
		s.line(60, 190, 10, false, "Another paragraph.")
		return s
	}
	for name, c := range map[string]struct {
		sheets []*sheet
		want   []string
	}{
		"a note":    {[]*sheet{page("1 A note."), next()}, []string{full + " " + full + " which go on and end.", "1 A note.", "Figure 1: A mill.", "Another paragraph."}},
		"a picture": {[]*sheet{page(""), next()}, []string{full + " " + full + " which go on and end.", "Figure 1: A mill.", "Another paragraph."}},
		"the end":   {[]*sheet{page("1 A note.")}, []string{full + " " + full, "1 A note."}},
	} {
		if got := strings.Split(read(t, nil, c.sheets...).View.Text, "\n\n"); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// A page of Japanese in columns from right to left, with lines from top to bottom.
func TestVerticalWriting(t *testing.T) {
	s := newSheet()
	for i, words := range []string{"吾輩は猫で", "ある名前は", "まだ無い。"} {
		s.line(500-20*float64(i), 100, 10, false, words)
		l := &s.lines[i]
		l.Dir = glyph.Point{Y: 1}
		l.Box = text.Box{X0: l.Box.X0, Y0: 100, X1: l.Box.X0 + 10, Y1: 150}
	}
	if got, want := read(t, nil, s).View.Text, "吾輩は猫である名前はまだ無い。"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
