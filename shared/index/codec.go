package index

import (
	"encoding/binary"
	"errors"
	"strings"
)

// ErrEncoding reports bytes that do not come from Document.Encode, or that belong to
// another Source.
var ErrEncoding = errors.New("the index is damaged, or belongs to other texts")

// encoding is the first byte of Encode's output. Raise it if Decode would misread older
// output.
const encoding = 1

// Encode returns the indexed words of a document as bytes for Decode. Equal documents give
// equal bytes.
//
// Numbers are varints of encoding/binary. The bytes hold the version, the language preceded
// by its length, the number of texts, their lengths, and the number of forms. For each form
// there are:
//
//   - the number of leading bytes shared with the previous form
//   - the number of the other bytes, and these bytes
//   - twice the length of its stem if the form begins with the stem; otherwise twice the length plus one, and the stem
//   - the length of its postings
//
// All postings follow at the end.
func (d *Document) Encode() []byte {
	b := []byte{encoding}
	b = append(appendNumber(b, uint64(len(d.language))), d.language...)
	b = appendNumber(b, uint64(len(d.lengths)))
	for _, n := range d.lengths {
		b = appendNumber(b, uint64(n))
	}
	b = appendNumber(b, uint64(len(d.words)))
	before := ""
	for i := range d.words {
		f, same := d.form(i), 0
		for same < len(f) && same < len(before) && f[same] == before[same] {
			same++
		}
		b = appendNumber(b, uint64(same))
		b = append(appendNumber(b, uint64(len(f)-same)), f[same:]...)
		if stem := d.stem(i); strings.HasPrefix(f, stem) {
			b = appendNumber(b, uint64(len(stem))<<1)
		} else {
			b = append(appendNumber(b, uint64(len(stem))<<1|1), stem...)
		}
		end := len(d.postings)
		if i+1 < len(d.at) {
			end = int(d.at[i+1])
		}
		b = appendNumber(b, uint64(end-int(d.at[i])))
		before = f
	}
	return append(b, d.postings...)
}

// Decode restores the result of Analyse for s from the output of Encode. It checks the
// bytes so that the document can be used safely, but the caller must know that they belong
// to these texts. The error is ErrEncoding.
func Decode(b []byte, s Source) (*Document, error) {
	d := newDocument(s)
	r := &decoder{b: b}
	if len(b) == 0 || r.number(255) != encoding {
		return nil, ErrEncoding
	}
	d.language = string(r.bytes(longestWord))
	if r.number(len(s.Texts)) != len(s.Texts) {
		return nil, ErrEncoding
	}
	for i := range d.lengths {
		d.lengths[i] = uint32(r.number(1 << 31))
	}
	n := r.number((len(r.b) - r.at) / leastForm)
	d.words, d.at = make([]word, 0, n), make([]uint32, 0, n)
	at := r.words(d, n)
	if r.bad || at != len(r.b)-r.at {
		return nil, ErrEncoding
	}
	d.postings = r.b[r.at:]
	for i, from := range d.at {
		to := at
		if i+1 < len(d.at) {
			to = int(d.at[i+1])
		}
		p := decoder{b: d.postings[from:to]}
		p.list(len(d.lengths))
		p.list(len(d.sections))
		if p.bad || p.at < len(p.b) {
			return nil, ErrEncoding
		}
	}
	d.group()
	return d, nil
}

// decoder reads values from b. bad is set when the input was too short or invalid. It has a
// place in b instead of the rest of b, because each store of a pointer takes time while the
// garbage collector runs.
type decoder struct {
	b   []byte
	at  int
	bad bool
}

// fail ends the input.
func (r *decoder) fail() { r.bad, r.at = true, len(r.b) }

// appendNumber appends a varint. It is not inlined, nor are the methods of decoder, which
// makes the browser's engine smaller.
//
//go:noinline
func appendNumber(b []byte, n uint64) []byte { return binary.AppendUvarint(b, n) }

// number reads a number of at most most.
//
//go:noinline
func (r *decoder) number(most int) int {
	if r.at < len(r.b) && r.b[r.at] < 0x80 && int(r.b[r.at]) <= most { // most numbers are small
		r.at++
		return int(r.b[r.at-1])
	}
	x, size := binary.Uvarint(r.b[r.at:])
	if size <= 0 || x > uint64(most) {
		r.fail()
		return 0
	}
	r.at += size
	return int(x)
}

// take reads n bytes.
//
//go:noinline
func (r *decoder) take(n int) []byte {
	if n > len(r.b)-r.at {
		r.fail()
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// bytes reads at most most bytes, preceded by their number.
//
//go:noinline
func (r *decoder) bytes(most int) []byte { return r.take(r.number(most)) }

// words reads n forms with their stems and the places of their postings, and returns the
// end of the postings.
func (r *decoder) words(d *Document, n int) (at int) {
	memory := make([]byte, 0, 12*n)
	last := word{}
	for i := 0; i < n && !r.bad; i++ {
		w, same := word{form: uint32(len(memory))}, r.number(int(last.formSize))
		memory = append(append(memory, memory[last.form:int(last.form)+same]...), r.bytes(longestForm)...)
		size := len(memory) - int(w.form)
		if size > longestForm || i > 0 && string(memory[last.form:last.form+uint32(last.formSize)]) >= string(memory[w.form:]) {
			r.bad = true
		}
		stem := r.number(2*longestForm + 1)
		w.stem, w.formSize, w.stemSize = w.form, uint16(size), uint16(stem>>1)
		if stem&1 == 1 {
			w.stem = uint32(len(memory))
			memory = append(memory, r.take(stem>>1)...)
		} else if stem>>1 > size {
			r.bad = true
		}
		d.words, last = append(d.words, w), w
		d.at = append(d.at, uint32(at))
		at += r.number(1 << 31)
	}
	if r.bad || at > len(r.b)-r.at {
		r.bad = true
		return 0
	}
	d.memory = string(memory)
	return at
}

// longestForm is the maximum length in bytes of a form or a stem. Folding makes some longer
// than the word in the text.
const longestForm = 16 * longestWord

// leastForm is the minimum number of bytes of a form: its four numbers, and two of its
// postings.
const leastForm = 6

// list reads a list of postings with numbers below most.
func (r *decoder) list(most int) {
	of := 0
	for i, n := 0, r.number(most); i < n && !r.bad; i++ {
		var delta, times int
		if at := r.at; at+1 < len(r.b) && r.b[at]|r.b[at+1] < 0x80 { // as in most lists
			delta, times, r.at = int(r.b[at]), int(r.b[at+1]), at+2
		} else {
			delta, times = r.number(most), r.number(1<<31)
		}
		if of += delta; of >= most || i > 0 && delta == 0 {
			r.bad = true
		}
		if times&1 == 1 {
			r.number(1 << 31)
		}
	}
}
