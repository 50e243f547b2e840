package text

import (
	"iter"
	"slices"
	"sort"
)

// PageBox is a rectangle on a page of a document.
type PageBox struct {
	Page int // index into Document.Pages
	Box
}

// ViewWord is a page's word, or the part of it, in a view. A line break of the view may
// split a word; each part then has the box of the whole word.
type ViewWord struct {
	Span // in the view's text
	PageBox
}

// Words returns the words of a view in the order of its text.
func (d *Document) Words(name ViewName) []ViewWord {
	return slices.Collect(d.within(name, Span{0, len(d.View(name).Text)}))
}

// Boxes returns the rectangles of the part s of a view on the pages, one per line, in the
// order of the text. It returns nil for formats without a page size.
func (d *Document) Boxes(name ViewName, s Span) (out []PageBox) {
	for w := range d.within(name, s) {
		if n := len(out); n > 0 && out[n-1].Page == w.Page && out[n-1].follows(w.Box) {
			out[n-1].Box = out[n-1].Union(w.Box)
			continue
		}
		out = append(out, w.PageBox)
	}
	return out
}

// within yields the words of the part s of a view in the order of its text.
func (d *Document) within(name ViewName, s Span) iter.Seq[ViewWord] {
	v := d.View(name)
	return func(yield func(ViewWord) bool) {
		i := sort.Search(len(v.Runs), func(i int) bool { return v.Runs[i].Start+v.Runs[i].Len > s.Start })
		for ; i < len(v.Runs) && v.Runs[i].Start < s.End; i++ {
			r := v.Runs[i]
			shift := r.Start - r.From // from the page's text to the view's
			from, to := max(s.Start, r.Start)-shift, min(s.End, r.Start+r.Len)-shift
			words := d.Pages[r.Page].Words
			w := sort.Search(len(words), func(w int) bool { return words[w].End > from })
			for ; w < len(words) && words[w].Start < to; w++ {
				part := Span{max(words[w].Start, from) + shift, min(words[w].End, to) + shift}
				if !yield(ViewWord{part, PageBox{r.Page, words[w].Box}}) {
					return
				}
			}
		}
	}
}

// follows reports whether c continues the line of b. It must not start further left, and
// the vertical overlap must exceed half the height of the lower box.
func (b Box) follows(c Box) bool {
	common := min(b.Y1, c.Y1) - max(b.Y0, c.Y0)
	return c.X0 >= b.X0 && common > min(b.Y1-b.Y0, c.Y1-c.Y0)/2
}
