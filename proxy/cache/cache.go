// Package cache stores embeddings in memory and on disk, so that no text is sent twice. A
// text that several callers request at once is sent upstream once, and a caller that leaves
// does not affect the others.
package cache

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

// Key identifies a vector. It is an HMAC, so that a stolen cache does not reveal which
// texts were requested.
type Key [sha256.Size]byte

// Scope has everything that a vector depends on besides its text.
type Scope struct {
	Provider, Model string
	Name            string // the provider's name of the model
	Dimensions      int    // as requested
	// Length is the number of dimensions a vector must have; cached ones with another
	// number are ignored. 0 means unknown. It is not part of the key.
	Length int
}

// Disk is a slower store below the memory. Its errors never fail a request.
type Disk interface {
	// Get returns the vectors that it has.
	Get(...Key) map[Key][]float32
	// Put stores vectors; a nil vector removes the stored one.
	Put(map[Key][]float32)
}

// Cache is safe for concurrent use.
type Cache struct {
	secret []byte
	memory *otter.Cache[Key, []float32]
	disk   Disk

	mu      sync.Mutex
	flights map[Key]*flight
	landed  atomic.Int64 // number of flights with stored vectors; changed under the lock
}

// New returns a cache of vectors with that many bytes in memory. disk may be nil.
func New(secret []byte, bytes int, disk Disk) (*Cache, error) {
	memory, err := otter.New(&otter.Options[Key, []float32]{
		MaximumWeight: uint64(bytes),
		Weigher:       func(_ Key, v []float32) uint32 { return uint32(4*len(v) + 128) },
		Executor:      func(tidy func()) { tidy() }, // run inline: it is little work, mostly after an answer has been handed over
	})
	if err != nil {
		return nil, fmt.Errorf("embedding cache of %d bytes: %w", bytes, err)
	}
	return &Cache{secret: secret, memory: memory, disk: disk, flights: map[Key]*flight{}}, nil
}

// Fetch requests the vectors of texts from upstream, in order. Each has its own memory,
// because the cache may keep one and drop its neighbours. ctx ends when no caller waits for
// any of them.
type Fetch func(ctx context.Context, texts []string) ([][]float32, error)

// Vectors returns the vector of every text, in order, and how many texts needed no call for
// this caller. Texts that are neither cached nor being fetched are fetched in one call.
// Vectors are shared and must not be modified.
func (c *Cache) Vectors(ctx context.Context, scope Scope, texts []string, fetch Fetch) (vectors [][]float32, cached int, err error) {
	keys := c.keys(scope, texts)
	found := make(map[Key][]float32, len(texts))
	landed := c.landed.Load()
	c.lookup(scope, keys, found)
	flights, started := c.board(ctx, scope, keys, texts, found, landed, fetch)
	for _, f := range flights {
		if waitErr := c.wait(ctx, f); waitErr != nil {
			err = waitErr
			continue // still leave the other flights
		}
		for i, key := range f.keys {
			found[key] = f.vectors[i]
		}
	}
	if err != nil {
		return nil, 0, err
	}
	vectors = make([][]float32, len(texts))
	for i, key := range keys {
		vectors[i] = found[key]
	}
	return vectors, len(texts) - started, nil
}

// Forget removes the vectors of texts from memory and disk, so that they are requested
// again.
func (c *Cache) Forget(scope Scope, texts []string) {
	keys := c.keys(scope, texts)
	gone := make(map[Key][]float32, len(keys))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		if f := c.flights[key]; f != nil {
			f.dropped = true // it was about to store them
			c.forget(f)
		}
		c.memory.Invalidate(key)
		gone[key] = nil
	}
	if c.disk != nil {
		c.disk.Put(gone)
	}
}

// Purge removes everything from memory. The disk must be purged separately.
func (c *Cache) Purge() { c.memory.InvalidateAll() }

// Waiting returns how many callers wait for a call upstream.
func (c *Cache) Waiting() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen := map[*flight]bool{}
	for _, f := range c.flights {
		if !seen[f] {
			seen[f] = true
			n += f.waiting
		}
	}
	return n
}

// keys returns the keys of texts.
func (c *Cache) keys(scope Scope, texts []string) []Key {
	h := hmac.New(sha256.New, c.secret) // one for all, because setting up the secret takes work
	buf := make([]byte, 0, 512)
	field := func(s string) { buf = append(binary.LittleEndian.AppendUint64(buf, uint64(len(s))), s...) }
	keys := make([]Key, len(texts))
	for i, t := range texts {
		buf = buf[:0]
		for _, part := range []string{scope.Provider, scope.Model, scope.Name, t} {
			field(part)
		}
		buf = binary.LittleEndian.AppendUint64(buf, uint64(scope.Dimensions))
		h.Reset()
		h.Write(buf)
		h.Sum(keys[i][:0])
	}
	return keys
}

// lookup finds vectors in memory, and the rest on disk.
func (c *Cache) lookup(scope Scope, keys []Key, found map[Key][]float32) {
	var missing []Key
	for _, key := range keys {
		if v, ok := c.inMemory(scope, key); ok {
			found[key] = v
		} else {
			missing = append(missing, key)
		}
	}
	if c.disk == nil || len(missing) == 0 {
		return
	}
	for key, v := range c.disk.Get(missing...) {
		if scope.fits(v) {
			c.memory.Set(key, v)
			found[key] = v
		}
	}
}

func (c *Cache) inMemory(scope Scope, key Key) ([]float32, bool) {
	v, ok := c.memory.GetIfPresent(key)
	return v, ok && scope.fits(v)
}

// fits reports whether a vector has the length of the scope.
func (s Scope) fits(v []float32) bool { return s.Length == 0 || len(v) == s.Length }

// flight is one call upstream with the callers that wait for it.
type flight struct {
	keys    []Key
	length  int // of the scope: callers with another length do not share it
	cancel  context.CancelFunc
	waiting int  // number of callers; guarded by the cache's lock, like dropped
	dropped bool // do not store its vectors

	done    chan struct{} // closed once the fields below are set
	vectors [][]float32   // of keys
	err     error
}

// board joins the flights that fetch the missing texts, and starts one for the rest;
// started is the number of texts in it. The argument landed is the value of c.landed before
// memory was searched.
func (c *Cache) board(ctx context.Context, scope Scope, keys []Key, texts []string, found map[Key][]float32, landed int64, fetch Fetch) (flights []*flight, started int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.landed.Load() != landed
	joined := map[*flight]bool{}
	asked := map[Key]bool{}
	var missing []Key
	var ask []string
	for i, key := range keys {
		if _, ok := found[key]; ok || asked[key] {
			continue
		}
		if f := c.flights[key]; f != nil && f.length == scope.Length {
			joined[f] = true
			continue
		}
		if again { // it may have landed since
			if v, ok := c.inMemory(scope, key); ok {
				found[key] = v
				continue
			}
		}
		asked[key] = true
		missing, ask = append(missing, key), append(ask, texts[i])
	}
	for f := range joined {
		f.waiting++
		flights = append(flights, f)
	}
	if len(missing) > 0 {
		flights = append(flights, c.start(ctx, scope, missing, ask, fetch))
	}
	return flights, len(missing)
}

// start begins a flight for one caller. It continues after that caller's context ends, as
// long as another caller waits.
func (c *Cache) start(ctx context.Context, scope Scope, keys []Key, texts []string, fetch Fetch) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{keys: keys, length: scope.Length, cancel: cancel, waiting: 1, done: make(chan struct{})}
	for _, key := range keys {
		c.flights[key] = f
	}
	go func() {
		defer cancel()
		vectors, err := safely(fetch, ctx, texts)
		if err == nil && len(vectors) != len(texts) {
			err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
		}
		c.land(f, vectors, err)
	}()
	return f
}

// safely calls fetch and turns a panic into an error of this flight.
func safely(fetch Fetch, ctx context.Context, texts []string) (vectors [][]float32, err error) {
	defer func() {
		if r := recover(); r != nil {
			vectors, err = nil, fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fetch(ctx, texts)
}

// land wakes the waiting callers, then stores the flight's vectors, because storing takes
// longer. Until they are stored, new callers get them from the flight. A failed flight is
// not shared with callers that come later.
func (c *Cache) land(f *flight, vectors [][]float32, err error) {
	if err != nil {
		f.err = err
		c.mu.Lock()
		c.forget(f)
		c.mu.Unlock()
		close(f.done)
		return
	}
	f.vectors = vectors
	close(f.done)
	runtime.Gosched() // let the waiting callers run first
	byKey := make(map[Key][]float32, len(vectors))
	for i, v := range vectors {
		byKey[f.keys[i]] = v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(f)
	if f.dropped {
		return
	}
	for key, v := range byKey {
		c.memory.Set(key, v)
	}
	c.landed.Add(1)
	if c.disk != nil {
		c.disk.Put(byKey)
	}
}

// forget removes a flight. The next caller for its texts starts another, unless one has
// been started already. The lock must be held.
func (c *Cache) forget(f *flight) {
	for _, key := range f.keys {
		if c.flights[key] == f {
			delete(c.flights, key)
		}
	}
}

// wait waits for a flight, or leaves it when ctx ends. The last caller to leave cancels it,
// and the next one for its texts starts another.
func (c *Cache) wait(ctx context.Context, f *flight) error {
	select {
	case <-f.done:
		return f.err
	default:
	}
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		c.forget(f)
	}
	return ctx.Err()
}
