package object

import "seam/shared/text"

// Limits of links, far above any honest file.
const (
	maxLinks = 1 << 16 // in a file
	maxAreas = 1 << 8  // of a link
)

// Link is a link on a page. It leads to a URL or to a page.
type Link struct {
	URL    string
	Target int    // index of the page; -1 for a URL
	Areas  []Rect // in user space, one for each line of the link; never empty
}

// flagHidden is the flag of annotations that are neither shown nor active (ISO 32000-1,
// table 165).
const flagHidden = 1 << 1

// Links returns the links on each page (ISO 32000-1, 12.5.6.5). Links that are hidden, and
// links to other files, are left out.
func (f *File) Links(pages []Page) [][]Link {
	all := make([][]Link, len(pages))
	root, err := f.table.Catalog()
	if err != nil {
		return all
	}
	w := newOutliner(f, root, pages)
	left := maxLinks
	for i, p := range pages {
		all[i] = w.links(p, &left)
	}
	return all
}

// links returns the links on a page.
func (w *outliner) links(p Page, left *int) (list []Link) {
	defer func() { _ = recover() }() // damaged: keep the links read so far
	f := w.file
	for _, o := range f.Array(p.Dict["Annots"]) {
		if *left--; *left < 0 {
			return list
		}
		a := f.Dict(o)
		if f.Name(a["Subtype"]) != "Link" || f.Int(a["F"])&flagHidden != 0 {
			continue
		}
		l := Link{Target: -1}
		action, dest := f.Dict(a["A"]), a["Dest"]
		switch f.Name(action["S"]) {
		case "URI":
			l.URL = text.CleanURL(f.Text(action["URI"]))
		case "GoTo":
			dest = action["D"]
		}
		if l.URL == "" && dest != nil {
			l.Target, _ = w.place(dest)
		}
		if l.Areas = f.areas(a); len(l.Areas) > 0 && (l.URL != "" || l.Target >= 0) {
			list = append(list, l)
		}
	}
	return list
}

// areas returns the areas of a link: its quadrilaterals, or its rectangle.
func (f *File) areas(a Dict) (areas []Rect) {
	points := f.Array(a["QuadPoints"])
	for ; len(points) >= 8 && len(areas) < maxAreas; points = points[8:] {
		var v [8]float64
		whole := true
		for i := range v {
			var ok bool
			v[i], ok = f.Number(points[i])
			whole = whole && ok
		}
		r := Rect{min(v[0], v[2], v[4], v[6]), min(v[1], v[3], v[5], v[7]), max(v[0], v[2], v[4], v[6]), max(v[1], v[3], v[5], v[7])}
		if whole && r.X1 > r.X0 && r.Y1 > r.Y0 {
			areas = append(areas, r)
		}
	}
	if len(areas) > 0 {
		return areas
	}
	v, ok := f.Numbers(a["Rect"], 4)
	if !ok {
		return nil
	}
	return []Rect{{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}}
}
