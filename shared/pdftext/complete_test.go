package pdftext_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// complete checks that everything is read exactly once. Every non-blank character of a page
// must be in one run of the reading view, in furniture, hidden, or be a removed hyphen or a ligature.
func complete(t *testing.T, d *text.Document) {
	t.Helper()
	times := make([][]uint8, len(d.Pages))
	for i, p := range d.Pages {
		times[i] = make([]uint8, len(p.Text))
		for _, list := range [][]text.Span{p.Furniture, p.Hidden} {
			at := 0
			for _, s := range list {
				if s.Start < at || s.End > len(p.Text) {
					t.Fatalf("page %d: furniture or hidden text %v of %d bytes, after byte %d", i+1, s, len(p.Text), at)
				}
				at = s.End
				for k := s.Start; k < s.End; k++ {
					times[i][k]++
				}
			}
		}
	}
	for _, r := range d.View(text.Reading).Runs {
		for k := r.From; k < r.From+r.Len; k++ {
			times[r.Page][k]++
		}
	}
	for i, p := range d.Pages {
		for k, r := range p.Text {
			switch n := times[i][k]; {
			case n > 1:
				t.Errorf("page %d: byte %d is read %d times", i+1, k, n)
			case n == 0 && !unicode.IsSpace(r) && !hyphen(p.Text[k:]) && !ligature(r):
				t.Fatalf("page %d: %q at byte %d is not read", i+1, r, k)
			}
		}
	}
	at := 0
	for _, s := range d.Sections {
		if s.Start < at || s.End < s.Start || s.End > len(d.View(text.Reading).Text) || s.Level < 1 {
			t.Errorf("section %+v after byte %d", s, at)
		}
		at = s.Start
	}
}

// ligature reports whether r is a form of letters, which the view has in its place.
func ligature(r rune) bool {
	return 0xfb00 <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc
}

// hyphen reports whether s begins with a hyphen at the end of a line.
func hyphen(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	return (r == '-' || r == '\u2010' || r == '\u2011' || r == '\u00ad') && unicode.IsSpace(next)
}
