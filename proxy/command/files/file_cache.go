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

// FileCache keeps the texts, chunks and vectors of files between runs, in a bundle for each
// file, without the file's name. A nil FileCache keeps nothing.
//
// An entry is found by the digest of the file's bytes, never by its name or its time, and
// by all that decides what is made of them: the ending of the name, the versions of readers
// and methods, the plan, the models. So it cannot be old. What the bytes alone do not give
// is not kept: the text of a file that a password opened, as it would lie there without
// one, and what was read from stdin, as who pipes it may not want it on a disk.
type FileCache struct{ *filecache.Store }

// CachedFile is a file whose entries are known. The zero value is one that has none.
type CachedFile struct {
	Group string // of its entries
	sum   string // of its bytes, in hex
	B     []byte // nil: they were not read
}

// entryText is the name of an entry with nothing but the document.
const entryText = "text"

// File identifies an input; the zero value is for what is not kept.
func (c *FileCache) File(in Input) CachedFile {
	if c == nil || in.Bundle != nil || in.Name == "-" {
		return CachedFile{}
	}
	sum, b, known, err := c.Sum(in.Name)
	if err != nil || !known {
		return CachedFile{} // reading the file returns the error
	}
	return fileOf(in.Name, sum, b)
}

func fileOf(name string, sum [sha256.Size]byte, b []byte) CachedFile {
	group := DigestOf(bundle.Version, read.Version, Formats.Recognise(name, nil).Name, sum)
	return CachedFile{group, hex.EncodeToString(sum[:]), b}
}

// DigestOf names values.
func DigestOf(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		fmt.Fprintf(h, "%v\x00", v)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// slow reports whether reading a file of such a name takes longer than finding an entry.
func slow(name string) bool { return Formats.Recognise(name, nil).Room == read.PDF }

// Load reads an entry. One that is damaged, or another than its name says, goes.
func (c *FileCache) Load(f CachedFile, name string, right func(*bundle.Item) bool) *bundle.Item {
	key := filecache.Key{Group: f.Group, Name: name}
	file, size, err := c.Get(key)
	if err != nil {
		return nil
	}
	defer file.Close()
	b, err := bundle.Open(file, size)
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

// Put keeps an entry. One that a bundle cannot hold is not kept: its document is read
// again the next time.
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

// PutText keeps a document, if it took long to read.
func (c *FileCache) PutText(f CachedFile, source bundle.Source, d *text.Document) {
	if f.Group != "" && source.Format == pdf.Name {
		c.Put(f, entryText, &bundle.Item{Document: d, Source: source})
	}
}

// Reading is what openFile does with a file.
type Reading struct {
	Password string
	Cached   *FileCache // nil: nothing is kept
	File     CachedFile
	Text     bool // the text is kept in an entry of its own
	locked   bool // a password opened it
	secret   bool // so it did, or it was not read to its end: nothing of it is kept
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

// extract reads the document of the bytes of a file, and keeps it where that took long. A
// password is tried where there is no way without.
func (r *Reading) extract(ctx context.Context, std terminal.IO, name string, b []byte) (*text.Document, error) {
	doc, whole, err := extract(ctx, std, name, "", b)
	if errors.Is(err, read.ErrPassword) && r.Password != "" {
		r.locked = true
		doc, whole, err = extract(ctx, std, name, r.Password, b)
	}
	r.secret = r.locked || !whole
	return doc, err
}

// Close ends it, and says if something could not be kept.
func (c *FileCache) Close(std terminal.IO) {
	if c == nil {
		return
	}
	if err := c.Store.Close(); err != nil {
		fmt.Fprintf(std.Err, "seam: what was read is not kept for the next time: %s; --cache names another folder, or off\n", terminal.OneLine(err.Error()))
	}
}
