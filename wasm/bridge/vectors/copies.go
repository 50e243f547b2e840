// Package vectors keeps vectors of hosted models, and of texts that took long to read, in
// the browser's IndexedDB, so that a later visit does not pay for them again; those that were
// paid for in files, too. Only vectors and the hashes that name them are there, no text.
package vectors

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"seam/shared/embed"
)

// Files are the folder of the copies, as package files has it: errors.ErrUnsupported where
// the browser has none for the page.
type Files interface {
	// Append adds to the end of a file, which is made where there is none. When it returns
	// without an error the bytes outlast a power cut; with one the file is as it was.
	Append(ctx context.Context, name string, b []byte) error
	// Size is how many bytes a file has: fs.ErrNotExist where there is none.
	Size(ctx context.Context, name string) (int64, error)
	// Read returns a file: fs.ErrNotExist where there is none.
	Read(ctx context.Context, name string) ([]byte, error)
	// Remove deletes files; what is not there is gone.
	Remove(ctx context.Context, names []string) error
	// Names are those of all files.
	Names(ctx context.Context) ([]string, error)
}

// limit is about how many bytes of vectors are kept. Then the oldest go: a tenth of those in
// the database, and as many files as it takes.
const limit = 256 << 20

// Copies are what a database of vectors is made from again when the browser has lost it:
// Chromium begins a database anew that it cannot read, and says nothing. Make them with
// NewCopies. They are safe for concurrent use.
//
// Each visit writes files of its own, one after another, so that two tabs never write the
// same one. A file is a sequence of entries: the key, how many numbers the vector has, the
// numbers (float32), and the CRC-32 (Castagnoli) of all that; integers are little-endian.
type Copies struct {
	files Files
	limit int64 // of the bytes of all files
	part  int64 // about how many bytes one of them takes

	mu    sync.Mutex
	name  string // of the file that is written; "" before the first one
	size  int64  // of it
	begun int64  // when it was, in milliseconds since 1970, as it is named
}

// NewCopies has its copies in files, which nothing else is in.
func NewCopies(files Files) *Copies {
	return &Copies{files: files, limit: limit, part: 8 << 20}
}

// ending is that of the names of all copies.
const ending = ".vectors"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Add writes vectors, one a key.
func (c *Copies) Add(ctx context.Context, keys []embed.Key, vectors [][]float32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" || c.size >= c.part {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	b := entries(keys, vectors)
	if err := c.files.Append(ctx, c.name, b); err != nil {
		return fmt.Errorf("copy vectors: %w", err)
	}
	c.size += int64(len(b))
	return nil
}

// begin names the next file, and makes room for it. Names sort by their age.
func (c *Copies) begin(ctx context.Context) error {
	names, err := c.names(ctx)
	if err != nil {
		return err
	}
	var total int64
	for i, name := range slices.Backward(names) {
		size, err := c.files.Size(ctx, name)
		if err != nil {
			continue // another tab has removed it
		}
		if total += size; total+c.part > c.limit {
			if err := c.files.Remove(ctx, names[:i+1]); err != nil {
				return fmt.Errorf("remove old copies of vectors: %w", err)
			}
			break
		}
	}
	c.begun = max(time.Now().UnixMilli(), c.begun+1)
	c.name, c.size = fmt.Sprintf("%015d-%016x%s", c.begun, rand.Uint64(), ending), 0
	return nil
}

// Read calls f with the vectors of each file that can be read, the oldest first.
func (c *Copies) Read(ctx context.Context, f func([]embed.Key, [][]float32) error) error {
	names, err := c.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := c.files.Read(ctx, name)
		if err != nil {
			continue // the others are worth as much
		}
		if keys, vectors := parse(b); len(keys) > 0 {
			if err := f(keys, vectors); err != nil {
				return err
			}
		}
	}
	return nil
}

// Clear deletes all of them.
func (c *Copies) Clear(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.name = ""
	names, err := c.names(ctx)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	if err == nil {
		err = c.files.Remove(ctx, names)
	}
	return err
}

// names are those of the copies, the oldest first.
func (c *Copies) names(ctx context.Context) ([]string, error) {
	names, err := c.files.Names(ctx)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ending) })
	slices.Sort(names)
	return names, err
}

// entries are vectors as a file has them.
func entries(keys []embed.Key, vectors [][]float32) []byte {
	var b []byte
	for i, key := range keys {
		from := len(b)
		b = append(b, key[:]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(vectors[i])))
		for _, x := range vectors[i] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
	}
	return b
}

// parse reads entries up to the first that is not whole, as in a file that was being
// written when the page was killed.
func parse(b []byte) (keys []embed.Key, vectors [][]float32) {
	const head, sum = len(embed.Key{}) + 4, 4
	for len(b) >= head+sum {
		n := uint64(binary.LittleEndian.Uint32(b[head-4:]))
		if n > uint64(len(b)-head-sum)/4 {
			break
		}
		end := head + 4*int(n)
		if crc32.Checksum(b[:end], castagnoli) != binary.LittleEndian.Uint32(b[end:]) {
			break
		}
		v := make([]float32, n)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[head+4*i:]))
		}
		keys, vectors = append(keys, embed.Key(b[:len(embed.Key{})])), append(vectors, v)
		b = b[end+sum:]
	}
	return keys, vectors
}
