// Package cache keeps embeddings, so that no text is sent twice: in memory, on
// disk, and while it is on its way. A text that several callers ask for at once
// is asked for upstream once, and a caller that goes away takes nothing from the
// others.
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

// Key names a vector. It is an HMAC, so that a stolen cache tells nobody which
// texts were asked for.
type Key [sha256.Size]byte

// Scope is what a vector depends on besides its text.
type Scope struct {
	Provider, Model string
	Name            string // the provider's of the model
	Dimensions      int    // that were asked for
	// Length is how many numbers a vector must have; one of the cache that has
	// others is none. 0: that is not known. It is no part of the key.
	Length int
}

// Disk is a slower store below the memory. Its errors never fail a request.
type Disk interface {
	// Get returns those of the vectors that were put.
	Get(...Key) map[Key][]float32
	// Put keeps vectors; nil in the place of one lets it go.
	Put(map[Key][]float32)
}

// Cache is safe for concurrent use.
type Cache struct {
	secret []byte
	memory *otter.Cache[Key, []float32]
	disk   Disk

	mu      sync.Mutex
	flights map[Key]*flight
	landed  atomic.Int64 // flights whose vectors were kept: it changes under the lock
}

// New makes a cache of so many bytes of vectors in memory; disk may be nil.
func New(secret []byte, bytes int, disk Disk) (*Cache, error) {
	memory, err := otter.New(&otter.Options[Key, []float32]{
		MaximumWeight: uint64(bytes),
		Weigher:       func(_ Key, v []float32) uint32 { return uint32(4*len(v) + 128) },
		Executor:      func(tidy func()) { tidy() }, // little work, mostly after an answer is handed over: no goroutine is to get in its way
	})
	if err != nil {
		return nil, fmt.Errorf("embedding cache of %d bytes: %w", bytes, err)
	}
	return &Cache{secret: secret, memory: memory, disk: disk, flights: map[Key]*flight{}}, nil
}

// Fetch gets the vectors of texts from upstream, in their order, each in memory of
// its own: the cache keeps one and lets its neighbours go. Its context
// ends when no caller waits for any of them.
type Fetch func(ctx context.Context, texts []string) ([][]float32, error)

// Vectors returns the vector of every text, in order, and how many texts needed
// no call of this caller's. Those that nobody has or is fetching are fetched in
// one call. Vectors are shared: they must not be changed.
func (c *Cache) Vectors(ctx context.Context, scope Scope, texts []string, fetch Fetch) (vectors [][]float32, cached int, err error) {
	keys := c.keys(scope, texts)
	found := make(map[Key][]float32, len(texts))
	landed := c.landed.Load()
	c.lookup(scope, keys, found)
	flights, started := c.board(ctx, scope, keys, texts, found, landed, fetch)
	for _, f := range flights {
		if waitErr := c.wait(ctx, f); waitErr != nil {
			err = waitErr
			continue // the others have to be left, too
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

// Forget lets the vectors of texts go, here and on the disk: they are asked for again.
func (c *Cache) Forget(scope Scope, texts []string) {
	keys := c.keys(scope, texts)
	gone := make(map[Key][]float32, len(keys))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		if f := c.flights[key]; f != nil {
			f.dropped = true // it was about to keep them
			c.forget(f)
		}
		c.memory.Invalidate(key)
		gone[key] = nil
	}
	if c.disk != nil {
		c.disk.Put(gone)
	}
}

// Purge forgets what is in memory; the disk's is its own to purge.
func (c *Cache) Purge() { c.memory.InvalidateAll() }

// Waiting is how many callers wait for a call upstream now.
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

// keys names the vectors of texts.
func (c *Cache) keys(scope Scope, texts []string) []Key {
	h := hmac.New(sha256.New, c.secret) // one for all: it keeps the work on the secret
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

// lookup finds what memory has, and the disk of the rest.
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

// fits reports whether a vector can be one of the scope.
func (s Scope) fits(v []float32) bool { return s.Length == 0 || len(v) == s.Length }

// flight is one call upstream, and those who wait for it.
type flight struct {
	keys    []Key
	length  int // of the scope: after a change of that it carries nothing for others
	cancel  context.CancelFunc
	waiting int  // callers; under the cache's lock, as is dropped
	dropped bool // what it brings is not to be kept

	done    chan struct{} // closed when what follows is there
	vectors [][]float32   // of keys
	err     error
}

// board finds the flights that carry the missing texts, and starts one for those
// that none carries; started is the number of texts in that, and landed what landed was
// before memory was looked up.
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
		if again { // it may be one of those that have landed meanwhile
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

// start begins a flight for one waiter. It goes on when that caller's context
// ends, as long as somebody waits.
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

// safely fetches; a panic is the error of this flight and no other's.
func safely(fetch Fetch, ctx context.Context, texts []string) (vectors [][]float32, err error) {
	defer func() {
		if r := recover(); r != nil {
			vectors, err = nil, fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fetch(ctx, texts)
}

// land lets those who wait go on, and keeps what a flight has brought: in this
// order, as keeping takes longer than handing over. Until it is kept the flight
// itself answers. One that failed answers nobody who asks after it.
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
	runtime.Gosched() // or this goroutine would keep the processor, and those who wait
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

// forget takes a flight off, with the lock held: who asks for its texts from now on
// starts another, unless somebody has already.
func (c *Cache) forget(f *flight) {
	for _, key := range f.keys {
		if c.flights[key] == f {
			delete(c.flights, key)
		}
	}
}

// wait waits for a flight, or leaves it when ctx ends. The last to leave cancels
// it, and whoever asks for its texts afterwards starts another.
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
