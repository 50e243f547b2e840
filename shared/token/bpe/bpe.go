// Package bpe counts tokens like OpenAI's tiktoken. A pattern cuts a text into pieces.
// Within a piece, it repeatedly joins the two adjacent parts that form the token of the
// lowest rank, until no two form a token.
//
// The program does not contain the ranks; see Read. Special tokens are not recognized, as
// in tiktoken's encode_ordinary. A byte that is not valid UTF-8 counts as a character that
// is neither letter nor digit nor white space.
package bpe

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"seam/shared/text"
	"seam/shared/token"
)

// Encoding is a vocabulary with its pattern. It is a token.Counter and safe for concurrent
// use.
type Encoding struct {
	name    string
	pattern func(t string) int // returns the length of the first piece of t, which must not be empty
	tokens  string             // all tokens, in order of rank
	starts  []uint32           // offsets in tokens, and its length at the end
	table   []uint32           // rank + 1 by hash, with open addressing; 0 is free
	longest int
}

func (e *Encoding) token(rank int) string { return e.tokens[e.starts[rank]:e.starts[rank+1]] }

// none means no rank.
const none = ^uint32(0)

// rank returns the rank of a token, or none if s is not a token.
func (e *Encoding) rank(s string) uint32 {
	if len(s) > e.longest {
		return none
	}
	mask := uint32(len(e.table) - 1)
	for h := hash(s); ; h++ {
		k := e.table[h&mask]
		if k == 0 {
			return none
		}
		if e.token(int(k-1)) == s {
			return k - 1
		}
	}
}

// hash is FNV-1a followed by bit mixing.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>15
}

// ParseTiktoken reads the tokens of a .tiktoken file. Each line has a token in base64 and
// its rank. The ranks must be 0, 1, 2 and so on.
func ParseTiktoken(b string) ([]string, error) {
	var tokens []string
	for line := range strings.Lines(b) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		word, number, _ := strings.Cut(line, " ")
		b, err := base64.StdEncoding.DecodeString(word)
		if rank, err2 := strconv.Atoi(number); err != nil || err2 != nil || rank != len(tokens) {
			return nil, fmt.Errorf("line %d of the ranks is %q", len(tokens)+1, line)
		}
		tokens = append(tokens, string(b))
	}
	return tokens, nil
}

// magic is the beginning of Append's output.
const magic = "seam ranks 1\n"

// Append writes tokens, in order of their ranks, for Read: their number (uint32,
// little-endian), the length of each (one byte), and the tokens.
func Append(b []byte, tokens []string) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(append(b, magic...), uint32(len(tokens)))
	for _, t := range tokens {
		if t == "" || len(t) > 255 {
			return nil, fmt.Errorf("a token of %d bytes", len(t))
		}
		b = append(b, byte(len(t)))
	}
	for _, t := range tokens {
		b = append(b, t...)
	}
	return b, nil
}

var errRanks = errors.New("these are not the ranks of an encoding")

// Read returns the named encoding from the output of Append. Every byte must be a token.
func Read(name string, b []byte) (*Encoding, error) {
	e := &Encoding{name: name, pattern: o200k}
	switch name {
	case token.CL100K:
		e.pattern = cl100k
	case token.O200K:
	default:
		return nil, fmt.Errorf("unknown encoding %q: choose %s or %s", name, token.CL100K, token.O200K)
	}
	head := len(magic) + 4
	if len(b) < head || string(b[:len(magic)]) != magic {
		return nil, errRanks
	}
	n := int(binary.LittleEndian.Uint32(b[len(magic):]))
	if n > len(b)-head {
		return nil, errRanks
	}
	e.tokens = string(b[head+n:])
	e.starts = make([]uint32, n+1)
	for rank, length := range b[head : head+n] {
		e.starts[rank+1] = e.starts[rank] + uint32(length)
		e.longest = max(e.longest, int(length))
	}
	if int(e.starts[n]) != len(e.tokens) {
		return nil, errRanks
	}
	size := 1
	for size < 2*n {
		size *= 2
	}
	e.table = make([]uint32, size)
	for rank := range n {
		h := hash(e.token(rank))
		for ; e.table[h&uint32(size-1)] != 0; h++ {
		}
		e.table[h&uint32(size-1)] = uint32(rank) + 1
	}
	for c := range 256 {
		if e.rank(string([]byte{byte(c)})) == none {
			return nil, errRanks
		}
	}
	return e, nil
}

// Name returns the name of the encoding.
func (e *Encoding) Name() string { return e.name }

// Count returns the number of tokens in t.
func (e *Encoding) Count(t string) int {
	n := 0
	var m merger
	for t != "" {
		piece := t[:e.pattern(t)]
		t = t[len(piece):]
		if e.rank(piece) != none {
			n++
		} else {
			n += len(m.merge(e, piece)) - 1
		}
	}
	return n
}

// Spans returns the characters of each token of t, in order and without overlap. If several
// tokens share a character, it belongs to the first; the others may be empty.
func (e *Encoding) Spans(t string) (out []text.Span) {
	e.Each(t, func(s text.Span) bool { out = append(out, s); return true })
	return out
}

// Each calls yield with each of Spans until it returns false.
func (e *Encoding) Each(t string, yield func(text.Span) bool) {
	var m merger
	for at, last := 0, 0; at < len(t); {
		piece := t[at : at+e.pattern(t[at:])]
		ends := m.whole(len(piece))
		if e.rank(piece) == none {
			ends = m.merge(e, piece)
		}
		for _, end := range ends[1:] {
			end += at
			if edge := text.Edge(t, end); edge < end { // include the rest of the character
				end = edge + runeLen(t[edge:])
			}
			if !yield(text.Span{Start: last, End: end}) {
				return
			}
			last = end
		}
		at += len(piece)
	}
}

// Fit returns the length of the longest prefix of t with at most n tokens. It may be a few
// bytes too short where a token depends on the text after it.
func (e *Encoding) Fit(t string, n int) int {
	var ends []int
	for window := 8*n + 64; ; window *= 2 {
		part := t[:text.Edge(t, window)]
		ends = append(ends[:0], 0)
		e.Each(part, func(s text.Span) bool { ends = append(ends, s.End); return len(ends) < n+2 })
		if len(ends) < n+2 {
			if len(part) == len(t) {
				return len(t)
			}
			continue
		}
		for k := n; ; k-- {
			if k == 0 || e.Count(t[:ends[k]]) <= n {
				return ends[k]
			}
		}
	}
}
