// Package vectors stores vectors of hosted models, and of texts that took long to read, in
// the browser's IndexedDB, so that a later visit does not pay for them again. Paid vectors
// are also stored in files. Only vectors and their hashes are stored, no text.
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

// Files is the folder of the copies, see package files. Methods return
// errors.ErrUnsupported if the browser has no folder for the page.
type Files interface {
	// Append appends to a file, and creates it if necessary. If it returns no error, the
	// bytes survive a power cut. If it returns an error, the file is unchanged.
	Append(ctx context.Context, name string, b []byte) error
	// Size returns the size of a file in bytes, or fs.ErrNotExist.
	Size(ctx context.Context, name string) (int64, error)
	// Read returns the contents of a file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// Remove deletes files. Missing files are ignored.
	Remove(ctx context.Context, names []string) error
	// Names returns the names of all files.
	Names(ctx context.Context) ([]string, error)
}

// limit is the approximate limit of stored vectors in bytes. Beyond it the oldest are
// removed: a tenth of the vectors in the database, and as many files as necessary.
const limit = 256 << 20

// Copies are files from which a database of vectors is restored after the browser has lost
// it: Chromium silently replaces a database that it cannot read. Use NewCopies to make one.
// Copies is safe for concurrent use.
//
// Each visit writes new files, one after another, so that two tabs never write the same
// one. A file is a sequence of entries: the key, the count of numbers in the vector, the
// numbers (float32), and the CRC-32 (Castagnoli) of all that. Integers are little-endian.
type Copies struct {
	files Files
	limit int64 // of all files in bytes
	part  int64 // approximate size of one file in bytes

	mu    sync.Mutex
	name  string // of the file being written; "" before the first one
	size  int64  // of that file
	begun int64  // creation time in its name, in milliseconds since 1970
}

// NewCopies returns a Copies that uses files exclusively.
func NewCopies(files Files) *Copies {
	return &Copies{files: files, limit: limit, part: 8 << 20}
}

// ending is the extension of all copies.
const ending = ".vectors"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Add writes vectors, one per key.
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

// begin names the next file, and makes room for it. Names sort by age.
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

// Read calls f with the vectors of each readable file, the oldest first.
func (c *Copies) Read(ctx context.Context, f func([]embed.Key, [][]float32) error) error {
	names, err := c.names(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := c.files.Read(ctx, name)
		if err != nil {
			continue // continue with the other files
		}
		if keys, vectors := parse(b); len(keys) > 0 {
			if err := f(keys, vectors); err != nil {
				return err
			}
		}
	}
	return nil
}

// Clear deletes all copies.
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

// names returns the names of the copies, the oldest first.
func (c *Copies) names(ctx context.Context) ([]string, error) {
	names, err := c.files.Names(ctx)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ending) })
	slices.Sort(names)
	return names, err
}

// entries returns vectors in the format of a file.
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

// parse parses entries up to the first incomplete one, which is left if the page was killed
// during a write.
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
