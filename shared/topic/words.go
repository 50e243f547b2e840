package topic

import "seam/shared/token"

// terms are the words of all sentences as numbers, sentence after sentence.
type terms struct {
	ids   []int32
	from  []int32 // sentence i has ids[from[i]:from[i+1]]
	count []int32 // of each word in the text
}

func (t *terms) of(i int) []int32 { return t.ids[t.from[i]:t.from[i+1]] }

// number finds the words of sentences, as token.EachTerm gives them.
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

// numbers gives words numbers in the order in which they come. Two words of
// more than 8 bytes whose hashes are equal would count as one.
type numbers struct {
	table []int32 // number plus 1, 0 where there is none; a power of two, at most half full
	keys  []uint64
}

func newNumbers() *numbers { return &numbers{table: make([]int32, 1<<10)} }

// key is the bytes of a short word, a hash (FNV-1a) of a longer one.
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

// place is where a key stands in the table, or would.
func (n *numbers) place(k uint64) int {
	mask := len(n.table) - 1
	at := int((k*0x9E3779B97F4A7C15)>>40) & mask
	for n.table[at] != 0 && n.keys[n.table[at]-1] != k {
		at = (at + 1) & mask
	}
	return at
}
