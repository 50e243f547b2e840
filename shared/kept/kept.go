// Package kept defines the files in which the page stores an open document between visits.
// One file holds the document and is written once per version. One holds the vectors of its
// sentences and is written when they change. One holds other data that takes long to
// compute, so that the document can be cut at once. A bundle holds the same and more for
// any program. These files load faster, because they are not zip files, but only the page
// reads them.
//
//	"SEAMKEPT"  8 bytes
//	version     1 byte; older ones stay readable
//	kind        1 byte: 'D' a document (text.Encode), 'V' vectors, 'S' seen data
//	length      uint64 of the rest without the checksum
//	...
//	checksum    uint32, CRC-32 (IEEE) of the bytes in between
//
// All numbers are little-endian.
package kept

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"

	"seam/shared/protocol"
	"seam/shared/text"
	"seam/shared/vector"
)

const (
	magic   = "SEAMKEPT"
	version = 1

	kindDocument = 'D'
	kindVectors  = 'V'
	kindSeen     = 'S'

	headSize = len(magic) + 2 + 8
)

// Errors of reading, for errors.Is.
var (
	ErrDamaged = errors.New("the stored data is damaged")
	ErrNewer   = errors.New("the stored data is from a newer version of Seam")
)

// Vectors holds the sentence vectors of one view of a document.
type Vectors struct {
	Model     string // ID of the embedder
	View      text.ViewName
	Sentences []text.Span // byte spans of the view's text, ascending
	Matrix    vector.Matrix
}

// Key distinguishes the vectors of one document by model, view and number of sentences.
func (v *Vectors) Key() string {
	return v.Model + " " + string(v.View) + " " + strconv.Itoa(len(v.Sentences))
}

// begin returns the head of a file with capacity for size bytes.
func begin(kind byte, size int) []byte {
	b := make([]byte, 0, headSize+size+4)
	b = append(append(b, magic...), version, kind)
	return append(b, make([]byte, 8)...)
}

// finish sets the length and appends the checksum.
func finish(b []byte) []byte {
	binary.LittleEndian.PutUint64(b[headSize-8:], uint64(len(b)-headSize))
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[headSize:]))
}

// Document returns the file of a document.
func Document(d *text.Document) []byte {
	body := text.Encode(d)
	return finish(append(begin(kindDocument, len(body)), body...))
}

// Encode returns the file of vectors for the sentences of d.
func (v *Vectors) Encode(d *text.Document) []byte {
	b := begin(kindVectors, 64+len(v.Model)+8*len(v.Sentences)+4*len(v.Matrix.Data))
	le := binary.LittleEndian
	b = ofText(appendStrings(b, v.Model, string(v.View)), d, v.View)
	b = appendSpans(le.AppendUint32(le.AppendUint32(b, uint32(v.Matrix.Rows)), uint32(v.Matrix.Dim)), v.Sentences)
	for _, x := range v.Matrix.Data {
		b = le.AppendUint32(b, math.Float32bits(x))
	}
	return finish(b)
}

// open checks a file and returns the bytes between head and checksum.
func open(b []byte, kind byte) ([]byte, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < headSize+4 || string(b[:len(magic)]) != magic:
		return nil, ErrDamaged
	case b[len(magic)] > version:
		return nil, ErrNewer
	case b[len(magic)] == 0 || b[len(magic)+1] != kind || le.Uint64(b[headSize-8:]) != uint64(len(b)-headSize-4):
		return nil, ErrDamaged
	}
	body, sum := b[headSize:len(b)-4], le.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, ErrDamaged
	}
	return body, nil
}

// ReadDocument reads the file of a document.
func ReadDocument(b []byte) (*text.Document, error) {
	body, err := open(b, kindDocument)
	if err != nil {
		return nil, err
	}
	d, err := text.DecodeDocument(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return d, nil
}

// ReadVectors reads the file of a document's vectors. Vectors of another text are damage.
func ReadVectors(b []byte, d *text.Document) (*Vectors, error) {
	body, err := open(b, kindVectors)
	if err != nil {
		return nil, err
	}
	r := reader{body, false}
	v := &Vectors{Model: r.str(), View: text.ViewName(r.str())}
	t, err := r.text(d, v.View)
	if err != nil {
		return nil, err
	}
	rows, dim := int(r.num()), int(r.num())
	if r.short || len(r.b)%4 != 0 || uint64(len(r.b))/4 != uint64(rows)*uint64(dim+2) {
		return nil, ErrDamaged
	}
	if v.Sentences, err = r.spans(rows, t); err != nil {
		return nil, err
	}
	v.Matrix = vector.Matrix{Rows: rows, Dim: dim, Data: make([]float32, rows*dim)}
	protocol.GetFloats(v.Matrix.Data, r.b)
	if err := v.Matrix.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return v, nil
}

// Texts returns the text of each sentence.
func (v *Vectors) Texts(d *text.Document) []string {
	t := d.View(v.View).Text
	out := make([]string, len(v.Sentences))
	for i, s := range v.Sentences {
		out[i] = s.Of(t)
	}
	return out
}

// reader takes values off the front of b. If b is too short, it returns zeros and sets
// short.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) num() uint32 {
	if len(r.b) < 4 {
		r.short = true
		return 0
	}
	n := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return n
}

func (r *reader) str() string {
	n := r.num()
	if uint64(n) > uint64(len(r.b)) {
		r.short = true
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}
