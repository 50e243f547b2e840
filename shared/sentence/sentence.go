// Package sentence splits a text into sentences with exact spans.
//
// The base is Unicode Standard Annex #29, sentence boundaries
// (https://www.unicode.org/reports/tr29/#Sentence_Boundaries). A sentence ends after a run
// of terminators (its STerm and ATerm), any closing quotation marks and brackets, and white
// space, unless the next word begins in lower case. Seam adds its own rules, in one file
// for each kind:
//
//   - terminator.go: where a run of terminators ends, and whether the sentence
//     ends there, judging by the words on both sides
//   - abbreviation.go: the meaning of a full stop after a word; lexicon.go: the words
//   - list.go: marks of list items, which begin a sentence and never form one
//   - line.go: line ends: wrapped lines continue, headings and items end
//
// Every decision looks at a bounded part of the text around it. So time is linear in the
// length of the text, and an edit changes only decisions nearby. In doubt, text is joined
// rather than cut, because a chunker loses more with half a sentence than with two joined
// ones.
package sentence

import (
	"iter"
	"strings"

	"seam/shared/text"
)

// Split returns the sentences of t in order. Spans do not overlap, have no ASCII white
// space at either end, and have only white space between them. A no-break or ideographic
// space stays with the adjacent sentence. A text of only white space has no sentences.
// Invalid UTF-8 belongs to the sentence around it. Time is linear in len(t).
func Split(t string) []text.Span {
	spans, _ := SplitProgress(t, func(int, int) error { return nil }) // this hook never fails
	return spans
}

// reportEvery is the number of bytes split between two calls of a progress hook: some
// milliseconds of work in a browser.
const reportEvery = 64 << 10

// SplitProgress is Split with a progress hook, called with the number of bytes done. If the
// hook returns an error, the work stops with that error.
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

// Batches yields the sentences of Split in order, about 64 kB of text at a time, so that a
// caller can begin before the last is found.
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

// Notebook splits t as the notebook pipelines do, at the two characters ". ", which belong
// to no sentence. A text with n separators has n+1 sentences, including empty ones. An
// empty text has one.
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
