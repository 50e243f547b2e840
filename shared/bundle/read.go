package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"unicode/utf8"

	"seam/shared/bundle/archive"
	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/vector"
)

// Maximum sizes of members, uncompressed.
const (
	maxRecord = 256 << 20 // of JSON
	maxText   = 1 << 30   // offsets have 31 bits
	maxHeader = 4 << 10   // of an array

	maxDimensions = 1 << 16 // of vectors; models have up to some 16,000
)

// Bundle is an open bundle. It is safe for concurrent use if the underlying io.ReaderAt is.
type Bundle struct {
	Manifest Manifest
	zip      *archive.Reader
	members  map[string]Member
}

// Open reads only the directory and the manifest of a bundle of size bytes. The errors are
// ErrNot, ErrNewer, ErrDamaged and errors of r.
func Open(r io.ReaderAt, size int64) (*Bundle, error) {
	zip, err := archive.NewReader(r, size)
	if errors.Is(err, archive.ErrNotZip) {
		return nil, ErrNot
	} else if err != nil {
		return nil, err
	}
	if _, ok := zip.Size(manifestName); !ok {
		return nil, fmt.Errorf("%w: it has no %s", ErrNot, manifestName)
	}
	b := &Bundle{zip: zip, members: map[string]Member{}}
	raw, err := b.all(manifestName, maxRecord)
	if err != nil {
		return nil, err
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Format != Format || head.Version < 1 {
		return nil, fmt.Errorf("%w: its %s names no format", ErrNot, manifestName)
	}
	if head.Version > Version {
		return nil, fmt.Errorf("%w: it has version %d, but this Seam reads version %d; update Seam, or rebuild the bundle from its documents", ErrNewer, head.Version, Version)
	}
	if err := parse(manifestName, raw, &b.Manifest); err != nil {
		return nil, err
	}
	return b, b.checkManifest()
}

// checkManifest compares the manifest with the existing members.
func (b *Bundle) checkManifest() error {
	for _, m := range b.Manifest.Members {
		size, ok := b.zip.Size(m.Name)
		switch _, twice := b.members[m.Name]; {
		case !ok:
			return damagedf("the member %.80s is missing", m.Name)
		case twice || m.Name == manifestName:
			return damagedf("its manifest names %.80s twice", m.Name)
		case size != m.Size:
			return damagedf("the member %s has %d bytes, its manifest says %d", m.Name, size, m.Size)
		}
		b.members[m.Name] = m
	}
	folders := map[string]bool{}
	for _, e := range b.Manifest.Documents {
		_, ok := b.members[e.Folder+"/"+recordName]
		if !ok || folders[e.Folder] {
			return damagedf("the document %.80q is missing or listed twice", e.Name)
		}
		folders[e.Folder] = true
	}
	return nil
}

// sized reads a member and compares its digest at the end.
type sized struct {
	io.Reader
	member Member
	sum    hash.Hash // nil if the member has no digest
}

func (s *sized) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if s.sum == nil {
		return n, err
	}
	s.sum.Write(p[:n])
	if err == io.EOF {
		if sum := s.sum.Sum(nil); hex.EncodeToString(sum) != strings.ToLower(s.member.SHA256) {
			err = damagedf("the member %s does not match its manifest", s.member.Name)
		}
	}
	return n, err
}

// open returns a reader for a member of at most most bytes.
func (b *Bundle) open(name string, most int64) (io.Reader, int64, error) {
	r, size, err := b.zip.Open(name)
	switch {
	case err != nil:
		return nil, 0, err
	case size > most:
		return nil, 0, damagedf("the member %s is %d bytes, and the limit is %d", name, size, most)
	}
	s := &sized{Reader: r, member: b.members[name]}
	if name != manifestName {
		s.sum = sha256.New()
	}
	return s, size, nil
}

func (b *Bundle) all(name string, most int64) ([]byte, error) {
	r, size, err := b.open(name, most)
	if err != nil {
		return nil, err
	}
	return archive.Whole(r, size)
}

// parse reads a record. Real objects have more than 12 bytes. With smaller ones, a small
// file could allocate a lot of memory.
func parse(name string, raw []byte, into any) error {
	if bytes.Count(raw, []byte("{")) > len(raw)/12+1 {
		return damagedf("%s is full of empty records", name)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return damagedf("%s: %v", name, err)
	}
	return nil
}

func (b *Bundle) record(name string, into any) error {
	raw, err := b.all(name, maxRecord)
	if err != nil {
		return err
	}
	return parse(name, raw, into)
}

func (b *Bundle) text(name string) (string, error) {
	raw, err := b.all(name, maxText)
	if err == nil && !utf8.Valid(raw) {
		err = damagedf("%s is not UTF-8", name)
	}
	return string(raw), err
}

func (b *Bundle) has(name string) bool {
	_, ok := b.members[name]
	return ok
}

// numbers reads an array with dim columns and at most rows rows. It returns nothing if the
// member does not exist.
func numbers[T number](b *Bundle, name string, dim, rows int) ([]T, error) {
	if !b.has(name) {
		return nil, nil
	}
	r, size, err := b.open(name, maxHeader+4*int64(dim)*int64(rows))
	if err != nil {
		return nil, err
	}
	_, _, data, err := readArray[T](r, size, dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// Item reads document i of the manifest without its vectors. Offsets outside the texts or
// within a character are damage, and so is anything else that no Writer writes.
func (b *Bundle) Item(i int) (*Item, error) {
	e := b.Manifest.Documents[i]
	folder := e.Folder + "/"
	it := &Item{}
	var err error
	if it.Document, err = b.document(folder, it); err != nil {
		return nil, err
	}
	if it.Document.Name != e.Name {
		return nil, damagedf("the document %.80q is %.80q in its manifest", it.Document.Name, e.Name)
	}
	if b.has(folder + chunkingName) {
		if err := b.chunking(folder, it); err != nil {
			return nil, err
		}
	}
	if err := b.edits(folder, it); err != nil {
		return nil, err
	}
	return it, errors.Join(b.questions(folder, it), b.statements(folder, it))
}

// edits reads the edits.
func (b *Bundle) edits(folder string, it *Item) error {
	if b.has(folder + editsName) {
		if err := b.record(folder+editsName, &it.Edits); err != nil {
			return err
		}
	}
	if b.has(folder + logName) {
		if err := b.record(folder+logName, &it.Logs); err != nil {
			return err
		}
	}
	if _, err := it.Session(); err != nil {
		return damagedf("%s%s: %v", folder, editsName, err)
	}
	return nil
}

// chunking reads how a document was cut.
func (b *Bundle) chunking(folder string, it *Item) error {
	c := &it.Chunking
	if err := b.record(folder+chunkingName, c); err != nil {
		return err
	}
	p := c.Plan
	switch {
	case p.View != text.Reading && p.View != text.Content || p.Join.Given && p.View != text.Content:
		return damagedf("%s%s: unknown text %q", folder, chunkingName, p.View)
	case p.Sentences != "" && p.Sentences != chunk.Sentenced && p.Sentences != chunk.Notebook:
		return damagedf("%s%s: unknown sentence rule %q", folder, chunkingName, p.Sentences)
	case c.Dimensions < 0 || c.Dimensions > maxDimensions || c.Dimensions > 0 && !b.has(folder+vectorsName):
		return damagedf("%s%s: vectors of %d numbers are missing", folder, chunkingName, c.Dimensions)
	}
	if s := c.Searched; s != nil && (s.Dimensions < 1 || s.Dimensions > maxDimensions || !b.has(folder+ofChunksName)) {
		return damagedf("%s%s: vectors of chunks of %d numbers are missing", folder, chunkingName, s.Dimensions)
	}
	t := p.Text(it.Document).Text
	flat, err := numbers[int32](b, folder+sentencesName, 2, len(t)+1)
	if err != nil {
		return err
	}
	if it.Sentences, err = spans(t, flat); err != nil {
		return damagedf("%s%s: %v", folder, sentencesName, err)
	}
	at := 0
	for i, x := range c.Chunks {
		if err := within(t, text.Span{Start: x.Start, End: x.End}); err != nil || x.Start < at {
			return damagedf("%s%s: chunk %d: %v", folder, chunkingName, i, errors.Join(err, beyond(x.Start, at)))
		}
		at = x.Start
	}
	return nil
}

// Vectors reads the sentence vectors of document i into its item. Rows with NaN or
// infinities, or a wrong number of rows, are damage.
func (b *Bundle) Vectors(i int, it *Item) (err error) {
	it.Vectors, err = b.matrix(i, vectorsName, it.Chunking.Dimensions, len(it.Sentences), "sentences")
	return err
}

// OfChunks reads the chunk vectors of an item, with the same checks as Vectors.
func (b *Bundle) OfChunks(i int, it *Item) (err error) {
	if s := it.Chunking.Searched; s != nil {
		it.OfChunks, err = b.matrix(i, ofChunksName, s.Dimensions, len(it.Chunking.Chunks), "chunks")
	}
	return err
}

// Index reads the indexed words of an item's chunks. The digest is checked, but only
// index.Decode can tell whether they are a valid index.
func (b *Bundle) Index(i int, it *Item) (err error) {
	if name := b.Manifest.Documents[i].Folder + "/" + indexName; b.has(name) {
		it.Index, err = b.all(name, maxText)
	}
	return err
}

// matrix reads rows vectors of document i.
func (b *Bundle) matrix(i int, name string, dim, rows int, of string) (m vector.Matrix, err error) {
	if dim == 0 {
		return m, nil
	}
	name = b.Manifest.Documents[i].Folder + "/" + name
	data, err := numbers[float32](b, name, dim, rows)
	if err == nil && len(data) != dim*rows {
		err = damagedf("%s: %d vectors for %d %s", name, len(data)/dim, rows, of)
	}
	if err == nil {
		if bad := finite(data, dim); bad != nil {
			err = damagedf("%s: %v", name, bad)
		}
	}
	if err != nil {
		return m, err
	}
	return vector.Matrix{Rows: rows, Dim: dim, Data: data}, nil
}
