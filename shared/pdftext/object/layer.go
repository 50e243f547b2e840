package object

// Layers determines which optional content is shown when a file is opened (ISO 32000-1,
// 8.11). The zero value shows everything.
type Layers struct {
	file *File
	off  map[Ref]bool
}

// Layers reads the default configuration of the file's optional content.
func (f *File) Layers() Layers {
	if f.layers == nil {
		l := f.readLayers()
		f.layers = &l
	}
	return *f.layers
}

func (f *File) readLayers() (l Layers) {
	l = Layers{file: f, off: map[Ref]bool{}}
	defer func() {
		if recover() != nil { // a damaged catalog: everything is shown
			l = Layers{}
		}
	}()
	root, err := f.table.Catalog()
	if err != nil {
		return Layers{}
	}
	properties := f.Dict(root["OCProperties"])
	d := f.Dict(properties["D"])
	set := func(list Object, off bool) {
		for _, o := range f.Array(list) {
			if ref, ok := o.(Ref); ok {
				l.off[ref] = off
			}
		}
	}
	if f.Name(d["BaseState"]) == "OFF" {
		set(properties["OCGs"], true)
	}
	set(d["ON"], false)
	set(d["OFF"], true)
	return l
}

// Hides reports whether content marked with o is not shown. o is an optional content group
// or a membership dictionary.
func (l Layers) Hides(o Object) bool {
	if len(l.off) == 0 || o == nil {
		return false
	}
	if ref, ok := o.(Ref); ok && l.off[ref] {
		return true
	}
	d := l.file.Dict(o)
	if l.file.Name(d["Type"]) != "OCMD" {
		return false
	}
	if e := l.file.Array(d["VE"]); len(e) > 0 {
		return !l.holds(e, 0)
	}
	groups := l.file.Array(d["OCGs"])
	if groups == nil && d["OCGs"] != nil {
		groups = Array{d["OCGs"]}
	}
	on, off := 0, 0
	for _, g := range groups {
		if ref, ok := g.(Ref); ok && l.off[ref] {
			off++
		} else {
			on++
		}
	}
	switch l.file.Name(d["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0 && on > 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}

// Limits of visibility expressions.
const (
	maxExpression = 16 // nesting
	maxTerms      = 64 // terms of one expression
)

// holds evaluates a visibility expression: a group, or an array of And, Or or Not and its
// operands.
func (l Layers) holds(o Object, depth int) bool {
	e := l.file.Array(o)
	if len(e) == 0 || depth > maxExpression {
		ref, ok := o.(Ref)
		return !ok || !l.off[ref]
	}
	op, terms := l.file.Name(e[0]), e[1:min(len(e), maxTerms)]
	for _, t := range terms {
		switch v := l.holds(t, depth+1); {
		case op == "Not":
			return !v
		case op == "And" && !v:
			return false
		case op == "Or" && v:
			return true
		}
	}
	return op != "Or" || len(terms) == 0
}
