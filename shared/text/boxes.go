package text

import "sort"

// PageBox is a rectangle on a page of a document.
type PageBox struct {
	Page int // index into Document.Pages
	Box
}

// Boxes returns where the part s of a view stands on the pages: a rectangle for each
// line, in the order of the text. It is nil for formats without a page size.
func (d *Document) Boxes(name ViewName, s Span) (out []PageBox) {
	v := d.View(name)
	i := sort.Search(len(v.Runs), func(i int) bool { return v.Runs[i].Start+v.Runs[i].Len > s.Start })
	for ; i < len(v.Runs) && v.Runs[i].Start < s.End; i++ {
		r := v.Runs[i]
		from, to := max(s.Start, r.Start)-r.Start+r.From, min(s.End, r.Start+r.Len)-r.Start+r.From
		words := d.Pages[r.Page].Words
		w := sort.Search(len(words), func(w int) bool { return words[w].End > from })
		for ; w < len(words) && words[w].Start < to; w++ {
			box := words[w].Box
			if n := len(out); n > 0 && out[n-1].Page == r.Page && out[n-1].follows(box) {
				out[n-1].Box = out[n-1].Union(box)
				continue
			}
			out = append(out, PageBox{r.Page, box})
		}
	}
	return out
}

// follows reports whether c goes on the line of b: no further to the left than it, and
// over half as high in common as the lower of the two.
func (b Box) follows(c Box) bool {
	common := min(b.Y1, c.Y1) - max(b.Y0, c.Y0)
	return c.X0 >= b.X0 && common > min(b.Y1-b.Y0, c.Y1-c.Y0)/2
}

// ViewWord is a word of a page, as far as it is in a view: a line break of the view may cut
// a word in two, each part with the whole box.
type ViewWord struct {
	Span // in the view's text
	PageBox
}

// Words returns the words of a view in the order of its text.
func (d *Document) Words(name ViewName) (out []ViewWord) {
	for _, r := range d.View(name).Runs {
		words := d.Pages[r.Page].Words
		end := r.From + r.Len
		w := sort.Search(len(words), func(w int) bool { return words[w].End > r.From })
		for ; w < len(words) && words[w].Start < end; w++ {
			from, to := max(words[w].Start, r.From), min(words[w].End, end)
			if from < to {
				out = append(out, ViewWord{Span{r.Start + from - r.From, r.Start + to - r.From}, PageBox{r.Page, words[w].Box}})
			}
		}
	}
	return out
}
