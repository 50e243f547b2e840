package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// placed is a block in document order.
type placed struct {
	*block
	joined bool // continues the sentence of the previous block
}

// flow puts the blocks of all pages in order. A paragraph interrupted by a column, a page,
// a caption or a table continues immediately, and the interrupting blocks follow it.
// Footnotes come after the text of their page, at the end of the open paragraph there.
func (d *document) flow() []placed {
	f := flowState{doc: d}
	for i := range d.pages {
		for k := range d.pages[i].blocks {
			f.add(&d.pages[i].blocks[k])
		}
	}
	f.flushNotes()
	f.flush(&f.floats)
	return f.out
}

// flowState is the state of flow.
type flowState struct {
	doc    *document
	out    []placed
	open   *block   // the paragraph at the end of out, if it may continue
	floats []*block // blocks that interrupt it
	notes  []*block // footnotes waiting for the end of their page
}

func (f *flowState) add(b *block) {
	if b.kind == note {
		f.notes = append(f.notes, b)
		return
	}
	if f.open != nil && displayed(f.open.last(), b) {
		b.follow(f.open.last())
	} else if f.open != nil && f.floating(b) {
		if f.floats = append(f.floats, b); len(f.floats) > maxFloats || b.first().page > f.open.last().page+1 {
			f.open = nil // no continuation is so far away
		}
		return
	}
	joined := f.open != nil && (b.formula || f.joins(f.open, b))
	if !joined {
		if len(f.notes) > 0 && f.notes[0].first().page < b.first().page {
			f.flushNotes()
		}
		f.flush(&f.floats)
	}
	f.out = append(f.out, placed{b, joined})
	f.open = nil
	if (b.kind == paragraph || b.kind == list) && (f.doc.indents() || !endsSentence(b.last().text)) {
		f.open = b
	}
}

func (f *flowState) flush(list *[]*block) {
	for _, b := range *list {
		f.out = append(f.out, placed{b, false})
	}
	*list = nil
}

// Criteria for a displayed formula.
const (
	formulaRows  = 3 // maximum number of its rows
	formulaApart = 3 // maximum distance from the text above, in sizes
)

// displayed reports whether b is a formula in the middle of the sentence that a ends, on lines
// of its own: it compares something, and has a number at the right margin. The rest of the
// sentence may follow in b.
func displayed(a *row, b *block) bool {
	r, n := b.first(), 1
	if b.kind == table {
		n = len(b.rows)
	}
	if b.kind != table && b.kind != paragraph || n > formulaRows || r.leaf != a.leaf || r.page != a.page || r.upper-a.base > formulaApart*a.size || endsSentence(a.text) {
		return false
	}
	numbered, compares := false, false
	for i := range n {
		x := &b.rows[i]
		last := x.cells[len(x.cells)-1].list
		text := last[len(last)-1].text
		numbered = numbered || len(x.cells) > 1 && equationNumber(text) && x.right-x.box.X1 < x.size
		compares = compares || strings.ContainsAny(x.text, "=<>≤≥≈∼≃≅≡∈∝→⊂⊆")
	}
	return numbered && compares
}

// follow makes b a part of the sentence that a ends, in its type.
func (b *block) follow(a *row) {
	b.kind, b.formula = paragraph, true
	for i := range b.rows {
		r := &b.rows[i]
		r.relation, r.size, r.bold, r.italic = wrapped, a.size, a.bold, a.italic
	}
}

// equationNumber reports whether s is the number of a formula: "(2)", "(3.14)", "(5a)".
func equationNumber(s string) bool {
	inner, ok := strings.CutPrefix(s, "(")
	inner, end := strings.CutSuffix(inner, ")")
	return ok && end && inner != "" && len(inner) <= 6 && unicode.IsDigit(rune(inner[0])) && strings.Trim(inner, "0123456789.abcdef") == ""
}

// flushNotes outputs the footnotes, after the blocks that interrupted the paragraph on
// their page or before.
func (f *flowState) flushNotes() {
	for len(f.notes) > 0 && len(f.floats) > 0 && f.floats[0].first().page <= f.notes[0].first().page {
		f.out = append(f.out, placed{f.floats[0], false})
		f.floats = f.floats[1:]
	}
	f.flush(&f.notes)
}

// floating reports whether b may be in the middle of the open paragraph.
func (f *flowState) floating(b *block) bool {
	l := f.open.last()
	if endsSentence(l.text) {
		return false
	}
	switch b.kind {
	case legend, table, turned:
		return true
	case paragraph:
		return len(f.open.rows) > 1 && l.relation == wrapped && b.first().size < 0.95*l.size
	}
	return false
}

// maxFloats is the maximum number of blocks that may interrupt a paragraph.
const maxFloats = 12

// longLine is the number of letters that make a single line count as part of a paragraph.
const longLine = 30

// joins reports whether b continues the sentence at the end of a.
func (f *flowState) joins(a, b *block) bool {
	l, r := a.last(), b.first()
	if b.kind != paragraph && b.kind != list || !sameSize(l, r) || l.bold != r.bold && a.kind != list {
		return false
	}
	if is, _ := r.marked(); is {
		return false
	}
	if l.page == r.page && len(a.rows) == 1 && l.letters < longLine && !a.formula {
		return false // a label
	}
	if goesOn(l.text, r.text) || endsInHyphen(l.text) && unicode.IsLetter(firstRune(r.text)) {
		return true
	}
	if l.leaf == r.leaf || a.kind == list || len(a.rows)+len(b.rows) < 3 || unicode.IsPunct(firstRune(r.text)) {
		return false
	}
	// Across the end of a column, a full line.
	if l.right-l.box.X1 >= 2*l.size || l.letters < proseLine {
		return false
	}
	if endsSentence(l.text) {
		return f.doc.indents() && len(a.rows) > 1 && b.kind == paragraph && b.flush()
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(l.text, " "))
	return unicode.IsLetter(last) || last == ','
}

// indents reports whether the paragraphs of d are marked only by an indented first line.
func (d *document) indents() bool { return d.indented >= 3 && d.indented > 3*d.flush }

// countIndents examines the beginnings of paragraphs of p that follow another one without a
// gap.
func (d *document) countIndents(p *page) {
	for i := 1; i < len(p.blocks); i++ {
		a, b := &p.blocks[i-1], &p.blocks[i]
		if a.kind != paragraph || b.kind != paragraph || len(b.rows) < 2 || !follows(a.last(), b.first(), d.pitch) {
			continue
		}
		if b.flush() {
			d.flush++
		} else {
			d.indented++
		}
	}
}

// flush reports whether the first line of b begins at the same place as the second one.
func (b *block) flush() bool {
	return len(b.rows) > 1 && b.rows[0].box.X0 < b.rows[1].box.X0+float64(0.5*b.rows[0].size)
}
