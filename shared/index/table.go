package index

// table finds the numbers of texts. Unlike a map it holds no pointers, so the garbage
// collector does not look into it, and it needs no copy of a text.
type table struct {
	text  func(i int32) string
	slots []uint64 // upper half of the hash and the number plus one, or 0 if empty; the length is a power of two
	n     int32    // numbers in slots
}

// newTable returns an empty table with room for about n texts.
func newTable(n int, text func(i int32) string) table {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return table{text, make([]uint64, size), 0}
}

// find returns the number of a text, or -1, and the place of its slot.
func (t *table) find(s string, hash uint64) (i int32, slot *uint64) {
	for at := hash >> 32; ; at++ {
		slot := &t.slots[at&uint64(len(t.slots)-1)]
		if i := int32(*slot) - 1; i < 0 || (*slot^hash)>>32 == 0 && t.text(i) == s {
			return i, slot
		}
	}
}

// put adds the number of a text at its slot, where find did not find it.
func (t *table) put(slot *uint64, hash uint64, i int32) {
	*slot = hash>>32<<32 | uint64(i+1)
	if t.n++; int(t.n) <= len(t.slots)/2 {
		return
	}
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, k := range old {
		at := k >> 32
		for ; k > 0 && t.slots[at&uint64(len(t.slots)-1)] > 0; at++ {
		}
		if k > 0 {
			t.slots[at&uint64(len(t.slots)-1)] = k
		}
	}
}

// hashOf is FNV-1a, with all bits mixed into the upper half.
func hashOf(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h ^ h<<32
}
