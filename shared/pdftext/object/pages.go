package object

// Page is a page with the attributes it inherits from the page tree.
type Page struct {
	Ref       Ref // zero if the page is not a separate object
	Dict      Dict
	Resources Dict
	Inherited []Dict // resources of ancestors that are hidden by the page's own
	MediaBox  Rect
	CropBox   Rect // the visible part of the page, inside MediaBox
	Rotate    int  // clockwise, 0, 90, 180 or 270
	UserUnit  float64
}

// Size returns the size of the page as displayed, in points.
func (p Page) Size() (width, height float64) {
	width, height = (p.CropBox.X1-p.CropBox.X0)*p.UserUnit, (p.CropBox.Y1-p.CropBox.Y0)*p.UserUnit
	if p.Rotate%180 != 0 {
		return height, width
	}
	return width, height
}

// Rect is a rectangle in user space units, with the origin at the bottom left: X0 <= X1, Y0
// <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// letter is the default page size, as in common readers.
var letter = Rect{0, 0, 612, 792}

// Limits of the page tree, far above any honest document.
const (
	maxTreeDepth = 64
	maxPages     = 1 << 17
	maxRepeats   = 1 << 6 // of one page
)

// Rect returns o as a rectangle. ok is false if it is not one or has no area.
func (f *File) Rect(o Object) (r Rect, ok bool) {
	v, ok := f.Numbers(o, 4)
	if !ok {
		return Rect{}, false
	}
	r = Rect{min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])}
	return r, r.X1 > r.X0 && r.Y1 > r.Y0
}

// Pages returns the pages in order. Loops and branches without pages are left out. Lost is
// the number of entries of the page tree that cannot be read.
func (f *File) Pages() (pages []Page, err error) {
	f.Lost = 0
	defer func() {
		if recover() != nil { // a damaged branch: keep the pages before it
			f.Lost++
			err = nil
		}
	}()
	root, err := f.table.Catalog()
	if err != nil {
		return nil, err
	}
	w := walker{file: f, seen: map[Ref]int{}, pages: &pages}
	w.node(root["Pages"], inherited{}, 0)
	return pages, nil
}

// hasPages reports whether there is any page.
func (f *File) hasPages() bool {
	pages, err := f.Pages()
	return err == nil && len(pages) > 0
}

// walker collects the pages of a tree.
type walker struct {
	file  *File
	seen  map[Ref]int
	pages *[]Page
}

// inherited holds the attributes that a node of the page tree passes down.
type inherited struct {
	resources         Dict
	hidden            []Dict // resources of higher nodes
	mediaBox, cropBox Rect
	hasMedia, hasCrop bool
	rotate            int
}

func (w *walker) node(o Object, in inherited, depth int) {
	d := w.file.Dict(o)
	if d == nil {
		w.file.Lost++
	}
	if d == nil || depth > maxTreeDepth || len(*w.pages) >= maxPages {
		return
	}
	ref, ok := o.(Ref)
	if ok {
		// A page may occur in the tree twice, but a repeated branch is a loop.
		w.seen[ref]++
		if n := w.seen[ref]; n > maxRepeats || n > 1 && d["Kids"] != nil {
			return
		}
	}
	in.take(w.file, d)
	if kids := w.file.Array(d["Kids"]); kids != nil && w.file.Name(d["Type"]) != "Page" {
		for _, k := range kids {
			w.node(k, in, depth+1)
		}
		return
	}
	if kind := w.file.Name(d["Type"]); kind == "Pages" || kind != "Page" && !likePage(d) {
		return // an empty branch, or something else
	}
	p := in.page(w.file, d)
	p.Ref = ref
	*w.pages = append(*w.pages, p)
}

// likePage reports whether d, which has no type, can be a page.
func likePage(d Dict) bool {
	for _, key := range [...]string{"Contents", "MediaBox", "Resources", "Annots", "Parent"} {
		if d[key] != nil {
			return true
		}
	}
	return false
}

// take overrides inherited attributes with those of d.
func (in *inherited) take(f *File, d Dict) {
	if r := f.Dict(d["Resources"]); r != nil {
		if in.resources != nil {
			in.hidden = append(in.hidden[:len(in.hidden):len(in.hidden)], in.resources)
		}
		in.resources = r
	}
	if r, ok := f.Rect(d["MediaBox"]); ok {
		in.mediaBox, in.hasMedia = r, true
	}
	if r, ok := f.Rect(d["CropBox"]); ok {
		in.cropBox, in.hasCrop = r, true
	}
	if v, ok := f.Number(d["Rotate"]); ok {
		in.rotate = ((int(v)/90*90)%360 + 360) % 360
	}
}

func (in inherited) page(f *File, d Dict) Page {
	p := Page{Dict: d, Resources: in.resources, Inherited: in.hidden, MediaBox: in.mediaBox, Rotate: in.rotate, UserUnit: 1}
	if !in.hasMedia {
		p.MediaBox = letter
	}
	p.CropBox = p.MediaBox
	if in.hasCrop {
		c, m := in.cropBox, p.MediaBox
		c = Rect{max(c.X0, m.X0), max(c.Y0, m.Y0), min(c.X1, m.X1), min(c.Y1, m.Y1)}
		if c.X1 > c.X0 && c.Y1 > c.Y0 {
			p.CropBox = c
		}
	}
	if u, ok := f.Number(d["UserUnit"]); ok && u > 0 {
		p.UserUnit = u
	}
	return p
}
