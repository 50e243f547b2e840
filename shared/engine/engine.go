// Package engine is what the page can ask for: one handler a message, one file a
// family of messages, with typed parameters and typed replies. It keeps the open
// documents, and turns bytes into UTF-16 units; package pipeline computes. It is pure
// Go: the page reaches it through a worker, tests call it directly.
package engine

import (
	"context"
	"time"

	"seam/shared/embed"
	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/protocol/client"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/token"
)

// Host is what the engine needs of its surroundings. Of what is nil there is none.
type Host struct {
	Version string
	// Now is a clock that only moves forward; required.
	Now func() time.Duration
	// Dial makes the client of the proxy at url; "" is where the page itself comes
	// from. token is one of the user's own, or "". It connects to nothing yet; an
	// error means that url is none.
	Dial func(url, token string) (*client.Client, error)
	// Builtin fetches the model that comes with Seam, when it is first needed.
	Builtin func(ctx context.Context) (embed.Embedder, error)
	// Meaning fetches the encoder that comes with Seam, when it is first asked for.
	Meaning func(ctx context.Context) (embed.Embedder, error)
	// MeaningBytes is how large its file is.
	MeaningBytes int
	// Read keeps vectors of that encoder between visits.
	Read VectorStore
	// OpenModel opens a model of the user's own: the bytes of its files by their names.
	OpenModel func(name string, files map[string][]byte) (embed.Embedder, error)
	// Ranks fetches the ranks of an encoding (bpe.Read), when lengths are first
	// counted in it.
	Ranks func(encoding string) ([]byte, error)
	// Vectors keeps vectors of hosted models where a later visit finds them. Without
	// it they last as long as the engine.
	Vectors VectorStore
	// Files keeps documents between visits.
	Files FileStore
}

// FileStore keeps files between visits. Names are of letters, digits, '.' and '-'.
type FileStore interface {
	// Write makes a file, or makes it anew. When it returns without an error the file
	// outlasts a power cut; with one there is no file.
	Write(ctx context.Context, name string, b []byte) error
	// Read returns a file: fs.ErrNotExist where there is none.
	Read(ctx context.Context, name string) ([]byte, error)
	// Remove deletes files; what is not there is gone.
	Remove(ctx context.Context, names []string) error
	// Names are those of all files.
	Names(ctx context.Context) ([]string, error)
}

// VectorStore keeps vectors between visits.
type VectorStore interface {
	embed.Store
	// Size is how many vectors there are, and about how many bytes they take.
	Size(ctx context.Context) (vectors int, bytes int64, err error)
	// Clear deletes all of them.
	Clear(ctx context.Context) error
}

// Engine holds the open documents. Its handlers are called one at a time, but for
// the moments in which one waits for a network (rpc.Call.Await).
type Engine struct {
	host     Host
	proxy    *connection               // nil: none
	builtin  embed.Embedder            // nil until it is fetched
	meaning  embed.Embedder            // nil until it is fetched
	reading  *reading                  // nil before the first read
	models   map[string]embed.Embedder // the user's own, by name
	counters map[string]token.Counter  // by unit

	last     int
	open     map[int]*opened
	order    []int      // ids of open documents in the order of opening
	searcher *searching // nil before the first search
}

// opened is an open document.
type opened struct {
	*pipeline.Session
	units    map[text.ViewName]*text.UTF16
	settings pipeline.Settings
	current  *pipeline.Result  // the chunks that are shown, of these settings; nil before the first
	calls    int               // of chunk, so far
	kept     map[string]string // by what keep is asked for, the key of what was written or read last
	written  map[text.ViewName][]search.Written
}

// connection is the proxy that the user has chosen.
type connection struct {
	url, token string
	client     *client.Client
	embedders  map[string]*remote.Embedder // by model
	known      []string                    // IDs of the models for embedding that it had on an earlier visit, until it is asked
}

// searching is a Searcher with the documents that it searches, as they were cut
// when it was made.
type searching struct {
	*search.Searcher
	ids     []int
	docs    []*opened
	results []*pipeline.Result
	stale   bool // something else was written of them since
}

// New makes an engine.
func New(host Host) *Engine {
	return &Engine{host: host, open: map[int]*opened{}, models: map[string]embed.Embedder{}, counters: map[string]token.Counter{}}
}

// document finds an open one.
func (e *Engine) document(id int) (*opened, error) {
	d := e.open[id]
	if d == nil {
		return nil, &rpc.Error{Code: rpc.UnknownDocument, Message: "this document is not open any more", Hint: "Open it again."}
	}
	return d, nil
}

// utf16 converts places of a view of the document.
func (d *opened) utf16(name text.ViewName) *text.UTF16 {
	if d.units[name] == nil {
		d.units[name] = text.NewUTF16(d.Document.View(name).Text)
	}
	return d.units[name]
}
