package text

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
)

// Run maps part of a view to a page: the Len bytes of the view's text at Start are the
// bytes of page Pages[Page] at From.
type Run struct {
	Start int // in the view's text
	Page  int // index into Document.Pages
	From  int // in the page's text
	Len   int
}

// View is one continuous text made from a document's pages, with the way back to them.
// Every byte of Text either lies in a run, and so has a place on a page, or was added by
// the view: the space between two pages, the break between two paragraphs.
type View struct {
	Text string
	Runs []Run // by ascending Start, not overlapping
}

// JoinPages makes a view of whole pages, with join after each. If strip is set, white space
// at both ends is removed, as by Python's str.strip. The content view is JoinPages(pages, "
// ", true).
func JoinPages(pages []Page, join string, strip bool) View {
	var sb strings.Builder
	runs := make([]Run, 0, len(pages))
	for i, p := range pages {
		if len(p.Text) > 0 {
			runs = append(runs, Run{Start: sb.Len(), Page: i, Len: len(p.Text)})
		}
		sb.WriteString(p.Text)
		sb.WriteString(join)
	}
	v := View{Text: sb.String(), Runs: runs}
	if strip {
		left := len(v.Text) - len(strings.TrimLeftFunc(v.Text, isPythonSpace))
		right := len(strings.TrimRightFunc(v.Text, isPythonSpace))
		v = v.cut(Span{left, max(left, right)})
	}
	return v
}

// isPythonSpace reports whether str.strip removes r: Unicode white space and the four
// information separators.
func isPythonSpace(r rune) bool {
	return unicode.IsSpace(r) || '\x1c' <= r && r <= '\x1f'
}

// cut returns the part s of the view.
func (v View) cut(s Span) View {
	out := View{Text: s.Of(v.Text)}
	for _, r := range v.Runs {
		lo, hi := max(r.Start, s.Start), min(r.Start+r.Len, s.End)
		if lo < hi {
			out.Runs = append(out.Runs, Run{lo - s.Start, r.Page, r.From + lo - r.Start, hi - lo})
		}
	}
	return out
}

// PageSpan is the part of a view's text that comes from one page.
type PageSpan struct {
	Page int // index into Document.Pages
	Span     // in the view's text
}

// PageSpans returns the part of each page in the text, in order. A page appears several
// times if other pages come between its parts.
func (v *View) PageSpans() (out []PageSpan) {
	for _, r := range v.Runs {
		if n := len(out); n > 0 && out[n-1].Page == r.Page {
			out[n-1].End = r.Start + r.Len
			continue
		}
		out = append(out, PageSpan{r.Page, Span{Start: r.Start, End: r.Start + r.Len}})
	}
	return out
}

// PageRange returns the indexes of the first and last page that s touches. ok is false if
// it touches none. White space alone touches no page, so the line end before a page break
// does not count.
func (v *View) PageRange(s Span) (first, last int, ok bool) {
	for s.Start < s.End && isBlankByte(v.Text[s.Start]) {
		s.Start++
	}
	for s.Start < s.End && isBlankByte(v.Text[s.End-1]) {
		s.End--
	}
	i := sort.Search(len(v.Runs), func(i int) bool { return v.Runs[i].Start+v.Runs[i].Len > s.Start })
	for ; i < len(v.Runs) && v.Runs[i].Start < s.End; i++ {
		p := v.Runs[i].Page
		if !ok {
			first, last, ok = p, p, true
		}
		first, last = min(first, p), max(last, p)
	}
	return first, last, ok
}

func isBlankByte(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == '\f' }

// Check returns an error if the runs of v do not match pages.
func (v *View) Check(pages []Page) error {
	at := 0
	for i, r := range v.Runs {
		switch {
		case r.Len <= 0 || r.Start < at || r.Len > len(v.Text)-r.Start:
			return fmt.Errorf("run %d covers bytes %d+%d, after byte %d of %d", i, r.Start, r.Len, at, len(v.Text))
		case r.Page < 0 || r.Page >= len(pages):
			return fmt.Errorf("run %d is on page index %d of %d", i, r.Page, len(pages))
		case r.From < 0 || r.From > len(pages[r.Page].Text)-r.Len:
			return fmt.Errorf("run %d leaves the text of page %d", i, pages[r.Page].Number)
		case v.Text[r.Start:r.Start+r.Len] != pages[r.Page].Text[r.From:r.From+r.Len]:
			return fmt.Errorf("run %d differs from the text of page %d", i, pages[r.Page].Number)
		}
		at = r.Start + r.Len
	}
	return nil
}
