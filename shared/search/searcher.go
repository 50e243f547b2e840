// Package search finds chunks of documents that have been cut.
package search

import (
	"slices"
	"sort"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Searcher finds chunks in several documents.
type Searcher struct {
	results []*pipeline.Result
	docs    []*index.Document // one per result
	made    []Made            // one per result
	shelved []*Shelved        // one per result, nil for those in memory
	written [][]Written       // one per result, or none
	added   map[int][]Written // texts written about each chunk, by its number among all chunks
	places  []place
	words   *index.Corpus

	spaces []*space          // for vectors; set once a search needs them
	forms  vector.Matrix     // vectors of the words; set once a search needs them
	aside  []map[string]bool // see outside, one per result; set once a search needs them
}

// Mode is the way in which texts are found.
type Mode = index.Mode

// The search modes.
const (
	Hybrid  = index.Hybrid
	Dense   = index.Dense
	Keyword = index.Keyword
)

// ParseMode reads the name of a Mode. An empty name means Hybrid. An unknown one is a
// pipeline.SettingsError.
func ParseMode(name string) (Mode, error) {
	mode, err := index.ParseMode(name)
	if err != nil {
		return mode, &pipeline.SettingsError{Reason: err.Error()}
	}
	return mode, nil
}

type (
	// Part is a share of a score.
	Part = index.Part
	// Correction is a word of a query that no document has, with the word used instead.
	Correction = index.Correction
)

type place struct{ source, chunk int }

// space holds chunks with vectors that can be compared.
type space struct {
	chunks  []int         // among all chunks, ascending
	vectors vector.Matrix // one row per chunk
	name    string        // of the embedder
	kind    pipeline.EmbedderKind
	fitted  embed.Embedder // the embedder fitted to the chunks; nil if it needs no fitting
	known   float64        // share of the chunks in a language it knows

	texts   []Written     // texts written about chunks
	written vector.Matrix // one row per text
	of      []int         // for each text, its chunk's row in vectors
}

// Query is a search request.
type Query struct {
	Text   string
	K      int // number of hits
	Mode   Mode
	Filter Filter
	// Diversity, from 0 to 1, reduces the rank of a hit that repeats a better one (maximal
	// marginal relevance, Carbonell and Goldstein 1998, with 1 - λ). 0 disables it.
	Diversity float64
	// Typing means that the last word may be unfinished, so that words that begin with it are
	// found, too.
	Typing bool
	// ForModel leaves out lists of references and tables of contents that the query does not
	// name (see text.PartOf), and finds the text around each hit.
	ForModel bool
	// Context is an encoder's view of the query. It is nil if no encoder was asked.
	Context *Context
	// Load returns parts of the files of shelved results, each nil if it cannot be read. It
	// is required if there are shelved results.
	Load func(parts []FilePart) [][]byte
}

// FilePart is a part of a shelved result's file.
type FilePart struct {
	Source     int // index of the result
	From, Size int // in bytes
}

// Context is a query as an encoder sees it, which reads words in context, with the results
// it has already read. It replaces the similarities of their embedders.
type Context struct {
	Vector []float32 // of the query
	Read   []*Read   // one per result; nil for a result it has not read
}

// Read is a result that an encoder has read: the vectors of its ReadingTexts, with length
// 1.
type Read struct {
	Vectors vector.Matrix
	Of      []int // the chunk of each text
}

// Hit is a chunk found by a search.
type Hit struct {
	Source  int         // index of its result
	Chunk   int         // index of its chunk in the result
	Score   float64     // the sum of the Parts
	Parts   []Part      // the shares of the score
	Words   []string    // words of the query in the chunk
	Why     string      // an explanation for users
	Marks   []text.Span // places of those words in the chunk's text
	Passage text.Span   // the sentence with most of them, in the chunk's text; empty if there is none
	Written string      // the written text by which it was found; empty if its own text matches better
	Text    string      // of the chunk
	Around              // with Query.ForModel
}

// Around is the text next to a hit, in the section of the passage that answers best. A model
// may be given it with the hit.
type Around struct {
	Before, After string    // with the white space between them and the hit; empty if there is none
	Wide          text.Span // of both and the hit, in the text that was cut
}

// Found is the result of a search.
type Found struct {
	Hits []Hit // best first
	// Asked is the query with misspelt words corrected.
	Asked string
	// Unknown are words of the query that neither occur in a chunk nor resemble a word there.
	Unknown []string
	// Corrections are words that occur in no chunk, each with the word used instead.
	Corrections []Correction
	// Aside are the words of Unknown and Corrections that occur outside the chunks.
	Aside []Aside
	// Missing lists embedders that could not be asked. Their chunks were found by words
	// alone.
	Missing []Missing
	// Lists is the number of hits that Query.ForModel left out.
	Lists int
	// Lost lists the shelved results whose texts could not be read. They have no
	// hits.
	Lost []int
}

// Aside is a word of the query that no chunk has, but text outside the chunks: running heads
// and feet, hidden text, and other parts of a page that the reading view leaves out.
type Aside struct {
	Word    string
	Sources []int // indexes of the results that have it, ascending
	Hidden  bool  // only in text that nobody sees on the page
}

// Missing is an embedder that could not embed a query, with the reason.
type Missing struct {
	Embedder string // name of the embedder
	Err      error

	chunks []int // among all chunks
}

// Options configures a Searcher. In the zero value no option is set.
type Options struct {
	// Before is an earlier Searcher. Its data for results in both is reused.
	Before *Searcher
	// Made is saved data, one per result; nil if there is none.
	Made []Made
	// Shelved holds, for each result whose document is not in memory, the Shelved that the
	// result is from; nil if there are none.
	Shelved []*Shelved
	// Written holds the texts written about parts of the results, one list per result; nil
	// if there are none. A result is indexed again if Before has a different list for it,
	// even one with the same contents.
	Written [][]Written
}

// Written is a text about a part of a document, written by a model or a person. A search
// finds the chunk with that part by words of the text that the chunk lacks, and by the
// text's vector if it is more similar than the chunk's. If vectors were paid for or made
// elsewhere, it is found by words alone.
type Written struct {
	Part  text.Span // in bytes of the text that was cut
	Text  string
	Title bool // a title of the part: if it is more similar than the chunk, the gain counts half
}

// Filter restricts the chunks to find. A chunk must satisfy all of it. The zero value
// allows all.
type Filter struct {
	Sources []int    // indexes of results; nil for all
	Pages   [2]int   // chunks that touch a page from the first to the second number; 0 for no bound
	Section string   // a part of a section title, including outer ones, ignoring case
	Formats []string // file extensions, such as "pdf"; nil for all
	// Meta requires metadata values by name, as in text.Document.Meta, and also author,
	// title and language. A document must have all of them, ignoring case. Nil allows all.
	Meta map[string]string
}

// unread returns a Searcher of results that have not been indexed.
func unread(results []*pipeline.Result) *Searcher {
	n := len(results)
	s := &Searcher{results: results, docs: make([]*index.Document, n), made: make([]Made, n), shelved: make([]*Shelved, n), added: map[int][]Written{}}
	for i, r := range results {
		for j := range r.Chunks {
			s.places = append(s.places, place{i, j})
		}
	}
	return s
}

// reading reads texts for one search.
type reading struct {
	*Searcher
	load  func(parts []FilePart) [][]byte
	texts map[int]string // of shelved chunks
	lost  []int          // see Found.Lost
}

// text returns the text of chunk i among all chunks. It is empty if a shelved text could
// not be read.
func (r *reading) text(i int) string {
	p := r.places[i]
	shelf := r.shelved[p.source]
	if shelf == nil {
		result := r.results[p.source]
		return result.Chunks[p.chunk].Of(result.Text.Text)
	}
	if _, read := r.texts[i]; !read {
		r.ahead([]int{i})
	}
	return r.texts[i]
}

// ahead reads shelved texts together, which takes less time than one after another.
func (r *reading) ahead(texts []int) {
	var of []int
	var parts []FilePart
	for _, i := range texts {
		p := r.places[i]
		if shelf := r.shelved[p.source]; shelf != nil {
			t := shelf.texts[p.chunk]
			of, parts = append(of, i), append(parts, FilePart{p.source, t.from, t.size})
		}
	}
	if len(of) == 0 {
		return
	}
	for j, b := range r.load(parts) {
		p := r.places[of[j]]
		t, ok := r.shelved[p.source].text(p.chunk, b)
		if !ok && !slices.Contains(r.lost, p.source) {
			r.lost = append(r.lost, p.source)
		}
		r.texts[of[j]] = t
	}
}

// sentences returns the sentences of chunk i among all chunks, in its text.
func (s *Searcher) sentences(i int) []text.Span {
	p := s.places[i]
	if shelf := s.shelved[p.source]; shelf != nil {
		return shelf.texts[p.chunk].sentences
	}
	return spansOf(s.results[p.source], p.chunk)
}

// spansOf returns the sentences of chunk i of a result, in its text.
func spansOf(r *pipeline.Result, i int) []text.Span {
	c := r.Chunks[i]
	first := sort.Search(len(r.Sentences), func(i int) bool { return r.Sentences[i].End > c.Start })
	var spans []text.Span
	for _, sentence := range r.Sentences[first:] {
		if sentence.Start >= c.End {
			break
		}
		spans = append(spans, text.Span{Start: max(sentence.Start, c.Start) - c.Start, End: min(sentence.End, c.End) - c.Start})
	}
	return spans
}
