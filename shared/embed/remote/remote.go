// Package remote is the embedder of a hosted model, asked through a proxy.
//
// It keeps the vectors that it was given, so that nothing is asked for, or paid,
// twice: not when the work is stopped or fails in the middle, and not when a text
// comes back in another document.
package remote

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"seam/shared/embed"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/shared/token"
	"seam/shared/vector"
)

// Prefix stands before a model's name in an embedder's.
const Prefix = "openai:"

// MaxKept bounds the bytes of the vectors that an Embedder keeps; the oldest are
// let go. 128 MB are some 21,000 vectors of 1536 numbers, or a long book.
const MaxKept = 128 << 20

// Client is what an embedder needs of client.Client.
type Client interface {
	Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (protocol.Usage, error)
	Calls(model string, texts []string, dims int) (int, error)
}

var _ Client = (*client.Client)(nil)

// Embedder is an embed.Embedder. Make one with New. It is safe for concurrent use.
type Embedder struct {
	client Client
	model  protocol.Model
	dims   int
	keep   int // bytes

	mu      sync.Mutex
	vectors map[key][]float32 // of length 1
	order   []key             // the oldest first
	kept    int               // bytes
}

type key [sha256.Size]byte

var _ embed.Embedder = (*Embedder)(nil)

// New makes an embedder of a model. dims asks for shorter vectors than the model's
// own, where it can; 0: its own.
func New(c Client, model protocol.Model, dims int) *Embedder {
	return &Embedder{client: c, model: model, dims: dims, keep: MaxKept, vectors: map[key][]float32{}}
}

// ID is "openai:MODEL", with "@DIMS" where dimensions were asked for.
func (e *Embedder) ID() string {
	if e.dims == 0 {
		return Prefix + e.model.ID
	}
	return Prefix + e.model.ID + "@" + strconv.Itoa(e.dims)
}

// Counter is token.Estimate: the model's own vocabulary is not here.
func (e *Embedder) Counter() token.Counter { return token.Estimate }

// Embed asks for the vectors that are not kept, each distinct text once. Texts of
// white space alone are not sent: their rows are zeros. What has come when the
// work ends early is kept. progress counts texts.
func (e *Embedder) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	rows, missing, at := e.known(texts)
	done := len(texts)
	for _, i := range at {
		done -= len(i)
	}
	if err := progress.Report(done, len(texts)); err != nil {
		return vector.Matrix{}, err
	}
	_, err := e.client.Embed(ctx, e.model.ID, missing, e.dims, func(i int, v []float32) error {
		unit := vector.Matrix{Rows: 1, Dim: len(v), Data: v}
		vector.Normalize(unit)
		e.put(sha256.Sum256([]byte(missing[i])), v)
		for _, row := range at[i] {
			rows[row] = v
		}
		done += len(at[i])
		return progress.Report(done, len(texts))
	})
	if err != nil {
		return vector.Matrix{}, err
	}
	return e.matrix(rows)
}

// matrix puts rows together; nil ones become zeros.
func (e *Embedder) matrix(rows [][]float32) (vector.Matrix, error) {
	dim := e.dims
	for _, row := range rows {
		if row == nil {
			continue
		}
		if dim == 0 {
			dim = len(row)
		}
		if len(row) != dim {
			return vector.Matrix{}, fmt.Errorf("vectors of %s: %w", e.ID(),
				protocol.Errorf(protocol.Internal, "The model gave vectors of %d numbers after some of %d.", len(row), dim))
		}
	}
	m := vector.New(len(rows), dim)
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	return m, nil
}

// known returns the rows of texts that are kept, the distinct texts that are not,
// and at which indexes of texts each of these stands.
func (e *Embedder) known(texts []string) (rows [][]float32, missing []string, at [][]int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	rows = make([][]float32, len(texts))
	index := map[string]int{}
	for i, t := range texts {
		if strings.TrimSpace(t) == "" {
			continue
		}
		if rows[i] = e.vectors[sha256.Sum256([]byte(t))]; rows[i] != nil {
			continue
		}
		n, ok := index[t]
		if !ok {
			n = len(missing)
			index[t] = n
			missing, at = append(missing, t), append(at, nil)
		}
		at[n] = append(at[n], i)
	}
	return rows, missing, at
}

// put keeps a vector, and lets the oldest go where there are too many.
func (e *Embedder) put(k key, v []float32) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.vectors[k] == nil {
		e.order = append(e.order, k)
		e.kept += 4 * len(v)
	}
	e.vectors[k] = v
	for e.kept > e.keep && len(e.order) > 1 {
		e.kept -= 4 * len(e.vectors[e.order[0]])
		delete(e.vectors, e.order[0])
		e.order = e.order[1:]
	}
}

// Missing returns the texts that Embed would send.
func (e *Embedder) Missing(texts []string) []string {
	_, missing, _ := e.known(texts)
	return missing
}

// Quote says what it would take to embed texts.
type Quote struct {
	Texts   int
	Missing int      // texts that would be sent
	Tokens  int      // of those, estimated
	Calls   int      // to the proxy
	Dollars *float64 // at the model's price; nil where that is not known
}

// Quote sends nothing. An error means that the proxy would not take the texts.
func (e *Embedder) Quote(texts []string) (Quote, error) {
	missing := e.Missing(texts)
	calls, err := e.client.Calls(e.model.ID, missing, e.dims)
	if err != nil {
		return Quote{}, err
	}
	q := Quote{Texts: len(texts), Missing: len(missing), Calls: calls}
	for _, t := range missing {
		q.Tokens += token.Estimate.Count(t)
	}
	if e.model.Price != nil {
		dollars := float64(q.Tokens) * *e.model.Price / 1e6
		q.Dollars = &dollars
	}
	return q, nil
}
