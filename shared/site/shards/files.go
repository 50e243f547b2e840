package shards

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Files holds the files of an index, by name.
type Files map[string][]byte

// put compresses a file, and returns its name.
func (b *builder) put(kind string, content []byte) string {
	sum := sha256.Sum256(content)
	name := fmt.Sprintf("%s%s.%s.bin", b.prefix, kind, hex.EncodeToString(sum[:hashSize]))
	b.files[name] = deflated(content)
	return name
}

// hashSize is the number of bytes of a file's SHA-256 in its name. Two generations of a
// file with the same number get the same name once in 16 million times.
const hashSize = 3
