// Package engine handles the messages of the page, with one handler per message, one file
// per family of messages, and typed parameters and replies. It holds the open documents and
// converts bytes to UTF-16 units; package pipeline does the computing. It is pure Go: the
// page reaches it through a worker, and tests call it directly.
package engine

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"seam/shared/embed"
	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/token"
)

// Host connects the engine to its surroundings. A nil field means that the feature is
// missing.
type Host struct {
	Version string
	// Now is a monotonic clock. It is required.
	Now func() time.Duration
	// Dial returns a client of the proxy at url; "" is the page's own origin. token is the
	// user's own token, or "". Dial does not connect yet. It returns an error if url is not
	// a valid address.
	Dial func(url, token string) (*client.Client, error)
	// Builtin fetches Seam's built-in model when it is first needed.
	Builtin func(ctx context.Context) (embed.Embedder, error)
	// Meaning fetches Seam's own encoder when it is first requested.
	Meaning func(ctx context.Context) (embed.Embedder, error)
	// MeaningBytes is the size of its file.
	MeaningBytes int
	// Read stores vectors of that encoder between visits.
	Read VectorStore
	// OpenModel opens a model of the user's own from the bytes of its files, by name.
	OpenModel func(name string, files map[string][]byte) (embed.Embedder, error)
	// Ranks fetches the ranks of an encoding (bpe.Read) when it is first used to count
	// lengths.
	Ranks func(encoding string) ([]byte, error)
	// Vectors stores vectors of hosted models for later visits. Without it they last as
	// long as the engine.
	Vectors VectorStore
	// Files stores documents between visits.
	Files FileStore
}

// FileStore stores files between visits. Names consist of letters, digits, '.' and '-'.
type FileStore interface {
	// Write creates or replaces a file. If it returns no error, the file survives a power
	// cut. If it returns an error, there is no file.
	Write(ctx context.Context, name string, b []byte) error
	// Read returns the contents of a file, or fs.ErrNotExist.
	Read(ctx context.Context, name string) ([]byte, error)
	// ReadParts returns parts of files. A part is shorter at the end of its file, and nil if
	// the file cannot be read.
	ReadParts(ctx context.Context, parts []FilePart) ([][]byte, error)
}

// FilePart is at most Size bytes of a file, from an offset.
type FilePart struct {
	Name       string
	From, Size int
}

// VectorStore stores vectors between visits.
type VectorStore interface {
	embed.Store
	// Size returns the number of vectors and their approximate size in bytes.
	Size(ctx context.Context) (vectors int, bytes int64, err error)
	// Clear deletes all vectors.
	Clear(ctx context.Context) error
}

// Engine holds the open documents. Its handlers run one at a time, except while one waits
// for the network (rpc.Call.Await).
type Engine struct {
	host     Host
	proxy    *connection               // nil if none is connected
	builtin  embed.Embedder            // nil until it is fetched
	meaning  embed.Embedder            // nil until it is fetched
	reading  *reading                  // nil before the first read
	models   map[string]embed.Embedder // the user's own, by name
	counters map[string]token.Counter  // by unit

	last     int
	open     map[int]*opened
	order    []int      // ids of open documents in order of opening
	searcher *searching // nil before the first search

	shelves map[int]*stored // stored documents that searches cover
	shelved []int           // their ids, in order
	texts   fileTexts
}

// opened is an open document.
type opened struct {
	*pipeline.Session
	units    map[text.ViewName]*text.UTF16
	settings pipeline.Settings
	current  *pipeline.Result  // the chunks shown, cut with settings; nil before the first cut
	calls    int               // number of calls of chunk so far
	kept     map[string]string // for each kind of data that keep stores, the key last written or read
	written  map[text.ViewName][]search.Written
	saved    string // see openParams
}

// stored is a document of an earlier visit that a search covers without opening it.
type stored struct {
	*search.Shelved
	file  string
	size  int    // of the head
	saved string // see openParams
}

// fileTexts caches the texts of stored documents, because consecutive searches look at
// mostly the same ones.
type fileTexts struct {
	files map[string][]byte // after the head
	bytes int
}

// connection is the proxy chosen by the user.
type connection struct {
	url, token string
	client     *client.Client
	embedders  map[string]*remote.Embedder // by model
	known      []protocol.Model            // its embedding models on an earlier visit, used until the proxy is asked
}

// searching is a Searcher with its documents, cut as they were when it was made.
type searching struct {
	*search.Searcher
	ids     []int
	docs    []*opened // nil for a stored document
	shelves []*stored // nil for an open document
	results []*pipeline.Result
	stale   bool // written texts or stored documents have changed since
}

// New returns an engine.
func New(host Host) *Engine {
	return &Engine{host: host, open: map[int]*opened{}, shelves: map[int]*stored{}, models: map[string]embed.Embedder{}, counters: map[string]token.Counter{}}
}

// document returns an open document.
func (e *Engine) document(id int) (*opened, error) {
	d := e.open[id]
	if d == nil {
		return nil, &rpc.Error{Code: rpc.UnknownDocument, Message: "this document is not open any more", Hint: "Open it again."}
	}
	return d, nil
}

// utf16 returns the converter for places in a view of the document.
func (d *opened) utf16(name text.ViewName) *text.UTF16 {
	if d.units[name] == nil {
		d.units[name] = text.NewUTF16(d.Document.View(name).Text)
	}
	return d.units[name]
}

// withFiles calls f with the file store while other calls run.
func (e *Engine) withFiles(call *rpc.Call, f func(FileStore) error) error {
	if e.host.Files == nil {
		return &rpc.Error{Code: rpc.Storage, Message: "this browser keeps no files for the page"}
	}
	err := call.Await(func() error { return f(e.host.Files) })
	var own *rpc.Error
	switch {
	case err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &rpc.Error{Code: rpc.Gone, Message: "the stored data of this document is gone"}
	}
	return &rpc.Error{Code: rpc.Storage, Message: err.Error()}
}
