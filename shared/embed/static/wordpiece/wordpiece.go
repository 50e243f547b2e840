// Package wordpiece is the tokenizer of BERT (Devlin et al. 2018) in one pass:
// BertNormalizer, BertPreTokenizer and greedy WordPiece of Hugging Face's
// tokenizers, without an allocation per word. Ids are equal to theirs, but for
// characters that Unicode has added, or has moved to another category, since
// the tables of their crates were made.
package wordpiece

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"seam/shared/text"
)

// Options is what a tokenizer does to a text and to its words.
type Options struct {
	Prefix       string // of a piece that continues a word, "##"
	MaxWord      int    // a word of more characters is one unknown token
	Unknown      uint32 // the id of a word that cannot be put together
	Clean        bool   // drop control characters
	Han          bool   // a Chinese character is a word
	StripAccents bool   // canonical decomposition without its accents
	Lowercase    bool
	Ligatures    bool // "ﬁ" is f and i, which BERT takes for a letter that it does not know
}

// Tokenizer turns texts into ids. Its methods may be called concurrently.
type Tokenizer struct {
	opt         Options
	tokens      []string
	first, next table // pieces that begin a word, pieces that continue one
	class       [256]class
	fold        [256]byte   // what a byte in a word becomes, 0 for all others
	single      [128]uint32 // the id of a word of one byte

	mu    sync.Mutex
	spare []*scratch
}

// New makes a tokenizer of a vocabulary in the order of its ids, where "" is no
// token. It refuses one in which a token is there twice or the unknown token is
// missing.
func New(tokens []string, opt Options) (*Tokenizer, error) {
	if int(opt.Unknown) >= len(tokens) {
		return nil, fmt.Errorf("the unknown token is number %d of %d tokens", opt.Unknown, len(tokens))
	}
	t := &Tokenizer{opt: opt, tokens: tokens}
	t.classify()
	t.first.make(len(tokens))
	t.next.make(len(tokens))
	for id, s := range tokens {
		if s == "" {
			continue
		}
		if !t.first.add(tokens, uint32(id), 0) {
			return nil, fmt.Errorf("token %d, %q, stands in the vocabulary twice", id, s)
		}
		if n := len(opt.Prefix); len(s) > n && s[:n] == opt.Prefix && !t.next.add(tokens, uint32(id), n) {
			return nil, fmt.Errorf("token %d, %q, stands in the vocabulary twice", id, s)
		}
	}
	for c := range t.single {
		t.single[c] = opt.Unknown
		if id, ok := t.first.find(tokens, (hashStart^uint32(c))*hashPrime, []byte{byte(c)}); ok && opt.MaxWord > 0 {
			t.single[c] = id
		}
	}
	return t, nil
}

// Tokens is the vocabulary in the order of its ids; it must not be changed.
func (t *Tokenizer) Tokens() []string { return t.tokens }

// Options is what the tokenizer was made with.
func (t *Tokenizer) Options() Options { return t.opt }

// Append appends the ids of s, at most limit of them (all if it is 0), those
// of unknown words among them.
func (t *Tokenizer) Append(ids []uint32, s string, limit int) []uint32 {
	x := t.take()
	x.ids = ids
	if limit > 0 {
		x.limit = len(ids) + limit
	}
	x.scan(s)
	ids, x.ids = x.ids, x.own
	t.give(x)
	return ids
}

// Count is the number of ids that Append gives.
func (t *Tokenizer) Count(s string) int {
	x := t.take()
	x.ids = x.own[:0]
	x.scan(s)
	n := len(x.ids)
	if cap(x.ids) <= largestSpare {
		x.own = x.ids
	}
	t.give(x)
	return n
}

// Spans are the bytes of s that each id stands for, in order and disjoint. A
// character whose parts went into several tokens belongs to the first of them;
// the others are empty.
func (t *Tokenizer) Spans(s string) []text.Span {
	x := t.take()
	x.track = true
	x.ids, x.spans = x.own[:0], nil
	x.scan(s)
	spans := x.spans
	x.track, x.spans = false, nil
	t.give(x)
	return spans
}

// block is about how many bytes Each looks at together.
const block = 1 << 16

// Each calls yield with each of Spans until it returns false, and holds no more
// than those of a block: no token goes over white space.
func (t *Tokenizer) Each(s string, yield func(text.Span) bool) {
	for at := 0; at < len(s); {
		end := len(s)
		if at+block < end {
			if i := strings.IndexAny(s[at+block:], " \n"); i >= 0 {
				end = at + block + i
			}
		}
		for _, span := range t.Spans(s[at:end]) {
			if !yield(text.Span{Start: at + span.Start, End: at + span.End}) {
				return
			}
		}
		at = end
	}
}

// Word yields the tokens of a single word that nothing is done to before, and
// the bytes of it that each stands for.
func (t *Tokenizer) Word(s string, yield func(id uint32, from, to int)) {
	x := t.take()
	x.track = true
	x.ids, x.spans, x.end = x.own[:0], x.spans[:0], 0
	x.grow(len(s))
	x.n, x.chars = copy(x.word, s), utf8.RuneCountInString(s)
	for k := range x.n {
		x.from, x.to = append(x.from, int32(k)), append(x.to, int32(k+1))
	}
	if x.n > 0 {
		x.pieces()
	}
	for i, id := range x.ids {
		yield(id, x.spans[i].Start, x.spans[i].End)
	}
	x.track, x.n, x.chars = false, 0, 0
	x.from, x.to, x.spans = x.from[:0], x.to[:0], nil
	t.give(x)
}

// largestSpare is the most ids that stay allocated between two calls.
const largestSpare = 1 << 16

// mostSpare is how many scratch areas wait for the next call: more callers at a
// time are served, but each of them starts with an empty memory of words.
const mostSpare = 4

func (t *Tokenizer) take() *scratch {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.spare); n > 0 {
		x := t.spare[n-1]
		t.spare = t.spare[:n-1]
		x.limit = 0
		return x
	}
	return &scratch{t: t, word: make([]byte, 2*keyBytes), known: make([]known, knownWords)}
}

func (t *Tokenizer) give(x *scratch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.spare) < mostSpare && len(x.word) <= largestSpare {
		t.spare = append(t.spare, x)
	}
}
