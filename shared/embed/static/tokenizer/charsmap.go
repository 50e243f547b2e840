package tokenizer

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"seam/shared/embed/static/norm"
)

// charsmap is SentencePiece's table of replacements. It is a double-array trie (Darts) from
// texts to offsets in a string of replacements, each terminated by a zero.
type charsmap struct {
	trie []byte // of uint32, little endian
	text string
}

func precompiled(b []byte) (normalizer, error) {
	if len(b) < 4 {
		return nil, errors.New("the charsmap of the normalizer Precompiled is empty")
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if n > uint64(len(b)-4) || n%4 != 0 {
		return nil, errors.New("the charsmap of the normalizer Precompiled is cut off")
	}
	m := &charsmap{trie: b[4 : 4+n], text: string(b[4+n:])}
	if !utf8.ValidString(m.text) {
		return nil, errors.New("the charsmap of the normalizer Precompiled is damaged")
	}
	return m.apply, nil
}

func (m *charsmap) unit(at uint32) (uint32, bool) {
	if uint64(at)*4+4 > uint64(len(m.trie)) {
		return 0, false
	}
	return binary.LittleEndian.Uint32(m.trie[at*4:]), true
}

// find returns the replacement for the shortest entry at the beginning of key. The Rust
// crate does the same, and models are trained with it.
func (m *charsmap) find(key string) (string, bool) {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	unit, ok := m.unit(0)
	at := offset(unit)
	for i := 0; ok && i < len(key) && key[i] != 0; i++ {
		at ^= uint32(key[i])
		if unit, ok = m.unit(at); !ok || unit&(1<<31|0xff) != uint32(key[i]) {
			return "", false
		}
		at ^= offset(unit)
		if unit>>8&1 == 1 {
			leaf, ok := m.unit(at)
			from := leaf & (1<<31 - 1)
			if !ok || uint64(from) > uint64(len(m.text)) {
				return "", false
			}
			s := m.text[from:]
			if end := strings.IndexByte(s, 0); end >= 0 {
				s = s[:end]
			}
			return s, utf8.ValidString(s)
		}
	}
	return "", false
}

// longestCluster is the maximum size in bytes of a grapheme cluster that is looked up as a
// whole.
const longestCluster = 5

func (m *charsmap) apply(chars []norm.Char) []norm.Char {
	var w word
	w.set(chars, nil)
	out := make([]norm.Char, 0, len(chars))
	put := func(s string, from, to int) {
		a, b := chars[w.at[from]], chars[w.at[to-1]]
		for _, r := range s {
			out = append(out, norm.Char{Rune: r, From: a.From, To: b.To})
		}
	}
	at := 0
	for g := graphemes.FromString(w.text); g.Next(); {
		cluster := g.Value()
		if len(cluster) <= longestCluster {
			if s, ok := m.find(cluster); ok {
				put(s, at, at+len(cluster))
				at += len(cluster)
				continue
			}
		}
		for i := 0; i < len(cluster); {
			_, n := utf8.DecodeRuneInString(cluster[i:])
			if s, ok := m.find(cluster[i : i+n]); ok {
				put(s, at, at+n)
			} else {
				out = append(out, chars[w.at[at]])
			}
			i += n
			at += n
		}
	}
	return out
}
