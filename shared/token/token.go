// Package token measures how long a text is.
package token

import (
	"fmt"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"seam/shared/text"
)

// Counter measures texts in one unit.
type Counter interface {
	// Name returns the unit's name in the option --tokens.
	Name() string
	// Count returns the number of units in t.
	Count(t string) int
	// Spans returns the units of t in order. Text between two units belongs to none: white
	// space and, for words, punctuation.
	Spans(t string) []text.Span
}

// Words counts the words of Unicode's default word segmentation (UAX #29) that contain a
// letter or a digit.
var Words Counter = wordCounter{}

// Characters counts Unicode code points.
var Characters Counter = charCounter{}

// Estimate stands in for the tokens of a hosted model, whose vocabulary is not available: a
// quarter of the UTF-8 bytes, rounded up, and in scripts far from Latin a fixed number for
// each letter. This is about right for English prose, source code and those scripts. It is
// too low for other languages in Latin letters, by up to a third, and for tables of numbers.
var Estimate Counter = estimate{}

// Names of units that need more than this package: the current embedder, the ranks of an
// encoding (package bpe), or a file.
const (
	Model     = "model"
	CL100K    = "cl100k"
	O200K     = "o200k"
	Tokenizer = "tokenizer:" // followed by the name of a tokenizer.json
)

// Normal returns the normalized name of a unit: model for "", and OpenAI's encodings
// without "_base". An unknown name is an error.
func Normal(name string) (string, error) {
	switch short := strings.TrimSuffix(name, "_base"); short {
	case CL100K, O200K:
		return short, nil
	}
	switch {
	case name == "":
		return Model, nil
	case name == Model || name == Words.Name() || name == Characters.Name(),
		strings.HasPrefix(name, Tokenizer) && len(name) > len(Tokenizer):
		return name, nil
	}
	return "", fmt.Errorf("unknown unit %q: choose one of model, words, chars, cl100k, o200k, %sFILE", name, Tokenizer)
}

// Lookup returns the counter with a Normal name, if it needs nothing else. It returns nil
// for other names.
func Lookup(name string) Counter {
	switch name {
	case Words.Name():
		return Words
	case Characters.Name():
		return Characters
	}
	return nil
}

type wordCounter struct{}

func (wordCounter) Name() string { return "words" }

func (wordCounter) Count(t string) int {
	n := 0
	for range EachWord(t) {
		n++
	}
	return n
}

func (wordCounter) Spans(t string) []text.Span {
	var spans []text.Span
	for s := range EachWord(t) {
		spans = append(spans, s)
	}
	return spans
}

// EachWord yields the words of t in order, as counted by Words.
func EachWord(t string) iter.Seq[text.Span] {
	return func(yield func(text.Span) bool) {
		for seg := words.FromString(t); seg.Next(); {
			w := seg.Value()
			if strings.IndexFunc(w, isWordRune) >= 0 && !yield(text.Span{Start: seg.Start(), End: seg.End()}) {
				return
			}
		}
	}
}

func (wordCounter) Each(t string, yield func(text.Span) bool) { EachWord(t)(yield) }

func (wordCounter) Fit(t string, n int) int {
	end := len(t)
	EachWord(t)(func(s text.Span) bool {
		if n--; n < 0 {
			end = s.Start
		}
		return n >= 0
	})
	return end
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

type charCounter struct{}

func (charCounter) Name() string       { return "chars" }
func (charCounter) Count(t string) int { return utf8.RuneCountInString(t) }

func (charCounter) Spans(t string) []text.Span {
	spans := make([]text.Span, 0, len(t))
	for i := range t {
		if n := len(spans); n > 0 {
			spans[n-1].End = i
		}
		spans = append(spans, text.Span{Start: i, End: len(t)})
	}
	return spans
}

// Fit skips n runes, eight ASCII characters at a time.
func (charCounter) Fit(t string, n int) int {
	i := 0
	for n > 0 && i < len(t) {
		for n >= 8 && i+8 <= len(t) && ascii8(t[i:i+8]) {
			i, n = i+8, n-8
		}
		if n == 0 || i == len(t) {
			break
		}
		if t[i] < utf8.RuneSelf {
			i++
		} else {
			_, size := utf8.DecodeRuneInString(t[i:])
			i += size
		}
		n--
	}
	return i
}

func ascii8(t string) bool {
	return (t[0]|t[1]|t[2]|t[3]|t[4]|t[5]|t[6]|t[7])&utf8.RuneSelf == 0
}

// bytesPerToken is OpenAI's rule of thumb for English.
const bytesPerToken = 4
