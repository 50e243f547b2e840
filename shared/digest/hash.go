package digest

import "io"

// Hash takes bytes as they come.
type Hash interface {
	io.Writer
	// Sum is the SHA-256 of all bytes so far.
	Sum() [Size]byte
}

// pure is a Hash in Go alone.
type pure struct {
	state [8]uint32
	rest  []byte // less than a block
	size  uint64
}

func newPure() *pure { return &pure{state: initial} }

func (h *pure) Write(b []byte) (int, error) {
	h.size += uint64(len(b))
	n := len(b)
	if len(h.rest) > 0 {
		k := min(blockSize-len(h.rest), len(b))
		h.rest, b = append(h.rest, b[:k]...), b[k:]
		if len(h.rest) < blockSize {
			return n, nil
		}
		block(&h.state, (*[blockSize]byte)(h.rest))
		h.rest = h.rest[:0]
	}
	for ; len(b) >= blockSize; b = b[blockSize:] {
		block(&h.state, (*[blockSize]byte)(b))
	}
	h.rest = append(h.rest, b...)
	return n, nil
}

func (h *pure) Sum() [Size]byte { return finish(h.state, h.rest, h.size) }
