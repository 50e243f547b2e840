// Package vectorfile stores vectors of hosted models between runs of seam, so that they are
// paid for only once. It is an embed.Store in two plain files.
//
// Records are only appended, each with a checksum. Several programs may write at once, a
// killed one truncates at most its last record, and damage affects only the damaged
// records. (A database was tried: bbolt ends the program with SIGBUS if its file is
// truncated.)
package vectorfile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"

	"seam/shared/embed"
)

// DefaultLimit is the default limit in bytes, approximately. 1 GB holds some 170,000
// vectors of 1536 numbers.
const DefaultLimit = 1 << 30

// File is an embed.Store. It is safe for concurrent use, even by several programs.
type File struct {
	dir  string
	half int64

	mu         sync.Mutex
	young, old generation
}

var _ embed.Store = (*File)(nil)

// Vectors are in two files. When the young one has half of the bytes, it replaces the old
// one, and a new one begins. Vectors used from the old file are written again.
const (
	youngName = "vectors-young"
	oldName   = "vectors-old"
)

// In returns a File in a folder, which is created when vectors are stored. limit is the
// approximate limit in bytes.
func In(dir string, limit int64) *File {
	return &File{dir: dir, half: limit / 2,
		young: generation{path: filepath.Join(dir, youngName)}, old: generation{path: filepath.Join(dir, oldName)}}
}

// DefaultDir returns the folder of this user's cache, or an error if there is none.
func DefaultDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "seam"), err
}

// Get returns a vector per key, nil for missing ones.
func (f *File) Get(ctx context.Context, keys []embed.Key) ([][]float32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([][]float32, len(keys))
	if err := f.young.read(ctx, keys, out); err != nil {
		return out, err
	}
	var left []int
	for i := range keys {
		if out[i] == nil {
			left = append(left, i)
		}
	}
	if err := f.old.read(ctx, keys, out); err != nil {
		return out, err
	}
	var aged []embed.Key
	var vectors [][]float32
	for _, i := range left {
		if out[i] != nil {
			aged, vectors = append(aged, keys[i]), append(vectors, out[i])
		}
	}
	return out, f.append(aged, vectors)
}

// Put stores a vector per key.
func (f *File) Put(_ context.Context, keys []embed.Key, vectors [][]float32) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.append(keys, vectors)
}

func (f *File) append(keys []embed.Key, vectors [][]float32) (err error) {
	if len(keys) == 0 {
		return nil
	}
	var b []byte
	for i, k := range keys {
		b = appendRecord(b, k, vectors[i])
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	if info, err := os.Stat(f.young.path); err == nil && info.Size() > 0 && info.Size()+int64(len(b)) > f.half {
		if err := os.Rename(f.young.path, f.old.path); err != nil {
			return fmt.Errorf("keep vectors: %w", err)
		}
	}
	file, err := os.OpenFile(f.young.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	_, err = file.Write(b) // one call, so that writes of several programs do not mix
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return nil
}

// Size returns the size of the files in bytes.
func (f *File) Size() (n int64) {
	for _, g := range []*generation{&f.young, &f.old} {
		if info, err := os.Stat(g.path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Clear removes the files.
func (f *File) Clear() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range []*generation{&f.young, &f.old} {
		if gone := os.Remove(g.path); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// A record has a mark, the count of numbers, the key, a CRC-32 of count, key and numbers,
// and the numbers; all little-endian.
const headerSize = 4 + 4 + len(embed.Key{}) + 4

var mark = []byte("SVR1")

// maxNumbers limits the count in a damaged record.
const maxNumbers = 1 << 16

func appendRecord(b []byte, k embed.Key, v []float32) []byte {
	at := len(b)
	b = binary.LittleEndian.AppendUint32(append(b, mark...), uint32(len(v)))
	b = append(b, k[:]...)
	b = append(b, 0, 0, 0, 0)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	record := b[at:]
	binary.LittleEndian.PutUint32(record[headerSize-4:], checksum(record))
	return b
}

// checksum returns the checksum of a whole record.
func checksum(record []byte) uint32 {
	sum := crc32.ChecksumIEEE(record[len(mark) : headerSize-4])
	return crc32.Update(sum, crc32.IEEETable, record[headerSize:])
}

// generation is one of the files, with the places of its records.
type generation struct {
	path    string
	info    os.FileInfo // of the file that places refers to
	scanned int64       // bytes of it already scanned
	places  map[embed.Key]place
}

type place struct {
	at      int64
	numbers int
}

// read sets out[i] if keys[i] is in the file and out[i] is nil.
func (g *generation) read(ctx context.Context, keys []embed.Key, out [][]float32) error {
	file, err := os.Open(g.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read kept vectors: %w", err)
	}
	defer file.Close()
	if err := g.scan(ctx, file); err != nil {
		return fmt.Errorf("read kept vectors: %w", err)
	}
	for i, k := range keys {
		p, ok := g.places[k]
		if !ok || out[i] != nil {
			continue
		}
		record := make([]byte, headerSize+4*p.numbers)
		if _, err := file.ReadAt(record, p.at); err != nil || checksum(record) != binary.LittleEndian.Uint32(record[headerSize-4:]) {
			continue // damaged records count as missing
		}
		if embed.Key(record[2*4:]) != k {
			g.info = nil // another program has cleared and refilled the files, so all places are invalid
			continue
		}
		v := make([]float32, p.numbers)
		for n := range v {
			v[n] = math.Float32frombits(binary.LittleEndian.Uint32(record[headerSize+4*n:]))
		}
		out[i] = v
	}
	return nil
}

// scan records the places of records appended since the last call.
func (g *generation) scan(ctx context.Context, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if g.info == nil || !os.SameFile(g.info, info) || info.Size() < g.scanned {
		g.scanned, g.places = 0, map[embed.Key]place{}
	}
	g.info = info
	header := make([]byte, headerSize)
	for n := 0; g.scanned+int64(headerSize) <= info.Size(); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := file.ReadAt(header, g.scanned); err != nil {
			return err
		}
		numbers := int64(binary.LittleEndian.Uint32(header[len(mark):]))
		end := g.scanned + int64(headerSize) + 4*numbers
		if !bytes.HasPrefix(header, mark) || numbers > maxNumbers || end > info.Size() {
			next, err := nextMark(file, g.scanned+1, info.Size())
			if err != nil {
				return err
			}
			if next < 0 {
				return nil // perhaps a record is being written: look again next time
			}
			g.scanned = next
			continue
		}
		g.places[embed.Key(header[2*4:])] = place{g.scanned, int(numbers)}
		g.scanned = end
	}
	return nil
}

// nextMark returns the offset of the next mark at or after from, or -1.
func nextMark(file *os.File, from, size int64) (int64, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(file, from, size-from), 64<<10)
	for at := from; ; {
		window, err := r.Peek(4096)
		if i := bytes.Index(window, mark); i >= 0 {
			return at + int64(i), nil
		}
		if err == io.EOF {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		n, _ := r.Discard(len(window) - len(mark) + 1)
		at += int64(n)
	}
}
