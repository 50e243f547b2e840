// Package shelf keeps a collection as one file of JSON on a web server that takes and gives
// files. All is compared here, so that it is for small collections alone.
package shelf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

// Engine is a collection in a file.
type Engine struct {
	url string
	mu  sync.Mutex // of the file
}

var _ remote.Engine = (*Engine)(nil)

// file is what the server has; it is empty where there is no collection.
type file struct {
	Shape  *remote.Shape
	Chunks map[uuid.UUID]remote.Chunk
}

// Open makes the engine of an address. The server asks for no key.
func Open(a remote.Address, _ string) (*Engine, error) {
	return &Engine{url: "http://" + a.Hosts[0] + "/" + a.Collection}, nil
}

func (e *Engine) call(ctx context.Context, method string, body []byte, to any) error {
	r, err := http.NewRequestWithContext(ctx, method, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("the shelf is %w: %w", remote.ErrUnavailable, err)
	}
	defer reply.Body.Close()
	switch {
	case reply.StatusCode == http.StatusNotFound && method == http.MethodGet:
		return nil
	case reply.StatusCode != http.StatusOK:
		return fmt.Errorf("the shelf is %w: %s", remote.ErrUnavailable, reply.Status)
	case to == nil:
		return nil
	}
	return json.NewDecoder(reply.Body).Decode(to)
}

func (e *Engine) read(ctx context.Context) (f file, err error) {
	err = e.call(ctx, http.MethodGet, nil, &f)
	return f, err
}

// change writes the file anew.
func (e *Engine) change(ctx context.Context, how func(f *file)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	f, err := e.read(ctx)
	if err != nil {
		return err
	}
	if f.Chunks == nil {
		f.Chunks = map[uuid.UUID]remote.Chunk{}
	}
	how(&f)
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return e.call(ctx, http.MethodPut, b, nil)
}

// Shape implements remote.Engine.
func (e *Engine) Shape(ctx context.Context) (*remote.Shape, error) {
	f, err := e.read(ctx)
	return f.Shape, err
}

// Create implements remote.Engine.
func (e *Engine) Create(ctx context.Context, s remote.Shape) error {
	return e.change(ctx, func(f *file) { f.Shape = cmp.Or(f.Shape, &s) })
}

// Digests implements remote.Engine.
func (e *Engine) Digests(ctx context.Context, name string) (map[uuid.UUID]string, error) {
	f, err := e.read(ctx)
	held := map[uuid.UUID]string{}
	for id, c := range f.Chunks {
		if c.File == name {
			held[id] = c.Digest
		}
	}
	return held, err
}

// Documents implements remote.Engine.
func (e *Engine) Documents(ctx context.Context) (all []remote.Document, err error) {
	f, err := e.read(ctx)
	chunks := map[string]int{}
	for _, c := range f.Chunks {
		chunks[c.File]++
	}
	for name, n := range chunks {
		all = append(all, remote.Document{File: name, Chunks: n})
	}
	slices.SortFunc(all, func(a, b remote.Document) int { return cmp.Compare(a.File, b.File) })
	return all, err
}

// Upsert implements remote.Engine.
func (e *Engine) Upsert(ctx context.Context, chunks []remote.Chunk) error {
	return e.change(ctx, func(f *file) {
		for _, c := range chunks {
			f.Chunks[c.ID] = c
		}
	})
}

// Remove implements remote.Engine.
func (e *Engine) Remove(ctx context.Context, ids []uuid.UUID) error {
	return e.change(ctx, func(f *file) {
		for _, id := range ids {
			delete(f.Chunks, id)
		}
	})
}

// Delete implements remote.Engine.
func (e *Engine) Delete(ctx context.Context, name string) error {
	return e.change(ctx, func(f *file) {
		for id, c := range f.Chunks {
			if c.File == name {
				delete(f.Chunks, id)
			}
		}
	})
}

// Settle implements remote.Engine: what was written is found at once.
func (e *Engine) Settle(context.Context) error { return nil }

// Search implements remote.Engine. A word is found in words that begin with it.
func (e *Engine) Search(ctx context.Context, q remote.Query) (hits []remote.Hit, err error) {
	f, err := e.read(ctx)
	if err != nil {
		return nil, err
	}
	asked, mode := wordsOf(q.Words()), q.ModeOf()
	for id, c := range f.Chunks {
		score := 0.0
		if mode != remote.Dense {
			score = shareOf(asked, wordsOf(c.Text))
		}
		near := mode != remote.Keyword && len(c.Vector) == len(q.Vector)
		if near {
			for i, x := range q.Vector {
				score += float64(x) * float64(c.Vector[i])
			}
		}
		if (near || score > 0) && passes(q.Filter, c.Record) {
			hits = append(hits, remote.Hit{ID: id, Score: score, Record: c.Record})
		}
	}
	slices.SortFunc(hits, func(a, b remote.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID.String(), b.ID.String()))
	})
	return hits[:min(q.K, len(hits))], nil
}

func wordsOf(t string) []string {
	return strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// shareOf returns which share of the words asked for a text has, from 0 to 1.
func shareOf(asked, of []string) float64 {
	n := 0
	for _, word := range asked {
		if slices.ContainsFunc(of, func(w string) bool { return strings.HasPrefix(w, word) }) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(asked)))
}

func passes(f remote.Filter, r remote.Record) bool {
	first, last := r.Span()
	facets := r.Facets()
	for _, any := range f.Facets() {
		if !slices.ContainsFunc(any, func(facet string) bool { return slices.Contains(facets, facet) }) {
			return false
		}
	}
	from, to := f.Pages[0], f.Pages[1]
	return (f.File == "" || f.File == r.File) && strings.Contains(strings.ToLower(r.Section), strings.ToLower(f.Section)) &&
		(from == 0 || last >= from) && (to == 0 || first > 0 && first <= to)
}

// Count implements remote.Engine.
func (e *Engine) Count(ctx context.Context) (int, error) {
	f, err := e.read(ctx)
	return len(f.Chunks), err
}

// Health implements remote.Engine.
func (e *Engine) Health(ctx context.Context) error {
	_, err := e.read(ctx)
	return err
}

// Close implements remote.Engine.
func (e *Engine) Close() error { return nil }
