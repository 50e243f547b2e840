package text

import "math"

func (w *writer) links(list []Link) {
	w.num(len(list))
	at := 0
	for _, l := range list {
		w.str(l.URL)
		w.num(l.Page, l.Start-at, l.Len())
		at = l.Start
	}
}

func (w *writer) elements(list []Element) {
	w.num(len(list))
	at := 0
	for _, e := range list {
		w.num(int(e.Kind), e.Start-at, e.Len())
		at = e.Start
	}
}

// elements reads the elements of a text. Unless more follows, it requires at least one,
// because a document without elements has another version.
func (r *reader) elements(t string, more bool) []Element {
	n := r.count(3)
	if n == 0 && more {
		return nil
	}
	list := make([]Element, 0, n)
	at := 0
	for ; n > 0; n-- {
		kind := r.num()
		e := Element{ElementKind(min(kind, math.MaxUint8)), r.span(at, len(t))}
		at = e.Start
		list = append(list, e)
	}
	if len(list) == 0 || CheckElements(t, list) != nil {
		r.fail()
	}
	return list
}

// links reads the links of a text. Unless more follows, it requires at least one.
func (r *reader) links(t string, pages int, more bool) []Link {
	n := r.count(4)
	if n == 0 && more {
		return nil
	}
	list := make([]Link, 0, n)
	at := 0
	for ; n > 0; n-- {
		l := Link{URL: r.str(), Page: r.num(), Span: r.span(at, len(t))}
		at = l.Start
		list = append(list, l)
	}
	if len(list) == 0 || CheckLinks(t, pages, list) != nil {
		r.fail()
	}
	return list
}

// places reads the places to which links lead. It requires at least one.
func (r *reader) places(d *Document) {
	some := false
	for i := range d.Links {
		d.Links[i].To = r.num()
		some = some || d.Links[i].To > 0
	}
	if !some || CheckLinks(d.reading.Text, len(d.Pages), d.Links) != nil {
		r.fail()
	}
}
