// Package static embeds texts with a table of token vectors. The vector of a text is the
// sum, or mean, of its tokens' vectors. This is Model2Vec
// (https://github.com/MinishLab/model2vec). Open reads its directories, and Seam's own
// model in embed/builtin works the same way.
//
// Sums are float32 additions in the order of the tokens, without any multiplication, so all
// targets agree to the bit.
package static

import (
	"context"
	"fmt"
	"math"

	"seam/shared/embed"
	"seam/shared/embed/static/safetensors"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Tokenizer turns texts into ids. It must be safe for concurrent use.
type Tokenizer interface {
	// Append appends the ids of s, at most limit of them, or all if limit is 0.
	Append(ids []uint32, s string, limit int) []uint32
	// Count returns the number of ids that Append gives without a limit.
	Count(s string) int
	// Spans returns the bytes of s for each of those ids, in order, without overlap, on
	// character boundaries.
	Spans(s string) []text.Span
	// File returns the tokenizer in the format of Hugging Face's tokenizer.json.
	File() ([]byte, error)
}

// Table holds the vectors of tokens. It must be safe for concurrent use.
type Table interface {
	// Expand writes the vector of a token, including its weight, to dst, which has the
	// model's dimensions.
	Expand(dst []float32, id uint32)
}

// Parts are the components of a model.
type Parts struct {
	ID        string
	Tokens    int // number of ids
	Dim       int
	Tokenizer Tokenizer
	Table     Table
	Unknown   int  // id of the unknown token, which is left out; negative if there is none
	MaxTokens int  // only this many tokens of a text count; 0 for the whole text
	MaxRunes  int  // like MaxTokens in characters, applied first
	Normalize bool // whether Encode gives vectors of length 1
	Half      bool // whether Encode rounds to float16, as the Python package does for a float16 table
}

// Limits of a model. A model beyond them is damaged.
const (
	MaxDim    = 1 << 14
	MaxTokens = 1 << 23
)

// Model is a static embedding model. It is safe for concurrent use.
type Model struct {
	parts Parts
	arena *arena
}

var _ embed.Embedder = (*Model)(nil)

// New returns a model with the given parts.
func New(p Parts) (*Model, error) {
	if p.Dim < 1 || p.Dim > MaxDim || p.Tokens < 1 || p.Tokens > MaxTokens {
		return nil, fmt.Errorf("a model of %d tokens and %d dimensions: at most %d and %d are supported", p.Tokens, p.Dim, MaxTokens, MaxDim)
	}
	return &Model{parts: p, arena: newArena(p.Table, p.Tokens, p.Dim)}, nil
}

// ID returns the model's name and version.
func (m *Model) ID() string { return m.parts.ID }

// Dim returns the number of dimensions of a vector.
func (m *Model) Dim() int { return m.parts.Dim }

// Counter counts the model's own tokens in the whole of a text, including unknown ones.
func (m *Model) Counter() token.Counter { return counter{m.parts.Tokenizer} }

type counter struct{ t Tokenizer }

func (c counter) Name() string               { return "model" }
func (c counter) Count(s string) int         { return c.t.Count(s) }
func (c counter) Spans(s string) []text.Span { return c.t.Spans(s) }

// Each yields the Spans one by one (see token.Each).
func (c counter) Each(s string, yield func(text.Span) bool) {
	if t, ok := c.t.(interface {
		Each(s string, yield func(text.Span) bool)
	}); ok {
		t.Each(s, yield)
		return
	}
	for _, span := range c.t.Spans(s) {
		if !yield(span) {
			return
		}
	}
}

// Embed returns a vector of length 1 for each text, or zeros if none of its tokens is
// known.
func (m *Model) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return m.each(ctx, texts, progress, func(row []float32, n int) { unit(row) })
}

// Encode returns the result of StaticModel.encode in the Python package: the mean, with
// length 1 only if the model's configuration says so.
func (m *Model) Encode(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return m.each(ctx, texts, progress, func(row []float32, n int) {
		for i := range row {
			row[i] /= float32(max(n, 1))
			if m.parts.Half {
				row[i] = safetensors.RoundHalf(row[i])
			}
		}
		if m.parts.Normalize {
			unit(row)
		}
		if m.parts.Half {
			for i := range row {
				row[i] = safetensors.RoundHalf(row[i])
			}
		}
	})
}

// each sums the token vectors of every text into a row. It then calls finish with the row
// and the number of tokens.
func (m *Model) each(ctx context.Context, texts []string, progress embed.Progress, finish func(row []float32, n int)) (vector.Matrix, error) {
	out, err := vector.Make(len(texts), m.parts.Dim)
	if err != nil {
		return vector.Matrix{}, err
	}
	for done := 0; done < len(texts); done += round {
		if err := progress.Check(ctx, done, len(texts)); err != nil {
			return vector.Matrix{}, err
		}
		vector.Divide(min(round, len(texts)-done), atATime, func(from, to int) {
			w := m.arena.take()
			defer m.arena.give(w)
			for i := done + from; i < done+to; i++ {
				row := out.Row(i)
				n := m.pool(w, texts[i])
				w.write(row)
				finish(row, n)
			}
		})
	}
	return out, progress.Check(ctx, len(texts), len(texts))
}

// round is the number of texts embedded between two calls of a progress hook. atATime is
// the number that a processor takes at once.
const round, atATime = 256, 32

// write copies the sum to a row.
func (w *work) write(row []float32) {
	for j := range w.sum {
		if rest := row[j*laneSize:]; len(rest) >= laneSize {
			*(*lane)(rest) = w.sum[j]
		} else {
			copy(rest, w.sum[j][:])
		}
	}
}

// atOnce is the number of vectors gathered before they are summed.
const atOnce = 32

// pool adds the vectors of a text's tokens to w.sum and returns their number. The vectors
// are gathered on the stack, because a pointer written anywhere else during garbage
// collection is checked by a write barrier. In a page, where the collector has no processor
// to itself, that took half of the time.
func (m *Model) pool(w *work, s string) int {
	p := &m.parts
	if p.MaxRunes > 0 {
		s = firstRunes(s, p.MaxRunes)
	}
	w.ids = p.Tokenizer.Append(w.ids[:0], s, p.MaxTokens)
	clear(w.sum)
	n := 0
	var rows [atOnce][]lane
	gathered := 0
	for _, id := range w.ids {
		if int(id) == p.Unknown || int(id) >= p.Tokens {
			continue
		}
		rows[gathered] = w.row(id)
		n++
		if gathered++; gathered == atOnce {
			sum(w.sum, rows[:])
			gathered = 0
		}
	}
	sum(w.sum, rows[:gathered])
	return n
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// unit scales row to length 1. A row without a direction becomes zeros.
func unit(row []float32) {
	square := vector.Dot(row, row)
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		clear(row)
		return
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range row {
		row[i] = float32(float64(x) * scale)
	}
}
