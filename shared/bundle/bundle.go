// Package bundle keeps documents with all that was made of them in one file, NAME.seam:
// texts, pages, sentences, vectors, settings, changes by hand, chunks. With it documents
// are cut again by any method without the files that they came from, and without asking a
// model for a vector twice.
//
// A bundle is a zip file of JSON records and .npy arrays, so that numpy.load opens it:
//
//	mimetype                    "application/x-seam", stored, first: what tells a bundle
//	documents/1/document.json   Record: name, pages, sections, where it came from
//	documents/1/pages.txt       the texts of the pages, a form feed between them
//	documents/1/reading.txt     the reading view, where it is not pages.txt
//	documents/1/content.txt     the content view, where it is not pages.txt
//	documents/1/reading.npy     int32 n×4: byte of the reading view, index of the page,
//	                            byte of the page's text, length
//	documents/1/words.npy       int32 n×3: index of the page, first byte and end in its text
//	documents/1/boxes.npy       float32 n×4: a box for each word, in points from the top left
//	documents/1/elements.npy    int32 n×3: what each is (text.ElementKind), its first byte and
//	                            end in the reading view, where the file sets parts apart
//	documents/1/chunking.json   Chunking: the plan, what made the vectors, the chunks
//	documents/1/sentences.npy   int32 n×2: first byte and end, in the text of the plan
//	documents/1/vectors.npy     float32 n×dimensions: a row for each sentence
//	documents/1/chunks.npy      float32 n×dimensions: a row for each chunk, where a search has
//	                            made them
//	documents/1/index.bin       the words of the chunks (index.Document.Encode), where a search
//	                            has made them
//	documents/1/edits.json      Edits: what was done by hand, where there is something
//	documents/1/log.json        Logs: the steps that led there, with those that were undone
//	documents/1/questions.json  []Question: what is asked of the document and which of its text
//	                            answers it, where there is something
//	documents/1/statements.json []Statement: what was written of the document's parts, where
//	                            there is something
//	seam.json                   Manifest: version, documents, members with their digests
//
// A bundle holds up to 4 GB and 65,534 members, which are some 6,000 documents.
// All offsets are bytes of UTF-8. Members that no manifest names, and fields that are not
// known, are left alone: another version's parts may join. A
// Version is raised only where an older program would read something wrong.
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

// What a bundle says of itself.
const (
	Format    = "seam"
	Version   = 1
	MediaType = "application/x-seam"
	Extension = "seam"
)

// Names of members; those of a document stand behind its folder and a slash.
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
	ErrNot     = errors.New("it is no bundle of Seam")
	ErrDamaged = archive.ErrDamaged
	ErrNewer   = errors.New("a newer Seam has written it")
)

// damagedf is an ErrDamaged that says where.
func damagedf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Manifest is seam.json.
type Manifest struct {
	Format    string   `json:"format"`  // "seam"
	Version   int      `json:"version"` // of the bundle's form
	Documents []Entry  `json:"documents"`
	Members   []Member `json:"members"` // all but mimetype and seam.json
}

// Entry is a document in a Manifest.
type Entry struct {
	Folder string `json:"folder"`
	Name   string `json:"name"` // the document's
}

// Member is a file in a bundle.
type Member struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`   // unpacked
	SHA256 string `json:"sha256"` // in hex
}

// Source is the file that a document was read from.
type Source struct {
	Format string `json:"format,omitempty"` // of package read
	Size   int64  `json:"size,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // in hex
}

// Record is document.json: a text.Document without its texts and words.
type Record struct {
	Name     string              `json:"name"`
	Title    string              `json:"title,omitempty"`
	Author   string              `json:"author,omitempty"`
	Language string              `json:"language,omitempty"`
	Meta     map[string][]string `json:"meta,omitempty"`
	Source   Source              `json:"source"`
	Notes    []string            `json:"notes,omitempty"`
	Plain    bool                `json:"plain,omitempty"` // both views are pages.txt
	Pages    []Page              `json:"pages"`
	Outline  []Outline           `json:"outline,omitempty"`
	Sections []Section           `json:"sections,omitempty"`
}

// Page is a text.Page; its text is the bytes of pages.txt from Start to End.
type Page struct {
	Number    int         `json:"number"`
	Label     string      `json:"label,omitempty"`
	Width     float64     `json:"width"`
	Height    float64     `json:"height"`
	Start     int         `json:"start"`
	End       int         `json:"end"`
	Furniture []text.Span `json:"furniture,omitempty"`
}

// Outline is a text.Bookmark.
type Outline struct {
	Title string  `json:"title"`
	Level int     `json:"level"`
	Page  int     `json:"page"` // index of the page; -1 if it leads to none
	Y     float64 `json:"y"`
}

// Section is a text.Section: bytes of the reading view.
type Section struct {
	Title string `json:"title"`
	Level int    `json:"level"`
	text.Span
}

// Chunking is chunking.json: how a document was cut, and its chunks.
type Chunking struct {
	Plan       pipeline.Plan `json:"plan"`       // settled
	Model      string        `json:"model"`      // the ID of the embedder of the vectors; empty: there are none
	Dimensions int           `json:"dimensions"` // of the vectors
	Chunks     []Chunk       `json:"chunks"`
	Searched   *Searched     `json:"searched,omitempty"` // the vectors of the chunks, where there are some
}

// Searched are vectors of chunks, by which a search compares them.
type Searched struct {
	Model      string `json:"model"` // the ID of their embedder
	Dimensions int    `json:"dimensions"`
}

// Chunk is a chunk.Chunk with what a result tells of it.
type Chunk struct {
	ID     string       `json:"id"`
	Start  int          `json:"start"`
	End    int          `json:"end"`
	Tokens int          `json:"tokens"`
	Pages  []int        `json:"pages"` // numbers
	Header string       `json:"header,omitempty"`
	Titles string       `json:"section,omitempty"` // see pipeline.Result.Section
	Reason chunk.Reason `json:"reason"`
	Topic  int          `json:"topic,omitempty"`
}

// Edits is edits.json: by the view whose places they are.
type Edits map[text.ViewName][]edit.Mark

// Logs is log.json: by the view whose places they are. It tells how Edits came about; a
// program that changes edits.json alone leaves it behind, and then it says nothing.
type Logs map[text.ViewName]edit.Log

// Item is a document of a bundle with what was made of it.
type Item struct {
	Document   *text.Document
	Source     Source
	Edits      Edits
	Logs       Logs
	Questions  []Question
	Statements []Statement
	Chunking   Chunking
	Sentences  []text.Span   // of Chunking.Plan.Text
	Vectors    vector.Matrix // a row a sentence; empty where there are none, or where they were not read
	OfChunks   vector.Matrix // a row a chunk, of Chunking.Searched; empty as Vectors
	Index      []byte        // what index.Document.Encode gives of the chunks; nil as Vectors
}

// Texts are those of the sentences.
func (it *Item) Texts() []string {
	t := it.Chunking.Plan.Text(it.Document).Text
	out := make([]string, len(it.Sentences))
	for i, s := range it.Sentences {
		out[i] = s.Of(t)
	}
	return out
}

// ItemOf is what a bundle keeps of a result of s, whose plan had pipeline.Hooks.Vectors.
// embedder is the name of what made the vectors and model its ID.
func ItemOf(s *pipeline.Session, r *pipeline.Result, source Source, embedder, model string) *Item {
	it := &Item{Document: r.Document, Source: source, Edits: s.Marks(), Logs: s.Logs(), Sentences: r.Sentences, Vectors: r.Vectors}
	it.Chunking = Chunking{Plan: r.Plan, Model: model, Dimensions: r.Vectors.Dim, Chunks: make([]Chunk, len(r.Chunks))}
	it.Chunking.Plan.Embedder = embedder
	for i, c := range r.Chunks {
		it.Chunking.Chunks[i] = Chunk{c.ID, c.Start, c.End, c.Tokens, r.Pages(i), r.Header(i), r.Section(i), c.Reason, c.Topic}
	}
	return it
}

// Result is what an item keeps of a result: all but the curve, and what Session.Run alone
// can tell. It is an error where the document was not cut, or by what is not known here.
func (it *Item) Result() (*pipeline.Result, error) {
	p := it.Chunking.Plan
	m, err := chunk.Lookup(p.Method) // the name "" is that of the default
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

// Session begins with the document of an item, and what was done to it by hand.
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
