package pdftext

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/pdftext/interp"
	"seam/shared/pdftext/object"
	"seam/shared/text"
)

const (
	// maxCompared limits the words compared with areas of links in a document. Links after
	// that have no words.
	maxCompared = 1 << 26
	// maxBetween is the maximum number of bytes between two words of a link that its areas
	// do not cover, such as a superscript.
	maxBetween = 40
	// maxSnap is the maximum number of letters by which an estimated edge inside a word is
	// moved to the edge of the letters.
	maxSnap = 2
)

// links finds the words of each page's links in the reading view of d. Links in a row with
// the same target are one, because a link over two lines is often two in the file.
func links(of [][]object.Link, tree []object.Page, d *text.Document) (out []text.Link) {
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	v := d.View(text.Reading)
	f := linkFinder{view: v, runs: make([][]text.Run, len(d.Pages)), left: maxCompared}
	for _, r := range v.Runs {
		f.runs[r.Page] = append(f.runs[r.Page], r)
	}
	at := 0
	for i, list := range of {
		if len(f.runs[i]) > 0 {
			at = f.runs[i][0].Start
		}
		slices.SortFunc(f.runs[i], func(a, b text.Run) int { return a.From - b.From })
		for _, l := range list {
			s, ok := f.find(i, &d.Pages[i], tree[i], l)
			if !ok {
				s = text.Span{Start: at, End: at}
			}
			out = append(out, text.Link{URL: l.URL, Page: l.Target + 1, Span: s})
		}
	}
	slices.SortStableFunc(out, func(a, b text.Link) int { return a.Start - b.Start })
	out = joined(v.Text, out)
	if text.CheckLinks(v.Text, len(d.Pages), out) != nil {
		return nil
	}
	return out
}

// joined makes one link of links in a row with the same target. Between links to a URL may
// be white space, and between links to a page only within a line, because the lines of a
// table of contents are links of their own.
func joined(t string, list []text.Link) (out []text.Link) {
	for _, l := range list {
		if n := len(out); n > 0 && out[n-1].URL == l.URL && out[n-1].Page == l.Page {
			between := t[min(out[n-1].End, l.Start):l.Start]
			if strings.TrimSpace(between) == "" && (l.Page == 0 || !strings.Contains(between, "\n")) {
				out[n-1].End = max(out[n-1].End, l.End)
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

// linkFinder finds the words of links.
type linkFinder struct {
	view *text.View
	runs [][]text.Run // of each page, by ascending From
	left int          // see maxCompared
}

// find returns the words of a link on page i in the view. ok is false if there are none.
func (f *linkFinder) find(i int, p *text.Page, of object.Page, l object.Link) (found text.Span, ok bool) {
	m := interp.PageMatrix(of)
	var parts []text.Span
	for _, area := range l.Areas {
		if f.left -= len(p.Words); f.left < 0 {
			return text.Span{}, false
		}
		a, b := m.Apply(area.X0, area.Y0), m.Apply(area.X1, area.Y1)
		box := text.Box{X0: min(a.X, b.X), Y0: min(a.Y, b.Y), X1: max(a.X, b.X), Y1: max(a.Y, b.Y)}
		for _, w := range p.Words {
			if s, ok := covered(w, w.Of(p.Text), box); ok {
				parts = f.inView(parts, i, s)
			}
		}
	}
	slices.SortFunc(parts, func(a, b text.Span) int { return a.Start - b.Start })
	var group text.Span
	for k, s := range parts {
		if k == 0 || s.Start-group.End > maxBetween {
			group = s
		}
		group.End = max(group.End, s.End)
		if group.Len() > found.Len() {
			found = group
		}
	}
	return found, found.Len() > 0
}

// inView appends the parts of the view that show a span of page i.
func (f *linkFinder) inView(parts []text.Span, i int, s text.Span) []text.Span {
	runs := f.runs[i]
	k, _ := slices.BinarySearchFunc(runs, s.Start, func(r text.Run, at int) int {
		if r.From+r.Len <= at {
			return -1
		}
		return 1
	})
	for ; k < len(runs) && runs[k].From < s.End; k++ {
		r := runs[k]
		from, to := max(s.Start, r.From), min(s.End, r.From+r.Len)
		if from < to {
			parts = append(parts, text.Span{Start: r.Start + from - r.From, End: r.Start + to - r.From})
		}
	}
	return parts
}

// covered returns the part of a word with text t that an area covers. Inside a word it is
// estimated, as if all letters were equally wide.
func covered(w text.Word, t string, area text.Box) (text.Span, bool) {
	b := w.Box
	width, height := b.X1-b.X0, b.Y1-b.Y0
	if min(b.Y1, area.Y1)-max(b.Y0, area.Y0) < min(height, area.Y1-area.Y0)/2 || b.X1 < area.X0 || area.X1 < b.X0 {
		return text.Span{}, false
	}
	n := utf8.RuneCountInString(t)
	if n == 1 || height > width || strings.ContainsFunc(t, rightToLeft) {
		x := (b.X0 + b.X1) / 2
		return w.Span, area.X0 <= x && x <= area.X1
	}
	step := width / float64(n)
	letters := []rune(t)
	from, to := 0, n
	for from < n && b.X0+(float64(from)+0.5)*step < area.X0 {
		from++
	}
	for to > from && b.X0+(float64(to)-0.5)*step > area.X1 {
		to--
	}
	// Punctuation is narrow, so its middle is estimated too far in.
	for from < to && !isWord(letters[from]) && b.X0+(float64(from)+0.25)*step < area.X0 {
		from++
	}
	for to > from && !isWord(letters[to-1]) && b.X0+(float64(to)-0.25)*step > area.X1 {
		to--
	}
	if from == to {
		return text.Span{}, false
	}
	for k := 0; k < maxSnap && from > 0 && alike(letters[from-1], letters[from]); k++ {
		from--
	}
	for k := 0; k < maxSnap && to < n && alike(letters[to-1], letters[to]); k++ {
		to++
	}
	start := w.Start + len(string(letters[:from]))
	return text.Span{Start: start, End: start + len(string(letters[from:to]))}, true
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// alike reports whether two characters are both letters or both digits.
func alike(a, b rune) bool {
	return unicode.IsLetter(a) && unicode.IsLetter(b) || unicode.IsDigit(a) && unicode.IsDigit(b)
}

func rightToLeft(r rune) bool { return 0x590 <= r && r < 0x900 || 0xfb1d <= r && r < 0xff00 }
