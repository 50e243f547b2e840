package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"

	tokens "seam/shared/token/bpe"
)

// bpe is byte-pair encoding (Sennrich et al. 2016). It repeatedly joins the pair of
// neighbours that was learned first, until no learned pair is left.
type bpe struct {
	vocab          map[string]uint32
	merges         map[[2]uint32]merged
	made           []uint32 // result of each merge, by rank
	prefix, suffix string   // of a piece that continues a word, of one that ends it
	unknown        int
	fuseUnknown    bool
	byteFallback   bool
	ignoreMerges   bool
}

// merged is the result of joining a pair, with the rank of the merge.
type merged struct{ rank, id uint32 }

func parseBPE(f *file) (model, error) {
	vocab, err := f.vocabulary()
	if err != nil {
		return nil, err
	}
	m := &bpe{vocab: vocab, merges: map[[2]uint32]merged{}, unknown: f.unknownOf(vocab), fuseUnknown: f.Model.FuseUnknown,
		byteFallback: f.Model.ByteFallback, ignoreMerges: f.Model.IgnoreMerges}
	if f.Model.Dropout != nil && *f.Model.Dropout != 0 {
		return nil, fmt.Errorf("dropout in BPE is not supported")
	}
	if f.Model.Prefix != nil {
		m.prefix = *f.Model.Prefix
	}
	if f.Model.Suffix != nil {
		m.suffix = *f.Model.Suffix
	}
	if f.Model.Unknown != nil && m.unknown < 0 {
		return nil, fmt.Errorf("the unknown token %q is not in the vocabulary", *f.Model.Unknown)
	}
	for rank, raw := range f.Model.Merges {
		a, b, err := parseMerge(raw)
		if err != nil {
			return nil, fmt.Errorf("merge %d: %w", rank, err)
		}
		left, ok := vocab[a]
		right, ok2 := vocab[b]
		id, ok3 := vocab[a+strings.TrimPrefix(b, m.prefix)]
		if !ok || !ok2 || !ok3 {
			return nil, fmt.Errorf("merge %d of %q and %q is not in the vocabulary", rank, a, b)
		}
		m.merges[[2]uint32{left, right}] = merged{uint32(rank), id}
		m.made = append(m.made, id)
	}
	return m, nil
}

// parseMerge reads "a b" or ["a", "b"].
func parseMerge(raw json.RawMessage) (a, b string, err error) {
	if raw[0] == '[' {
		var pair []string
		if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
			return "", "", fmt.Errorf("%s is not a pair", raw)
		}
		return pair[0], pair[1], nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", "", err
	}
	a, b, ok := strings.Cut(s, " ")
	if !ok || strings.Contains(b, " ") {
		return "", "", fmt.Errorf("%q is not a pair", s)
	}
	return a, b, nil
}

// part is a part of a word while pairs are joined. Parts form a list by index.
type part struct {
	id         uint32
	from, to   int
	prev, next int // -1 at the ends
	gone       bool
}

func (m *bpe) tokens(dst []token, w *word) []token {
	if m.ignoreMerges {
		if id, ok := m.vocab[w.text]; ok {
			return append(dst, w.token(id, 0, len(w.text)))
		}
	}
	parts := m.parts(w.text)
	m.join(parts)
	for i := range parts {
		if p := &parts[i]; !p.gone {
			dst = append(dst, w.token(p.id, p.from, p.to))
		}
	}
	return dst
}

// parts returns the tokens of single characters or of their bytes. An unknown character
// waits until the next known one, as in the Rust crate, so one that falls back to bytes
// overtakes it.
func (m *bpe) parts(s string) []part {
	var out []part
	at := 0
	add := func(id uint32, n int) {
		out = append(out, part{id: id, from: at, to: at + n, prev: len(out) - 1, next: len(out) + 1})
		at += n
	}
	waiting := 0 // bytes of unknown characters
	flush := func() {
		if waiting > 0 {
			add(uint32(m.unknown), waiting)
			waiting = 0
		}
	}
	for i, r := range s {
		n := len(string(r))
		name := s[i : i+n]
		if i > 0 {
			name = m.prefix + name
		}
		if i+n == len(s) {
			name += m.suffix
		}
		if id, ok := m.vocab[name]; ok {
			flush()
			add(id, n)
			continue
		}
		if m.byteFallback {
			if ids, ok := bytesOf(nil, name, m.vocab); ok {
				for _, id := range ids {
					add(id, 1)
				}
				continue
			}
		}
		if m.unknown >= 0 {
			if !m.fuseUnknown {
				flush()
			}
			waiting += n
		}
	}
	flush()
	if len(out) > 0 {
		out[len(out)-1].next = -1
	}
	for i := range out { // a name with affixes has more bytes than the text
		out[i].from, out[i].to = min(out[i].from, len(s)), min(out[i].to, len(s))
	}
	return out
}

// bytesOf appends the tokens of the bytes of s, if every byte has one.
func bytesOf(dst []uint32, s string, vocab map[string]uint32) ([]uint32, bool) {
	for i := range len(s) {
		id, ok := vocab[byteToken(s[i])]
		if !ok {
			return nil, false
		}
		dst = append(dst, id)
	}
	return dst, true
}

// join joins pairs in order of rank, leftmost first among equals.
func (m *bpe) join(parts []part) {
	var q tokens.Queue // pairs that may be joined: rank in the upper half, place of the left part in the lower
	offer := func(i int) {
		if i < 0 || parts[i].next < 0 {
			return
		}
		if k, ok := m.merges[[2]uint32{parts[i].id, parts[parts[i].next].id}]; ok {
			q.Push(uint64(k.rank)<<32 | uint64(uint32(i)))
		}
	}
	for i := range parts {
		offer(i)
	}
	for len(q) > 0 {
		c := q.Pop()
		a := &parts[uint32(c)]
		if a.gone || a.next < 0 {
			continue
		}
		b := &parts[a.next]
		k, ok := m.merges[[2]uint32{a.id, b.id}]
		if !ok || k.id != m.made[c>>32] { // the pair has changed
			continue
		}
		a.id, a.to, a.next, b.gone = k.id, b.to, b.next, true
		if b.next >= 0 {
			parts[b.next].prev = int(uint32(c))
		}
		offer(a.prev)
		offer(int(uint32(c)))
	}
}
