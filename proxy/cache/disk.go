package cache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// FileDisk keeps vectors in a file, in two generations: when the young one has
// half of the bytes or half of the age that are allowed, the old one goes and a
// new one begins. What is used comes along. So a vector is kept for half of the
// age at least where there is room, and never longer than the age.
type FileDisk struct {
	db    *bbolt.DB
	half  int64
	life  time.Duration
	now   func() time.Time
	puts  chan map[Key][]float32
	flush chan chan struct{}
	end   chan struct{}
	ended chan struct{}
}

// The two buckets of vectors, and what is known of them: which is young, since
// when, and its bytes.
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

// OpenDisk opens or makes the file. bytes is about what its vectors may take,
// age how long one is kept at most.
func OpenDisk(path string, bytes int64, age time.Duration, now func() time.Time) (*FileDisk, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second, NoFreelistSync: true})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("cache file %s is in use: another proxy runs with it", path)
	}
	if err != nil {
		return nil, fmt.Errorf("cache file %s: %w; what it holds can be fetched again: remove it", path, err)
	}
	d := &FileDisk{
		db: db, half: bytes / 2, life: age / 2, now: now,
		puts: make(chan map[Key][]float32, 64), flush: make(chan chan struct{}), end: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := db.Update(func(tx *bbolt.Tx) error { _, err := d.turn(tx); return err }); err != nil {
		return nil, errors.Join(fmt.Errorf("cache file %s: %w", path, err), db.Close())
	}
	go d.write()
	return d, nil
}

// Close writes what is waiting, and closes the file.
func (d *FileDisk) Close() error {
	close(d.end)
	<-d.ended
	return d.db.Close()
}

// Flush returns when all that was put before is on the disk.
func (d *FileDisk) Flush() {
	done := make(chan struct{})
	d.flush <- done
	<-done
}

// Purge forgets everything.
func (d *FileDisk) Purge() error {
	d.Flush()
	return d.db.Update(func(tx *bbolt.Tx) error {
		for _, name := range generations {
			if err := renew(tx, name); err != nil {
				return err
			}
		}
		return save(tx, state{born: d.now()})
	})
}

// Get reads a vector. One of the old generation moves to the young one.
func (d *FileDisk) Get(key Key) (v []float32, ok bool) {
	old := false
	_ = d.db.View(func(tx *bbolt.Tx) error { // what cannot be read is not there
		s := load(tx)
		age := d.now().Sub(s.born)
		for i, name := range [][]byte{generations[s.young], generations[1-s.young]} {
			if age >= time.Duration(2-i)*d.life {
				break // too old, although nothing was written since
			}
			b := tx.Bucket(name).Get(key[:])
			if b == nil {
				continue
			}
			if len(b) == 0 || len(b)%4 != 0 {
				return nil // it was let go, or is none
			}
			v = make([]float32, len(b)/4)
			for j := range v {
				v[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:]))
			}
			old = i == 1
			return nil
		}
		return nil
	})
	if old {
		d.Put(map[Key][]float32{key: v})
	}
	return v, v != nil
}

// Put keeps vectors, soon. When the disk cannot follow, some are not kept: nobody
// waits for a cache.
func (d *FileDisk) Put(vectors map[Key][]float32) {
	select {
	case d.puts <- vectors:
	default:
	}
}

// write is the one writer.
func (d *FileDisk) write() {
	defer close(d.ended)
	for {
		select {
		case vectors := <-d.puts:
			d.store(vectors)
		case done := <-d.flush:
			d.drain()
			close(done)
		case <-d.end:
			d.drain()
			return
		}
	}
}

func (d *FileDisk) drain() {
	for {
		select {
		case vectors := <-d.puts:
			d.store(vectors)
		default:
			return
		}
	}
}

func (d *FileDisk) store(vectors map[Key][]float32) {
	_ = d.db.Update(func(tx *bbolt.Tx) error { // a full disk costs the cache, not the answer
		s, err := d.turn(tx)
		if err != nil {
			return err
		}
		bucket := tx.Bucket(generations[s.young])
		for key, v := range vectors {
			b := make([]byte, 0, 4*len(v))
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
			if err := bucket.Put(key[:], b); err != nil {
				return err
			}
			s.bytes += int64(len(key) + len(b)) // of one let go, its key
		}
		return save(tx, s)
	})
}

// turn begins a new generation where the young one is full or too old, and makes
// what is missing in a new file.
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
	if age < d.life && s.bytes < d.half {
		return s, nil
	}
	if age >= 2*d.life { // even what came last is too old
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
