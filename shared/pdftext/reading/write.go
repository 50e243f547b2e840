package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// writer writes the view.
type writer struct {
	pages    []text.Page
	hyphens  hyphens
	out      []byte
	runs     []text.Run
	sections []text.Section
	elements elements
	pitch    map[int]float64 // see document
}

// write writes the blocks. Paragraphs are separated by a blank line, rows of lists and
// tables by a line end, cells by a tab. An additional tab in a table means an empty cell.
func (w *writer) write(blocks []placed) {
	w.hyphens = hyphens{}
	w.hyphens.askAll(blocks)
	w.hyphens.count(w.pages)
	var last *row
	for _, p := range blocks {
		start := len(w.out)
		t := tables{elements: &w.elements}
		if p.kind == table {
			t.grids = grids(p.rows)
		}
		if !p.joined {
			w.elements.close()
		}
		for i := range p.rows {
			r := &p.rows[i]
			relation := r.relation
			if i == 0 {
				relation = apart
				if p.joined {
					relation = wrapped
				}
			}
			if last != nil {
				w.join(last.text, r.text, relation)
			}
			if i == 0 {
				start = len(w.out)
			}
			if p.kind == code && i > 0 && blankAbove(&p.rows[i-1], r, w.pitch) {
				w.out = append(w.out, '\n')
			}
			w.elements.line(p.kind, r, relation, len(w.out))
			if p.kind == code {
				w.codeLine(r, p.block)
			} else {
				w.row(p.kind, r, t.begin(i, relation, len(w.out)))
			}
			w.elements.reach(len(w.out))
			t.reach(len(w.out))
			last = r
		}
		if p.kind == heading {
			title := strings.Join(strings.Fields(string(w.out[start:])), " ")
			w.sections = append(w.sections, text.Section{Title: title, Level: p.level, Span: text.Span{Start: start}})
		}
	}
}

// row writes the cells of r. The cells of a table row keep their columns.
func (w *writer) row(k kind, r *row, places *gridRow) {
	for i := range r.cells {
		c := &r.cells[i]
		switch {
		case places != nil:
			w.out = append(w.out, strings.Repeat("\t", places.tabs(i))...)
			w.elements.add(places.kind, len(w.out))
		case i > 0 && k == table && !strings.HasSuffix(r.cells[i-1].text(), ":"):
			w.out = append(w.out, '\t')
		case i > 0:
			w.out = append(w.out, ' ')
		}
		for n, f := range c.list {
			switch {
			case n == 0, f.glued && !w.hyphens.single(c.list[n-1].text, f.text):
			case f.glued, sameLine(c.list[n-1], f):
				w.out = append(w.out, ' ')
			default:
				w.join(c.list[n-1].text, f.text, wrapped)
			}
			w.fragment(r.page, f)
		}
		if places != nil {
			w.elements.end(len(w.out))
		}
	}
}

// fragment writes the text of f, with the changes that its line asks for.
func (w *writer) fragment(page int, f *fragment) {
	at := f.Start
	for _, c := range f.changes(w.pages[page].Text) {
		w.run(page, text.Span{Start: at, End: c.at})
		w.out = append(w.out, c.add...)
		at = c.at + c.skip
	}
	w.run(page, text.Span{Start: at, End: f.End})
}

// change is text that the view has in place of skip bytes of a page's text: a sign that it
// adds, a space or hidden text that it leaves out, letters in place of a ligature.
type change struct {
	at, skip int
	add      string
}

// changes returns the changes of f inside its text, ascending. The letters of a word that is
// spread out come together. Words get a space between them. A raised number after a letter
// or a number gets a sign before it: “10^8” is no 108. Ligatures become their letters.
func (f *fragment) changes(t string) (list []change) {
	for _, at := range f.source.InWords {
		list = append(list, change{at: at, skip: 1})
	}
	for _, at := range f.source.NewWords {
		list = append(list, change{at: at, add: " "})
	}
	for _, s := range f.source.Raised {
		if before, _ := utf8.DecodeLastRuneInString(t[f.Start:max(f.Start, s.Start)]); s.End <= f.End && raisedNumber(s.Of(t)) && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
			list = append(list, change{at: s.Start, add: "^"})
		}
	}
	list = slices.DeleteFunc(list, func(c change) bool { return c.at <= f.Start || c.at+c.skip >= f.End })
	list = f.unseen(formed(list, f.Of(t), f.Start), t)
	slices.SortStableFunc(list, func(a, b change) int { return a.at - b.at })
	return list
}

// unseen adds to list the changes that leave out the hidden parts inside f, each with a
// space beside it.
func (f *fragment) unseen(list []change, t string) []change {
	for _, h := range f.source.Hidden {
		if h.Start <= f.Start || h.End >= f.End {
			continue
		}
		list = slices.DeleteFunc(list, func(c change) bool { return h.Start <= c.at && c.at < h.End })
		c := change{at: h.Start, skip: h.Len()}
		if t[h.Start-1] == ' ' && t[h.End] == ' ' {
			c.skip++
		}
		list = append(list, c)
	}
	return list
}

// run writes a part of a page.
func (w *writer) run(page int, s text.Span) {
	if s.Len() == 0 {
		return
	}
	w.runs = append(w.runs, text.Run{Start: len(w.out), Page: page, From: s.Start, Len: s.Len()})
	w.out = append(w.out, s.Of(w.pages[page].Text)...)
}

// raisedNumber reports whether a raised text is a number, or several as in “1,2”.
func raisedNumber(s string) bool {
	return strings.ContainsFunc(s, unicode.IsDigit) && strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsDigit(r) && !strings.ContainsRune("+-−–,", r)
	}) < 0
}

// join writes the separator between the texts a and b.
func (w *writer) join(a, b string, r relation) {
	switch r {
	case apart:
		w.out = append(w.out, "\n\n"...)
		return
	case item:
		w.out = append(w.out, '\n')
		return
	}
	last, n := utf8.DecodeLastRuneInString(a)
	if last == softHyphen && endsInHyphen(a[:len(a)-n]) {
		w.dropLast() // it only allows the line to end after a hyphen
		return
	}
	word, ok := dividedWord(a, b)
	switch {
	case ok && word.suspended() && !w.hyphens.whole(word):
		w.out = append(w.out, ' ')
	case ok && w.hyphens.undone(word, last):
		w.dropLast()
	case ok, endsInHyphen(a), goesOnAfter(a, b), unspaced(last) && unspaced(firstRune(b)):
	default:
		w.out = append(w.out, ' ')
	}
}

// goesOnAfter reports whether the dash or slash at the end of a goes on with b: "1998–" and
// "2001", "closed—" and "and", "/var/log/" and "harbour". A dash after a space is between
// words; an address that ends in a slash goes on only in lower case.
func goesOnAfter(a, b string) bool {
	last, n := utf8.DecodeLastRuneInString(a)
	before, _ := utf8.DecodeLastRuneInString(a[:len(a)-n])
	first := firstRune(b)
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	switch last {
	case '–', '—':
		return inWord(before) && inWord(first)
	case '/':
		return inWord(before) && (unicode.IsLower(first) || unicode.IsDigit(first))
	}
	return false
}

// unspaced reports whether r belongs to a script without spaces between words.
func unspaced(r rune) bool {
	return 0x2e80 <= r && r < 0xa4d0 || 0xf900 <= r && r < 0xfb00 || 0xff00 <= r && r < 0xffa0 || 0x20000 <= r && r < 0x40000
}

// dropLast removes the last rune from the view.
func (w *writer) dropLast() {
	_, n := utf8.DecodeLastRune(w.out)
	w.out = w.out[:len(w.out)-n]
	last := &w.runs[len(w.runs)-1]
	if last.Len -= n; last.Len == 0 {
		w.runs = w.runs[:len(w.runs)-1]
	}
}

// closed returns the sections with their ends set.
func (w *writer) closed() []text.Section {
	end := [maxLevel + 2]int{} // start of the next section at each level or above
	for l := range end {
		end[l] = len(w.out)
	}
	for i := len(w.sections) - 1; i >= 0; i-- {
		s := &w.sections[i]
		s.Level = min(max(s.Level, 1), maxLevel)
		s.End = end[s.Level]
		for l := s.Level; l < len(end); l++ {
			end[l] = min(end[l], s.Start)
		}
	}
	return w.sections
}
