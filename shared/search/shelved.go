package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"

	"seam/shared/chunk"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Shelved holds the data that a search needs of a result while its document is not in
// memory. It comes from a file that Shelve makes. The texts of the chunks stay in the file
// and are read when a search looks at them (Query.Load).
type Shelved struct {
	// Result has no texts and no sentences: only its plan's view and embedder, its chunks,
	// the pages of its text, and a document with title, sections and page numbers.
	Result *pipeline.Result
	Made   Made
	UTF16  []text.Span // the spans of the chunks in UTF-16 units

	outside map[string]bool // see outside
	texts   []shelvedText   // one per chunk
}

// shelvedText is the text of a chunk in the file.
type shelvedText struct {
	from, size int
	sum        uint32
	sentences  []text.Span // in the text
}

// ErrShelf reports bytes that do not come from Shelve.
var ErrShelf = errors.New("the stored index is damaged")

const (
	shelfMagic   = "SEAMSHLF"
	shelfVersion = 3
	// ShelfStart is the number of bytes at the start of a file that hold the size of its
	// head.
	ShelfStart = len(shelfMagic) + 1 + 4
)

// ShelfHead returns the size of the head of a file, given its first ShelfStart bytes.
func ShelfHead(b []byte) (int, error) {
	if len(b) < ShelfStart || string(b[:len(shelfMagic)]) != shelfMagic || b[len(shelfMagic)] != shelfVersion {
		return 0, ErrShelf
	}
	return int(binary.LittleEndian.Uint32(b[ShelfStart-4:])), nil
}

// ReadShelf reads the head of a file of Shelve. name is the document's name.
func ReadShelf(head []byte, name string) (*Shelved, error) {
	size, err := ShelfHead(head)
	if err != nil || size != len(head) || size < ShelfStart+4 {
		return nil, ErrShelf
	}
	body := head[:size-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(head[size-4:]) {
		return nil, ErrShelf
	}
	d := &shelfReader{b: body[ShelfStart:]}
	s := &Shelved{Result: &pipeline.Result{Text: &text.View{}}, outside: map[string]bool{}}
	s.Result.Plan.View, s.Result.Plan.Embedder = text.ViewName(d.str()), d.str()
	s.Result.Document = d.document(name)
	s.Result.Text.Runs = d.runs(len(s.Result.Document.Pages))
	d.chunks(s, size)
	if s.Made.Words, err = index.Decode(bytes.Clone(d.bytes()), sourceOf(s.Result)); err != nil {
		return nil, ErrShelf
	}
	s.Made.Embedder, s.Made.Vectors = d.str(), d.vectors(len(s.Result.Chunks))
	for range d.number() {
		if d.bad {
			break
		}
		s.outside[d.str()] = true
	}
	if d.bad || d.at < len(d.b) {
		return nil, ErrShelf
	}
	return s, nil
}

// text returns the text of a chunk from its bytes in the file, unless they are damaged.
func (s *Shelved) text(i int, b []byte) (t string, ok bool) {
	if !s.texts[i].is(b) {
		return "", false
	}
	return string(b), true
}

// is reports whether b is the text.
func (t shelvedText) is(b []byte) bool {
	return len(b) == t.size && crc32.ChecksumIEEE(b) == t.sum
}

// Holds reports whether b is everything after the head in the file.
func (s *Shelved) Holds(b []byte) bool {
	for _, t := range s.texts {
		if t.size > len(b) || !t.is(b[:t.size]) {
			return false
		}
		b = b[t.size:]
	}
	return len(b) == 0
}

// shelfReader reads values from b. bad is set when there are too few bytes, or a number is
// too large. It has a place in b for the reason of the decoder in package index.
type shelfReader struct {
	b   []byte
	at  int
	bad bool
}

// fail ends the input.
func (d *shelfReader) fail() { d.bad, d.at = true, len(d.b) }

func (d *shelfReader) number() int {
	if d.at < len(d.b) && d.b[d.at] < 0x80 { // most numbers are small
		d.at++
		return int(d.b[d.at-1])
	}
	x, n := binary.Uvarint(d.b[d.at:])
	if n <= 0 || x > math.MaxUint32 {
		d.fail()
		return 0
	}
	d.at += n
	return int(x)
}

func (d *shelfReader) str() string { return string(d.bytes()) }

func (d *shelfReader) bytes() []byte {
	n := d.number()
	if n > len(d.b)-d.at {
		d.fail()
		return nil
	}
	d.at += n
	return d.b[d.at-n : d.at]
}

// document reads everything about a document that hits and filters use.
func (d *shelfReader) document(name string) *text.Document {
	doc := &text.Document{Name: name, Title: d.str(), Author: d.str(), Language: d.str(), Meta: d.meta()}
	for range d.number() {
		if d.bad {
			break
		}
		section := text.Section{Title: d.str(), Level: d.number()}
		section.Start = d.number()
		section.End = section.Start + d.number()
		doc.Sections = append(doc.Sections, section)
	}
	for range d.number() {
		if d.bad {
			break
		}
		doc.Pages = append(doc.Pages, text.Page{Number: d.number(), Label: d.str()})
	}
	return doc
}

// runs reads which page each part of the text is from.
func (d *shelfReader) runs(pages int) (runs []text.Run) {
	at := 0
	for range d.number() {
		r := text.Run{Page: d.number(), Start: d.number(), Len: d.number()}
		if d.bad || r.Page >= pages || r.Start < at {
			d.bad = true
			return nil
		}
		at = r.Start + r.Len
		runs = append(runs, r)
	}
	return runs
}

// vectors reads a matrix with the given number of rows.
func (d *shelfReader) vectors(rows int) vector.Matrix {
	dim := d.number()
	if dim == 0 || dim > 1<<16 || len(d.b)-d.at < 4*dim*rows {
		d.bad = d.bad || dim > 0
		return vector.Matrix{}
	}
	m := vector.New(rows, dim)
	for i := range m.Data {
		m.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(d.b[d.at+4*i:]))
	}
	d.at, d.bad = d.at+4*len(m.Data), d.bad || m.Check() != nil
	return m
}

func (d *shelfReader) meta() map[string][]string {
	n := d.number()
	if n == 0 {
		return nil
	}
	meta := map[string][]string{}
	for range n {
		name := d.str()
		for range d.number() {
			if d.bad {
				return nil
			}
			meta[name] = append(meta[name], d.str())
		}
	}
	return meta
}

// chunks reads the chunks of s. from is the place of the first text in the file.
func (d *shelfReader) chunks(s *Shelved, from int) {
	r := s.Result
	for range d.number() {
		if d.bad {
			return
		}
		c, units := chunk.Chunk{}, text.Span{}
		c.Start = d.number()
		c.End = c.Start + d.number()
		units.Start = d.number()
		units.End = units.Start + d.number()
		c.First, c.Last = d.number()-1, d.number()-1
		t := shelvedText{from: from, size: c.Len(), sum: uint32(d.number())}
		from += t.size
		at, n := 0, d.number()
		t.sentences = make([]text.Span, 0, min(n, (len(d.b)-d.at)/2))
		for range n {
			if d.bad {
				return
			}
			span := text.Span{Start: at + d.number()}
			span.End = span.Start + d.number()
			at = span.Start
			if span.End > t.size {
				d.bad = true
				return
			}
			t.sentences = append(t.sentences, span)
		}
		if n := len(r.Chunks); c.Last >= len(r.Document.Pages) || c.First > c.Last || n > 0 && c.Start < r.Chunks[n-1].Start {
			d.bad = true
			return
		}
		r.Chunks, s.UTF16, s.texts = append(r.Chunks, c), append(s.UTF16, units), append(s.texts, t)
	}
}
