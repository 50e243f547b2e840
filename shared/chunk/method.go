package chunk

import (
	"fmt"
	"strings"

	"seam/shared/breakpoint"
	"seam/shared/text"
)

// Method describes a way to chunk, for users and for the program that runs it.
type Method struct {
	Name  string
	Label string        // a few words
	Help  string        // one sentence
	View  text.ViewName // the default view

	Sentences Rule // how sentences are split; empty if it needs none
	Embeds    bool // compares the vectors of sentences
	Vectors   bool // needs the vectors themselves, not only the similarities of neighbours

	Curve   breakpoint.Curve    // if empty, the method has no curve, setting, threshold or count
	Setting *breakpoint.Setting // nil if it has none
	None    string              // for a method with a curve but no setting: message to show if nothing is cut

	Max     int  // default maximum; 0 for none
	Min     int  // default minimum; 0 for none
	TakeMin bool // accepts a minimum
	Overlap bool // accepts an overlap

	Chunker Chunker
}

// Group is a set of related methods, under which users look for one.
type Group string

// The groups of methods.
const (
	Meaning   Group = "meaning"   // compares the meaning of sentences
	Structure Group = "structure" // follows headings, pages, paragraphs, sentences
	Size      Group = "size"      // fills chunks to a size
	Published Group = "published" // a published method as published, for comparison
)

// Words holds the texts about a method that users read, in addition to its label and help,
// and the group where they find it.
type Words struct {
	Group Group
	Last  bool // listed after the others of its group, which keep the order of Methods
	breakpoint.Words
}

// AllWords returns the words of all methods, keyed by name. They are not part of Method so
// that the engine binary, which shows none of them, does not contain them.
func AllWords() map[string]Words {
	all := map[string]Words{"semantic": semanticWords(), "cluster": clusterWords(), "sections": sectionsWords(), "recursive": recursiveWords(),
		"sentences": sentencesWords(), "page": pagesWords(), "fixed": fixedWords()}
	for _, m := range breakpoint.Methods() {
		group := Meaning
		if m.Curve == breakpoint.Similarity {
			group = Published
		}
		all[m.Name] = Words{Group: group, Words: breakpoint.AllWords()[m.Name]}
	}
	return all
}

// Rule defines how a text is split into sentences.
type Rule string

// The rules for sentences.
const (
	Sentenced Rule = "sentences" // sentences of package sentence
	Notebook  Rule = "notebook"  // the text between ". ", as in the published notebook
)

// Methods returns all methods in display order. A method is a row here and a file with its
// Chunker; shared/README.md lists the files a new one needs.
func Methods() []Method {
	methods := []Method{semantic()}
	methods = append(methods, thresholds()...)
	return append(methods, cluster(), sections(), recursive(), sentences(), pages(), fixed())
}

// Lookup returns the method with the given name, or the first method for an empty name. The
// error lists the valid names.
func Lookup(name string) (Method, error) {
	all := Methods()
	if name == "" {
		return all[0], nil
	}
	names := make([]string, len(all))
	for i, m := range all {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return Method{}, fmt.Errorf("unknown method %q: choose one of %s", name, strings.Join(names, ", "))
}

// Chunker implements a method. It analyses a text once, then makes chunks for any criterion
// and limits.
type Chunker interface {
	// Analyse does the work that depends on the text alone. progress may be nil; if it
	// returns an error, the work stops with that error. Analyse also fails if in lacks a
	// field the method needs or contradicts itself.
	Analyse(in Input, progress func(done, total int) error) (Analysis, error)
}

// Analysis is the result of analysing one text with a method.
type Analysis interface {
	// Find chooses the boundaries by a criterion. A method without a curve accepts only the
	// zero Criterion and returns zero Boundaries.
	Find(by Criterion) (Boundaries, error)
	// Chunk makes chunks that end at the boundaries from Find, brought within limits. It
	// returns the error of limits.Progress, or an error for limits that the method cannot
	// keep.
	Chunk(found Boundaries, limits Limits) ([]Chunk, error)
}

// Restorer is a Chunker with a slow Analyse whose result can be restored from numbers.
type Restorer interface {
	Chunker
	// Numbers returns the numbers of an Analysis made by this Chunker.
	Numbers(a Analysis) []float64
	// Restore rebuilds an Analysis from its Numbers. The Input is the one given to Analyse,
	// but needs no Vectors and no Prior. It returns an error if the numbers do not fit the
	// text.
	Restore(in Input, numbers []float64) (Analysis, error)
}

// Criterion chooses the boundaries on a curve. The zero value is the method's default
// setting.
type Criterion struct {
	By    By      `json:"by,omitempty"`
	Value float64 `json:"value,omitempty"`
}

// By is the meaning of a Criterion's value.
type By string

// The kinds of criteria.
const (
	BySetting   By = "setting"   // the method's number: a percentile, a factor, a coarseness
	ByThreshold By = "threshold" // a value on the curve
	ByCount     By = "count"     // the number of chunks, if nothing else bounds them
)

// or returns the setting of the criterion, or the given default if it has none.
func (c Criterion) or(setting float64) float64 {
	if c.By == BySetting {
		return c.Value
	}
	return setting
}

// Boundaries is the result of Analysis.Find.
type Boundaries struct {
	breakpoint.Result
	Reasons []Reason // one per entry of Result.Boundaries
}

// Cut analyses a text and makes its chunks for one criterion.
func Cut(c Chunker, in Input, by Criterion, limits Limits) (Boundaries, []Chunk, error) {
	a, err := c.Analyse(in, limits.Progress)
	if err != nil {
		return Boundaries{}, nil, err
	}
	found, err := a.Find(by)
	if err != nil {
		return Boundaries{}, nil, err
	}
	chunks, err := a.Chunk(found, limits)
	return found, chunks, err
}

// direct is a method that makes its chunks in one step.
type direct func(in Input, limits Limits) ([]Chunk, error)

func (f direct) Analyse(in Input, _ func(done, total int) error) (Analysis, error) {
	return seen{in, f}, nil
}

// seen is the Analysis of a method that has nothing to analyse beforehand.
type seen struct {
	in    Input
	chunk direct
}

func (s seen) Find(by Criterion) (Boundaries, error) {
	if by != (Criterion{}) {
		return Boundaries{}, fmt.Errorf("this method has no curve, so it takes no %s", by.By)
	}
	return Boundaries{}, nil
}

func (s seen) Chunk(_ Boundaries, limits Limits) ([]Chunk, error) { return s.chunk(s.in, limits) }
