package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"seam/proxy/command/terminal"
	"seam/proxy/filecache"
	"seam/shared/bundle"
	"seam/shared/read"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// FileCache keeps the texts, chunks and vectors of files between runs. It stores one bundle
// per file, without the file's name. A nil FileCache keeps nothing.
//
// An entry is never stale. Its key is the digest of the file's bytes, never the name or
// time, and of everything else that decides the result: the extension, the versions of
// readers and methods, the encoding and hidden text, the plan and the models.
//
// Two kinds of text are never kept. The text of a file opened with a password would be
// stored without protection. And data piped to stdin may not be meant for a disk.
type FileCache struct {
	*filecache.Store
	as         string // as in terminal.IO
	encoding   string // the same
	hiddenText bool   // the same
}

// CachedFile is a file with its key in the cache. The zero value has no entries.
type CachedFile struct {
	Group string // of its entries
	sum   string // of its bytes, in hex
	B     []byte // the file's content; nil if it was not read
}

// entryText names an entry with only the document.
const entryText = "text"

// File identifies an input. It returns the zero value for inputs that are not cached.
func (c *FileCache) File(in Input) CachedFile {
	if c == nil || in.Bundle != nil || in.Name == "-" {
		return CachedFile{}
	}
	sum, b, known, err := c.Sum(in.Name, func(size int64) bool { return size <= terminal.LongFile || !refused(in.Name) })
	if err != nil || !known {
		return CachedFile{} // reading the file returns the error
	}
	return c.fileOf(in.Name, sum, b)
}

func (c *FileCache) fileOf(name string, sum [sha256.Size]byte, b []byte) CachedFile {
	group := DigestOf(bundle.Version, read.Version, formatKey(c.as, name), c.encoding, c.hiddenText, sum)
	return CachedFile{group, hex.EncodeToString(sum[:]), b}
}

// DigestOf returns the SHA-256 of the values, in hex.
func DigestOf(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		fmt.Fprintf(h, "%v\x00", v)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// slow reports whether reading a file with this name takes longer than finding a cache
// entry.
func slow(name string) bool { return Formats.Recognise(name, nil).Room == read.PDF }

// Load reads an entry. It deletes an entry that is damaged or does not match its name.
func (c *FileCache) Load(f CachedFile, name string, right func(*bundle.Item) bool) *bundle.Item {
	key := filecache.Key{Group: f.Group, Name: name}
	entry, err := c.Get(key)
	if err != nil {
		return nil
	}
	b, err := bundle.Open(bytes.NewReader(entry), int64(len(entry)))
	var it *bundle.Item
	if err == nil && len(b.Manifest.Documents) == 1 {
		if it, err = b.Item(0); err == nil {
			err = errors.Join(b.OfChunks(0, it), b.Index(0, it))
		}
	}
	if err != nil || it == nil || it.Source.SHA256 != f.sum || it.Document.Name != "" || len(it.Edits) > 0 || !right(it) {
		c.Remove(key)
		return nil
	}
	return it
}

// document finds the document of a file in any of its entries.
func (c *FileCache) document(f CachedFile) *bundle.Item {
	if f.Group == "" {
		return nil
	}
	for _, name := range c.Of(f.Group) {
		if it := c.Load(f, name, func(*bundle.Item) bool { return true }); it != nil {
			return it
		}
	}
	return nil
}

// Put writes an entry. If a bundle cannot hold the document, nothing is kept and the
// document is read again next time.
func (c *FileCache) Put(f CachedFile, name string, it *bundle.Item) {
	nameless := *it.Document
	nameless.Name = ""
	it.Document = &nameless
	var b bytes.Buffer
	w, err := bundle.NewWriter(&b)
	if err != nil {
		return
	}
	w.Loose = true
	if errors.Join(w.Add(it), w.Close()) == nil {
		c.Store.Put(filecache.Key{Group: f.Group, Name: name}, b.Bytes())
	}
}

// PutText keeps a document that took long to read.
func (c *FileCache) PutText(f CachedFile, source bundle.Source, d *text.Document) {
	if f.Group != "" && source.Format == pdf.Name {
		c.Put(f, entryText, &bundle.Item{Document: d, Source: source})
	}
}

// Reading holds the options and results of openFile.
type Reading struct {
	Password string
	Cached   *FileCache // nil: nothing is cached
	File     CachedFile
	Text     bool // the text gets an entry of its own
	locked   bool // a password opened it: nothing of it is kept
}

// recall finds the document of a file that was read before.
func (r *Reading) recall(name string) (*text.Document, bundle.Source, bool) {
	it := r.Cached.document(r.File)
	if it == nil {
		return nil, bundle.Source{}, false
	}
	LimitMemory(it.Source.Size)
	it.Document.Name = terminal.Called(name)
	return it.Document, it.Source, true
}

// extract reads the document from a file's bytes, and caches it if that took long. It tries
// the password only if the file does not open without one.
func (r *Reading) extract(ctx context.Context, std terminal.IO, name string, b []byte) (*text.Document, error) {
	doc, err := extract(ctx, std, name, "", b)
	if errors.Is(err, read.ErrPassword) && r.Password != "" {
		r.locked = true
		doc, err = extract(ctx, std, name, r.Password, b)
	}
	return doc, err
}

// Close closes the cache, and prints a note if something could not be kept.
func (c *FileCache) Close(std terminal.IO) {
	if c == nil {
		return
	}
	if err := c.Store.Close(); err != nil {
		fmt.Fprintf(std.Err, "seam: cannot write to the cache: %s; choose another folder with --cache, or turn it off with --cache off\n", terminal.OneLine(err.Error()))
	}
}
