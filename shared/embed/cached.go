package embed

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"seam/shared/digest"
	"seam/shared/token"
	"seam/shared/vector"
)

// Source is a model with vectors that are worth caching, because they cost money or time.
type Source interface {
	// ID returns the model's name and version.
	ID() string
	// Counter returns a counter of the model's own tokens.
	Counter() token.Counter
	// Dimensions returns the requested length of vectors, or 0 for the model's own.
	Dimensions() int
	// EmbedEach calls got with the vector of each text, in any order, as they arrive. got
	// may keep the vector. If got returns an error, the work stops.
	EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error
}

// Key identifies a vector. It is the SHA-256 of the vector's origin, the model, the
// requested dimensions and the text. The text is normalized by Normalize, except in a
// Cached from NewLocal.
type Key [digest.Size]byte

// KeyOf returns the key for a text and a local model's ID.
func KeyOf(id, text string) Key { return digest.Sum256([]byte(id + "\x00" + text)) }

// Store stores vectors between runs. It is safe for concurrent use.
type Store interface {
	// Get returns one vector per key, or nil for a missing one.
	Get(ctx context.Context, keys []Key) ([][]float32, error)
	// Put stores one vector per key.
	Put(ctx context.Context, keys []Key, vectors [][]float32) error
}

// Normalize returns the form of a text used in keys and requests. Every run of white space
// becomes one space, and the ends are trimmed. So a sentence has the same vector however
// its lines are broken.
func Normalize(t string) string { return strings.Join(strings.Fields(t), " ") }

// maxMemory is the maximum size in bytes of the vectors held by a Cached from NewCached.
// When it is full, the oldest are evicted. 128 MB hold some 21,000 vectors of 1536 numbers,
// or a long book.
const maxMemory = 128 << 20

// putEvery is the number of vectors stored at once, and so the most that a crash can lose.
const putEvery = 64

// Cached is an Embedder that never asks its source for a vector twice. This holds if the
// work is stopped or fails halfway, if a text occurs in another document and, with a Store,
// in another run. Make one with NewCached. It is safe for concurrent use.
type Cached struct {
	source Source
	scope  string
	store  Store // nil for memory only
	limit  int   // maximum of size
	exact  bool  // texts are requested unchanged, and vectors returned unchanged

	mu      sync.Mutex
	vectors map[Key][]float32 // of length 1, or zeros
	order   []Key             // oldest first
	size    int               // bytes of vectors
	trouble error             // the first error of the store
}

// Counted is an Embedder that reports how many vectors it computed.
type Counted interface {
	Embedder
	// EmbedCounted is Embed. made is the number of texts without a cached vector.
	EmbedCounted(ctx context.Context, texts []string, progress Progress) (m vector.Matrix, made int, err error)
}

var _ Counted = (*Cached)(nil)

// NewCached returns a cache for the vectors of a source. scope is the location of the
// source, because models with the same name in two places may differ. store may be nil.
func NewCached(source Source, scope string, store Store) *Cached {
	return &Cached{source: source, scope: scope, store: store, limit: maxMemory, vectors: map[Key][]float32{}}
}

// Add adds the vectors of texts to the cache, which keeps the rows of m without copying
// them.
func (c *Cached) Add(texts []string, m vector.Matrix) {
	for i := range min(len(texts), m.Rows) {
		c.put(c.key(c.normal(texts[i])), m.Row(i))
	}
}

// ID returns the source's ID.
func (c *Cached) ID() string { return c.source.ID() }

// Counter returns the source's counter.
func (c *Cached) Counter() token.Counter { return c.source.Counter() }

// Trouble returns the first error of the store, or nil. Such errors do not stop any work,
// because vectors that cannot be stored can be computed again.
func (c *Cached) Trouble() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trouble
}

// Embed requests the vectors that are not cached, each distinct text once. Texts of only
// white space are not sent; their rows are zeros. If the work ends early, the vectors
// received so far are kept. progress counts texts.
//
// It is an error if a source returns too few vectors, the same one twice, NaN or
// infinities, or vectors of different lengths. If a source's vectors have a new length, the
// old ones are requested again.
func (c *Cached) Embed(ctx context.Context, texts []string, progress Progress) (vector.Matrix, error) {
	m, _, err := c.EmbedCounted(ctx, texts, progress)
	return m, err
}

// EmbedCounted is Embed, and also returns the number of texts for which a vector was
// requested.
func (c *Cached) EmbedCounted(ctx context.Context, texts []string, progress Progress) (m vector.Matrix, made int, err error) {
	rows, missing := c.known(ctx, texts)
	made = missing.rows()
	done := len(texts) - made
	if err := progress.Report(done, len(texts)); err != nil {
		return m, 0, err
	}
	dim, err := c.fetch(ctx, missing, rows, &done, progress)
	if err != nil {
		return m, 0, err
	}
	if dim > 0 && c.source.Dimensions() == 0 {
		if stale := c.otherLength(texts, rows, dim); len(stale.texts) > 0 {
			done -= stale.rows()
			made += stale.rows()
			again, err := c.fetch(ctx, stale, rows, &done, progress)
			if err == nil && again != dim {
				err = fmt.Errorf("%s gave vectors of %d numbers after vectors of %d", c.ID(), again, dim)
			}
			if err != nil {
				return m, 0, err
			}
		}
	}
	m, err = c.matrix(rows)
	return m, made, err
}

// wanted holds distinct texts to request, and the indexes where each occurs.
type wanted struct {
	texts []string
	at    [][]int
	index map[string]int
}

func (w *wanted) add(t string, i int) {
	if w.index == nil {
		w.index = map[string]int{}
	}
	n, ok := w.index[t]
	if !ok {
		n = len(w.texts)
		w.index[t] = n
		w.texts, w.at = append(w.texts, t), append(w.at, nil)
	}
	w.at[n] = append(w.at[n], i)
}

func (w *wanted) rows() int {
	n := 0
	for _, at := range w.at {
		n += len(at)
	}
	return n
}

// fetch asks the source, caches the vectors and sets their rows. It returns the length of
// the vectors, or 0 if there was nothing to request.
func (c *Cached) fetch(ctx context.Context, w wanted, rows [][]float32, done *int, progress Progress) (dim int, err error) {
	if len(w.texts) == 0 {
		return 0, nil
	}
	var keys []Key
	var fresh [][]float32
	put := func() {
		// Store the received vectors even if the work was stopped.
		if c.store != nil && len(keys) > 0 {
			c.note(c.store.Put(context.WithoutCancel(ctx), keys, fresh))
		}
		keys, fresh = nil, nil
	}
	defer put()
	dim = c.source.Dimensions()
	got := make([]bool, len(w.texts))
	err = c.source.EmbedEach(ctx, w.texts, func(i int, v []float32) error {
		switch {
		case i < 0 || i >= len(got) || got[i]:
			return fmt.Errorf("%s gave a vector that was not asked for", c.ID())
		case dim > 0 && len(v) != dim:
			return fmt.Errorf("%s gave vectors of %d numbers after vectors of %d", c.ID(), len(v), dim)
		case len(v) == 0 || !finite(v):
			return fmt.Errorf("%s gave a vector with NaN or infinity for the text %.60q", c.ID(), w.texts[i])
		}
		dim, got[i] = len(v), true
		if !c.exact {
			vector.Normalize(vector.Matrix{Rows: 1, Dim: len(v), Data: v})
		}
		key := c.key(w.texts[i])
		c.put(key, v)
		if keys, fresh = append(keys, key), append(fresh, v); len(keys) >= putEvery {
			put()
		}
		for _, row := range w.at[i] {
			rows[row] = v
		}
		*done += len(w.at[i])
		return progress.Report(*done, len(rows))
	})
	if err != nil {
		return 0, err
	}
	for i, ok := range got {
		if !ok {
			return 0, fmt.Errorf("%s gave no vector for the text %.60q", c.ID(), w.texts[i])
		}
	}
	return dim, nil
}

// finite reports whether v has no NaN and no infinities.
func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}

// normal returns the form of a text used in keys and requests.
func (c *Cached) normal(t string) string {
	if c.exact {
		return t
	}
	return Normalize(t)
}

// otherLength returns the texts with rows of a length other than dim.
func (c *Cached) otherLength(texts []string, rows [][]float32, dim int) (w wanted) {
	for i, row := range rows {
		if row != nil && len(row) != dim {
			w.add(c.normal(texts[i]), i)
		}
	}
	return w
}

// matrix combines rows. Nil rows become zeros.
func (c *Cached) matrix(rows [][]float32) (vector.Matrix, error) {
	dim := c.source.Dimensions()
	for _, row := range rows {
		if row == nil {
			continue
		}
		if dim == 0 {
			dim = len(row)
		}
		if len(row) != dim {
			return vector.Matrix{}, fmt.Errorf("%s gave vectors of %d numbers after vectors of %d", c.ID(), len(row), dim)
		}
	}
	m, err := vector.Make(len(rows), dim)
	if err != nil {
		return vector.Matrix{}, err
	}
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	return m, nil
}

func (c *Cached) key(normal string) Key {
	return digest.Sum256([]byte(c.scope + "\x00" + c.source.ID() + "\x00" + strconv.Itoa(c.source.Dimensions()) + "\x00" + normal))
}

// known returns the cached rows of texts, and the texts without one.
func (c *Cached) known(ctx context.Context, texts []string) (rows [][]float32, missing wanted) {
	rows = make([][]float32, len(texts))
	var ask wanted
	c.mu.Lock()
	for i, t := range texts {
		if t = c.normal(t); t == "" {
			continue
		}
		if rows[i] = c.vectors[c.key(t)]; rows[i] == nil {
			ask.add(t, i)
		}
	}
	c.mu.Unlock()
	if c.store == nil || len(ask.texts) == 0 {
		return rows, ask
	}
	keys := make([]Key, len(ask.texts))
	for i, t := range ask.texts {
		keys[i] = c.key(t)
	}
	found, err := c.store.Get(ctx, keys)
	c.note(err)
	for i, t := range ask.texts {
		if i < len(found) && c.usable(found[i]) {
			c.put(keys[i], found[i])
			for _, row := range ask.at[i] {
				rows[row] = found[i]
			}
			continue
		}
		for _, row := range ask.at[i] {
			missing.add(t, row)
		}
	}
	return rows, missing
}

// usable reports whether a vector from the store is one that Embed could have stored.
func (c *Cached) usable(v []float32) bool {
	dim := c.source.Dimensions()
	return len(v) > 0 && (dim == 0 || len(v) == dim) && finite(v)
}

func (c *Cached) note(err error) {
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.trouble == nil {
			c.trouble = err
		}
	}
}

// put caches a vector in memory and evicts the oldest if there are too many.
func (c *Cached) put(k Key, v []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.vectors[k]; old == nil {
		c.order = append(c.order, k)
	} else {
		c.size -= 4 * len(old)
	}
	c.size += 4 * len(v)
	c.vectors[k] = v
	for c.size > c.limit && len(c.order) > 1 {
		c.size -= 4 * len(c.vectors[c.order[0]])
		delete(c.vectors, c.order[0])
		c.order = c.order[1:]
	}
}

// Missing returns the distinct texts that Embed would send, in the form sent.
func (c *Cached) Missing(ctx context.Context, texts []string) []string {
	_, missing := c.known(ctx, texts)
	return missing.texts
}
