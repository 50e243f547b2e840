package command

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"seam/proxy/filecache"
	"seam/shared/bundle"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/read/pdf"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// keeper keeps what was read and cut of files between runs: a bundle for each, of one
// document without its name. A nil keeper keeps nothing.
//
// An entry is found by the digest of the file's bytes, never by its name or its time, and
// by all that decides what is made of them: the ending of the name, the versions of readers
// and methods, the plan, the models. So it cannot be old. What the bytes alone do not give
// is not kept: the text of a file that a password opened, as it would lie there without
// one, and what was read from stdin, as who pipes it may not want it on a disk.
type keeper struct{ *filecache.Store }

// keptFile is a file whose entries are known. The zero value is one that has none.
type keptFile struct {
	group string // of its entries
	sum   string // of its bytes, in hex
	b     []byte // nil: they were not read
}

// entryText is the name of an entry with nothing but the document.
const entryText = "text"

// file identifies an input; the zero value is for what is not kept.
func (k *keeper) file(in input) keptFile {
	if k == nil || in.bundle != nil || in.name == "-" {
		return keptFile{}
	}
	sum, b, known, err := k.Sum(in.name)
	if err != nil || !known {
		return keptFile{} // who reads it says what is wrong
	}
	return fileOf(in.name, sum, b)
}

func fileOf(name string, sum [sha256.Size]byte, b []byte) keptFile {
	group := digestOf(bundle.Version, read.Version, formats.Recognise(name, nil).Name, sum)
	return keptFile{group, hex.EncodeToString(sum[:]), b}
}

// digestOf names values.
func digestOf(values ...any) string {
	h := sha256.New()
	for _, v := range values {
		fmt.Fprintf(h, "%v\x00", v)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// slow reports whether reading a file of such a name takes longer than finding an entry.
func slow(name string) bool { return formats.Recognise(name, nil).Room == read.PDF }

// load reads an entry. One that is damaged, or another than its name says, goes.
func (k *keeper) load(f keptFile, name string, right func(*bundle.Item) bool) *bundle.Item {
	key := filecache.Key{Group: f.group, Name: name}
	file, size, err := k.Get(key)
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
		k.Remove(key)
		return nil
	}
	return it
}

// document finds the document of a file in any of its entries.
func (k *keeper) document(f keptFile) *bundle.Item {
	if f.group == "" {
		return nil
	}
	for _, name := range k.Of(f.group) {
		if it := k.load(f, name, func(*bundle.Item) bool { return true }); it != nil {
			return it
		}
	}
	return nil
}

// put keeps an entry. One that a bundle cannot hold is not kept: its document is read
// again the next time.
func (k *keeper) put(f keptFile, name string, it *bundle.Item) {
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
		k.Put(filecache.Key{Group: f.group, Name: name}, b.Bytes())
	}
}

// putText keeps a document, if it took long to read.
func (k *keeper) putText(f keptFile, source bundle.Source, d *text.Document) {
	if f.group != "" && source.Format == pdf.Name {
		k.put(f, entryText, &bundle.Item{Document: d, Source: source})
	}
}

// reading is what openFile does with a file.
type reading struct {
	password string
	kept     *keeper // nil: nothing is kept
	file     keptFile
	text     bool // the text is kept in an entry of its own
	locked   bool // a password opened it
	secret   bool // so it did, or it was not read to its end: nothing of it is kept
}

// recall finds the document of a file that was read before.
func (r *reading) recall(name string) (*text.Document, bundle.Source, bool) {
	it := r.kept.document(r.file)
	if it == nil {
		return nil, bundle.Source{}, false
	}
	limitMemory(it.Source.Size)
	it.Document.Name = called(name)
	return it.Document, it.Source, true
}

// extract reads the document of the bytes of a file, and keeps it where that took long. A
// password is tried where there is no way without.
func (r *reading) extract(ctx context.Context, std IO, name string, b []byte) (*text.Document, error) {
	doc, whole, err := extract(ctx, std, name, "", b)
	if errors.Is(err, read.ErrPassword) && r.password != "" {
		r.locked = true
		doc, whole, err = extract(ctx, std, name, r.password, b)
	}
	r.secret = r.locked || !whole
	return doc, err
}

// cutName names the entry of a file that was cut by a plan; empty where that is not kept:
// what a hosted model gave is kept by the texts of sentences, and what depends on other
// files than the document may change with them.
func (c cutter) cutName() (string, error) {
	p := c.plan
	kind, _ := pipeline.EmbedderOf(p.Embedder)
	if c.models.kept == nil || !c.searched || kind.Dear || c.options.DryRun || strings.HasPrefix(p.Limits.Unit, token.Tokenizer) {
		return "", nil
	}
	name := p.Embedder
	if name == pipeline.Auto {
		name = builtin.Name // or lexical, which has the version of the methods
	}
	model, err := c.models.hooks().Open(name)
	if err != nil {
		return "", err
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("name a plan: %w", err)
	}
	return digestOf(pipeline.Version, string(plan), model.ID()), nil
}

// recall finds a file as it was cut before; nil where it was not.
func (c cutter) recall(std IO, in input, f keptFile) *cutting {
	if f.group == "" || c.entry == "" {
		return nil
	}
	var s *cutting
	it := c.models.kept.load(f, c.entry, func(it *bundle.Item) bool {
		session := pipeline.NewSession(it.Document)
		r, err := it.Result()
		if err != nil || session.Settle(c.plan) != r.Plan {
			return false
		}
		s = &cutting{Session: session, result: r}
		model := ""
		if it.Chunking.Searched != nil {
			model = it.Chunking.Searched.Model
		}
		s.made, err = search.Known(r, it.Index, model, it.OfChunks)
		return err == nil
	})
	if it == nil {
		return nil
	}
	limitMemory(it.Source.Size)
	it.Document.Name = called(in.name)
	tell(std, in.name, it.Document, it.Source)
	s.from = opened{Document: it.Document, source: it.Source, in: in, file: f}
	return s
}

// keep keeps a document as it was cut, with what a search makes of its chunks.
func (c cutter) keep(s *cutting, r *pipeline.Result, m search.Made) {
	if c.entry == "" || s.from.file.group == "" {
		return
	}
	it := bundle.ItemOf(s.Session, r, s.from.source, r.Plan.Embedder, "")
	it.Vectors, it.Chunking.Dimensions = vector.Matrix{}, 0 // a search has no use for those of sentences
	if m.Vectors.Rows > 0 {
		it.OfChunks, it.Chunking.Searched = m.Vectors, &bundle.Searched{Model: m.Embedder, Dimensions: m.Vectors.Dim}
	}
	it.Index = m.Words.Encode()
	c.models.kept.put(s.from.file, c.entry, it)
}
