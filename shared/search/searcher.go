// Package search finds chunks of several documents that were cut up.
package search

import (
	"sort"

	"seam/shared/embed"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Searcher finds chunks of several documents.
type Searcher struct {
	results []*pipeline.Result
	docs    []*index.Document // of the results
	made    []Made            // of the results, or none
	written [][]Written       // of the results, or none
	added   map[int][]Written // what was written of chunks of all
	places  []place
	words   *index.Corpus

	spaces []*space      // of the vectors, once a search has asked for them
	forms  vector.Matrix // of the words, once a search has asked for them
}

// Mode is how texts are found.
type Mode = index.Mode

// The modes.
const (
	Hybrid  = index.Hybrid
	Dense   = index.Dense
	Keyword = index.Keyword
)

// ParseMode reads the name of a Mode, Hybrid for none. An unknown one is a
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
	// Correction is a word of a query that no document has, and what was taken for it.
	Correction = index.Correction
)

type place struct{ source, chunk int }

// space is chunks whose vectors can be compared.
type space struct {
	chunks  []int         // of all, ascending
	vectors vector.Matrix // a row each
	name    string        // of the embedder
	kind    pipeline.EmbedderKind
	fitted  embed.Embedder // to the chunks; nil: the embedder needs none
	known   float64        // which share of the chunks is in a language that it knows

	texts   []Written     // what was written of chunks
	written vector.Matrix // a row each
	of      []int         // of each, its chunk's row in vectors
}

// Query is what is searched for.
type Query struct {
	Text   string
	K      int // how many hits
	Mode   Mode
	Filter Filter
	// Diversity, 0 to 1, is how much a hit that says the same as a better one falls behind
	// (maximal marginal relevance, Carbonell and Goldstein 1998, with 1 - λ). 0: not at all.
	Diversity float64
	// Context is what an encoder says of it; nil: none was asked.
	Context *Context
}

// Context is what an encoder, which reads words in their context, says of a query and of
// results that it has read before. It stands for what their embedders say.
type Context struct {
	Vector []float32 // of the query
	Read   []*Read   // one a result; nil: it has not read that one
}

// Read is a result as an encoder has read it: the vectors of its ReadingTexts, of length 1.
type Read struct {
	Vectors vector.Matrix
	Of      []int // the chunk of each text
}

// Hit is a chunk that a search found.
type Hit struct {
	Source  int         // index of its result
	Chunk   int         // index of its chunk there
	Score   float64     // the sum of the Parts
	Parts   []Part      // what speaks for it
	Words   []string    // of the query, that it has
	Why     string      // the same for people
	Marks   []text.Span // where those words are, in the chunk's text
	Passage text.Span   // the sentence with most of them, in the chunk's text; empty where there is none
	Written string      // of what was written of it, what it was found by; "": its own text says more
}

// Found is what a search found.
type Found struct {
	Hits []Hit // best first
	// Asked is the query with what was taken for misspelt words in their place.
	Asked string
	// Unknown are words of the query that the documents do not have, nor anything like them.
	Unknown []string
	// Corrections are words that they do not have, each with one that was taken for it.
	Corrections []Correction
	// Missing are embedders that could not be asked: chunks of theirs were found by words
	// alone.
	Missing []Missing
}

// Missing is an embedder that made no vector of a query, and why.
type Missing struct {
	Embedder string // its name
	Err      error

	chunks []int // of all
}

// Options of a Searcher. The zero value is for nothing of them.
type Options struct {
	// Before is a Searcher: what it knows of results that both are made of is not made again.
	Before *Searcher
	// Made is what was made of the results before, one each; nil: of none.
	Made []Made
	// Written is what was written of parts of the results, a list each; nil: nothing. A result
	// is indexed anew where Before has another list of it, even if that holds the same.
	Written [][]Written
}

// Written is a text that was written of a part of a document, by a model or by somebody. A
// search finds the chunk that has the part by the words of it that the chunk does not have,
// and by its vector, where that is more similar than the chunk's. Where vectors were paid for
// or made elsewhere it is found by words alone.
type Written struct {
	Part  text.Span // in bytes of the text that was cut
	Text  string
	Title bool // of the part as a whole: it counts half where it is more similar
}

// Filter is which chunks may be found: those that satisfy all of it. The zero value is all.
type Filter struct {
	Sources []int    // of the results of these indexes; nil: of all
	Pages   [2]int   // that touch a page from the first number to the second; 0: no bound
	Section string   // of sections whose titles, the outer ones too, hold this, in any case
	Formats []string // of files with one of these extensions, "pdf"; nil: of all
	// Meta are values by names, as text.Document.Meta has them, author, title and language
	// too: of documents that have all of them, in any case. Nil: of all.
	Meta map[string]string
}

// text is that of chunk i of all.
func (s *Searcher) text(i int) string {
	p := s.places[i]
	r := s.results[p.source]
	return r.Chunks[p.chunk].Of(r.Text.Text)
}

// sentences are those of chunk i of all, in its text.
func (s *Searcher) sentences(i int) []text.Span {
	p := s.places[i]
	return spansOf(s.results[p.source], p.chunk)
}

// spansOf are those of chunk i of a result, in its text.
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
