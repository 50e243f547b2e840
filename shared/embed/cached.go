package embed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"seam/shared/token"
	"seam/shared/vector"
)

// Source is a model whose vectors are worth keeping: one that is paid for, or slow.
type Source interface {
	// ID names the model and its version.
	ID() string
	// Counter measures texts in the model's own tokens.
	Counter() token.Counter
	// Dimensions is how long vectors were asked to be; 0: the model's own length.
	Dimensions() int
	// EmbedEach calls got with the vector of each text, in any order, as they come;
	// each is got's to keep. An error of got ends the work.
	EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error
}

// Key names a vector: the SHA-256 of where it comes from, the model, the
// dimensions asked for and the text (as Normalize leaves it, unless the Cached is
// of NewLocal).
type Key [sha256.Size]byte

// KeyOf names what a model that runs here makes of a text, by the ID of the model.
func KeyOf(id, text string) Key { return sha256.Sum256([]byte(id + "\x00" + text)) }

// Store keeps vectors between runs. It is safe for concurrent use.
type Store interface {
	// Get returns a vector a key, nil where there is none.
	Get(ctx context.Context, keys []Key) ([][]float32, error)
	// Put keeps a vector a key.
	Put(ctx context.Context, keys []Key, vectors [][]float32) error
}

// Normalize is the form in which a text is named and sent: every run of white
// space is one blank, none at the ends. The same sentence then has one vector,
// however its lines were broken.
func Normalize(t string) string { return strings.Join(strings.Fields(t), " ") }

// maxMemory bounds the bytes of the vectors that a Cached of NewCached holds in memory; the
// oldest are let go. 128 MB are some 21,000 vectors of 1536 numbers, or a long book.
const maxMemory = 128 << 20

// putEvery is how many vectors are handed to the store at once: what a crash
// loses at most.
const putEvery = 64

// Cached is an Embedder that asks its source for no vector twice: not when the
// work is stopped or fails in the middle, not when a text comes back in another
// document and, with a Store, not in another run. Make one with NewCached. It is
// safe for concurrent use.
type Cached struct {
	source Source
	scope  string
	store  Store // nil: memory alone
	limit  int   // of size
	exact  bool  // texts are asked for as they are, and vectors handed on as they came

	mu      sync.Mutex
	vectors map[Key][]float32 // of length 1, or of zeros
	order   []Key             // the oldest first
	size    int               // bytes of vectors
	trouble error             // the first of the store
}

// Counted is an Embedder that tells how many vectors it had to make.
type Counted interface {
	Embedder
	// EmbedCounted is Embed; made is for how many of the texts there was no vector.
	EmbedCounted(ctx context.Context, texts []string, progress Progress) (m vector.Matrix, made int, err error)
}

var _ Counted = (*Cached)(nil)

// NewCached keeps the vectors of a source. scope is where the source is found:
// models of one name in two places may be two models. A store may be nil.
func NewCached(source Source, scope string, store Store) *Cached {
	return &Cached{source: source, scope: scope, store: store, limit: maxMemory, vectors: map[Key][]float32{}}
}

// Add puts vectors of texts into the cache, which keeps the rows of m themselves.
func (c *Cached) Add(texts []string, m vector.Matrix) {
	for i := range min(len(texts), m.Rows) {
		c.put(c.key(c.normal(texts[i])), m.Row(i))
	}
}

// ID is the source's.
func (c *Cached) ID() string { return c.source.ID() }

// Counter is the source's.
func (c *Cached) Counter() token.Counter { return c.source.Counter() }

// Trouble is the first error of the store, nil if it had none. It ends no work:
// vectors that the store cannot keep are only computed again some day.
func (c *Cached) Trouble() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.trouble
}

// Embed asks for the vectors that are not kept, each distinct text once. Texts of
// white space alone are not sent: their rows are zeros. What has come when the
// work ends early is kept. progress counts texts.
//
// A source that returns too few vectors, one twice, one that is no numbers, or
// vectors of two lengths is an error. Where a source gives vectors of another
// length than it once did, those of then are asked for again.
func (c *Cached) Embed(ctx context.Context, texts []string, progress Progress) (vector.Matrix, error) {
	m, _, err := c.EmbedCounted(ctx, texts, progress)
	return m, err
}

// EmbedCounted is Embed, and tells for how many of the texts a vector was asked for.
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
				err = fmt.Errorf("%s gave vectors of %d numbers after some of %d", c.ID(), again, dim)
			}
			if err != nil {
				return m, 0, err
			}
		}
	}
	m, err = c.matrix(rows)
	return m, made, err
}

// wanted are distinct texts to be asked for, and the indexes at which each stands.
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

// fetch asks the source, keeps what comes and sets the rows of it. It returns the
// length of the vectors, 0 if there was nothing to ask for.
func (c *Cached) fetch(ctx context.Context, w wanted, rows [][]float32, done *int, progress Progress) (dim int, err error) {
	if len(w.texts) == 0 {
		return 0, nil
	}
	var keys []Key
	var fresh [][]float32
	put := func() {
		// What has come is kept even when the work was stopped.
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
			return fmt.Errorf("%s gave vectors of %d numbers after some of %d", c.ID(), len(v), dim)
		case len(v) == 0 || !finite(v):
			return fmt.Errorf("%s gave a vector that is no numbers, for the text %.60q", c.ID(), w.texts[i])
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

// finite reports whether all of v are numbers.
func finite(v []float32) bool {
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return false
		}
	}
	return true
}

// normal is the form in which a text is named and sent.
func (c *Cached) normal(t string) string {
	if c.exact {
		return t
	}
	return Normalize(t)
}

// otherLength are the texts whose rows have not dim numbers.
func (c *Cached) otherLength(texts []string, rows [][]float32, dim int) (w wanted) {
	for i, row := range rows {
		if row != nil && len(row) != dim {
			w.add(c.normal(texts[i]), i)
		}
	}
	return w
}

// matrix puts rows together; nil ones become zeros.
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
			return vector.Matrix{}, fmt.Errorf("%s gave vectors of %d numbers after some of %d", c.ID(), len(row), dim)
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
	return sha256.Sum256([]byte(c.scope + "\x00" + c.source.ID() + "\x00" + strconv.Itoa(c.source.Dimensions()) + "\x00" + normal))
}

// known returns the rows of texts that are kept, and the texts that are not.
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

// usable reports whether a vector of the store is one that Embed could have kept.
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

// put keeps a vector in memory, and lets the oldest go where there are too many.
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

// Missing returns the distinct texts that Embed would send, as it would send them.
func (c *Cached) Missing(ctx context.Context, texts []string) []string {
	_, missing := c.known(ctx, texts)
	return missing.texts
}
