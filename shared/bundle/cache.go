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

// Cache is the embedder of vectors that bundles hold: it finds those of sentences by
// their texts, in which white space does not matter, and makes none. Make one with
// NewCache; it may be used concurrently when all is added.
type Cache struct {
	from  string
	model string
	of    embed.Embedder // nil: it is not here
	rows  map[string][]float32
	dim   int
	added int
	texts []string      // of what was added first
	first vector.Matrix // their vectors
}

var _ embed.Roled = (*Cache)(nil)

// NewCache is of no vector yet. from is the name of the bundle, for errors, and model the
// ID of what made its vectors; of is that itself, or nil where it is not here: it counts
// tokens and embeds queries. Without it tokens are estimated.
func NewCache(from, model string, of embed.Embedder) *Cache {
	return &Cache{from: from, model: model, of: of, rows: map[string][]float32{}}
}

// Add puts the vectors of texts into the cache, which keeps the rows of m themselves.
// Those of another length than the ones before are an error.
func (c *Cache) Add(texts []string, m vector.Matrix) error {
	switch {
	case m.Rows != len(texts):
		return fmt.Errorf("%s has %d vectors for %d sentences", c.from, m.Rows, len(texts))
	case m.Rows > 0 && c.dim > 0 && m.Dim != c.dim:
		return fmt.Errorf("%s has vectors of %d numbers and of %d by one model", c.from, c.dim, m.Dim)
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

// unit makes a row one of length 1. One that a model made is left as it is, to the bit.
func unit(row []float32) {
	const near = 1e-3
	if square := vector.Dot(row, row); square > 0 && math.Abs(square-1) > near {
		vector.Normalize(vector.Matrix{Rows: 1, Dim: len(row), Data: row})
	}
}

// Embedder is the cache as an embedder that knows what its model knows: how sections
// begin, for one.
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

// ID is that of the model.
func (c *Cache) ID() string { return c.model }

// Counter is the model's, token.Estimate where that is not here.
func (c *Cache) Counter() token.Counter {
	if c.of == nil {
		return token.Estimate
	}
	return c.of.Counter()
}

// As is the cache for sentences, the model itself for queries where it is here, and nil
// for chunks.
func (c *Cache) As(r embed.Role) embed.Embedder {
	switch {
	case r == embed.Sentences:
		return c
	case r == embed.Queries && c.of != nil:
		return c.of
	}
	return nil
}

// Embed finds the vectors of sentences; those of one document's in their order are the
// rows that were added, and not to be changed. Where some have none the error says how many;
// texts of white space alone need none.
func (c *Cache) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	if err := progress.Check(ctx, 0, len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	if c.added == 1 && slices.Equal(texts, c.texts) {
		return c.first, progress.Report(len(texts), len(texts)) // the very document: they need not be there twice
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
		return vector.Matrix{}, fmt.Errorf("%s has no vector for %d of %d sentences, the first is %.60q: cut the same text into the same sentences as it did (its list tells how), or name what makes vectors with --embedder", c.from, missing, len(texts), first)
	}
	return m, progress.Report(len(texts), len(texts))
}
