package filecache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// seen caches the digests of files with their metadata, so that unchanged files need not be
// read.
//
// A file counts as unchanged if its size, inode, modification time and inode change time
// are the same, and if it was read again a while after it was first seen in this state. The
// second read is needed because times are coarse: a file that changes twice within a tick
// of its disk's clock has the same time twice (git calls such files racy). By the second
// read, any change in that tick is visible. Times of different clocks are never compared,
// because the disk's clock may be wrong, and ours too.
type seen struct {
	path string

	mu      sync.Mutex
	loaded  bool
	changed bool
	files   map[string]*record // by the digest of their path
}

const seenName = "seen"

// record is the stored state of a file.
type record struct {
	Stat  stat   `json:"stat"`
	Sum   string `json:"sum"`   // of its bytes, in hex
	First int64  `json:"first"` // when it was first seen in this state, in seconds of our clock
	Read  int64  `json:"read"`  // when its bytes were last read
	Used  int64  `json:"used"`
}

// stat is the metadata of a file. If two are equal, they are the same file with the same
// bytes, except for changes within a tick of the clock.
type stat struct {
	Size  int64  `json:"size"`
	Mtime int64  `json:"mtime"` // nanoseconds
	Ctime int64  `json:"ctime"`
	Inode uint64 `json:"inode"`
	Disk  uint64 `json:"disk"`
}

// settled is how many seconds a file must be unchanged before its bytes are read for the
// last time. Clocks of disks have ticks of up to two seconds. Writes through mapped memory
// may change the time only when they reach the disk, some 35 seconds later.
const settled = 60

// mostSeen bounds the stored files; the least recently used ones are removed.
const mostSeen = 50_000

// pathKey returns a digest of a path, so that names are not stored.
func pathKey(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16])
}

// Sum returns the SHA-256 of a file's bytes. b has the bytes if they were read, and is nil
// if the file is known to be unchanged. known is false for anything but a regular file,
// because a pipe can be read only once, and other programs may want to read it. It is also false
// if worth, which may be nil, returns false for a file that has to be read.
func (s *Store) Sum(path string, worth func(size int64) bool) (sum [sha256.Size]byte, b []byte, known bool, err error) {
	info, err := os.Stat(path) // opening a pipe would make us its reader
	if err != nil || !info.Mode().IsRegular() {
		return sum, nil, false, err
	}
	key := pathKey(path)
	began := s.now()
	if now, trusted := statOf(info); trusted {
		if sum, ok := s.seen.known(key, now, began); ok {
			return sum, nil, true, nil
		}
	}
	if worth != nil && !worth(info.Size()) {
		return sum, nil, false, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return sum, nil, false, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return sum, nil, false, err
	}
	before, trusted := statOf(info)
	whole := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err = whole.ReadFrom(f); err != nil {
		return sum, nil, false, err
	}
	b = whole.Bytes()
	sum = sha256.Sum256(b)
	if info, err := f.Stat(); err == nil && trusted {
		if after, _ := statOf(info); after == before { // otherwise it was written while being read
			s.seen.note(key, before, sum, began, s.now())
		}
	}
	return sum, b, true, nil
}

// known returns the digest of an unchanged file.
func (k *seen) known(key string, now stat, at time.Time) (sum [sha256.Size]byte, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	r := k.files[key]
	if r == nil || r.Stat != now || r.Read-r.First < settled || r.Read > at.Unix() {
		return sum, false
	}
	b, err := hex.DecodeString(r.Sum)
	if err != nil || len(b) != len(sum) {
		return sum, false
	}
	if day := int64(24 * 60 * 60); at.Unix()-r.Used > day {
		r.Used, k.changed = at.Unix(), true
	}
	return [sha256.Size]byte(b), true
}

// note stores the digest of a file that was read between began and ended.
func (k *seen) note(key string, is stat, sum [sha256.Size]byte, began, ended time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.load()
	digest := hex.EncodeToString(sum[:])
	r := k.files[key]
	if r == nil || r.Stat != is || r.Sum != digest || r.First > began.Unix() {
		r = &record{Stat: is, Sum: digest, First: ended.Unix() + 1} // it was in this state by then, rounded up
	}
	if began.Unix() > r.Read {
		r.Read = began.Unix()
	}
	r.Used = began.Unix()
	k.files[key], k.changed = r, true
}

// load reads the stored records, once. It ignores an incomplete file, and one that others
// could have written.
func (k *seen) load() {
	if k.loaded {
		return
	}
	k.loaded, k.files = true, map[string]*record{}
	if private(filepath.Dir(k.path)) != nil {
		return
	}
	b, err := os.ReadFile(k.path)
	if err != nil {
		return
	}
	head, body, _ := bytes.Cut(b, []byte("\n"))
	files := map[string]*record{}
	if string(head) == seenHead(body) && json.Unmarshal(body, &files) == nil {
		for key, r := range files {
			if r != nil {
				k.files[key] = r
			}
		}
	}
}

// seenHead returns the first line of the file: its version, and the digest of the rest.
func seenHead(body []byte) string {
	sum := sha256.Sum256(body)
	return "seam-seen 1 " + hex.EncodeToString(sum[:])
}

// write stores the records. If two programs end at once, one's records are lost, and files
// are read again.
func (k *seen) write() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.files) > mostSeen {
		keys := make([]string, 0, len(k.files))
		for key := range k.files {
			keys = append(keys, key)
		}
		slices.SortFunc(keys, func(a, b string) int {
			return cmp.Or(cmp.Compare(k.files[b].Used, k.files[a].Used), strings.Compare(a, b))
		})
		for _, key := range keys[mostSeen:] {
			delete(k.files, key)
		}
	}
	body, err := json.Marshal(k.files)
	if err != nil {
		return fmt.Errorf("keep the digests of files: %w", err)
	}
	return replace(k.path, append([]byte(seenHead(body)+"\n"), body...))
}
