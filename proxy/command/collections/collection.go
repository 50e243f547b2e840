package collections

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/remote"
	"seam/proxy/remote/engines"
	"seam/shared/pipeline"
)

// CollectionOptions are the options of every command that works with a collection in a
// search engine.
type CollectionOptions struct {
	KeyFile string `placeholder:"FILE" help:"File with the password or API key of the collection's engine (default: SEAM_REMOTE_KEY)."`
}

// collectionKey names the environment variable with the engine's password or API key.
const collectionKey = "SEAM_REMOTE_KEY"

// addresses is the help text on how to write the address of a collection.
var addresses = `An address is one of
` + remote.Forms() + `with commas between several hosts, and options such as ?replicas=2&shards=3. All engines take: tls=on or off (default: on,
except for this machine); ca=FILE, certificates to trust in addition to the system's; words=german, the language for word
stems (default: english; Weaviate compares words unstemmed). replicas, shards and words apply when the collection is created.`

// Collection is an open collection.
type Collection struct {
	remote.Engine
	Address remote.Address
	Known   *remote.Shape // nil if the collection does not exist
}

// Open connects to the collection at an address.
func (o CollectionOptions) Open(ctx context.Context, address string) (*Collection, error) {
	a, err := remote.ParseAddress(address)
	if err != nil {
		return nil, terminal.UsageError{Err: err}
	}
	key, err := o.key()
	if err != nil {
		return nil, err
	}
	e, err := engines.Open(a, key)
	if err != nil {
		return nil, err
	}
	c := &Collection{Engine: e, Address: a}
	if err = e.Health(ctx); err == nil {
		c.Known, err = e.Shape(ctx)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return c, nil
}

// sending is the state of a push, or of its dry run, before the first document.
type sending struct {
	plan   pipeline.Plan
	inputs []files.Input
	to     *Collection
	models *cut.Models
}

// open checks the chunking options, then opens the collection and the models.
func (o CollectionOptions) open(ctx context.Context, std terminal.IO, b terminal.Build, how cut.ChunkOptions, folders files.FolderOptions, root files.RootOption, names []string, address string) (*sending, error) {
	p, inputs, err := how.Begin(std, folders, root, names)
	if err != nil {
		return nil, err
	}
	to, err := o.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	m, err := how.Open(ctx, std, b, p)
	if err != nil {
		to.Close()
		return nil, hosted.RetryHint(err)
	}
	return &sending{p, inputs, to, m}, nil
}

func (s *sending) close() {
	s.models.Close()
	s.to.Close()
}

// key returns the password or API key of the engine, or "" if the user gave neither.
func (o CollectionOptions) key() (string, error) {
	if o.KeyFile == "" {
		return strings.TrimSpace(os.Getenv(collectionKey)), nil
	}
	b, err := os.ReadFile(o.KeyFile)
	if err != nil {
		return "", fmt.Errorf("--key-file %s: %w", terminal.Shown(o.KeyFile), terminal.Reason(err))
	}
	key := strings.TrimSpace(string(b))
	if key == "" {
		return "", fmt.Errorf("--key-file %s: the file is empty", terminal.Shown(o.KeyFile))
	}
	return key, nil
}

// Fits returns an error if vectors of shape s do not fit the collection.
func (c *Collection) Fits(s, held remote.Shape) error {
	if err := s.Fits(held); err != nil {
		return terminal.EngineError{Err: fmt.Errorf("%s: %w", c.Address, err)}
	}
	return nil
}

// others returns the documents of the collection that are not in names. An engine may list
// a name without its unprintable characters, so those forms count too.
func (c *Collection) others(ctx context.Context, names map[string]bool) ([]remote.Document, error) {
	docs, err := c.Documents(ctx)
	known := maps.Clone(names)
	for name := range names {
		known[remote.Printable(name)] = true
	}
	return slices.DeleteFunc(docs, func(d remote.Document) bool { return known[d.File] }), err
}
