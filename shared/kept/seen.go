package kept

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"seam/shared/chunk"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// Seen returns the file of the seen data of d.
func Seen(s *pipeline.Seen, d *text.Document) []byte {
	n := len(s.Sentences)
	b := begin(kindSeen, 128+len(s.Embedder)+20*n)
	le := binary.LittleEndian
	b = ofText(appendStrings(b, string(s.View), string(s.Rule), s.Embedder, s.Method, s.Unit), d, s.View)
	b = le.AppendUint32(b, uint32(s.Version))
	for _, k := range []int{n, len(s.Numbers), len(s.Lengths)} {
		b = le.AppendUint32(b, uint32(k))
	}
	b = appendSpans(b, s.Sentences)
	for _, x := range s.Numbers {
		b = le.AppendUint64(b, math.Float64bits(x))
	}
	for _, k := range s.Lengths {
		b = le.AppendUint32(b, uint32(k))
	}
	return finish(b)
}

// ReadSeen reads the file of a document's seen data. Data of another text is damage.
func ReadSeen(b []byte, d *text.Document) (*pipeline.Seen, error) {
	body, err := open(b, kindSeen)
	if err != nil {
		return nil, err
	}
	r := reader{body, false}
	s := &pipeline.Seen{View: text.ViewName(r.str()), Rule: chunk.Rule(r.str()), Embedder: r.str(), Method: r.str(), Unit: r.str()}
	t, err := r.text(d, s.View)
	if err != nil {
		return nil, err
	}
	s.Version = int(r.num())
	n, numbers, lengths := r.num(), r.num(), r.num()
	if r.short || uint64(len(r.b)) != 8*uint64(n)+8*uint64(numbers)+4*uint64(lengths) || lengths > 0 && lengths != n+1 {
		return nil, ErrDamaged
	}
	if s.Sentences, err = r.spans(int(n), t); err != nil {
		return nil, err
	}
	for _, x := range s.Sentences {
		if x.Len() == 0 && s.Rule == chunk.Sentenced { // only the notebook's rule gives empty sentences
			return nil, fmt.Errorf("%w: an empty sentence", ErrDamaged)
		}
	}
	s.Numbers = make([]float64, numbers)
	for i := range s.Numbers {
		low := uint64(r.num())
		if s.Numbers[i] = math.Float64frombits(uint64(r.num())<<32 | low); math.IsNaN(s.Numbers[i]) {
			return nil, fmt.Errorf("%w: not a number", ErrDamaged)
		}
	}
	for range lengths {
		s.Lengths = append(s.Lengths, int(r.num()))
	}
	return s, nil
}

func appendStrings(b []byte, all ...string) []byte {
	for _, s := range all {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	return b
}

// ofText appends a checksum of the text that the rest belongs to; see reader.text.
func ofText(b []byte, d *text.Document, view text.ViewName) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(d.View(view).Text)))
}

func appendSpans(b []byte, spans []text.Span) []byte {
	le := binary.LittleEndian
	for _, s := range spans {
		b = le.AppendUint32(le.AppendUint32(b, uint32(s.Start)), uint32(s.End))
	}
	return b
}

// text returns the text of a view if its checksum matches the next number.
func (r *reader) text(d *text.Document, view text.ViewName) (string, error) {
	sum := r.num()
	if r.short || view != text.Reading && view != text.Content {
		return "", ErrDamaged
	}
	t := d.View(view).Text
	if crc32.ChecksumIEEE([]byte(t)) != sum {
		return "", fmt.Errorf("%w: it is of another text", ErrDamaged)
	}
	return t, nil
}

// spans reads n ascending spans of t.
func (r *reader) spans(n int, t string) ([]text.Span, error) {
	all := make([]text.Span, n)
	at := 0
	for i := range all {
		s := text.Span{Start: int(r.num()), End: int(r.num())}
		if s.Start < at || s.End < s.Start || s.End > len(t) || text.Edge(t, s.Start) != s.Start || text.Edge(t, s.End) != s.End {
			return nil, fmt.Errorf("%w: a sentence from %d to %d", ErrDamaged, s.Start, s.End)
		}
		at, all[i] = s.End, s
	}
	return all, nil
}
