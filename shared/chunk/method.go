package chunk

import (
	"fmt"
	"strings"

	"seam/shared/breakpoint"
	"seam/shared/text"
)

// Method describes a way to chunk: to people, and to the program that runs it.
type Method struct {
	Name  string
	Label string        // a few words
	Help  string        // one sentence
	View  text.ViewName // by default

	Sentences Rule // what its sentences are; empty: it needs none
	Embeds    bool // compares the vectors of sentences
	Vectors   bool // needs these themselves, and not the similarities of neighbours alone

	Curve   breakpoint.Curve    // empty: none, and no setting, threshold or count
	Setting *breakpoint.Setting // nil: none
	None    string              // what it means that nothing is cut, of a method with a curve and without a setting

	Max     int  // the maximum where none is given; 0: none
	Min     int  // the minimum where none is given; 0: none
	TakeMin bool // a minimum can be given
	Overlap bool // an overlap can be given

	Chunker Chunker
}

// Group is what methods have in common, by which people look for one.
type Group string

// Groups of methods.
const (
	Meaning   Group = "meaning"   // compares what sentences mean
	Structure Group = "structure" // goes by headings, pages, paragraphs, sentences
	Size      Group = "size"      // fills chunks
	Published Group = "published" // a published method as it was, to compare with
)

// Words are what people read of a method beside its label and its help, and where they look
// for it.
type Words struct {
	Group Group
	Last  bool // behind the others of its group, which are in the order of Methods
	breakpoint.Words
}

// AllWords returns the words of all methods, by their names. They are apart from the rows, so
// that the program of the engine, which shows none of them, is without them.
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

// Rule is what the sentences of a text are.
type Rule string

// Rules of sentences.
const (
	Sentenced Rule = "sentences" // those of package sentence
	Notebook  Rule = "notebook"  // what stands between ". ", as the published notebook has it
)

// Methods lists all methods in the order to show them. A method is a row here, and a
// file that makes its Chunker: shared/README.md lists the files of a new one.
func Methods() []Method {
	methods := []Method{semantic()}
	methods = append(methods, thresholds()...)
	return append(methods, cluster(), sections(), recursive(), sentences(), pages(), fixed())
}

// Lookup returns the method of that name, the first for an empty one. The error
// lists the names.
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

// Chunker is how a method works: it looks at a text once, and then makes chunks of it
// for any criterion and limits.
type Chunker interface {
	// Analyse does what depends on the text alone. progress may be nil; its
	// error ends the work. Other errors are those of an Input that lacks what the
	// method needs or contradicts itself.
	Analyse(in Input, progress func(done, total int) error) (Analysis, error)
}

// Analysis is a text as a method sees it.
type Analysis interface {
	// Find chooses the boundaries by a criterion. A method without a curve takes
	// the zero Criterion alone, and returns zero Boundaries.
	Find(by Criterion) (Boundaries, error)
	// Chunk makes chunks that end at what Find has returned, brought within limits.
	// The errors are those of limits.Progress, and limits that the method cannot keep.
	Chunk(found Boundaries, limits Limits) ([]Chunk, error)
}

// Restorer is a Chunker whose Analysis takes long, but can be had again of numbers.
type Restorer interface {
	Chunker
	// Numbers are those of an Analysis of this Chunker.
	Numbers(a Analysis) []float64
	// Restore makes the Analysis of an Input without Vectors and Prior, given the Numbers
	// of the one that Analyse has made with them. An error is numbers of another text.
	Restore(in Input, numbers []float64) (Analysis, error)
}

// Criterion is what chooses the boundaries on a curve; the zero value is the
// method's default setting.
type Criterion struct {
	By    By      `json:"by,omitempty"`
	Value float64 `json:"value,omitempty"`
}

// By says what the value of a Criterion is.
type By string

// Criteria.
const (
	BySetting   By = "setting"   // the method's number: a percentile, a factor, a coarseness
	ByThreshold By = "threshold" // a value on the curve
	ByCount     By = "count"     // how many chunks there are to be, where nothing else bounds them
)

// or is the setting that a criterion gives, by default this one.
func (c Criterion) or(setting float64) float64 {
	if c.By == BySetting {
		return c.Value
	}
	return setting
}

// Boundaries are what a method has found on its curve.
type Boundaries struct {
	breakpoint.Result
	Reasons []Reason // of Result.Boundaries
}

// Cut does all that a Chunker can do for one criterion.
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

// direct is a method that makes its chunks at once.
type direct func(in Input, limits Limits) ([]Chunk, error)

func (f direct) Analyse(in Input, _ func(done, total int) error) (Analysis, error) {
	return seen{in, f}, nil
}

// seen is the Analysis of a method that has nothing to find beforehand.
type seen struct {
	in    Input
	chunk direct
}

func (s seen) Find(by Criterion) (Boundaries, error) {
	if by != (Criterion{}) {
		return Boundaries{}, fmt.Errorf("this method has no curve, and takes no %s", by.By)
	}
	return Boundaries{}, nil
}

func (s seen) Chunk(_ Boundaries, limits Limits) ([]Chunk, error) { return s.chunk(s.in, limits) }
