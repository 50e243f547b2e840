// Package bundle stores documents with everything made from them in one file, NAME.seam:
// texts, pages, sentences, vectors, settings, edits, chunks. With it, documents can be cut
// again by any method without their original files, and without asking a model for a vector
// twice.
//
// A bundle is a zip file of JSON records and .npy arrays, so numpy.load opens it:
//
//	mimetype                    "application/x-seam", stored, first: identifies a bundle
//	documents/1/document.json   Record: name, pages, sections, source
//	documents/1/pages.txt       the texts of the pages, a form feed between them
//	documents/1/reading.txt     the reading view, if it differs from pages.txt
//	documents/1/content.txt     the content view, if it differs from pages.txt
//	documents/1/reading.npy     int32 n×4: byte of the reading view, index of the page,
//	                            byte of the page's text, length
//	documents/1/words.npy       int32 n×3: index of the page, first byte and end in its text
//	documents/1/boxes.npy       float32 n×4: a box for each word, in points from the top left
//	documents/1/elements.npy    int32 n×3: kind (text.ElementKind), first byte and end in the
//	                            reading view, if the document has elements
//	documents/1/chunking.json   Chunking: the plan, the embedder, the chunks
//	documents/1/sentences.npy   int32 n×2: first byte and end, in the text of the plan
//	documents/1/vectors.npy     float32 n×dimensions: one row per sentence
//	documents/1/chunks.npy      float32 n×dimensions: one row per chunk, if a search made them
//	documents/1/index.bin       the words of the chunks (index.Document.Encode), if a search
//	                            made them
//	documents/1/edits.json      Edits: edits by hand, if any
//	documents/1/log.json        Logs: all steps of the edits, including undone ones
//	documents/1/questions.json  []Question: questions about the document with the parts of its
//	                            text that answer them, if any
//	documents/1/statements.json []Statement: texts written about the document's parts, if any
//	seam.json                   Manifest: version, documents, members with their digests
//
// A bundle holds up to 4 GB and 65,534 members, enough for some 6,000 documents. All
// offsets are bytes of UTF-8. Members not in the manifest, and unknown fields, are ignored,
// so that other versions can add parts. Version is raised only if an older program would
// misread something.
package bundle

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"seam/shared/bundle/archive"
	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Identification of a bundle.
const (
	Format    = "seam"
	Version   = 1
	MediaType = "application/x-seam"
	Extension = "seam"
)

// Names of members. A document's members are inside its folder.
const (
	manifestName  = "seam.json"
	mediaTypeName = "mimetype"
	recordName    = "document.json"
	pagesName     = "pages.txt"
	readingName   = "reading.txt"
	contentName   = "content.txt"
	runsName      = "reading.npy"
	wordsName     = "words.npy"
	boxesName     = "boxes.npy"
	elementsName  = "elements.npy"
	chunkingName  = "chunking.json"
	sentencesName = "sentences.npy"
	vectorsName   = "vectors.npy"
	ofChunksName  = "chunks.npy"
	indexName     = "index.bin"
	editsName     = "edits.json"
	logName       = "log.json"
	questionsName = "questions.json"
	writtenName   = "statements.json"
)

// Errors of reading, for errors.Is.
var (
	ErrNot     = errors.New("it is not a Seam bundle")
	ErrDamaged = archive.ErrDamaged
	ErrNewer   = errors.New("it was written by a newer version of Seam")
)

// damagedf returns an ErrDamaged with details.
func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Manifest is the content of seam.json.
type Manifest struct {
	Format    string   `json:"format"`  // "seam"
	Version   int      `json:"version"` // version of the bundle's format
	Documents []Entry  `json:"documents"`
	Members   []Member `json:"members"` // all except mimetype and seam.json
}

// Entry is a document in a Manifest.
type Entry struct {
	Folder string `json:"folder"`
	Name   string `json:"name"` // name of the document
	// Document is its lasting name, which does not depend on how its file was given; "" if it
	// is Name, or in a bundle of an earlier version.
	Document string `json:"document,omitempty"`
}

// Member is a file in a bundle.
type Member struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // uncompressed
	SHA256 string `json:"sha256"` // in hex
}

// Source describes the file that a document was read from.
type Source struct {
	Format   string `json:"format,omitempty"` // a format of package read
	Size     int64  `json:"size,omitempty"`
	SHA256   string `json:"sha256,omitempty"` // in hex
	Document string `json:"-"`                // its lasting name, for Entry
}

// Record is the content of document.json: a text.Document without its texts and words.
type Record struct {
	Name     string              `json:"name"`
	Title    string              `json:"title,omitempty"`
	Author   string              `json:"author,omitempty"`
	Language string              `json:"language,omitempty"`
	Meta     map[string][]string `json:"meta,omitempty"`
	Source   Source              `json:"source"`
	Tags     []string            `json:"tags,omitempty"` // given by the user, each once
	Notes    []string            `json:"notes,omitempty"`
	Plain    bool                `json:"plain,omitempty"` // both views equal pages.txt
	Pages    []Page              `json:"pages"`
	Outline  []Outline           `json:"outline,omitempty"`
	Sections []Section           `json:"sections,omitempty"`
	Links    []text.Link         `json:"links,omitempty"` // spans are bytes of the reading view
	// Parts are the lists of references and tables of contents in the reading view. Readers
	// find them again in the text.
	Parts []text.PartSpan `json:"parts,omitempty"`
	// Attachments are files attached to the PDF. The bundle does not hold them.
	Attachments []text.Attachment `json:"attachments,omitempty"`
}

// Page is a text.Page. Its text is the bytes of pages.txt from Start to End.
type Page struct {
	Number    int         `json:"number"`
	Label     string      `json:"label,omitempty"`
	Width     float64     `json:"width"`
	Height    float64     `json:"height"`
	Start     int         `json:"start"`
	End       int         `json:"end"`
	Furniture []text.Span `json:"furniture,omitempty"`
	Hidden    []text.Span `json:"hidden,omitempty"`
}

// Outline is a text.Bookmark.
type Outline struct {
	Title string  `json:"title"`
	Level int     `json:"level"`
	Page  int     `json:"page"` // index of the page; -1 if it leads to none
	Y     float64 `json:"y"`
}

// Section is a text.Section. Its span is in bytes of the reading view.
type Section struct {
	Title string `json:"title"`
	Level int    `json:"level"`
	text.Span
}

// Chunking is the content of chunking.json: the plan of a document, and its chunks.
type Chunking struct {
	Plan       pipeline.Plan `json:"plan"`       // settled
	Model      string        `json:"model"`      // ID of the vectors' embedder; empty if there are no vectors
	Dimensions int           `json:"dimensions"` // of the vectors
	Chunks     []Chunk       `json:"chunks"`
	Searched   *Searched     `json:"searched,omitempty"` // describes the vectors of the chunks, if any
}

// Searched describes vectors of chunks, which a search compares.
type Searched struct {
	Model      string `json:"model"` // ID of their embedder
	Dimensions int    `json:"dimensions"`
}

// Chunk is a chunk.Chunk with data from its result.
type Chunk struct {
	ID     string       `json:"id"`
	Start  int          `json:"start"`
	End    int          `json:"end"`
	Tokens int          `json:"tokens"`
	Pages  []int        `json:"pages"` // page numbers
	Header string       `json:"header,omitempty"`
	Titles string       `json:"section,omitempty"` // see pipeline.Result.Section
	Reason chunk.Reason `json:"reason"`
	Topic  int          `json:"topic,omitempty"`
}

// Edits is the content of edits.json, by the view that the places refer to.
type Edits map[text.ViewName][]edit.Mark

// Logs is the content of log.json, by the view that the places refer to. It records how
// Edits came about. If another program changes only edits.json, the log no longer matches
// and is ignored.
type Logs map[text.ViewName]edit.Log

// Item is a document of a bundle with everything made from it.
type Item struct {
	Document   *text.Document
	Source     Source
	Tags       []string
	Edits      Edits
	Logs       Logs
	Questions  []Question
	Statements []Statement
	Chunking   Chunking
	Sentences  []text.Span   // of Chunking.Plan.Text
	Vectors    vector.Matrix // one row per sentence; empty if there are none or if they were not read
	OfChunks   vector.Matrix // one row per chunk, see Chunking.Searched; empty in the same cases as Vectors
	Index      []byte        // index.Document.Encode of the chunks; nil in the same cases as Vectors
}

// Texts returns the text of each sentence.
func (it *Item) Texts() []string {
	t := it.Chunking.Plan.Text(it.Document).Text
	out := make([]string, len(it.Sentences))
	for i, s := range it.Sentences {
		out[i] = s.Of(t)
	}
	return out
}

// ItemOf returns the item for a result of s, cut with pipeline.Hooks.Vectors. embedder is
// the name of the vectors' embedder, and model its ID.
func ItemOf(s *pipeline.Session, r *pipeline.Result, source Source, embedder, model string) *Item {
	it := &Item{Document: r.Document, Source: source, Edits: s.Marks(), Logs: s.Logs(), Sentences: r.Sentences, Vectors: r.Vectors}
	it.Chunking = Chunking{Plan: r.Plan, Model: model, Dimensions: r.Vectors.Dim, Chunks: make([]Chunk, len(r.Chunks))}
	it.Chunking.Plan.Embedder = embedder
	for i, c := range r.Chunks {
		it.Chunking.Chunks[i] = Chunk{c.ID, c.Start, c.End, c.Tokens, r.Pages(i), r.Header(i), r.Section(i), c.Reason, c.Topic}
	}
	return it
}

// Result restores a result from an item, except the curve and data that only Session.Run
// can compute. It returns an error if the document was not cut, or was cut with an unknown
// method.
func (it *Item) Result() (*pipeline.Result, error) {
	p := it.Chunking.Plan
	m, err := chunk.Lookup(p.Method) // the name "" would select the default
	switch {
	case err != nil:
		return nil, err
	case p.Method == "":
		return nil, errors.New("the document was not cut")
	}
	r := &pipeline.Result{Plan: p, Method: m, Document: it.Document, Text: p.Text(it.Document), Sentences: it.Sentences, Vectors: it.Vectors}
	r.Chunks = make([]chunk.Chunk, len(it.Chunking.Chunks))
	if p.Headers {
		r.Headers = make([]string, len(r.Chunks))
	}
	for i, c := range it.Chunking.Chunks {
		span := text.Span{Start: c.Start, End: c.End}
		r.Chunks[i] = chunk.Chunk{ID: c.ID, Span: span, Tokens: c.Tokens, First: -1, Last: -1, Reason: c.Reason, Topic: c.Topic}
		if first, last, ok := r.Text.PageRange(span); ok {
			r.Chunks[i].First, r.Chunks[i].Last = first, last
		}
		if p.Headers {
			r.Headers[i] = c.Header
		}
	}
	return r, nil
}

// Session returns a session with the item's document and its edits.
func (it *Item) Session() (*pipeline.Session, error) {
	s := pipeline.NewSession(it.Document)
	if err := s.Load(it.Logs); err != nil {
		return nil, err
	}
	if maps.EqualFunc(s.Marks(), it.Edits, slices.Equal) {
		return s, nil
	}
	logs := Logs{}
	for view, marks := range it.Edits {
		logs[view] = edit.Log{Base: marks}
	}
	return s, s.Load(logs)
}
