package encoder

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
)

// Vectors must be the same to the bit on every target, with and without kernels.
func TestSameEverywhere(t *testing.T) {
	sum := sha256.New()
	for _, name := range fixtures {
		texts := readExpected(t, name).Texts
		for _, m := range []*Model{openFixture(t, name), openedPacked(t, packed(t, name, Eight), name), openedPacked(t, packed(t, name, Four), name)} {
			for _, x := range vectors(t, m, texts...).Data {
				sum.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
			}
		}
	}
	all := sum.Sum(nil)
	if got, want := hex.EncodeToString(all[:8]), "64677a31430d341c"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
