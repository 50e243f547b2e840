package static

import (
	"slices"
	"sync"
)

// arena holds the vectors that have been asked for, expanded to float32 and
// filled up with zeros to whole lanes. A document needs a few thousand of them;
// at most it holds the whole table.
type arena struct {
	table Table
	dim   int
	lanes int // of a vector

	mu      sync.Mutex
	slots   []uint32 // of each token: its place counted from 1, or 0 where it has none yet
	used    int
	blocks  [][]lane // of blockRows vectors
	scratch []float32
	spare   []*work
}

// blockRows is how many vectors are allocated at a time.
const blockRows = 128

// sparest is how many works wait for the next call.
const sparest = 4

func newArena(t Table, tokens, dim int) *arena {
	lanes := (dim + laneSize - 1) / laneSize
	return &arena{table: t, dim: dim, lanes: lanes, slots: make([]uint32, tokens), scratch: make([]float32, lanes*laneSize)}
}

// work is the memory of one call. It knows the places that it has asked for,
// so that the arena is locked once for each token and not for each word.
type work struct {
	arena  *arena
	slots  []uint32
	blocks [][]lane

	ids []uint32
	sum []lane
}

func (a *arena) take() *work {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.spare); n > 0 {
		w := a.spare[n-1]
		a.spare = a.spare[:n-1]
		return w
	}
	return &work{arena: a, slots: slices.Clone(a.slots), blocks: a.blocks, sum: make([]lane, a.lanes)}
}

// longestKept is the most ids that stay allocated between two calls.
const longestKept = 1 << 16

func (a *arena) give(w *work) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.spare) < sparest && cap(w.ids) <= longestKept {
		a.spare = append(a.spare, w)
	}
}

// row is the vector of a token.
func (w *work) row(id uint32) []lane {
	slot := w.slots[id]
	if slot == 0 {
		slot = w.ask(id)
	}
	at := int(slot-1) % blockRows * w.arena.lanes
	return w.blocks[(slot-1)/blockRows][at : at+w.arena.lanes]
}

// ask finds the place of a token in the arena, which expands its vector if it
// has not been asked for it before. What is in the arena never changes.
func (w *work) ask(id uint32) uint32 {
	a := w.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.slots[id] == 0 {
		if a.used%blockRows == 0 {
			a.blocks = append(a.blocks, make([]lane, blockRows*a.lanes))
		}
		a.table.Expand(a.scratch[:a.dim], id)
		at := a.used % blockRows * a.lanes
		for i := range a.lanes {
			copy(a.blocks[len(a.blocks)-1][at+i][:], a.scratch[i*laneSize:])
		}
		a.used++
		a.slots[id] = uint32(a.used)
	}
	w.slots[id], w.blocks = a.slots[id], a.blocks
	return w.slots[id]
}
