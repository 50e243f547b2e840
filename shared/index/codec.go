package index

import (
	"encoding/binary"
	"errors"
	"strings"
)

// ErrEncoding says that bytes are none of Document.Encode, or of another Source.
var ErrEncoding = errors.New("the index is damaged, or of other texts")

// encoding is the first byte of what Encode gives, raised where Decode would read another
// one wrong.
const encoding = 1

// Encode is what was found in the texts of a document, as bytes for Decode. Equal documents
// give equal bytes.
//
// They are, numbers as varints of encoding/binary: the version, the language behind its
// length, how many texts, their lengths, how many forms, and for each form how many bytes
// it begins with that the one before begins with, the others behind their number; its stem,
// twice the length of it where the form begins with it, else twice the length and one, and
// the stem; and the length of its postings. All postings follow.
func (d *Document) Encode() []byte {
	b := []byte{encoding}
	b = append(binary.AppendUvarint(b, uint64(len(d.language))), d.language...)
	b = binary.AppendUvarint(b, uint64(len(d.lengths)))
	for _, n := range d.lengths {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(d.forms)))
	before := ""
	for i, f := range d.forms {
		same := 0
		for same < len(f) && same < len(before) && f[same] == before[same] {
			same++
		}
		b = binary.AppendUvarint(b, uint64(same))
		b = append(binary.AppendUvarint(b, uint64(len(f)-same)), f[same:]...)
		if stem := d.stems[i]; strings.HasPrefix(f, stem) {
			b = binary.AppendUvarint(b, uint64(len(stem))<<1)
		} else {
			b = append(binary.AppendUvarint(b, uint64(len(stem))<<1|1), stem...)
		}
		end := len(d.postings)
		if i+1 < len(d.at) {
			end = int(d.at[i+1])
		}
		b = binary.AppendUvarint(b, uint64(end-int(d.at[i])))
		before = f
	}
	return append(b, d.postings...)
}

// Decode is what Analyse gave for s, from its Encode. The bytes are checked so far that no
// use of the document fails; that they are of these texts is for the caller to know. The
// error is ErrEncoding.
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
	n := r.number(len(r.b) / leastForm)
	d.forms, d.stems, d.at = make([]string, 0, n), make([]string, 0, n), make([]uint32, 0, n)
	at := r.words(d, n)
	if r.bad || at != len(r.b) {
		return nil, ErrEncoding
	}
	d.postings = r.b
	for i, from := range d.at {
		to := at
		if i+1 < len(d.at) {
			to = int(d.at[i+1])
		}
		p := decoder{b: d.postings[from:to]}
		p.list(len(d.lengths))
		p.list(len(d.sections))
		if p.bad || len(p.b) > 0 {
			return nil, ErrEncoding
		}
	}
	d.group()
	return d, nil
}

// decoder takes what is in b from its beginning; bad says that something was not there.
type decoder struct {
	b   []byte
	bad bool
}

// number takes one of at most so much.
func (r *decoder) number(most int) int {
	x, size := binary.Uvarint(r.b)
	if size <= 0 || x > uint64(most) {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return int(x)
}

// take takes so many bytes.
func (r *decoder) take(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

// bytes takes at most so many behind their number.
func (r *decoder) bytes(most int) []byte { return r.take(r.number(most)) }

// words takes n forms with their stems and where their postings are; it returns where those
// end. The strings share one memory.
func (r *decoder) words(d *Document, n int) (at int) {
	var all []byte
	type part struct{ form, stem [2]int }
	parts := make([]part, 0, n)
	form := [2]int{}
	for i := 0; i < n && !r.bad; i++ {
		same := r.number(form[1] - form[0])
		from := len(all)
		all = append(append(all, all[form[0]:form[0]+same]...), r.bytes(longestForm)...)
		next := [2]int{from, len(all)}
		if len(all)-from > longestForm || i > 0 && string(all[form[0]:form[1]]) >= string(all[next[0]:]) {
			r.bad = true
		}
		form = next
		stem := r.number(2*longestForm + 1)
		is := [2]int{from, from + stem>>1}
		if stem&1 == 1 {
			is[0] = len(all)
			all = append(all, r.take(stem>>1)...)
			is[1] = len(all)
		} else if is[1] > form[1] {
			r.bad = true
		}
		parts = append(parts, part{form, is})
		d.at = append(d.at, uint32(at))
		at += r.number(1 << 31)
	}
	if r.bad || at > len(r.b) {
		r.bad = true
		return 0
	}
	memory := string(all)
	for _, p := range parts {
		d.forms, d.stems = append(d.forms, memory[p.form[0]:p.form[1]]), append(d.stems, memory[p.stem[0]:p.stem[1]])
	}
	return at
}

// longestForm is the most bytes that a form or a stem is believed to have: some are longer
// than the word in the text, as they are folded.
const longestForm = 16 * longestWord

// leastForm is the fewest bytes that a form has: its four numbers, and two of its postings.
const leastForm = 6

// list takes a list of postings, of things below most.
func (r *decoder) list(most int) {
	of := 0
	for i, n := 0, r.number(most); i < n && !r.bad; i++ {
		delta := r.number(most)
		if of += delta; of >= most || i > 0 && delta == 0 {
			r.bad = true
		}
		if r.number(1<<31)&1 == 1 {
			r.number(1 << 31)
		}
	}
}
