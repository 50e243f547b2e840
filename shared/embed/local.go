package embed

import (
	"context"
	"fmt"
)

// NewLocal returns a cache of up to the given number of bytes for the vectors of a local
// embedder, which must be ByText. Cached vectors equal the embedder's to the bit.
func NewLocal(e Embedder, bytes int) *Cached {
	return &Cached{source: local{e}, limit: bytes, exact: true, vectors: map[Key][]float32{}}
}

// NewStored is NewLocal with a store, for a slow embedder.
func NewStored(e Embedder, store Store) *Cached {
	c := NewLocal(e, maxMemory)
	c.store = store
	return c
}

// local is the Source of a local embedder.
type local struct{ Embedder }

// localBatch is the number of texts passed to a local embedder at once. The work can be
// stopped between batches.
const localBatch = 256

func (l local) Dimensions() int { return 0 }

func (l local) EmbedEach(ctx context.Context, texts []string, got func(i int, v []float32) error) error {
	for at := 0; at < len(texts); at += localBatch {
		batch := texts[at:min(len(texts), at+localBatch)]
		m, err := l.Embed(ctx, batch, nil)
		if err == nil && m.Rows != len(batch) {
			err = fmt.Errorf("%s made %d vectors of %d texts", l.ID(), m.Rows, len(batch))
		}
		for i := 0; i < len(batch) && err == nil; i++ {
			err = got(at+i, m.Row(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
