package wordpiece

import (
	"encoding/binary"
	"unicode/utf8"

	"seam/shared/text"
)

// scratch is the memory of one call.
type scratch struct {
	t     *Tokenizer
	limit int // of ids; 0 for none

	ids, own []uint32
	word     []byte // the current word, normalized, in its first n bytes
	n, chars int
	hashes   []uint32

	track    bool    // record the places of tokens
	from, to []int32 // for each byte of word, the source of its character
	spans    []text.Span
	end      int32 // of the last span

	known []known
}

// keyBytes is the length of the longest word that is cached.
const keyBytes = 16

// knownWords is the number of cached words, each at a place given by its hash. This holds
// nearly all words of a book.
const knownWords = 1 << 14

// known is a cached word with its ids.
type known struct {
	key    [2]uint64
	ids    [3]uint32
	bytes  uint8 // length of the word; 0 for an empty place
	pieces uint8
}

// scan appends the ids of s. It classifies ASCII bytes with a table and passes other
// characters to wide.
func (x *scratch) scan(s string) {
	t := x.t
	x.n, x.chars, x.end = 0, 0, 0
	for i := 0; i < len(s); {
		if x.limit > 0 && len(x.ids) >= x.limit {
			x.n = 0
			x.ids = x.ids[:x.limit]
			return
		}
		c := s[i]
		switch t.class[c] {
		case inWord:
			i = x.run(s, i)
			continue
		case blank:
			if x.n > 0 {
				x.flush()
			}
		case alone:
			if x.n > 0 {
				x.flush()
			}
			x.ids = append(x.ids, t.single[c])
			if x.track {
				x.end = int32(i + 1)
				x.spans = append(x.spans, text.Span{Start: i, End: i + 1})
			}
		case wide:
			r, size := utf8.DecodeRuneInString(s[i:])
			x.wide(r, i, i+size)
			i += size
			continue
		}
		i++
	}
	x.flush()
	if x.limit > 0 && len(x.ids) > x.limit {
		x.ids = x.ids[:x.limit]
	}
}

// run reads the run of ASCII letters and digits at i and returns its end. A whole word of
// at most keyBytes is looked up while it is read, as two numbers of eight bytes.
func (x *scratch) run(s string, i int) int {
	t, from := x.t, i
	var key [2]uint64
	for half := range key {
		for shift := 0; shift < 64 && i < len(s); shift += 8 {
			c := t.fold[s[i]]
			if c == 0 {
				break
			}
			key[half] |= uint64(c) << shift
			i++
		}
	}
	for i < len(s) && t.fold[s[i]] != 0 {
		i++
	}
	n := i - from
	if n > keyBytes || x.n > 0 || x.track || i < len(s) && t.class[s[i]] > alone {
		x.ascii(s, from, i)
	} else if k := x.recall(key, n); k != nil {
		x.grow(0)
		binary.LittleEndian.PutUint64(x.word, key[0])
		binary.LittleEndian.PutUint64(x.word[8:], key[1])
		x.n, x.chars = n, n
		x.learn(k, key)
		x.n, x.chars = 0, 0
	}
	return i
}

// ascii appends s[from:to], which consists of ASCII letters and digits, to the word.
func (x *scratch) ascii(s string, from, to int) {
	x.grow(to - from)
	src := s[from:to]
	dst := x.word[x.n : x.n+len(src)]
	for k := range len(src) {
		dst[k] = x.t.fold[src[k]]
	}
	x.n += len(src)
	x.chars += len(src)
	if x.track {
		for k := from; k < to; k++ {
			x.from, x.to = append(x.from, int32(k)), append(x.to, int32(k+1))
		}
	}
}

// put appends one character, which stands for the source's bytes [from, to).
func (x *scratch) put(r rune, from, to int) {
	x.grow(utf8.UTFMax)
	size := utf8.EncodeRune(x.word[x.n:], r)
	x.n += size
	x.chars++
	if x.track {
		for range size {
			x.from, x.to = append(x.from, int32(from)), append(x.to, int32(to))
		}
	}
}

// accent drops an accent. Its bytes are added to the previous character.
func (x *scratch) accent(to int) {
	if x.track && x.n > 0 {
		x.to[x.n-1] = int32(to)
	}
}

// grow makes room for more bytes of a word, and for reading a key.
func (x *scratch) grow(more int) {
	if need := x.n + more + keyBytes; need > len(x.word) {
		word := make([]byte, 2*need)
		copy(word, x.word[:x.n])
		x.word = word
	}
}

// flush ends the current word.
func (x *scratch) flush() {
	n := x.n
	if n == 0 {
		return
	}
	if n > keyBytes || x.track {
		x.pieces()
	} else {
		key := [2]uint64{binary.LittleEndian.Uint64(x.word), 0}
		if n <= 8 {
			key[0] &= ^uint64(0) >> (64 - 8*n)
		} else {
			key[1] = binary.LittleEndian.Uint64(x.word[8:]) & (^uint64(0) >> (128 - 8*n))
		}
		if k := x.recall(key, n); k != nil {
			x.learn(k, key)
		}
	}
	x.n, x.chars = 0, 0
	if x.track {
		x.from, x.to = x.from[:0], x.to[:0]
	}
}

// recall appends the ids of a word of n bytes if they are cached. Otherwise it returns the
// place to cache them.
func (x *scratch) recall(key [2]uint64, n int) *known {
	h := (key[0] ^ key[1]*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	k := &x.known[h>>32%knownWords]
	if k.key != key || int(k.bytes) != n {
		return k
	}
	x.ids = append(x.ids, k.ids[0])
	for i := uint8(1); i < k.pieces; i++ {
		x.ids = append(x.ids, k.ids[i])
	}
	return nil
}

// learn splits the word, and caches it if it has few pieces.
func (x *scratch) learn(k *known, key [2]uint64) {
	before := len(x.ids)
	x.pieces()
	if p := len(x.ids) - before; p <= len(k.ids) {
		k.key, k.bytes, k.pieces = key, uint8(x.n), uint8(p)
		copy(k.ids[:], x.ids[before:])
	}
}

// pieces splits the word into the longest token at its beginning, the longest that
// continues it, and so on. If nothing fits, it gives one unknown token.
func (x *scratch) pieces() {
	t := x.t
	word := x.word[:x.n]
	before, spans := len(x.ids), len(x.spans)
	table := &t.first
	if x.chars > t.opt.MaxWord {
		x.unknown()
		return
	}
	for at := 0; at < len(word); table = &t.next {
		id, n := x.longest(table, word[at:])
		if n == 0 {
			x.ids, x.spans = x.ids[:before], x.spans[:spans]
			if spans > 0 {
				x.end = int32(x.spans[spans-1].End)
			} else {
				x.end = 0
			}
			x.unknown()
			return
		}
		x.ids = append(x.ids, id)
		x.mark(at, at+n)
		at += n
	}
}

func (x *scratch) unknown() {
	x.ids = append(x.ids, x.t.opt.Unknown)
	x.mark(0, x.n)
}

// mark records the place of a token that covers the bytes [from, to) of the word.
func (x *scratch) mark(from, to int) {
	if x.track {
		start := max(x.from[from], x.end)
		x.end = max(x.to[to-1], start)
		x.spans = append(x.spans, text.Span{Start: int(start), End: int(x.end)})
	}
}

// longest returns the longest token of the table at the beginning of s and its length in
// bytes, or 0 if there is none.
func (x *scratch) longest(t *table, s []byte) (uint32, int) {
	s = s[:min(len(s), t.most)]
	x.hashes = x.hashes[:0]
	h := uint32(hashStart)
	for _, c := range s {
		h = (h ^ uint32(c)) * hashPrime
		x.hashes = append(x.hashes, h)
	}
	for n := len(s); n > 0; n-- {
		if id, ok := t.find(x.t.tokens, x.hashes[n-1], s[:n]); ok {
			return id, n
		}
	}
	return 0, 0
}
