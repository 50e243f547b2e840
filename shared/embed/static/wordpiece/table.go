package wordpiece

// table finds tokens by their bytes. It uses open addressing over the vocabulary itself,
// takes an eighth of the memory of a Go map, and is fast to fill.
type table struct {
	slots []uint64 // hash<<32 | id+1, or 0
	shift uint8
	most  int // length in bytes of the longest token
	skip  int // bytes omitted from each token, a prefix
}

// mostProbes is the maximum distance of a token from its place. At most half of the slots
// are used, so only a vocabulary made to collide comes close.
const mostProbes = 1 << 10

func (t *table) make(n int) {
	size, shift := 16, uint8(28)
	for size < 2*n {
		size, shift = 2*size, shift-1
	}
	t.slots, t.shift = make([]uint64, size), shift
}

// hashStart and hashPrime are the constants of 32-bit FNV-1a (Fowler, Noll, Vo), which
// gives the hash of every prefix of a word in one pass.
const hashStart, hashPrime = 2166136261, 16777619

// spread is 2³² divided by the golden ratio. Multiplying by it carries all bits upwards.
const spread = 2654435769

// add adds a token without its first skip bytes to the table. It refuses a duplicate.
func (t *table) add(tokens []string, id uint32, skip int) bool {
	s := tokens[id][skip:]
	t.skip, t.most = skip, max(t.most, len(s))
	h := uint32(hashStart)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * hashPrime
	}
	mask := len(t.slots) - 1
	at := int(h * spread >> t.shift)
	for range mostProbes {
		e := t.slots[at]
		if e == 0 {
			t.slots[at] = uint64(h)<<32 | uint64(id+1)
			return true
		}
		if uint32(e>>32) == h && tokens[uint32(e)-1][skip:] == s {
			return false
		}
		at = (at + 1) & mask
	}
	return false
}

// find returns the id of the token s with the hash h.
func (t *table) find(tokens []string, h uint32, s []byte) (uint32, bool) {
	mask := len(t.slots) - 1
	for at := int(h*spread>>t.shift) & mask; ; at = (at + 1) & mask {
		e := t.slots[at]
		if e == 0 {
			return 0, false
		}
		if uint32(e>>32) == h {
			if id := uint32(e) - 1; tokens[id][t.skip:] == string(s) {
				return id, true
			}
		}
	}
}
