package static

import (
	"slices"
	"sync"
)

// arena holds the vectors that have been requested, expanded to float32 and padded with
// zeros to whole lanes. A document needs a few thousand of them. At most it holds the whole
// table.
type arena struct {
	table Table
	dim   int
	lanes int // lanes of a vector

	mu      sync.Mutex
	slots   []uint32 // for each token, its place counted from 1, or 0 if it has none
	used    int
	blocks  [][]lane // of blockRows vectors
	scratch []float32
	spare   []*work
}

// blockRows is the number of vectors allocated at a time.
const blockRows = 128

// sparest is the maximum number of works kept for later calls.
const sparest = 4

func newArena(t Table, tokens, dim int) *arena {
	lanes := (dim + laneSize - 1) / laneSize
	return &arena{table: t, dim: dim, lanes: lanes, slots: make([]uint32, tokens), scratch: make([]float32, lanes*laneSize)}
}

// work is the scratch memory of one call. It caches places in the arena, so that the arena
// is locked once for each token and not for each word.
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

// longestKept is the maximum number of ids that stay allocated between calls.
const longestKept = 1 << 16

func (a *arena) give(w *work) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.spare) < sparest && cap(w.ids) <= longestKept {
		a.spare = append(a.spare, w)
	}
}

// row returns the vector of a token.
func (w *work) row(id uint32) []lane {
	slot := w.slots[id]
	if slot == 0 {
		slot = w.ask(id)
	}
	at := int(slot-1) % blockRows * w.arena.lanes
	return w.blocks[(slot-1)/blockRows][at : at+w.arena.lanes]
}

// ask returns the place of a token in the arena. On first use the arena expands the token's
// vector. Data in the arena never changes.
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
