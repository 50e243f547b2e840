// Package sentence splits a text into sentences with exact spans.
//
// The base is Unicode Standard Annex #29, sentence boundaries
// (https://www.unicode.org/reports/tr29/#Sentence_Boundaries): a sentence ends
// behind a run of terminators (its STerm and ATerm), the closing quotation
// marks and brackets behind it and white space, unless what follows goes on in
// lower case. On top stand rules of our own, one file for each kind:
//
//   - terminator.go: where a run of terminators ends, and whether the sentence
//     does, from the words on both sides
//   - abbreviation.go: what a full stop behind a word means; lexicon.go: the words
//   - list.go: marks of list items, which begin a sentence and never are one
//   - line.go: line ends: wrapped lines go on, headings and items end
//
// Every decision looks at a bounded part of the text around it, so that time is
// linear in its length, and an edit changes decisions near by only. What could
// be the end of a sentence in more than one reading is joined rather than cut:
// half a sentence is worth less to a chunker than two.
package sentence

import (
	"iter"
	"strings"

	"seam/shared/text"
)

// Split returns the sentences of t in order. Spans do not overlap, hold no
// ASCII white space at either end, and between them there is nothing but white
// space; a no-break or ideographic blank stays with the sentence that it stands
// against.
// A text without anything but white space has none. Bytes that are not UTF-8
// belong to the sentence that they stand in. Time is linear in len(t).
func Split(t string) []text.Span {
	spans, _ := SplitProgress(t, func(int, int) error { return nil }) // that has no error
	return spans
}

// reportEvery is how many bytes are split between two calls of a progress hook:
// some milliseconds of work in a browser.
const reportEvery = 64 << 10

// SplitProgress is Split with a hook that is told how many bytes are done. An
// error from it ends the work and is returned.
func SplitProgress(t string, progress func(done, total int) error) ([]text.Span, error) {
	s := newSplitter(t)
	if len(t) > reportEvery {
		s.spans = make([]text.Span, 0, min(len(t)/100, 1<<14)) // prose has longer sentences
	}
	for s.at < len(t) {
		s.until(min(s.at+reportEvery, len(t)))
		if err := progress(s.at, len(t)); err != nil {
			return nil, err
		}
	}
	s.end(len(t))
	return s.spans, nil
}

// Batches yields the sentences of Split in order, those of some 64 kB at a time,
// so that a reader can begin before the last is found.
func Batches(t string) iter.Seq[[]text.Span] {
	return func(yield func([]text.Span) bool) {
		s := newSplitter(t)
		for s.at < len(t) {
			s.until(min(s.at+reportEvery, len(t)))
			if s.at == len(t) {
				s.end(len(t))
			}
			if !yield(s.spans) {
				return
			}
			s.spans = nil
		}
	}
}

// Notebook splits t as the notebook pipelines do, on the two characters ". ",
// which belong to no sentence. A text of n such separators has n+1 sentences,
// empty ones among them; an empty text has one.
func Notebook(t string) []text.Span {
	var spans []text.Span
	at := 0
	for {
		i := strings.Index(t[at:], ". ")
		if i < 0 {
			return append(spans, text.Span{Start: at, End: len(t)})
		}
		spans = append(spans, text.Span{Start: at, End: at + i})
		at += i + 2
	}
}
