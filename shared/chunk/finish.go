package chunk

import (
	"encoding/hex"
	"strconv"

	"seam/shared/digest"
	"seam/shared/text"
	"seam/shared/token"
)

// Memo caches measurements of the spans of one text with one counter. When a threshold
// moves, only new chunks are measured. The zero value is an empty memo.
type Memo struct {
	known  map[text.Span]measure
	tokens map[text.Span]int // of spans that may become chunks
	before []int             // see builder; for the sentences that begin at first
	first  *text.Span
}

// measure holds the values that depend on a span's text.
type measure struct {
	digest      string // hexadecimal
	tokens      int
	first, last int
}

// maxKnown bounds a memo. When it is full, everything else is measured again.
const maxKnown = 1 << 17

// Remembered returns a Memo with the given lengths for exactly these sentences.
func Remembered(sentences []text.Span, lengths []int) *Memo {
	return &Memo{before: lengths, first: &sentences[0]}
}

// Lengths returns the tokens of all sentences before each, including the text between them,
// and the total last. It returns nil if they have not been counted.
func (m *Memo) Lengths(sentences []text.Span) []int {
	if m == nil || len(sentences) == 0 || len(m.before) != len(sentences)+1 || m.first != &sentences[0] {
		return nil
	}
	return m.before
}

// count returns the tokens of a span.
func (m *Memo) count(v *text.View, s text.Span, counter token.Counter) int {
	if m == nil {
		return counter.Count(s.Of(v.Text))
	}
	n, ok := m.tokens[s]
	if !ok {
		if m.tokens == nil || len(m.tokens) >= maxKnown {
			m.tokens = map[text.Span]int{}
		}
		n = counter.Count(s.Of(v.Text))
		m.tokens[s] = n
	}
	return n
}

// of measures s. tokens is its length in tokens, or 0 if it has not been counted.
func (m *Memo) of(v *text.View, s text.Span, counter token.Counter, tokens int) measure {
	if m != nil {
		if x, ok := m.known[s]; ok {
			return x
		}
	}
	t := s.Of(v.Text)
	sum := digest.Sum256([]byte(t))
	x := measure{digest: hex.EncodeToString(sum[:6]), tokens: tokens, first: -1, last: -1}
	if tokens == 0 && m != nil {
		x.tokens = m.tokens[s]
	}
	if x.tokens == 0 {
		x.tokens = counter.Count(t)
	}
	if first, last, ok := v.PageRange(s); ok {
		x.first, x.last = first, last
	}
	if m != nil {
		if m.known == nil || len(m.known) >= maxKnown {
			m.known = map[text.Span]measure{}
		}
		m.known[s] = x
	}
	return x
}

// finish fills in the fields that depend on the spans.
func finish(v *text.View, chunks []Chunk, limits Limits) ([]Chunk, error) {
	f := newFinisher(v, limits)
	for i := range chunks {
		if err := limits.report(i, len(chunks)); err != nil {
			return nil, err
		}
		if err := f.finish(&chunks[i]); err != nil {
			return nil, err
		}
	}
	return chunks, nil
}

// finisher finishes the chunks of a text in order.
type finisher struct {
	view   *text.View
	limits Limits
	seen   map[string]int // number of chunks so far with this digest
}

func newFinisher(v *text.View, limits Limits) *finisher {
	return &finisher{v, limits, map[string]int{}}
}

// finish fills in the fields that depend on a chunk's span. An ID is the first 12
// hexadecimal digits of the SHA-256 of the chunk's text. The second and later chunks of the
// same text get a number, so an edit elsewhere in the document changes no ID.
func (f *finisher) finish(c *Chunk) error {
	m := f.limits.Memo.of(f.view, c.Span, f.limits.Counter, c.Tokens)
	c.ID, c.Tokens, c.First, c.Last = m.digest, m.tokens, m.first, m.last
	f.seen[m.digest]++
	if n := f.seen[m.digest]; n > 1 {
		c.ID += "-" + strconv.Itoa(n)
	}
	if f.limits.Made == nil {
		return nil
	}
	return f.limits.Made(*c)
}
