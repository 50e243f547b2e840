package shards

import "encoding/binary"

// gathered is a word that the builder found in the texts.
type gathered struct {
	word     string
	body     list // by chunk
	headings []posting
	summary  list      // by page
	expanded []posting // n is a weight, in units of 1/finest
	opening  int32     // the last summary text that contains it
}

// list records the texts that contain a form, in order, with the number of occurrences. All
// except the last are already encoded as in a file, which takes two bytes each. Most forms
// occur in one text only.
type list struct {
	texts   int
	written []byte
	before  int32 // the last encoded text
	text, n int32 // the last text
}

// add records n more occurrences of a form in a text.
func (l *list) add(text, n int) {
	if l.texts > 0 && l.text == int32(text) {
		l.n += int32(n)
		return
	}
	if l.texts > 0 {
		l.written, l.before = appendCount(l.written, l.text-l.before, l.n), l.text
	}
	l.texts++
	l.text, l.n = int32(text), int32(n)
}

// all yields the texts.
func (l *list) all(yield func(text int) bool) {
	at := 0
	for b := l.written; len(b) > 0; {
		step, size := binary.Uvarint(b)
		b = b[size:]
		if step&1 != 0 {
			_, size = binary.Uvarint(b)
			b = b[size:]
		}
		if at += int(step >> 1); !yield(at) {
			return
		}
	}
	if l.texts > 0 {
		yield(int(l.text))
	}
}

// appendCount encodes n occurrences of a form in a text. step is the distance from the
// previous text.
func appendCount(b []byte, step, n int32) []byte {
	if n == 1 {
		return binary.AppendUvarint(b, uint64(step)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(step)<<1|1), uint64(n-2))
}

// list writes the texts that contain a form, with the number of occurrences. It writes
// nothing if there are none.
func (p *packer) list(l *list) {
	if l.texts > 0 {
		p.uint(l.texts)
		p.b = appendCount(append(p.b, l.written...), l.text-l.before, l.n)
	}
}

// counts writes postings in the same form as list.
func (p *packer) counts(of []posting) {
	var l list
	for _, x := range of {
		l.add(int(x.chunk), int(x.n))
	}
	p.list(&l)
}

// seen counts the distinct chunks and pages of a stem.
type seen struct {
	pageOf        []int32 // of each chunk
	chunk, page   []int32 // for each, the last round in which it was seen
	round         int32
	chunks, pages int
}

// begin starts another round.
func (s *seen) begin(b *builder) {
	if s.pageOf == nil {
		for i, p := range b.pages {
			for range p.chunks {
				s.pageOf = append(s.pageOf, int32(i))
			}
		}
		s.chunk, s.page = make([]int32, len(s.pageOf)), make([]int32, len(b.pages))
	}
	s.round++
	s.chunks, s.pages = 0, 0
}

// add counts n chunks, starting at chunk.
func (s *seen) add(chunk, n int32) {
	for c := chunk; c < chunk+n; c++ {
		if s.chunk[c] == s.round {
			continue
		}
		s.chunk[c] = s.round
		s.chunks++
		if p := s.pageOf[c]; s.page[p] != s.round {
			s.page[p] = s.round
			s.pages++
		}
	}
}
