package text

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// magic opens an encoded document; its last byte is the version.
const magic = "SEAMDOC\x01"

// errDamaged is the one thing to say of bytes that Encode did not write.
var errDamaged = errors.New("damaged document")

// Encode writes d in the compact form that travels from the PDF worker to the
// engine worker: lengths and offsets as varints, boxes as float32.
func Encode(d *Document) []byte {
	b := []byte(magic)
	str := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	num := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	real32 := func(x float64) { b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x))) }
	str(d.Name)
	str(d.Title)
	num(len(d.Notes))
	for _, n := range d.Notes {
		str(n)
	}
	num(len(d.Pages))
	for _, p := range d.Pages {
		num(p.Number)
		real32(p.Width)
		real32(p.Height)
		str(p.Text)
		num(len(p.Words))
		at := 0
		for _, w := range p.Words {
			num(w.Start - at)
			num(w.Len())
			at = w.Start
			real32(w.Box.X0)
			real32(w.Box.Y0)
			real32(w.Box.X1)
			real32(w.Box.Y1)
		}
	}
	for _, v := range []View{d.content, d.reading} {
		str(v.Text)
		num(len(v.Runs))
		for _, r := range v.Runs {
			num(r.Start)
			num(r.Page)
			num(r.From)
			num(r.Len)
		}
	}
	return b
}

// DecodeDocument reads what Encode wrote. Damaged input is refused with an error and
// never takes more memory than a small multiple of its size.
func DecodeDocument(b []byte) (*Document, error) {
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, errDamaged
	}
	r := &reader{b: b[len(magic):]}
	d := &Document{Name: r.str(), Title: r.str()}
	for n := r.count(1); n > 0; n-- {
		d.Notes = append(d.Notes, r.str())
	}
	for n := r.count(11); n > 0; n-- {
		p := Page{Number: r.num(), Width: r.real32(), Height: r.real32(), Text: r.str()}
		words := r.count(18)
		p.Words = make([]Word, 0, words)
		at := 0
		for ; words > 0; words-- {
			at += r.num()
			w := Word{Span: Span{at, at + r.num()}}
			w.Box = Box{r.real32(), r.real32(), r.real32(), r.real32()}
			if at < 0 || w.End < at || w.End > len(p.Text) {
				r.fail()
			}
			p.Words = append(p.Words, w)
		}
		d.Pages = append(d.Pages, p)
	}
	for _, v := range []*View{&d.content, &d.reading} {
		v.Text = r.str()
		n := r.count(4)
		v.Runs = make([]Run, 0, n)
		for ; n > 0; n-- {
			v.Runs = append(v.Runs, Run{r.num(), r.num(), r.num(), r.num()})
		}
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

// reader takes values off the front of b; after the first failure it returns
// zeros.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail() { r.err, r.b = errDamaged, nil }

func (r *reader) num() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

// count reads a number of items that take at least size bytes each.
func (r *reader) count(size int) int {
	n := r.num()
	if n > len(r.b)/size {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) str() string {
	n := r.count(1)
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) real32() float64 {
	if len(r.b) < 4 {
		r.fail()
		return 0
	}
	v := math.Float32frombits(binary.LittleEndian.Uint32(r.b))
	r.b = r.b[4:]
	return float64(v)
}
