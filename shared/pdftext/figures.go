package pdftext

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"seam/shared/pdftext/glyph"
	"seam/shared/pdftext/interp"
	"seam/shared/pdftext/object"
	"seam/shared/pdftext/reading"
	"seam/shared/text"
)

// withFigures adds the descriptions of figures to the reading view: each is a paragraph after
// the paragraph above it on its page, or the last of its page. They are on no page, because
// a page does not show them. The content view has none.
func withFigures(r reading.Result, figures []object.Figure, tree []object.Page, pages []text.Page) (out reading.Result) {
	if len(figures) == 0 {
		return r
	}
	defer func() {
		if recover() != nil {
			out = r
		}
	}()
	type insert struct {
		at   int
		text string
	}
	inserts := make([]insert, 0, len(figures))
	for _, f := range figures {
		inserts = append(inserts, insert{paragraphEnd(&r.View, aboveFigure(&r.View, f, tree, pages)), f.Text})
	}
	sort.SliceStable(inserts, func(i, j int) bool { return inserts[i].at < inserts[j].at })
	var t strings.Builder
	var images []text.Element
	from := 0
	ends := make([]int, len(inserts)) // bytes added up to each insert
	for i, in := range inserts {
		t.WriteString(r.View.Text[from:in.at])
		from = in.at
		before, after := "\n\n", ""
		if in.at == 0 { // a page without text
			before, after = "", "\n\n"
		}
		t.WriteString(before)
		images = append(images, text.Element{Kind: text.Image, Span: text.Span{Start: t.Len(), End: t.Len() + len(in.text)}})
		t.WriteString(in.text + after)
		ends[i] = t.Len() - in.at
	}
	t.WriteString(r.View.Text[from:])
	// moved returns where byte i is now. A start is after the inserts at its place, an end before them.
	moved := func(i int, end bool) int {
		n, _ := slices.BinarySearchFunc(inserts, i, func(in insert, i int) int {
			if in.at < i || in.at == i && !end {
				return -1
			}
			return 1
		})
		if n == 0 {
			return i
		}
		return i + ends[n-1]
	}
	out = reading.Result{View: text.View{Text: t.String(), Runs: slices.Clone(r.View.Runs)}, Furniture: r.Furniture}
	for i := range out.View.Runs {
		out.View.Runs[i].Start = moved(out.View.Runs[i].Start, false)
	}
	for _, s := range r.Sections {
		s.Start, s.End = moved(s.Start, false), moved(s.End, false)
		out.Sections = append(out.Sections, s)
	}
	for _, e := range r.Elements {
		e.Start, e.End = moved(e.Start, false), moved(e.End, true)
		out.Elements = append(out.Elements, e)
	}
	out.Elements = append(out.Elements, images...)
	sort.SliceStable(out.Elements, func(i, j int) bool {
		a, b := out.Elements[i], out.Elements[j]
		return a.Start < b.Start || a.Start == b.Start && a.End > b.End
	})
	if out.View.Check(pages) != nil || text.CheckElements(out.View.Text, out.Elements) != nil {
		return r
	}
	return out
}

// aboveFigure returns the end, in the view, of the nearest word above a figure, or of the
// text of its page, or of the page before if it has no text.
func aboveFigure(v *text.View, f object.Figure, tree []object.Page, pages []text.Page) int {
	last, from, found := 0, -1, text.Word{}
	if area, m := f.Box, glyph.Identity; area != nil || f.Area != nil {
		if area == nil {
			area, m = f.Area, interp.PageMatrix(tree[f.Page])
		}
		a, b := m.Apply(area.X0, area.Y0), m.Apply(area.X1, area.Y1)
		left, right, middle := min(a.X, b.X), max(a.X, b.X), (a.Y+b.Y)/2
		for _, w := range pages[f.Page].Words {
			if w.Box.Y1 <= middle && w.Box.X0 < right && w.Box.X1 > left && (from < 0 || w.Box.Y1 >= found.Box.Y1) {
				found, from = w, w.Start
			}
		}
	}
	for _, r := range v.Runs {
		switch {
		case r.Page == f.Page && from >= r.From && from < r.From+r.Len:
			return r.Start + from - r.From
		case r.Page <= f.Page:
			last = max(last, r.Start+r.Len)
		}
	}
	return last
}

// paragraphEnd returns the end of the paragraph that contains byte at. It is in no run.
func paragraphEnd(v *text.View, at int) int {
	for at < len(v.Text) {
		n := strings.Index(v.Text[at:], "\n\n")
		if n < 0 {
			break
		}
		at += n
		i, _ := slices.BinarySearchFunc(v.Runs, at, func(r text.Run, at int) int { return cmp.Compare(r.Start+r.Len, at+1) })
		if i == len(v.Runs) || v.Runs[i].Start >= at {
			return at
		}
		at++
	}
	return len(v.Text)
}
