package shards

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"seam/shared/vector"
)

// Piece is the place of a compressed part in a file that packs several. A page reads it with
// a range request, or the file as a whole from a host that has none.
type Piece struct {
	Name     string // of the file
	At, Size int    // in bytes
}

// Sizes of packs in bytes. After leastPack, a piece whose digest is small ends its pack, so
// that a changed piece leaves most packs as they were.
const (
	leastPack = 24 << 10
	mostPack  = 96 << 10
	oneIn     = 8 // of the pieces after leastPack that end a pack
)

// packing collects the pieces of one kind in packs.
type packing struct {
	b       *builder
	kind    string
	waiting [][]byte // not compressed yet
	pack    []byte
	in      int // pieces in pack
	packs   []packed
	sizes   []int
}

// packed is a file of pieces.
type packed struct {
	hash  string
	count int
}

func (b *builder) packing(kind string) *packing { return &packing{b: b, kind: kind} }

// add appends a piece.
func (p *packing) add(content []byte) {
	if p.waiting = append(p.waiting, content); len(p.waiting) == mostWaiting {
		p.compress()
	}
}

// mostWaiting is the number of pieces compressed together.
const mostWaiting = 64

func (p *packing) compress() {
	made, ends := make([][]byte, len(p.waiting)), make([]bool, len(p.waiting))
	vector.Divide(len(made), 1, func(from, _ int) {
		made[from] = deflated(p.waiting[from])
		ends[from] = sha256.Sum256(p.waiting[from])[0] < 256/oneIn
	})
	p.waiting = nil
	for i, z := range made {
		if p.in > 0 && len(p.pack)+len(z) > mostPack {
			p.end()
		}
		p.pack, p.sizes = append(p.pack, z...), append(p.sizes, len(z))
		if p.in++; len(p.pack) >= leastPack && ends[i] {
			p.end()
		}
	}
}

// end writes the current pack.
func (p *packing) end() {
	if p.in == 0 {
		return
	}
	sum := sha256.Sum256(p.pack)
	hash := hex.EncodeToString(sum[:hashSize])
	p.b.files[packName(p.b.prefix, p.kind, len(p.packs), hash)] = p.pack
	p.packs = append(p.packs, packed{hash, p.in})
	p.pack, p.in = nil, 0
}

func packName(prefix, kind string, i int, hash string) string {
	return fmt.Sprintf("%s%s%d.%s.bin", prefix, kind, i, hash)
}

// write ends the packs, and writes the places of their pieces.
func (p *packing) write(to *packer) {
	p.compress()
	p.end()
	to.uint(len(p.packs))
	for _, each := range p.packs {
		to.hash(each.hash)
		to.uint(each.count)
	}
	to.uint(len(p.sizes))
	for _, n := range p.sizes {
		to.uint(n)
	}
}

// pieces reads the places of the pieces of one kind.
func (u *unpacker) pieces(prefix, kind string) (out []Piece) {
	var packs []packed
	for range u.count() {
		packs = append(packs, packed{hex.EncodeToString(u.take(hashSize)), u.uint()})
	}
	var sizes []int
	for range u.count() {
		sizes = append(sizes, u.uint())
	}
	for i, p := range packs {
		at, name := 0, packName(prefix, kind, i, p.hash)
		for range p.count {
			if len(sizes) == 0 {
				u.fail("its pieces")
				return nil
			}
			out = append(out, Piece{name, at, sizes[0]})
			at, sizes = at+sizes[0], sizes[1:]
		}
	}
	if len(sizes) > 0 {
		u.fail("its pieces")
	}
	return out
}

// deflated compresses with zlib.
func deflated(content []byte) []byte {
	var z bytes.Buffer
	w := deflaters.Get().(*zlib.Writer)
	w.Reset(&z)
	_, _ = w.Write(content) // writing to a buffer cannot fail
	_ = w.Close()
	deflaters.Put(w)
	return z.Bytes()
}

// deflaters are reused, because one is larger than most files.
var deflaters = sync.Pool{New: func() any {
	w, _ := zlib.NewWriterLevel(nil, zlib.BestCompression) // the level is valid
	return w
}}

// inflated decompresses a part of a file of the index.
func inflated(name string, b []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrDamaged, err)
	}
	out, err := io.ReadAll(io.LimitReader(z, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w: %w", name, ErrDamaged, err)
	case len(out) > most:
		return nil, fmt.Errorf("%s: %w: it is too large", name, ErrDamaged)
	}
	return out, nil
}
