// Package encoder runs sentence encoders of the BERT family. They read every token of a
// text in the context of the others, so texts with the same meaning are near each other
// even without a shared word. Open reads the folder of a sentence-transformers model.
//
// All sums have one order, and no product is fused with an addition. So vectors are the
// same to the bit on every target, with or without vector instructions.
package encoder

import (
	"context"
	"math"
	"runtime"
	"sync"

	"seam/shared/embed"
	"seam/shared/embed/static/tokenizer"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Prefix is the prefix of a model's name and ID, followed by its location.
const Prefix = "encoder:"

// Model is a sentence encoder. It embeds texts of any role unchanged (see Embedder). It is
// safe for concurrent use.
type Model struct {
	Config
	id            string
	tokens        *tokenizer.Tokenizer
	before, after []uint32 // ids around every text
	words         table
	positions     []float32 // rows of Width; include the vector of token type 0
	norm          norm
	layers        []layer
	arena         sync.Pool // of *work
}

var _ embed.Embedder = (*Model)(nil)

// finish computes the fields that depend on the parts.
func (m *Model) finish() (err error) {
	if m.before, m.after, err = m.tokens.Around(); err != nil {
		return err
	}
	if n := len(m.tokens.Tokens()); n > m.Vocabulary {
		return errTokens(n, m.Vocabulary)
	}
	if m.Window <= len(m.before)+len(m.after) {
		return errWindow(m.Window, len(m.before)+len(m.after))
	}
	m.arena.New = func() any { return &work{} }
	return nil
}

// ID returns the model's name and version. It includes a digest of weights, tokenizer and
// configuration.
func (m *Model) ID() string { return m.id }

// Counter counts the model's own tokens of a text, without the ones around it.
func (m *Model) Counter() token.Counter { return counter{m.tokens} }

type counter struct{ t *tokenizer.Tokenizer }

func (c counter) Name() string               { return "model" }
func (c counter) Count(s string) int         { return c.t.Count(s) }
func (c counter) Spans(s string) []text.Span { return c.t.Spans(s) }

// Embedder returns the model as an embedder that distinguishes roles. It returns the model
// itself if the model has no prompts.
func (m *Model) Embedder() embed.Embedder {
	if m.Query == "" && m.Passage == "" && m.Default == "" {
		return m
	}
	return prompted{m}
}

// prompted adds the model's prompts to texts.
type prompted struct{ *Model }

var _ embed.Roled = prompted{}

// As returns the embedder for texts in a role.
func (p prompted) As(r embed.Role) embed.Embedder { return role{p.Model, p.prompt(r)} }

// ByText reports true: in each role, a text's vector does not depend on other texts.
func (p prompted) ByText() bool { return true }

// Embed embeds texts in the role of sentences.
func (p prompted) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return p.As(embed.Sentences).Embed(ctx, texts, progress)
}

// role is a model with a prompt before every text.
type role struct {
	*Model
	prompt string
}

func (r role) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return r.embed(ctx, texts, r.prompt, progress)
}

// Embed returns a vector of length 1 for each text, or zeros for a text without tokens.
//
// A text longer than the window is divided into as few windows as possible, of equal length
// except for one token. Its vector is the mean of the windows' unscaled vectors, weighted
// by their tokens.
func (m *Model) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return m.embed(ctx, texts, "", progress)
}

// batchTokens is the approximate number of tokens that go through the layers together.
// batches is the number of such batches per processor between two calls of a progress hook.
const (
	batchTokens = 128
	batches     = 4
)

// window is a part of a text that goes through the layers at once.
type window struct {
	text int
	ids  []uint32
}

func (m *Model) embed(ctx context.Context, texts []string, prompt string, progress embed.Progress) (vector.Matrix, error) {
	out, err := vector.Make(len(texts), m.Width)
	if err != nil {
		return vector.Matrix{}, err
	}
	body := m.Window - len(m.before) - len(m.after)
	var start []uint32
	if prompt != "" {
		start = m.tokens.Append(nil, prompt, body/2)
	}
	var waiting [][]window // batches
	size := 0              // tokens of the last batch
	atOnce := batches * runtime.GOMAXPROCS(0)
	flush := func(done int) error {
		if err := m.run(ctx, out, waiting); err != nil {
			return err
		}
		waiting, size = waiting[:0], 0
		return progress.Check(ctx, done, len(texts))
	}
	if err := progress.Check(ctx, 0, len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	for i, s := range texts {
		for _, ids := range m.windows(m.tokens.Append(nil, s, 0), start, body) {
			if n := len(waiting); n == 0 || size+len(ids) > batchTokens {
				if n >= atOnce {
					if err := flush(i); err != nil {
						return vector.Matrix{}, err
					}
				}
				waiting, size = append(waiting, nil), 0
			}
			n := len(waiting) - 1
			waiting[n], size = append(waiting[n], window{i, ids}), size+len(ids)
		}
	}
	if err := flush(len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	for i := range texts {
		toUnit(out.Row(i))
	}
	return out, nil
}

// windows divides the ids of a text into windows. Each begins with start and includes the
// ids around a text.
func (m *Model) windows(ids, start []uint32, body int) [][]uint32 {
	if len(ids) == 0 {
		return nil
	}
	body -= len(start)
	parts := (len(ids) + body - 1) / body
	out := make([][]uint32, parts)
	for i := range parts {
		part := ids[len(ids)*i/parts : len(ids)*(i+1)/parts]
		all := make([]uint32, 0, len(m.before)+len(start)+len(part)+len(m.after))
		out[i] = append(append(append(append(all, m.before...), start...), part...), m.after...)
	}
	return out
}

// run adds the vectors of all windows to the rows of their texts.
func (m *Model) run(ctx context.Context, out vector.Matrix, all [][]window) error {
	sums := make([][]float32, len(all))
	vector.Divide(len(all), 1, func(from, to int) {
		if ctx.Err() != nil {
			return
		}
		w := m.arena.Get().(*work)
		defer m.arena.Put(w)
		sums[from] = m.forward(w, all[from])
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, batch := range all { // in text order, because a text may be in two batches
		for j, win := range batch {
			row := out.Row(win.text)
			for k, x := range sums[i][j*m.Width:][:m.Width] {
				row[k] += x
			}
		}
	}
	return nil
}

// toUnit scales row to length 1. A row without a direction becomes zeros.
func toUnit(row []float32) {
	square := vector.Dot(row, row)
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) {
		clear(row)
		return
	}
	length := math.Sqrt(square)
	for i, x := range row {
		row[i] = float32(float64(x) / length)
	}
}
