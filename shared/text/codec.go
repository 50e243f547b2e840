package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// magic starts an encoded document and is followed by the version byte. Documents are
// stored in this form, so every version from oldest to newest must stay readable.
const (
	magic      = "SEAMDOC"
	oldest     = 2 // without Meta
	noElements = 3
	noLinks    = 4
	noHidden   = 5
	noAttached = 6
	noPlaces   = 7
	newest     = 8
)

// Errors for bytes that this version of Encode did not write.
var (
	errDamaged = errors.New("damaged document")
	errVersion = errors.New("document of another version of Seam")
)

// Encode writes d in the compact form sent from the PDF worker to the engine worker.
// Lengths and offsets are varints, boxes are float32. A document without attachments,
// hidden text, links or elements keeps the version number and the bytes from before they existed.
func Encode(d *Document) []byte {
	version := byte(newest)
	switch hidden := slices.ContainsFunc(d.Pages, func(p Page) bool { return len(p.Hidden) > 0 }); {
	case slices.ContainsFunc(d.Links, func(l Link) bool { return l.To > 0 }):
	case len(d.Attachments) > 0:
		version = noPlaces
	case hidden:
		version = noAttached
	case len(d.Links) > 0:
		version = noHidden
	case len(d.Elements) > 0:
		version = noLinks
	default:
		version = noElements
	}
	w := &writer{append([]byte(magic), version)}
	for _, s := range []string{d.Name, d.Title, d.Author, d.Language} {
		w.str(s)
	}
	w.num(len(d.Notes))
	for _, n := range d.Notes {
		w.str(n)
	}
	w.num(len(d.Pages))
	for i := range d.Pages {
		w.page(&d.Pages[i])
	}
	for _, v := range []View{d.content, d.reading} {
		w.str(v.Text)
		w.num(len(v.Runs))
		for _, r := range v.Runs {
			w.num(r.Start, r.Page, r.From, r.Len)
		}
	}
	w.num(len(d.Outline))
	for _, o := range d.Outline {
		w.str(o.Title)
		w.num(o.Level, o.Page+1)
		w.real32(o.Y)
	}
	w.num(len(d.Sections))
	for _, s := range d.Sections {
		w.str(s.Title)
		w.num(s.Level, s.Start, s.Len())
	}
	w.num(len(d.Meta))
	names := make([]string, 0, len(d.Meta))
	for name := range d.Meta {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		w.str(name)
		w.num(len(d.Meta[name]))
		for _, value := range d.Meta[name] {
			w.str(value)
		}
	}
	if version > noElements {
		w.elements(d.Elements)
	}
	if version > noLinks {
		w.links(d.Links)
	}
	if version > noHidden {
		for i := range d.Pages {
			w.spans(d.Pages[i].Hidden)
		}
	}
	if version > noAttached {
		w.num(len(d.Attachments))
		for _, a := range d.Attachments {
			w.str(a.Name)
			w.str(a.Type)
			w.num(a.Bytes)
		}
	}
	if version > noPlaces {
		for _, l := range d.Links {
			w.num(l.To)
		}
	}
	return w.b
}

// writer appends values to b. Most methods of writer and reader are not inlined, which makes
// the browser's engine smaller.
type writer struct{ b []byte }

//go:noinline
func (w *writer) str(s string) { w.b = append(binary.AppendUvarint(w.b, uint64(len(s))), s...) }

//go:noinline
func (w *writer) num(list ...int) {
	for _, n := range list {
		w.b = binary.AppendUvarint(w.b, uint64(n))
	}
}

//go:noinline
func (w *writer) real32(list ...float64) {
	for _, x := range list {
		w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(float32(x)))
	}
}

func (w *writer) page(p *Page) {
	w.num(p.Number)
	w.real32(p.Width, p.Height)
	w.str(p.Text)
	w.str(p.Label)
	w.num(len(p.Words))
	at := 0
	for _, x := range p.Words {
		w.num(x.Start-at, x.Len())
		at = x.Start
		w.real32(x.Box.X0, x.Box.Y0, x.Box.X1, x.Box.Y1)
	}
	w.spans(p.Furniture)
}

// spans writes spans in ascending order that do not overlap.
func (w *writer) spans(list []Span) {
	w.num(len(list))
	at := 0
	for _, s := range list {
		w.num(s.Start-at, s.Len())
		at = s.End
	}
}

// DecodeDocument reads the output of Encode. It returns an error for damaged input, and
// never uses more memory than a small multiple of the input's size.
func DecodeDocument(b []byte) (*Document, error) {
	if len(b) <= len(magic) || string(b[:len(magic)]) != magic {
		return nil, errDamaged
	}
	version := b[len(magic)]
	if version < oldest || version > newest {
		return nil, errVersion
	}
	r := &reader{b: b[len(magic)+1:]}
	d := &Document{Name: r.str(), Title: r.str(), Author: r.str(), Language: r.str()}
	for n := r.count(1); n > 0; n-- {
		d.Notes = append(d.Notes, r.str())
	}
	for n := r.count(13); n > 0; n-- {
		d.Pages = append(d.Pages, r.page())
	}
	for _, v := range []*View{&d.content, &d.reading} {
		v.Text = r.str()
		n := r.count(4)
		v.Runs = make([]Run, 0, n)
		for ; n > 0; n-- {
			v.Runs = append(v.Runs, Run{r.num(), r.num(), r.num(), r.num()})
		}
	}
	for n := r.count(7); n > 0; n-- {
		d.Outline = append(d.Outline, r.bookmark(len(d.Pages)))
	}
	at := 0
	for n := r.count(4); n > 0; n-- {
		s := Section{Title: r.str(), Level: r.num(), Span: r.span(0, len(d.reading.Text))}
		if s.Level < 1 || s.Start < at {
			r.fail()
		}
		at = s.Start
		d.Sections = append(d.Sections, s)
	}
	if version > oldest {
		d.Meta = r.meta()
	}
	if version > noElements {
		d.Elements = r.elements(d.reading.Text, version > noLinks)
	}
	if version > noLinks {
		d.Links = r.links(d.reading.Text, len(d.Pages), version > noHidden)
	}
	if version > noHidden {
		for i := range d.Pages {
			d.Pages[i].Hidden = r.spans(len(d.Pages[i].Text))
		}
	}
	if version > noAttached {
		for n := r.count(3); n > 0; n-- {
			d.Attachments = append(d.Attachments, Attachment{r.str(), r.str(), r.num()})
		}
		if len(d.Attachments) == 0 && version == noPlaces {
			r.fail()
		}
	}
	if version > noPlaces {
		r.places(d)
	}
	if r.err != nil || len(r.b) != 0 {
		return nil, errDamaged
	}
	for _, v := range []*View{&d.content, &d.reading} {
		if err := v.Check(d.Pages); err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
	}
	return d, nil
}

// meta reads the file's metadata, in ascending order of names.
func (r *reader) meta() map[string][]string {
	var all map[string][]string
	last := ""
	for n := r.count(2); n > 0; n-- {
		name := r.str()
		if all == nil {
			all = map[string][]string{}
		} else if name <= last {
			r.fail()
		}
		last = name
		values := []string{}
		for k := r.count(1); k > 0; k-- {
			values = append(values, r.str())
		}
		all[name] = values
	}
	return all
}

func (r *reader) page() Page {
	p := Page{Number: r.num(), Width: r.real32(), Height: r.real32(), Text: r.str(), Label: r.str()}
	words := r.count(18)
	p.Words = make([]Word, 0, words)
	at := 0
	for ; words > 0; words-- {
		w := Word{Span: r.span(at, len(p.Text)), Box: Box{r.real32(), r.real32(), r.real32(), r.real32()}}
		at = w.Start
		p.Words = append(p.Words, w)
	}
	p.Furniture = r.spans(len(p.Text))
	return p
}

// spans reads the output of writer.spans for a text of size bytes.
func (r *reader) spans(size int) (list []Span) {
	at := 0
	for n := r.count(2); n > 0; n-- {
		s := r.span(at, size)
		at = s.End
		list = append(list, s)
	}
	return list
}

// bookmark reads an outline entry of a document with the given number of pages.
func (r *reader) bookmark(pages int) Bookmark {
	b := Bookmark{Title: r.str(), Level: r.num(), Page: r.num() - 1, Y: r.real32()}
	if b.Page >= pages {
		r.fail()
	}
	return b
}

// span reads a span in a text of size bytes. It is stored as the distance of its start from
// base, and its length.
//
//go:noinline
func (r *reader) span(base, size int) Span {
	start := base + r.num()
	s := Span{start, start + r.num()}
	if s.Start < 0 || s.End < s.Start || s.End > size {
		r.fail()
	}
	return s
}

// reader takes values off the front of b. After the first failure it returns zeros.
type reader struct {
	b   []byte
	err error
}

//go:noinline
func (r *reader) fail() { r.err, r.b = errDamaged, nil }

//go:noinline
func (r *reader) num() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// count reads the number of items that take at least size bytes each.
//
//go:noinline
func (r *reader) count(size int) int {
	n := r.num()
	if n > len(r.b)/size {
		r.fail()
		return 0
	}
	return n
}

//go:noinline
func (r *reader) str() string {
	n := r.count(1)
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

//go:noinline
func (r *reader) real32() float64 {
	if len(r.b) < 4 {
		r.fail()
		return 0
	}
	v := math.Float32frombits(binary.LittleEndian.Uint32(r.b))
	r.b = r.b[4:]
	return float64(v)
}
