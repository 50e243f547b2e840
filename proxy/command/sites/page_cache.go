package sites

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/filecache"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/site"
	"seam/shared/site/shards"
)

// cachedPage is the cache entry of a page: the page, its Markdown and its chunks.
type cachedPage struct {
	Page     *site.Page
	Why      string
	Markdown string
	Title    string
	Language string
	Cut      *shards.Page
}

// entryPage is the kind of these cache entries.
const entryPage = "page"

// keep makes x cache each page for the next run. The entry of a page is written as soon as
// the page is cut, so even a killed run saves work.
func (x *indexer) keep(k *files.FileCache) error {
	plan, err := pipeline.NewPlan(site.Settings())
	if err != nil {
		return fmt.Errorf("plan of pages: %w", err)
	}
	options, err := json.Marshal([]any{plan, x.Body, x.Ignore, x.LLMs, x.encoding})
	if err != nil {
		return fmt.Errorf("name the options of an index: %w", err)
	}
	model, err := cut.EmbedderOptions{}.Models(terminal.IO{Err: io.Discard}).Hooks().Open(builtin.Name)
	if err != nil {
		return err
	}
	x.kept, x.options = k, files.DigestOf(site.Version, pipeline.Version, string(options), model.ID())
	return nil
}

// closeKept closes the cache and warns if entries could not be stored. If storing vectors
// has failed, it does not warn again: they share the folder, and warnUncached has warned.
func (x *indexer) closeKept(std terminal.IO) {
	if x.vectors != nil && x.vectors.Trouble() != nil {
		_ = x.kept.Store.Close()
		return
	}
	x.kept.Close(std)
}

func (x *indexer) entryOf(name string, sum [sha256.Size]byte) filecache.Key {
	return filecache.Key{Group: files.DigestOf(entryPage, x.options, name, sum), Name: entryPage}
}

// recall returns the cached page of a file with these bytes, or nil.
func (x *indexer) recall(name string, sum [sha256.Size]byte) *knownPage {
	if x.kept == nil {
		return nil
	}
	key := x.entryOf(name, sum)
	b, err := x.kept.Get(key)
	if err != nil {
		return nil
	}
	var k cachedPage
	if err = unsealed(b, &k); err != nil {
		x.kept.Remove(key)
		return nil
	}
	return &knownPage{name: name, sum: sum, Page: k.Page, Why: k.Why, Markdown: k.Markdown, Title: k.Title, Language: k.Language, Cut: k.Cut, kept: true}
}

// remember caches the page that was made from a file.
func (x *indexer) remember(k *knownPage) {
	if x.kept == nil || k.kept || k.sum == [sha256.Size]byte{} {
		return
	}
	if b, err := sealed(cachedPage{k.Page, k.Why, k.Markdown, k.Title, k.Language, k.Cut}); err == nil {
		x.kept.Store.Put(x.entryOf(k.name, k.sum), b)
	}
	k.kept = true
}

// errDamagedEntry reports that the digest of an entry does not match.
var errDamagedEntry = errors.New("the entry is damaged")

// sealed encodes a value and puts its digest before it, for unsealed to check.
func sealed(value any) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, sha256.Size))
	if err := gob.NewEncoder(&b).Encode(value); err != nil {
		return nil, fmt.Errorf("encode an entry: %w", err)
	}
	sum := sha256.Sum256(b.Bytes()[sha256.Size:])
	copy(b.Bytes(), sum[:])
	return b.Bytes(), nil
}

func unsealed(b []byte, value any) error {
	if len(b) < sha256.Size || sha256.Sum256(b[sha256.Size:]) != [sha256.Size]byte(b) {
		return errDamagedEntry
	}
	return gob.NewDecoder(bytes.NewReader(b[sha256.Size:])).Decode(value)
}
