package object

import "seam/shared/text"

// Limits of an outline, far above any honest one.
const (
	maxBookmarks    = 1 << 14
	maxOutlineDepth = 32
)

// Outline returns the entries of the file's outline (ISO 32000-1, 12.3.3) in order. Entries
// without a title are left out, and the entries below them move up a level.
func (f *File) Outline(pages []Page) (entries []text.Bookmark) {
	defer func() { _ = recover() }() // damaged: keep the entries read so far
	root, err := f.table.Catalog()
	outlines := f.Dict(root["Outlines"])
	if err != nil || outlines == nil {
		return nil
	}
	w := newOutliner(f, root, pages)
	w.entries = &entries
	w.level(outlines["First"], 1)
	return entries
}

func newOutliner(f *File, root Dict, pages []Page) *outliner {
	w := &outliner{file: f, root: root, pages: pages, index: map[Ref]int{}, seen: map[Ref]bool{}}
	for i, p := range pages {
		if _, double := w.index[p.Ref]; !double {
			w.index[p.Ref] = i
		}
	}
	return w
}

// outliner walks an outline, and finds the targets of destinations.
type outliner struct {
	file    *File
	root    Dict
	pages   []Page
	index   map[Ref]int // index of each page
	seen    map[Ref]bool
	names   map[string]Object // named destinations; nil until needed
	entries *[]text.Bookmark
}

// level reads the item o, its siblings after it, and the items below them.
func (w *outliner) level(o Object, level int) {
	for range maxBookmarks {
		ref, ok := o.(Ref)
		if !ok || w.seen[ref] || level > maxOutlineDepth || len(*w.entries) >= maxBookmarks {
			return
		}
		w.seen[ref] = true
		d, below := w.file.Dict(o), level
		if title := oneText(w.file.Text(d["Title"])); title != "" {
			b := text.Bookmark{Title: title, Level: level, Page: -1}
			dest := d["Dest"]
			if dest == nil {
				if action := w.file.Dict(d["A"]); w.file.Name(action["S"]) == "GoTo" {
					dest = action["D"]
				}
			}
			b.Page, b.Y = w.place(dest)
			*w.entries = append(*w.entries, b)
			below++
		}
		w.level(d["First"], below)
		o = d["Next"]
	}
}

// place returns the target of a destination: the index of the page, or -1, and the distance
// from its top, or 0 if unknown.
func (w *outliner) place(dest Object) (page int, y float64) {
	f := w.file
	target := f.Resolve(dest)
	for range maxReferences {
		if d, ok := target.(Dict); ok {
			target = f.Resolve(d["D"])
		} else if named := w.named(target); named != nil {
			target = f.Resolve(named)
		} else {
			break
		}
	}
	a, _ := target.(Array)
	if len(a) == 0 {
		return -1, 0
	}
	page = -1
	if ref, ok := a[0].(Ref); ok {
		if i, ok := w.index[ref]; ok {
			page = i
		}
	} else if n, ok := f.Number(a[0]); ok && n >= 0 && n < float64(len(w.pages)) {
		page = int(n) // some programs write a page number
	}
	if page < 0 || len(a) < 2 {
		return page, 0
	}
	at := map[string]int{"XYZ": 3, "FitH": 2, "FitBH": 2, "FitR": 5}[f.Name(a[1])]
	if at == 0 || at >= len(a) {
		return page, 0
	}
	p := w.pages[page]
	if top, ok := f.Number(a[at]); ok && p.Rotate == 0 && top > p.CropBox.Y0 && top < p.CropBox.Y1 {
		y = (p.CropBox.Y1 - top) * p.UserUnit
	}
	return page, y
}

// named returns the destination with a name. It returns nil for an object that is not a
// name.
func (w *outliner) named(o Object) Object {
	if name := w.file.Name(o); name != "" {
		return w.file.Dict(w.root["Dests"])[name]
	}
	key := w.file.Text(o)
	if key == "" {
		return nil
	}
	if w.names == nil {
		w.names = map[string]Object{}
		w.file.leaves(w.file.Dict(w.root["Names"])["Dests"], "Names", func(k, v Object) {
			if s := w.file.Text(k); w.names[s] == nil {
				w.names[s] = v
			}
		})
	}
	return w.names[key]
}
