package embed

import (
	"context"
	"fmt"
)

// NewLocal keeps up to so many bytes of vectors of an embedder that runs here and
// gives a text the same vector in any company. They are to the bit what it makes.
func NewLocal(e Embedder, bytes int) *Cached {
	return &Cached{source: local{e}, limit: bytes, exact: true, vectors: map[Key][]float32{}}
}

// NewStored keeps the vectors of such an embedder in a store, too: those of one that is slow.
func NewStored(e Embedder, store Store) *Cached {
	c := NewLocal(e, maxMemory)
	c.store = store
	return c
}

// local is the Source of an embedder that runs here.
type local struct{ Embedder }

// localBatch is how many texts a local embedder gets at once: so often can the work
// be stopped.
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
