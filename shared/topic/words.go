package topic

import "seam/shared/token"

// terms holds the words of all sentences as numbers, sentence by sentence.
type terms struct {
	ids   []int32
	from  []int32 // sentence i has ids[from[i]:from[i+1]]
	count []int32 // occurrences of each word in the text
}

func (t *terms) of(i int) []int32 { return t.ids[t.from[i]:t.from[i+1]] }

// number numbers the words of sentences, as found by token.EachTerm.
func number(sentences []string) *terms {
	t := &terms{from: make([]int32, 1, len(sentences)+1)}
	known := newNumbers()
	var word [token.LongestTerm]byte
	add := func(w []byte) {
		id := known.of(w)
		if int(id) == len(t.count) {
			t.count = append(t.count, 0)
		}
		t.count[id]++
		t.ids = append(t.ids, id)
	}
	for _, s := range sentences {
		token.EachTerm(s, word[:0], add)
		t.from = append(t.from, int32(len(t.ids)))
	}
	return t
}

// numbers assigns words consecutive numbers in order of appearance. Two words of more than
// 8 bytes with equal hashes would count as one.
type numbers struct {
	table []int32 // number plus 1, or 0 for empty; the size is a power of two, at most half full
	keys  []uint64
}

func newNumbers() *numbers { return &numbers{table: make([]int32, 1<<10)} }

// key returns the bytes of a short word, or a hash (FNV-1a) of a longer one.
func key(w []byte) uint64 {
	if len(w) <= 8 {
		k := uint64(0)
		for _, c := range w {
			k = k<<8 | uint64(c)
		}
		return k
	}
	k := uint64(14695981039346656037)
	for _, c := range w {
		k = (k ^ uint64(c)) * 1099511628211
	}
	return k
}

func (n *numbers) of(w []byte) int32 {
	k := key(w)
	at := n.place(k)
	if n.table[at] == 0 {
		n.keys = append(n.keys, k)
		n.table[at] = int32(len(n.keys))
		if 2*len(n.keys) > len(n.table) {
			n.table = make([]int32, 2*len(n.table))
			for i, k := range n.keys {
				n.table[n.place(k)] = int32(i + 1)
			}
			return int32(len(n.keys) - 1)
		}
	}
	return n.table[at] - 1
}

// place returns the position of a key in the table, or where to insert it.
func (n *numbers) place(k uint64) int {
	mask := len(n.table) - 1
	at := int((k*0x9E3779B97F4A7C15)>>40) & mask
	for n.table[at] != 0 && n.keys[n.table[at]-1] != k {
		at = (at + 1) & mask
	}
	return at
}
