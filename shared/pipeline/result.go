package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/vector"
)

// Edits tell what was done by hand to the boundaries of a document.
type Edits struct {
	Count   int  `json:"count"` // changes in force; a boundary that was moved is one
	Held    int  `json:"held"`  // boundaries that are to be none, and that the maximum keeps
	CanUndo bool `json:"canUndo"`
	CanRedo bool `json:"canRedo"`
}

// between stands between the titles of a header and of a section.
const between = " › "

// Result is a document cut up by a Plan.
type Result struct {
	Plan         Plan
	Method       chunk.Method // of the plan's name
	Document     *text.Document
	Text         *text.View // what all spans are of
	Sentences    []text.Span
	Vectors      vector.Matrix    // of the sentences, where EmbedderKind.Dear or the method needs them
	Similarities []float64        // between neighbours; nil for methods that compare no vectors
	Found        chunk.Boundaries // with those by hand, where the method has a curve
	Chunks       []chunk.Chunk
	Edits        Edits              // what was done by hand
	Headers      []string           // of the chunks, with Plan.Headers
	Embedded     int                // sentences that a vector was made of
	Reused       int                // sentences that had one
	Milliseconds map[string]float64 // by stage; empty without a clock
	Cached       []string           // stages that an earlier run had done

	plain    []chunk.Chunk // as the method alone has made them
	embedder string        // the ID, where vectors were compared
	unit     string        // the name of the counter
	memo     *chunk.Memo   // of the lengths
}

// texts are those of the sentences.
func (r *Result) texts() []string {
	out := make([]string, len(r.Sentences))
	for i, span := range r.Sentences {
		out[i] = span.Of(r.Text.Text)
	}
	return out
}

// Header is the header of chunk i; empty where there is none.
func (r *Result) Header(i int) string {
	if r.Headers == nil {
		return ""
	}
	return r.Headers[i]
}

// Headed is the text of chunk i as it is to be embedded: with its header, if it
// has one, in a line of its own.
func (r *Result) Headed(i int) string {
	t := r.Chunks[i].Of(r.Text.Text)
	if h := r.Header(i); h != "" {
		return h + "\n" + t
	}
	return t
}

// Pages returns the numbers of all pages that chunk i touches, ascending. It is
// never nil.
func (r *Result) Pages(i int) []int {
	numbers := []int{}
	c := r.Chunks[i]
	if c.First < 0 {
		return numbers
	}
	for p := c.First; p <= c.Last; p++ {
		numbers = append(numbers, r.Document.Pages[p].Number)
	}
	return numbers
}

// Section returns the titles of the sections that chunk i holds, the outermost first:
// "2 Looms › 2.1 Shafts", and of several the first and the last, "2 Looms › 2.1 Shafts –
// 2.4 Reeds". It is empty where there are none, as in the content view.
func (r *Result) Section(i int) string {
	return strings.Join(r.Document.SectionTitles(r.Plan.View, r.Chunks[i].Span), between)
}

// Gaps tells for each chunk after which sentence the boundary stands that ends it;
// -1 where none of the curve does, and for the last.
func (r *Result) Gaps() []int {
	gaps := make([]int, len(r.Chunks))
	found := r.Found.Boundaries
	for i, c := range r.Chunks {
		gaps[i] = -1
		for len(found) > 0 && r.Sentences[found[0]+1].Start < c.End {
			found = found[1:]
		}
		if i < len(r.Chunks)-1 && len(found) > 0 && r.Sentences[found[0]].End <= c.End && c.End <= r.Sentences[found[0]+1].Start {
			gaps[i], found = found[0], found[1:]
		}
	}
	return gaps
}
