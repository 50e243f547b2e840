package collection

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"

	"seam/shared/pdftext/cmap"
)

// ErrDamaged reports a file that is not a collection.
var ErrDamaged = errors.New("the table is damaged")

// maxBytes is the maximum uncompressed size of a file. The largest has 180 kB.
const maxBytes = 4 << 20

// Read reads the file of a collection.
func Read(b []byte) (*Collection, error) {
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), maxBytes))
	if err != nil {
		return nil, ErrDamaged
	}
	r := &reader{b: raw}
	r.text() // the ordering
	tables := make([]*cmap.Table, r.count())
	for i := range tables {
		t := &cmap.Table{}
		if base := r.number(); 0 < base && int(base) <= i {
			t.Base = tables[base-1]
		}
		t.CIDs = r.ranges()
		tables[i] = t
	}
	c := &Collection{cmaps: map[string]*cmap.Map{}, texts: map[int]string{}}
	for range r.count() {
		name, vertical, form, table := r.text(), r.number() == 1, cmap.Form(r.number()), r.number()
		spaces := make([]cmap.Space, r.count())
		for i := range spaces {
			spaces[i] = cmap.Space{Bytes: int(max(1, min(r.number(), 4))), Lo: r.number(), Hi: r.number()}
		}
		if int(table) < len(tables) {
			c.cmaps[name] = cmap.New(vertical, form, spaces, tables[table])
		}
	}
	c.chars = r.ranges()
	for range r.count() {
		cid := int(r.number())
		c.texts[cid] = r.text()
	}
	if r.damaged {
		return nil, ErrDamaged
	}
	return c, nil
}

// reader reads numbers and values made from them. Once the input is damaged, it returns
// only zeros.
type reader struct {
	b       []byte
	damaged bool
}

func (r *reader) number() uint32 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<32-1 {
		r.b, r.damaged = nil, true
		return 0
	}
	r.b = r.b[n:]
	return uint32(v)
}

// count returns the number of following items, which take at least one byte each.
func (r *reader) count() int {
	n := r.number()
	if int64(n) > int64(len(r.b)) {
		r.b, r.damaged = nil, true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// ranges reads ranges, stored as three columns of differences.
func (r *reader) ranges() cmap.Ranges {
	out := make(cmap.Ranges, r.count())
	for i := range out {
		out[i].Lo = r.number()
	}
	key := uint64(0)
	for i := range out {
		lo := key + uint64(out[i].Lo)
		hi := lo + uint64(r.number())
		if hi >= 1<<32 {
			r.b, r.damaged = nil, true
			return nil
		}
		out[i].Lo, out[i].Hi, key = uint32(lo), uint32(hi), hi+1
	}
	value := uint32(0)
	for i := range out {
		z := r.number()
		out[i].Value = value + (z>>1 ^ -(z & 1))
		value = out[i].Value + out[i].Hi - out[i].Lo + 1
	}
	return out
}
