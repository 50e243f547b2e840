package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"seam/proxy/boltfile"
	"seam/shared/protocol"
)

// FileDisk stores vectors in a file, in two generations. When the young one has reached
// half of the allowed bytes or half of the age, the old one is deleted and a new one
// begins. Used vectors are copied to the new one. A vector is therefore kept for at least
// half of the age if there is room, and never longer than the age.
//
// A damaged file is set aside, and a new one is begun.
type FileDisk struct {
	path   string
	file   atomic.Pointer[boltfile.File] // nil if no file could be opened; nothing is stored then
	report func(error)
	mu     sync.Mutex // guards replacing the file
	begun  time.Time  // when the file was last replaced

	half   int64
	life   time.Duration
	now    func() time.Time
	queued atomic.Int64 // bytes of vectors in the queue
	puts   chan map[Key][]float32
	flush  chan chan struct{}
	end    chan struct{}
	ended  chan struct{}
}

// The two buckets of vectors and their state: which is young, when it began, and its bytes.
var (
	generations = [2][]byte{[]byte("a"), []byte("b")}
	bucketMeta  = []byte("meta")
	keyState    = []byte("state")
)

type state struct {
	young int
	born  time.Time
	bytes int64
}

// OpenDisk opens or creates the file. bytes is the approximate limit of its vectors, age
// the longest time a vector is kept. report, if not nil, is called with the result of each
// write, with read errors, and when a damaged file is set aside.
func OpenDisk(path string, bytes int64, age time.Duration, now func() time.Time, report func(error)) (*FileDisk, error) {
	if report == nil {
		report = func(error) {}
	}
	d := &FileDisk{
		path: path, report: report, half: bytes / 2, life: age / 2, now: now,
		puts: make(chan map[Key][]float32, 64), flush: make(chan chan struct{}), end: make(chan struct{}), ended: make(chan struct{}),
	}
	file, err := d.open()
	if errors.Is(err, boltfile.ErrDamaged) {
		file, err = d.again(err)
	}
	if err != nil {
		return nil, fmt.Errorf("cache file %w", err)
	}
	d.file.Store(file)
	go d.write()
	return d, nil
}

func (d *FileDisk) open() (*boltfile.File, error) {
	file, err := boltfile.Open(d.path)
	if err != nil {
		return nil, err
	}
	if err := file.Update(func(tx *bbolt.Tx) error { _, err := d.turn(tx); return err }); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// again sets a damaged file aside and begins another.
func (d *FileDisk) again(damage error) (*boltfile.File, error) {
	d.begun = d.now()
	to, err := boltfile.SetAside(d.path, d.begun)
	if err != nil {
		return nil, err
	}
	d.report(fmt.Errorf("cache file %w; it is set aside as %s, and another is begun", damage, to))
	return d.open()
}

// use calls do with the file. A damaged file is replaced, but not more than once an hour:
// if the disk damages the new one, too, nothing is stored until the next start.
func (d *FileDisk) use(do func(*boltfile.File) error) error {
	file := d.file.Load()
	if file == nil {
		return nil
	}
	err := do(file)
	if !errors.Is(err, boltfile.ErrDamaged) {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.file.Load() != file {
		return err // another goroutine has noticed it, too
	}
	_ = file.Close()
	d.file.Store(nil)
	if !d.begun.IsZero() && d.now().Sub(d.begun) < time.Hour {
		d.report(fmt.Errorf("cache file %w, and so was the one before: vectors are kept in memory only until the next start", err))
		return err
	}
	if file, openErr := d.again(err); openErr != nil {
		d.report(fmt.Errorf("cache file %w", openErr))
	} else {
		d.file.Store(file)
	}
	return err
}

// Close writes the queued vectors, and closes the file.
func (d *FileDisk) Close() error {
	close(d.end)
	<-d.ended
	if file := d.file.Load(); file != nil {
		return file.Close()
	}
	return nil
}

// Flush returns when everything put before is on the disk.
func (d *FileDisk) Flush() {
	done := make(chan struct{})
	d.flush <- done
	<-done
}

// Purge removes everything.
func (d *FileDisk) Purge() error {
	d.Flush()
	return d.use(func(f *boltfile.File) error {
		return f.Update(func(tx *bbolt.Tx) error {
			for _, name := range generations {
				if err := renew(tx, name); err != nil {
					return err
				}
			}
			return save(tx, state{born: d.now()})
		})
	})
}

// Get reads vectors. Vectors of the old generation are copied to the young one.
func (d *FileDisk) Get(keys ...Key) map[Key][]float32 {
	found, old := map[Key][]float32{}, map[Key][]float32{}
	err := d.use(func(f *boltfile.File) error {
		return f.View(func(tx *bbolt.Tx) error {
			d.read(tx, keys, found, old)
			return nil
		})
	})
	if err != nil { // unreadable vectors count as missing
		d.report(err)
		return nil
	}
	if len(old) > 0 {
		d.Put(old)
	}
	return found
}

// read adds the vectors it finds to found, and those in the old generation also to old.
func (d *FileDisk) read(tx *bbolt.Tx, keys []Key, found, old map[Key][]float32) {
	s := load(tx)
	age := d.now().Sub(s.born)
	var buckets []*bbolt.Bucket // young, then old; not if they have expired without a write since
	for i, name := range [][]byte{generations[s.young], generations[1-s.young]} {
		if age < time.Duration(2-i)*d.life {
			buckets = append(buckets, tx.Bucket(name))
		}
	}
	for _, key := range keys {
		for i, bucket := range buckets {
			b := bucket.Get(key[:])
			if b == nil {
				continue
			}
			if len(b) == 0 || len(b)%4 != 0 {
				break // it was removed, or is invalid
			}
			v := make([]float32, len(b)/4)
			protocol.GetFloats(v, b)
			found[key] = v
			if i == 1 {
				old[key] = v
			}
			break
		}
	}
}

// Put queues vectors to be stored. If the disk is too slow, some are dropped, because no
// caller should wait for a cache.
func (d *FileDisk) Put(vectors map[Key][]float32) {
	n := sizeOf(vectors)
	if d.queued.Add(n) <= queueMost {
		select {
		case d.puts <- vectors:
			return
		default:
		}
	}
	d.queued.Add(-n)
}

// queueMost bounds the bytes of vectors in the queue.
const queueMost = 32 << 20

func sizeOf(vectors map[Key][]float32) (n int64) {
	for _, v := range vectors {
		n += int64(4*len(v) + 64)
	}
	return n
}

// write is the only writer. It collects vectors for a while and writes them together:
// separate writes would take half of the proxy's time.
func (d *FileDisk) write() {
	defer close(d.ended)
	waiting := map[Key][]float32{}
	var taken int64           // bytes taken from the queue
	var late <-chan time.Time // nil while nothing waits
	store := func() {
		if len(waiting) > 0 {
			d.store(waiting)
		}
		d.queued.Add(-taken)
		waiting, taken, late = map[Key][]float32{}, 0, nil
	}
	drain := func() {
		for {
			select {
			case vectors := <-d.puts:
				maps.Copy(waiting, vectors)
				taken += sizeOf(vectors)
			default:
				store()
				return
			}
		}
	}
	for {
		select {
		case vectors := <-d.puts:
			taken += sizeOf(vectors)
			if maps.Copy(waiting, vectors); late == nil {
				late = time.After(storeWithin)
			}
			if len(waiting) >= storeTogether {
				store()
			}
		case <-late:
			store()
		case done := <-d.flush:
			drain()
			close(done)
		case <-d.end:
			drain()
			return
		}
	}
}

const (
	storeWithin   = 250 * time.Millisecond // time limit to write queued vectors
	storeTogether = 1024                   // number of vectors that triggers a write
)

func (d *FileDisk) store(vectors map[Key][]float32) {
	// If the disk is full, only the cache suffers, not the answers.
	d.report(d.use(func(f *boltfile.File) error {
		return f.Update(func(tx *bbolt.Tx) error { return d.keep(tx, vectors) })
	}))
}

func (d *FileDisk) keep(tx *bbolt.Tx, vectors map[Key][]float32) error {
	s, err := d.turn(tx)
	if err != nil {
		return err
	}
	bucket := tx.Bucket(generations[s.young])
	for key, v := range vectors {
		b := protocol.FrameOrder(v) // not modified until the transaction ends, as bbolt requires
		if err := bucket.Put(key[:], b); err != nil {
			return err
		}
		s.bytes += int64(len(key) + len(b)) // a removed vector still has its key
	}
	return save(tx, s)
}

// turn begins a new generation if the young one is full or too old. It initializes a new
// file.
func (d *FileDisk) turn(tx *bbolt.Tx) (state, error) {
	if tx.Bucket(bucketMeta) == nil {
		for _, name := range [][]byte{bucketMeta, generations[0], generations[1]} {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return state{}, err
			}
		}
		s := state{born: d.now()}
		return s, save(tx, s)
	}
	s := load(tx)
	age := d.now().Sub(s.born)
	if age < 0 { // the clock was ahead when it began; without this, it would never expire
		s.born, age = d.now(), 0
		if err := save(tx, s); err != nil {
			return s, err
		}
	}
	if age < d.life && s.bytes < d.half {
		return s, nil
	}
	if age >= 2*d.life { // even the newest vectors have expired
		if err := renew(tx, generations[s.young]); err != nil {
			return s, err
		}
	}
	s = state{young: 1 - s.young, born: d.now()}
	if err := renew(tx, generations[s.young]); err != nil {
		return s, err
	}
	return s, save(tx, s)
}

func renew(tx *bbolt.Tx, name []byte) error {
	if err := tx.DeleteBucket(name); err != nil {
		return err
	}
	_, err := tx.CreateBucket(name)
	return err
}

func load(tx *bbolt.Tx) state {
	b := tx.Bucket(bucketMeta).Get(keyState)
	if len(b) != 24 {
		return state{}
	}
	return state{int(b[0] & 1), time.Unix(int64(binary.LittleEndian.Uint64(b[8:])), 0), int64(binary.LittleEndian.Uint64(b[16:]))}
}

func save(tx *bbolt.Tx, s state) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.young))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.born.Unix()))
	return tx.Bucket(bucketMeta).Put(keyState, binary.LittleEndian.AppendUint64(b, uint64(s.bytes)))
}
