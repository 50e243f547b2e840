package pipeline

import (
	"sort"
	"strconv"
	"strings"

	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// Edits counts the boundaries of a document changed by hand.
type Edits struct {
	Count   int  `json:"count"` // changes in force; a moved boundary counts as one
	Held    int  `json:"held"`  // boundaries that a hand removed but the maximum keeps
	CanUndo bool `json:"canUndo"`
	CanRedo bool `json:"canRedo"`
}

// between separates the titles in a header or a section.
const between = " › "

// Result is a document cut by a Plan.
type Result struct {
	Plan         Plan
	Method       chunk.Method // named by the plan
	Document     *text.Document
	Text         *text.View // the text that all spans refer to
	Sentences    []text.Span
	Vectors      vector.Matrix    // of the sentences, if EmbedderKind.Dear, the method or the hooks require them
	Similarities []float64        // between neighbours; nil for methods that compare no vectors
	Found        chunk.Boundaries // including edits, if the method has a curve
	Chunks       []chunk.Chunk
	Edits        Edits              // summary of the edits
	Headers      []string           // one per chunk, with Plan.Headers
	Embedded     int                // number of sentences embedded in this run
	Reused       int                // number of sentences with a cached vector
	Milliseconds map[string]float64 // by stage; empty without a clock
	Cached       []string           // stages already done by an earlier run

	plain    []chunk.Chunk // chunks before edits
	embedder string        // ID of the embedder, if vectors were compared
	unit     string        // name of the counter
	memo     *chunk.Memo   // of the lengths
	hand     chunk.Limits  // for edits by hand
}

// texts returns the text of each sentence.
func (r *Result) texts() []string {
	out := make([]string, len(r.Sentences))
	for i, span := range r.Sentences {
		out[i] = span.Of(r.Text.Text)
	}
	return out
}

// Header returns the header of chunk i, or "" if it has none.
func (r *Result) Header(i int) string {
	if r.Headers == nil {
		return ""
	}
	return r.Headers[i]
}

// Headed returns the text of chunk i for embedding. A header, if any, comes first on its
// own line.
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
	numbers, _ := r.pages(r.Chunks[i].First, r.Chunks[i].Last)
	return numbers
}

// Labels returns the printed numbers of all pages that chunk i touches, in the order of
// Pages. A page without one has its number. It returns nil if all are equal to the numbers.
func (r *Result) Labels(i int) []string {
	_, labels := r.pages(r.Chunks[i].First, r.Chunks[i].Last)
	return labels
}

// PagesIn is Pages and Labels for any span of the text.
func (r *Result) PagesIn(s text.Span) (numbers []int, labels []string) {
	runs := r.Text.Runs
	from := sort.Search(len(runs), func(i int) bool { return runs[i].Start+runs[i].Len > s.Start })
	to := sort.Search(len(runs), func(i int) bool { return runs[i].Start >= s.End })
	if from >= to {
		return []int{}, nil
	}
	return r.pages(runs[from].Page, runs[to-1].Page)
}

// pages returns the numbers of the pages with the indexes from first to last, and their
// printed numbers, or nil if these are equal. There is none if first is -1.
func (r *Result) pages(first, last int) (numbers []int, labels []string) {
	numbers = []int{}
	if first < 0 {
		return numbers, nil
	}
	same := true
	for _, p := range r.Document.Pages[first : last+1] {
		label := strconv.Itoa(p.Number)
		if p.Label != "" && p.Label != label {
			label, same = p.Label, false
		}
		numbers, labels = append(numbers, p.Number), append(labels, label)
	}
	if same {
		labels = nil
	}
	return numbers, labels
}

// Printed returns the printed numbers of pages of a document: labels, as Labels returns them,
// or else the numbers. It returns nil for the only page of a document without a label.
func Printed(d *text.Document, numbers []int, labels []string) []string {
	if labels != nil || len(d.Pages) < 2 {
		return labels
	}
	for _, n := range numbers {
		labels = append(labels, strconv.Itoa(n))
	}
	return labels
}

// Links returns the links with words in chunk i, or at a place in it. It returns nil for a
// text that is not the reading view.
func (r *Result) Links(i int) []text.Link {
	all, c := r.Document.Links, r.Chunks[i]
	if r.Plan.View == text.Content {
		return nil
	}
	from := sort.Search(len(all), func(i int) bool { return all[i].Start >= c.Start })
	for from > 0 && all[from-1].End > c.Start {
		from--
	}
	to := from
	for to < len(all) && all[to].Start < c.End {
		to++
	}
	return all[from:to:to]
}

// PageAt returns the number of the page that has byte at of the text, or else the next byte
// that is on a page. It returns 0 if there is none.
func (r *Result) PageAt(at int) int {
	runs := r.Text.Runs
	i := sort.Search(len(runs), func(i int) bool { return runs[i].Start+runs[i].Len > at })
	if i == len(runs) {
		return 0
	}
	return r.Document.Pages[runs[i].Page].Number
}

// Section returns the titles of the sections that chunk i covers, outermost first, such as
// "2 Looms › 2.1 Shafts". For several sections it gives the first and the last: "2 Looms ›
// 2.1 Shafts – 2.4 Reeds". It is empty if there are no sections, as in the content view.
func (r *Result) Section(i int) string {
	return strings.Join(r.Document.SectionTitles(r.Plan.View, r.Chunks[i].Span), between)
}

// Part returns the part of the document that chunk i belongs to, or "".
func (r *Result) Part(i int) text.Part {
	return r.PartOf(i, r.Chunks[i].Of(r.Text.Text))
}

// PartOf is Part for a result without its text: t is the text of the chunk.
func (r *Result) PartOf(i int, t string) text.Part {
	return text.PartOf(r.Document.SectionTitles(r.Plan.View, r.Chunks[i].Span), t)
}

// Estimated reports whether lengths are estimates of a model's tokens, because the embedder
// has no vocabulary of its own.
func (r *Result) Estimated() bool {
	return r.unit == token.WordTokens.Name() || r.unit == token.Estimate.Name()
}

// Gaps returns, for each chunk, the index of the sentence after which it ends. It is -1 for
// the last chunk, and for a chunk that ends inside a sentence.
func (r *Result) Gaps() []int {
	gaps := make([]int, len(r.Chunks))
	at := 0
	for i, c := range r.Chunks {
		gaps[i] = -1
		for at+1 < len(r.Sentences) && r.Sentences[at+1].Start < c.End {
			at++
		}
		if i < len(r.Chunks)-1 && at+1 < len(r.Sentences) && r.Sentences[at].End <= c.End {
			gaps[i] = at
		}
	}
	return gaps
}
