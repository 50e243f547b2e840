package index

import (
	"encoding/binary"
	"sort"
	"strings"
)

// vocabulary holds the forms of a document, sorted, with their stems. They share one string:
// the garbage collector would look at many strings one by one.
type vocabulary struct {
	memory string
	words  []word
}

// word is the place of a form and of its stem in the memory.
type word struct {
	form, stem         uint32
	formSize, stemSize uint16
}

func (v *vocabulary) form(i int) string {
	w := &v.words[i]
	return v.memory[w.form : w.form+uint32(w.formSize)]
}

func (v *vocabulary) stem(i int) string {
	w := &v.words[i]
	return v.memory[w.stem : w.stem+uint32(w.stemSize)]
}

// appendWord appends a form and its stem to memory, and returns their place.
func appendWord(memory []byte, form, stem string) ([]byte, word) {
	at := uint32(len(memory))
	w := word{at, at, uint16(len(form)), uint16(len(stem))}
	memory = append(memory, form...)
	if !strings.HasPrefix(form, stem) {
		w.stem = uint32(len(memory))
		memory = append(memory, stem...)
	}
	return memory, w
}

// keyed is the number of a text, with its first eight bytes.
type keyed struct {
	key uint64
	of  int32
}

// ordered returns the numbers of n texts in the order of less, which must order texts by
// their bytes first. It is a radix sort of the first bytes, because most words differ there.
func ordered(n int, text func(i int32) string, less func(a, b int32) bool) []int32 {
	keys, next := make([]keyed, n), make([]keyed, n)
	var counts [8][256]uint32 // of each byte at each place
	for i := range keys {
		key := keyOf(text(int32(i)))
		keys[i] = keyed{key, int32(i)}
		for place := range counts {
			counts[place][byte(key>>(8*place))]++
		}
	}
	for place := range counts {
		at, shift := &counts[place], 8*place
		sum := uint32(0)
		for b, count := range at {
			at[b], sum = sum, sum+count
		}
		for _, k := range keys {
			to := &at[byte(k.key>>shift)]
			next[*to] = k
			*to++
		}
		keys, next = next, keys
	}
	out, from := make([]int32, n), 0
	run := &ordering{
		less: func(i, j int) bool { return less(keys[from+i].of, keys[from+j].of) },
		swap: func(i, j int) { keys[from+i], keys[from+j] = keys[from+j], keys[from+i] },
	}
	for i := range keys {
		if run.n++; i+1 < n && keys[i+1].key == keys[i].key {
			continue
		}
		sort.Sort(run)
		from, run.n = i+1, 0
	}
	for i, k := range keys {
		out[i] = k.of
	}
	return out
}

// keyOf returns the first eight bytes of a text, as a number in their order. Missing bytes
// are 0.
func keyOf(s string) uint64 {
	var b [8]byte
	copy(b[:], s)
	return binary.BigEndian.Uint64(b[:])
}
