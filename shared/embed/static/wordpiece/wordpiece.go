// Package wordpiece is the tokenizer of BERT (Devlin et al. 2018) in a single pass. It
// combines BertNormalizer, BertPreTokenizer and greedy WordPiece of Hugging Face's
// tokenizers, without an allocation per word. Its ids equal theirs, except for characters
// that Unicode has added or recategorized since the tables of their crates were made.
package wordpiece

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"seam/shared/text"
)

// Options configures a tokenizer.
type Options struct {
	Prefix       string // of a piece that continues a word, "##"
	MaxWord      int    // a word with more characters is one unknown token
	Unknown      uint32 // id of a word that cannot be split into pieces
	Clean        bool   // drop control characters
	Han          bool   // a Chinese character is a word
	StripAccents bool   // canonical decomposition without its accents
	Lowercase    bool
	Ligatures    bool // treat "ﬁ" as f and i; BERT does not know it as a letter
}

// Tokenizer turns texts into ids. It is safe for concurrent use.
type Tokenizer struct {
	opt         Options
	tokens      []string
	first, next table // pieces that begin a word, pieces that continue one
	class       [256]class
	fold        [256]byte   // replacement of a byte in a word; 0 for all other bytes
	single      [128]uint32 // id of each one-byte word

	mu    sync.Mutex
	spare []*scratch
}

// New returns a tokenizer for a vocabulary in order of its ids, where "" is not a token. It
// refuses a vocabulary with a duplicate token or without the unknown token.
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
			return nil, fmt.Errorf("token %d, %q, is in the vocabulary twice", id, s)
		}
		if n := len(opt.Prefix); len(s) > n && s[:n] == opt.Prefix && !t.next.add(tokens, uint32(id), n) {
			return nil, fmt.Errorf("token %d, %q, is in the vocabulary twice", id, s)
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

// Tokens returns the vocabulary in order of its ids. It must not be changed.
func (t *Tokenizer) Tokens() []string { return t.tokens }

// Options returns the tokenizer's options.
func (t *Tokenizer) Options() Options { return t.opt }

// Append appends the ids of s, including unknown words: at most limit of them, or all if
// limit is 0.
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

// Count returns the number of ids that Append gives.
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

// Spans returns the bytes of s for each id, in order and without overlap. If the parts of a
// character are in several tokens, it belongs to the first; the others are empty.
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

// block is the approximate number of bytes that Each processes together.
const block = 1 << 16

// Each calls yield with each of Spans until it returns false. It holds only the spans of
// one block, which is possible because no token crosses white space.
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

// Word yields the tokens of a single unprocessed word, with the bytes that each stands for.
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

// largestSpare is the maximum number of ids that stay allocated between calls.
const largestSpare = 1 << 16

// mostSpare is the number of scratch areas kept for later calls. More concurrent callers
// are possible, but each additional one starts with an empty cache of words.
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
