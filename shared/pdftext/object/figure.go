package object

import "slices"

// Limits of the structure tree, far above any honest one.
const (
	maxElements     = 1 << 17
	maxElementDepth = 100
	maxFigures      = 1 << 12
)

// Figure is a picture with its description.
type Figure struct {
	Text string
	Page int   // index
	Area *Rect // in user space; nil if unknown
	Box  *Rect // on the page as shown, from its top left, in place of Area; may be nil
}

// AddFigure appends a picture of a page without structure tree to list, unless list has its
// description or is full.
func AddFigure(list []Figure, words string, page int, box *Rect) []Figure {
	words = oneText(words)
	if words == "" || len(list) >= maxFigures || slices.ContainsFunc(list, func(f Figure) bool { return f.Text == words }) {
		return list
	}
	return append(list, Figure{Text: words, Page: page, Box: box})
}

// Figures returns the figures of the structure tree that have a description, in the order of
// the tree (ISO 32000-1, 14.7.2 and 14.9.3).
func (f *File) Figures(pages []Page) (list []Figure) {
	defer func() { _ = recover() }() // damaged: keep the figures read so far
	root, err := f.table.Catalog()
	tree := f.Dict(root["StructTreeRoot"])
	if err != nil || tree == nil {
		return nil
	}
	w := figureWalker{outliner: newOutliner(f, root, pages), roles: f.Dict(tree["RoleMap"]), left: maxElements, list: &list}
	w.kids(tree["K"], -1, 0)
	return list
}

// figureWalker walks a structure tree.
type figureWalker struct {
	*outliner
	roles Dict
	left  int
	list  *[]Figure
}

// kids visits the elements among o, which are on a page unless they name another.
func (w *figureWalker) kids(o Object, page, depth int) {
	if ref, ok := o.(Ref); ok {
		if w.seen[ref] {
			return
		}
		w.seen[ref] = true
	}
	if w.left--; w.left < 0 || depth > maxElementDepth || len(*w.list) >= maxFigures {
		return
	}
	f := w.file
	switch x := f.Resolve(o).(type) {
	case Array:
		for _, kid := range x {
			w.kids(kid, page, depth+1)
		}
	case Dict:
		if i, ok := w.page(x); ok {
			page = i
		}
		if w.isFigure(f.Name(x["S"])) {
			w.figure(x, page)
			return
		}
		w.kids(x["K"], page, depth+1)
	}
}

// page returns the page that an element names.
func (w *figureWalker) page(d Dict) (i int, ok bool) {
	if ref, isRef := d["Pg"].(Ref); isRef {
		i, ok = w.index[ref]
	}
	return i, ok
}

// isFigure reports whether a type, or the standard type that it is mapped to, is Figure.
func (w *figureWalker) isFigure(kind string) bool {
	for range maxReferences {
		if kind == "Figure" {
			return true
		}
		kind = w.file.Name(w.roles[kind])
	}
	return false
}

// figure adds an element if it has a description and a page.
func (w *figureWalker) figure(d Dict, page int) {
	f := w.file
	words := oneText(f.Text(d["Alt"]))
	if words == "" {
		words = oneText(f.Text(d["ActualText"]))
	}
	for _, kid := range append(Array{d["K"]}, f.Array(d["K"])...) { // its content may name the page
		if i, ok := w.page(f.Dict(kid)); ok && page < 0 {
			page = i
		}
	}
	if words == "" || page < 0 {
		return
	}
	found := Figure{Text: words, Page: page}
	for _, attributes := range append(Array{d["A"]}, f.Array(d["A"])...) {
		if r, ok := f.Rect(f.Dict(attributes)["BBox"]); ok {
			found.Area = &r
		}
	}
	*w.list = append(*w.list, found)
}
