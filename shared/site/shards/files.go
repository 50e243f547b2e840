package shards

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"seam/shared/vector"
)

// Files holds the files of an index, by name.
type Files map[string][]byte

// put names a file and returns the name. The file is created by compress.
func (b *builder) put(kind string, content []byte) string {
	sum := sha256.Sum256(content)
	name := fmt.Sprintf("%s%s.%s.bin", b.prefix, kind, hex.EncodeToString(sum[:hashSize]))
	if b.waiting = append(b.waiting, waiting{name, content}); len(b.waiting) == mostWaiting {
		b.compress()
	}
	return name
}

// waiting is a file that is not compressed yet.
type waiting struct {
	name    string
	content []byte
}

// mostWaiting is the number of files compressed together.
const mostWaiting = 64

// compress creates the waiting files, and returns all files.
func (b *builder) compress() Files {
	made := make([][]byte, len(b.waiting))
	vector.Divide(len(made), 1, func(from, _ int) {
		var z bytes.Buffer
		w := packers.Get().(*zlib.Writer)
		w.Reset(&z)
		_, _ = w.Write(b.waiting[from].content) // writing to a buffer cannot fail
		_ = w.Close()
		packers.Put(w)
		made[from] = z.Bytes()
	})
	for i, each := range b.waiting {
		b.files[each.name] = made[i]
	}
	b.waiting = nil
	return b.files
}

// packers are reused, because one is larger than most files.
var packers = sync.Pool{New: func() any {
	w, _ := zlib.NewWriterLevel(nil, zlib.BestCompression) // the level is valid
	return w
}}

// hashSize is the number of bytes of a file's SHA-256 in its name. Two generations of a
// file with the same number get the same name once in 16 million times.
const hashSize = 3

// hashed puts the numbered file and returns the hash in its name.
func (b *builder) hashed(kind string, i int, content []byte) string {
	name := b.put(fmt.Sprintf("%s%d", kind, i), content)
	name = strings.TrimSuffix(name, ".bin")
	return name[len(name)-2*hashSize:]
}
