// Package remote stores collections of chunks in search engines that people already run:
// Weaviate, PostgreSQL with pgvector, OpenSearch. Each is an Engine with its own package. A
// Pusher writes the changed chunks of documents to an engine.
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

// Version is the version of the format of collections. Collections of another version are
// refused.
const Version = 1

// Shape describes a collection and is stored with it, so that chunks and queries that do
// not fit are refused.
type Shape struct {
	Version    int    `json:"version"`
	Embedder   string `json:"embedder"`   // ID of the embedder, see embed.Embedder.ID
	Name       string `json:"name"`       // its name for --embedder
	Dimensions int    `json:"dimensions"` // numbers in a vector
	Metric     string `json:"metric"`     // Cosine
	Words      string `json:"words"`      // the language whose stemmer is used to compare words, such as english; simple: no stemming
}

// Cosine is the metric of all collections: the cosine of the angle between two vectors.
const Cosine = "cosine"

// Fits returns an error if chunks or a query of shape s do not fit a collection of shape
// held. It ignores Words, which is up to the collection, and Dimensions if 0, which means
// not known yet.
func (s Shape) Fits(held Shape) error {
	switch {
	case held.Version != Version:
		return fmt.Errorf("the collection has version %d, and this program supports version %d: push it again under another name", held.Version, Version)
	case held.Metric != Cosine:
		return fmt.Errorf("the collection compares vectors by %q, but this program by %s", held.Metric, Cosine)
	case held.Embedder != s.Embedder:
		return fmt.Errorf("the collection has vectors from %s, which cannot be compared with vectors from %s: use --embedder %s, or another collection", held.Embedder, s.Embedder, held.Name)
	case s.Dimensions > 0 && held.Dimensions != s.Dimensions:
		return fmt.Errorf("the collection's vectors have %d dimensions, but the new ones %d", held.Dimensions, s.Dimensions)
	}
	return nil
}

// Record is a chunk without its vector. It is stored whole, including fields that an engine
// cannot search by.
type Record struct {
	File    string   `json:"file"`
	Chunk   string   `json:"chunk"` // id in the file, as printed by seam chunk
	Title   string   `json:"title,omitempty"`
	Start   int      `json:"start"` // bytes of the view's text
	End     int      `json:"end"`
	Tokens  int      `json:"tokens"`
	Pages   []int    `json:"pages,omitempty"`  // counted from 1
	Labels  []string `json:"labels,omitempty"` // printed numbers of Pages, unless they are the same
	Boxes   []Box    `json:"boxes,omitempty"`  // a rectangle for each line
	Section string   `json:"section,omitempty"`
	Part    string   `json:"part,omitempty"` // "references" or "contents"
	Header  string   `json:"header,omitempty"`
	Text    string   `json:"text"`
	Reason  string   `json:"reason,omitempty"`
	Topic   int      `json:"topic,omitempty"`
	// Origin is a hash of the document's bytes, its view, the settings and the version of
	// seam: the key origin of seam chunk. It is no part of the digest: a new version alone
	// sends nothing again.
	Origin string              `json:"origin,omitempty"`
	Meta   map[string][]string `json:"meta,omitempty"` // by lower-case name
	// Unread are the notes on parts of the file that could not be read. Each chunk has them,
	// because no engine stores files.
	Unread []string `json:"unread,omitempty"`
}

// Box is a rectangle on a page, in points from its top left corner: page, x0, y0, x1, y1.
type Box [5]float64

// Chunk is a record with its id, digest and vector.
type Chunk struct {
	ID     uuid.UUID
	Digest string    // of the record
	Vector []float32 // nil if only words can find it
	Record
}

// space is the UUID namespace of chunk ids. It must never change.
var space = uuid.MustParse("7a1f5c3e-2b0d-5e4a-9c86-3d1b7f60a2e9")

// IDOf returns the id of a chunk in an engine. It depends only on the names of file and
// chunk, so that a chunk replaces its earlier version.
func IDOf(file, chunk string) uuid.UUID { return uuid.NewSHA1(space, []byte(file+"\x00"+chunk)) }

// ChunkOf makes a chunk of a record.
func ChunkOf(r Record) Chunk {
	same := r
	same.Origin = ""
	b, _ := json.Marshal(same) // texts and numbers
	sum := sha256.Sum256(b)
	return Chunk{ID: IDOf(r.File, r.Chunk), Digest: hex.EncodeToString(sum[:16]), Record: r}
}

// Facets returns the values a chunk can be filtered by, apart from sections and pages, each
// as "name=value" in lower case.
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

// longestFacet is the greatest length of a facet in bytes. Indexes of PostgreSQL accept
// some 2,700 and of OpenSearch 32,766, and they refuse a batch with a longer one.
const longestFacet = 2000

// facet returns a name and value as a facet. A long value, such as an abstract, is cut and
// gets a digest, so that it differs from others with the same beginning.
func facet(name, value string) string {
	f := Printable(strings.ToLower(name + "=" + value))
	if len(f) <= longestFacet {
		return f
	}
	sum := sha256.Sum256([]byte(f))
	return strings.ToValidUTF8(f[:longestFacet/2], "") + "…" + hex.EncodeToString(sum[:])
}

// Printable removes characters that the query languages have no common escape for, such as
// control characters.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// Span returns the first and the last page of a chunk, or 0, 0 if it has no pages.
func (r Record) Span() (first, last int) {
	if len(r.Pages) == 0 {
		return 0, 0
	}
	return slices.Min(r.Pages), slices.Max(r.Pages)
}

// Filter restricts which chunks may be found. The zero value allows all.
type Filter struct {
	File    string              // the complete name of a document
	Types   []string            // extensions of files without the dot; one must match
	Section string              // part of the section titles above a chunk
	Pages   [2]int              // from and to, counted from 1; 0 means open
	Meta    map[string][]string // by name; one value must match, ignoring case
}

// Facets returns lists of facets. A chunk must have one of each list.
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

// Mode sets how chunks are found. It mirrors index.Mode, whose package is too large for the
// thin proxy.
type Mode string

// The modes.
const (
	Hybrid  Mode = "hybrid" // both
	Dense   Mode = "dense"  // vectors
	Keyword Mode = "keyword"
)

// Query is a query to a collection.
type Query struct {
	Text   string
	Vector []float32 // if nil, the mode is Keyword
	Mode   Mode      // "": Hybrid
	K      int
	Filter Filter
}

// ModeOf returns the mode that the query can be answered in.
func (q Query) ModeOf() Mode {
	switch {
	case Zero(q.Vector):
		return Keyword
	case q.Mode == "":
		return Hybrid
	}
	return q.Mode
}

// maxWords is how many words of a query are searched for: engines refuse thousands.
const maxWords = 256

// Words returns the words of the text to search for, at most maxWords.
func (q Query) Words() string {
	words := strings.FieldsFunc(q.Text, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' })
	return strings.Join(words[:min(len(words), maxWords)], " ")
}

// Zero reports whether a vector is nil or has only zeros, and so has no cosine with others.
func Zero(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// Hit is a chunk that was found.
type Hit struct {
	ID    uuid.UUID
	Score float64 // set by the engine; higher is better; comparable only within a query
	Record
}

// Document is a file with chunks in a collection.
type Document struct {
	File   string
	Chunks int
}

// Engine is a collection in a search engine. It is safe for concurrent use. Its errors are
// sentences without secrets. Errors that wrap ErrUnavailable may be temporary.
type Engine interface {
	// Shape returns the shape of the collection, or nil if the collection does not exist.
	Shape(ctx context.Context) (*Shape, error)
	// Create creates the collection. If it exists, Create does not change it.
	Create(ctx context.Context, s Shape) error
	// Digests returns the digests of a document's chunks by id, as of the last Settle.
	Digests(ctx context.Context, file string) (map[uuid.UUID]string, error)
	// Documents returns the documents with stored chunks, by name.
	Documents(ctx context.Context) ([]Document, error)
	// Upsert writes chunks, replacing those with the same ids. It returns an error unless
	// all are written.
	Upsert(ctx context.Context, chunks []Chunk) error
	// Remove removes chunks.
	Remove(ctx context.Context, ids []uuid.UUID) error
	// Delete removes a document.
	Delete(ctx context.Context, file string) error
	// Settle makes earlier writes findable. It is called before the first write and after
	// the last.
	Settle(ctx context.Context) error
	// Search returns at most q.K hits, best first.
	Search(ctx context.Context, q Query) ([]Hit, error)
	// Count returns the number of stored chunks.
	Count(ctx context.Context) (int, error)
	// Health returns an error if the engine cannot answer.
	Health(ctx context.Context) error
	// Close closes the connections.
	Close() error
}

// Errors of engines, for errors.Is.
var (
	ErrUnavailable = errors.New("not available") // down, overloaded or partly available; may be temporary
	ErrDenied      = errors.New("denied")        // credentials are wrong or insufficient
)
