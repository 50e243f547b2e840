package cache

import (
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"
)

// Measures the cost of storing the vectors of 64 texts among existing ones. They go to the
// disk 1024 at a time, as under load.
func BenchmarkDiskPut(b *testing.B) {
	d, err := OpenDisk(filepath.Join(b.TempDir(), "vectors"), 256<<20, time.Hour, time.Now, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	v := make([]float32, 1536)
	keep := func() {
		for range 16 {
			vectors := make(map[Key][]float32, 64)
			for range 64 {
				var key Key
				for i := range 4 {
					binary.LittleEndian.PutUint64(key[8*i:], rand.Uint64())
				}
				vectors[key] = v
			}
			d.Put(vectors)
		}
		d.Flush()
	}
	for range 4 {
		keep()
	}
	for b.Loop() {
		keep()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(16*b.N), "us/64-texts")
}
