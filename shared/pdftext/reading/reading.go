// Package reading makes the reading view of a document from the lines of its
// pages.
package reading

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/layout"
	"seam/shared/text"
)

// Read makes the reading view of pages from their lines, in content order:
// wrapped lines joined to paragraphs, hyphens at line ends undone, list items
// on lines of their own, paragraphs and headings apart by a blank line. A
// paragraph goes on over a page break where that is plain from its text.
func Read(pages []text.Page, lines [][]layout.Line) text.View {
	w := &viewWriter{pages: pages}
	rows := make([][]row, len(pages))
	for i := range pages {
		rows[i] = rowsOf(i, pages[i].Text, lines[i])
	}
	pitch := pitches(rows)
	var previous *row
	for _, page := range rows {
		setMargins(page, pitch)
		for k := range page {
			r := &page[k]
			if previous != nil {
				w.join(previous, r, relate(previous, r, pitch))
			}
			w.row(r)
			previous = r
		}
	}
	return w.view()
}

// relation is how a row follows on the one before.
type relation int

const (
	wrapped relation = iota // the same paragraph
	item                    // a line of its own, in the same block
	apart                   // another paragraph
)

// viewWriter writes a view.
type viewWriter struct {
	pages []text.Page
	out   []byte
	runs  []text.Run
}

func (w *viewWriter) view() text.View { return text.View{Text: string(w.out), Runs: w.runs} }

// row copies the parts of r from its page's text, a blank between them.
func (w *viewWriter) row(r *row) {
	for i, s := range r.parts {
		if i > 0 {
			w.out = append(w.out, ' ')
		}
		w.runs = append(w.runs, text.Run{Start: len(w.out), Page: r.page, From: s.Start, Len: s.Len()})
		w.out = append(w.out, s.Of(w.pages[r.page].Text)...)
	}
}

// join writes what separates the rows a and b.
func (w *viewWriter) join(a, b *row, r relation) {
	switch {
	case r == apart:
		w.out = append(w.out, "\n\n"...)
	case r == item:
		w.out = append(w.out, '\n')
	case hyphenated(a.text, b.text):
		w.dropLast()
	case !endsInHyphen(a.text):
		w.out = append(w.out, ' ')
	}
}

// dropLast takes the last rune back out of the view.
func (w *viewWriter) dropLast() {
	_, n := utf8.DecodeLastRune(w.out)
	w.out = w.out[:len(w.out)-n]
	last := &w.runs[len(w.runs)-1]
	if last.Len -= n; last.Len == 0 {
		w.runs = w.runs[:len(w.runs)-1]
	}
}

// endsInHyphen reports whether s ends in a letter or digit and a hyphen.
func endsInHyphen(s string) bool {
	last, n := utf8.DecodeLastRuneInString(s)
	if last != '-' && last != '\u2010' && last != '\u00ad' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-n])
	return unicode.IsLetter(before) || unicode.IsDigit(before)
}

// hyphenated reports whether the hyphen at the end of a only divides a word
// that goes on in b. A word with more hyphens keeps them: "state-of-the-".
func hyphenated(a, b string) bool {
	if !endsInHyphen(a) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(b)
	last, n := utf8.DecodeLastRuneInString(a)
	stem := a[:len(a)-n]
	if i := strings.LastIndexFunc(stem, unicode.IsSpace); i >= 0 {
		stem = stem[i:]
	}
	before, _ := utf8.DecodeLastRuneInString(stem)
	return unicode.IsLower(first) && unicode.IsLetter(before) &&
		(last == '\u00ad' || !strings.ContainsAny(stem, "-\u2010"))
}
