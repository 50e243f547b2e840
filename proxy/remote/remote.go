// Package remote keeps collections of chunks in search engines that people already run:
// Weaviate, PostgreSQL with pgvector, OpenSearch. Each is an Engine, in a folder of its
// own; Push brings a document there, sending what has changed.
package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"
)

// Version is that of what a collection looks like in the engines. A collection of another
// version is refused.
const Version = 1

// Shape is what a collection remembers of itself, so that what does not fit is refused.
type Shape struct {
	Version    int    `json:"version"`
	Embedder   string `json:"embedder"`   // the id of what made the vectors, as embed.Embedder.ID has it
	Name       string `json:"name"`       // what --embedder calls it
	Dimensions int    `json:"dimensions"` // numbers of a vector
	Metric     string `json:"metric"`     // Cosine
	Words      string `json:"words"`      // the language whose stems words are compared by, such as english; simple: none
}

// Cosine is the metric of all collections: the cosine of the angle between two vectors.
const Cosine = "cosine"

// Fits reports why chunks or a query of the shape s do not fit a collection of shape
// held. Words are the collection's own matter, and 0 dimensions are not known yet.
func (s Shape) Fits(held Shape) error {
	switch {
	case held.Version != Version:
		return fmt.Errorf("the collection is of version %d, and this program knows version %d: push it anew under another name", held.Version, Version)
	case held.Metric != Cosine:
		return fmt.Errorf("the collection compares vectors by %q, and this program by %s", held.Metric, Cosine)
	case held.Embedder != s.Embedder:
		return fmt.Errorf("the vectors of the collection are by %s, and those here by %s, which cannot be compared: --embedder %s, or another collection", held.Embedder, s.Embedder, held.Name)
	case s.Dimensions > 0 && held.Dimensions != s.Dimensions:
		return fmt.Errorf("the vectors of the collection have %d numbers, and those here %d", held.Dimensions, s.Dimensions)
	}
	return nil
}

// Record is a chunk without its vector. It travels whole, whatever an engine can search
// by.
type Record struct {
	File    string              `json:"file"`
	Chunk   string              `json:"chunk"` // its id in the file, as seam chunk prints it
	Title   string              `json:"title,omitempty"`
	Start   int                 `json:"start"` // bytes of the text of the view
	End     int                 `json:"end"`
	Tokens  int                 `json:"tokens"`
	Pages   []int               `json:"pages,omitempty"` // counted from 1
	Boxes   []Box               `json:"boxes,omitempty"` // a rectangle for each line
	Section string              `json:"section,omitempty"`
	Header  string              `json:"header,omitempty"`
	Text    string              `json:"text"`
	Reason  string              `json:"reason,omitempty"`
	Topic   int                 `json:"topic,omitempty"`
	Meta    map[string][]string `json:"meta,omitempty"` // by names in lower case
}

// Box is a rectangle on a page, in points from its top left corner: page, x0, y0, x1, y1.
type Box [5]float64

// Chunk is a record with what an engine knows it by.
type Chunk struct {
	ID     uuid.UUID
	Digest string    // of the record
	Vector []float32 // nil: it can be found by its words alone
	Record
}

// space is that of the ids of chunks, for ever.
var space = uuid.MustParse("7a1f5c3e-2b0d-5e4a-9c86-3d1b7f60a2e9")

// IDOf names a chunk in an engine: the same chunk of a file of the same name has the same
// id, so that it takes its own place when it comes again.
func IDOf(file, chunk string) uuid.UUID { return uuid.NewSHA1(space, []byte(file+"\x00"+chunk)) }

// ChunkOf makes a chunk of a record.
func ChunkOf(r Record) Chunk {
	b, _ := json.Marshal(r) // texts and numbers
	sum := sha256.Sum256(b)
	return Chunk{ID: IDOf(r.File, r.Chunk), Digest: hex.EncodeToString(sum[:16]), Record: r}
}

// Facets are what a chunk can be filtered by, besides sections and pages: "name=value", in
// lower case.
func (r Record) Facets() []string {
	var all []string
	add := func(name, value string) {
		if f := facet(name, value); value != "" && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	add("type", strings.TrimPrefix(path.Ext(r.File), "."))
	add("title", r.Title)
	for name, values := range r.Meta {
		for _, v := range values {
			add(name, v)
		}
	}
	slices.Sort(all)
	return all
}

// longestFacet is how many bytes a facet has at most: the index of PostgreSQL takes some
// 2,700, that of OpenSearch 32,766, and a batch with a longer one is refused.
const longestFacet = 2000

// facet names a value. A long one, such as an abstract, is named by its beginning and a
// digest, so that it is still another than others that begin so.
func facet(name, value string) string {
	f := Printable(strings.ToLower(name + "=" + value))
	if len(f) <= longestFacet {
		return f
	}
	sum := sha256.Sum256([]byte(f))
	return strings.ToValidUTF8(f[:longestFacet/2], "") + "…" + hex.EncodeToString(sum[:])
}

// Printable is a text without what no language of queries has an escape for in common:
// control characters, and the like.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Span is the first and the last page of a chunk; 0, 0 where there are none.
func (r Record) Span() (first, last int) {
	if len(r.Pages) == 0 {
		return 0, 0
	}
	return slices.Min(r.Pages), slices.Max(r.Pages)
}

// Filter says which chunks may be found; its zero value: all.
type Filter struct {
	File    string              // the name of a document, whole
	Types   []string            // extensions of files, without the dot: one of them
	Section string              // a part of the titles that a chunk stands below
	Pages   [2]int              // from and to, counted from 1; 0: open
	Meta    map[string][]string // by name: one of the values, whatever their case
}

// Facets are what chunks must have: of each list one.
func (f Filter) Facets() (all [][]string) {
	add := func(name string, values []string) {
		var any []string
		for _, v := range values {
			any = append(any, facet(name, v))
		}
		if any != nil {
			all = append(all, any)
		}
	}
	add("type", f.Types)
	names := make([]string, 0, len(f.Meta))
	for name := range f.Meta {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		add(name, f.Meta[name])
	}
	return all
}

// Mode is by what chunks are found, as index.Mode, whose package is too large for the
// thin proxy.
type Mode string

// The modes.
const (
	Hybrid  Mode = "hybrid" // both
	Dense   Mode = "dense"  // vectors
	Keyword Mode = "keyword"
)

// Query is what is asked of a collection.
type Query struct {
	Text   string
	Vector []float32 // nil: the mode is Keyword
	Mode   Mode      // "": Hybrid
	K      int
	Filter Filter
}

// ModeOf is the mode that a query can be answered in.
func (q Query) ModeOf() Mode {
	switch {
	case Zero(q.Vector):
		return Keyword
	case q.Mode == "":
		return Hybrid
	}
	return q.Mode
}

// maxWords is how many words of a query are looked for: engines refuse thousands.
const maxWords = 256

// Words is the text, as far as its words are looked for.
func (q Query) Words() string {
	words := strings.FieldsFunc(q.Text, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' })
	return strings.Join(words[:min(len(words), maxWords)], " ")
}

// Zero reports a vector without a direction, which no cosine can compare; nil is one.
func Zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// Hit is a chunk that was found.
type Hit struct {
	ID    uuid.UUID
	Score float64 // the engine's; higher is better, and of one query alone
	Record
}

// Document is a file whose chunks a collection holds.
type Document struct {
	File   string
	Chunks int
}

// Engine is a collection in a search engine. It is safe for concurrent use. Its errors are
// sentences without secrets; those that wrap ErrUnavailable may pass by themselves.
type Engine interface {
	// Shape is what the collection remembers; nil where there is none of its name.
	Shape(ctx context.Context) (*Shape, error)
	// Create makes the collection. One that is there already is left as it is.
	Create(ctx context.Context, s Shape) error
	// Held are the digests of the chunks of a document, by id, as they were settled.
	Held(ctx context.Context, file string) (map[uuid.UUID]string, error)
	// Documents are those whose chunks are held, by name.
	Documents(ctx context.Context) ([]Document, error)
	// Upsert writes chunks over those of the same ids. Either all are written, or an
	// error says so.
	Upsert(ctx context.Context, chunks []Chunk) error
	// Remove takes chunks out.
	Remove(ctx context.Context, ids []uuid.UUID) error
	// Delete takes a document out.
	Delete(ctx context.Context, file string) error
	// Settle makes what was written findable, and is called before the first and after the
	// last of it.
	Settle(ctx context.Context) error
	// Search returns at most q.K hits, best first.
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Count is how many chunks are held.
	Count(ctx context.Context) (int, error)
	// Health reports why the engine cannot answer.
	Health(ctx context.Context) error
	// Close ends the connections.
	Close() error
}

// Errors of engines, for errors.Is.
var (
	ErrUnavailable = errors.New("not available") // down, overloaded or half there: it may pass
	ErrDenied      = errors.New("denied")        // the credentials are wrong, or do not suffice
)
