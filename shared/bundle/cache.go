package bundle

import (
	"context"
	"fmt"
	"math"
	"slices"

	"seam/shared/embed"
	"seam/shared/token"
	"seam/shared/vector"
)

// Cache is an embedder that returns the vectors stored in bundles. It finds vectors of
// sentences by their text, ignoring white space, and computes none. Make one with NewCache.
// It is safe for concurrent use after the last Add.
type Cache struct {
	from  string
	model string
	of    embed.Embedder // nil if it is not available
	rows  map[string][]float32
	dim   int
	added int
	texts []string      // the texts added first
	first vector.Matrix // their vectors
}

var _ embed.Roled = (*Cache)(nil)

// NewCache returns an empty Cache. from is the name of the bundle, for errors. model is the
// ID of the vectors' embedder. of is that embedder, or nil if it is not available; it
// counts tokens and embeds queries. Without it tokens are estimated.
func NewCache(from, model string, of embed.Embedder) *Cache {
	return &Cache{from: from, model: model, of: of, rows: map[string][]float32{}}
}

// Add adds the vectors of texts. It keeps the rows of m without copying them. It returns an
// error if their length differs from earlier vectors.
func (c *Cache) Add(texts []string, m vector.Matrix) error {
	switch {
	case m.Rows != len(texts):
		return fmt.Errorf("%s has %d vectors for %d sentences", c.from, m.Rows, len(texts))
	case m.Rows > 0 && c.dim > 0 && m.Dim != c.dim:
		return fmt.Errorf("%s has vectors of %d and of %d numbers from one model", c.from, c.dim, m.Dim)
	case m.Rows > 0:
		c.dim = m.Dim
	}
	if c.added++; c.added == 1 {
		c.texts, c.first = texts, m
	}
	for i, t := range texts {
		row := m.Row(i)
		unit(row)
		c.rows[t] = row
		if n := embed.Normalize(t); n != t && c.rows[n] == nil {
			c.rows[n] = row
		}
	}
	return nil
}

// unit normalizes a row. It leaves a row from a model unchanged, to the bit.
func unit(row []float32) {
	const near = 1e-3
	if square := vector.Dot(row, row); square > 0 && math.Abs(square-1) > near {
		vector.Normalize(vector.Matrix{Rows: 1, Dim: len(row), Data: row})
	}
}

// Embedder returns the cache as an embedder with the abilities of its model, such as
// predicting how sections begin.
func (c *Cache) Embedder() embed.Roled {
	if o, ok := c.of.(embed.OpeningModel); ok {
		return opening{c, o}
	}
	return c
}

// opening is a Cache of a model that has learned how sections begin.
type opening struct {
	*Cache
	model embed.OpeningModel
}

// Openings implements embed.OpeningModel.
func (o opening) Openings(texts []string, vectors vector.Matrix, progress embed.Progress) ([]float64, error) {
	return o.model.Openings(texts, vectors, progress)
}

// ID returns the model's ID.
func (c *Cache) ID() string { return c.model }

// Counter returns the model's counter, or token.Estimate if the model is not available.
func (c *Cache) Counter() token.Counter {
	if c.of == nil {
		return token.Estimate
	}
	return c.of.Counter()
}

// As returns the cache for sentences, the model for queries if it is available, and nil for
// chunks.
func (c *Cache) As(r embed.Role) embed.Embedder {
	switch {
	case r == embed.Sentences:
		return c
	case r == embed.Queries && c.of != nil:
		return embed.For(c.of, r)
	}
	return nil
}

// Embed returns the vectors of sentences. For the sentences of one document, in order, it
// returns the added rows themselves, which must not be changed. If vectors are missing, the
// error says how many. Texts of only white space need none.
func (c *Cache) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	if err := progress.Check(ctx, 0, len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	if c.added == 1 && slices.Equal(texts, c.texts) {
		return c.first, progress.Report(len(texts), len(texts)) // the same document, so its vectors need not be copied
	}
	m := vector.New(len(texts), c.dim)
	missing, first := 0, ""
	for i, t := range texts {
		row := c.rows[t]
		normal := ""
		if row == nil {
			normal = embed.Normalize(t)
			row = c.rows[normal]
		}
		if row != nil {
			copy(m.Row(i), row)
		} else if normal != "" {
			if missing++; missing == 1 {
				first = t
			}
		}
	}
	if missing > 0 {
		return vector.Matrix{}, fmt.Errorf("%s has no vector for %d of %d sentences, the first is %.60q: cut the same text into the same sentences (see seam bundle --list), or set another --embedder", c.from, missing, len(texts), first)
	}
	return m, progress.Report(len(texts), len(texts))
}
