package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"seam/shared/breakpoint"
	"seam/shared/chunk"
	"seam/shared/embed/lexical"
	"seam/shared/embed/remote"
	"seam/shared/text"
	"seam/shared/token"
)

// Settings are what a user chooses; the zero value is the default of each.
type Settings struct {
	Method    string        `json:"method"`
	Embedder  string        `json:"embedder"`  // builtin, lexical, static:NAME, npy:FILE, or openai:MODEL of the proxy that is connected
	View      text.ViewName `json:"view"`      // empty: the method's own
	Threshold *float64      `json:"threshold"` // the method's number; nil: its default
	Cut       *float64      `json:"cut"`       // instead of Threshold: a value on the curve
	Count     int           `json:"count"`     // instead of both: exactly this many chunks
	MinTokens int           `json:"minTokens"`
	MaxTokens int           `json:"maxTokens"` // for fixed: the size
	Overlap   int           `json:"overlap"`   // for fixed alone
	Unit      string        `json:"unit"`      // of the lengths; empty: the embedder's tokens
	// PageJoin, when not nil, stands between the pages of the content view in
	// place of one blank, and nothing is stripped (pipeline D uses "").
	PageJoin *string `json:"pageJoin"`
}

// Names of methods and defaults that are not breakpoint's.
const (
	MethodFixed      = "fixed"
	DefaultMethod    = "percentile"
	DefaultEmbedder  = Builtin
	DefaultFixedSize = 256 // of the unit; half of the chunk that retrieval studies find best at most
)

// Method describes a way to chunk, for the page and for help texts.
type Method struct {
	Name            string              `json:"name"`
	Label           string              `json:"label"`
	Help            string              `json:"help"`
	View            text.ViewName       `json:"view"` // by default
	NeedsEmbeddings bool                `json:"needsEmbeddings"`
	Curve           breakpoint.Curve    `json:"curve"`
	Threshold       *breakpoint.Setting `json:"threshold"`

	notebook bool // splits sentences, and joins them, as the notebook does
}

// Methods lists all methods in the order to show them.
func Methods() []Method {
	var out []Method
	for _, m := range breakpoint.Methods() {
		notebook := m.Curve == breakpoint.Similarity
		view := text.Reading
		if notebook {
			view = text.Content
		}
		out = append(out, Method{m.Name, m.Label, m.Help, view, true, m.Curve, m.Setting, notebook})
	}
	return append(out, Method{Name: MethodFixed, Label: "Fixed size", View: text.Content,
		Help: "Cuts windows of the maximum size, whatever they say: the baseline to compare with."})
}

// lookup returns the method of that name, the default for an empty one.
func lookup(name string) (Method, error) {
	if name == "" {
		name = DefaultMethod
	}
	all := Methods()
	if i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name }); i >= 0 {
		return all[i], nil
	}
	names := ""
	for i, m := range all {
		if i > 0 {
			names += ", "
		}
		names += m.Name
	}
	return Method{}, badf("unknown method %q: choose one of %s", name, names)
}

// SettingsError is a setting that cannot be followed: the user's to change.
type SettingsError struct{ Reason string }

func (e *SettingsError) Error() string { return e.Reason }

func badf(format string, args ...any) error { return &SettingsError{fmt.Sprintf(format, args...)} }

// Check reports settings that contradict each other, before any work.
func (s Settings) Check() error {
	m, err := lookup(s.Method)
	if err != nil {
		return err
	}
	if err := s.limits(nil).Check(); err != nil {
		return badf("%v", err)
	}
	given := 0
	for _, set := range []bool{s.Threshold != nil, s.Cut != nil, s.Count != 0} {
		if set {
			given++
		}
	}
	fixed := m.Name == MethodFixed
	switch {
	case !known(s.Embedder):
		return badf("unknown embedder %q: choose %s, %s, %sFOLDER, %sFILE, or %sMODEL of a proxy", s.Embedder, Builtin, lexical.Name, Static, Elsewhere, remote.Prefix)
	case s.View != "" && s.View != text.Content && s.View != text.Reading:
		return badf("unknown view %q: choose reading or content", s.View)
	case s.PageJoin != nil && s.viewOf(m) != text.Content:
		return badf("joining pages in another way goes with the content view")
	case given > 1:
		return badf("choose one of threshold, cut and count")
	case s.Count < 0:
		return badf("%d chunks are not possible", s.Count)
	case fixed && (given > 0 || s.MinTokens != 0):
		return badf("fixed takes a maximum and an overlap, nothing else")
	case !fixed && s.Overlap != 0:
		return badf("an overlap goes with the method fixed")
	case fixed && (s.Overlap < 0 || s.Overlap >= s.size()):
		return badf("an overlap of %d does not fit chunks of %d", s.Overlap, s.size())
	case s.Cut != nil && (math.IsNaN(*s.Cut) || math.IsInf(*s.Cut, 0)):
		return badf("the cut is not a number")
	}
	return nil
}

// Embedders that are neither lexical nor hosted; Hooks.Embedder finds them.
const (
	Builtin   = "builtin" // the model that comes with Seam
	Static    = "static:" // before the name of a Model2Vec model
	Elsewhere = "npy:"    // before the name of vectors that were made elsewhere
)

// known reports whether an embedder of that name can be asked for.
func known(name string) bool {
	if name == "" || name == Builtin || name == lexical.Name {
		return true
	}
	return slices.ContainsFunc([]string{Static, Elsewhere, remote.Prefix}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix) && len(name) > len(prefix)
	})
}

// embedder is the name of the embedder, also where it was left to the default.
func (s Settings) embedder() string {
	if s.Embedder == "" {
		return DefaultEmbedder
	}
	return s.Embedder
}

// Hosted reports whether the embedder is a model behind a proxy: then the
// sentences leave this machine.
func (s Settings) Hosted() bool { return strings.HasPrefix(s.Embedder, remote.Prefix) }

// keeps reports whether the vectors of sentences are kept for searching: those
// that cannot be had again for nothing.
func (s Settings) keeps() bool { return s.Hosted() || strings.HasPrefix(s.Embedder, Elsewhere) }

// size is how long a chunk of the method fixed is.
func (s Settings) size() int {
	if s.MaxTokens == 0 {
		return DefaultFixedSize
	}
	return s.MaxTokens
}

func (s Settings) limits(counter token.Counter) chunk.Limits {
	return chunk.Limits{Min: s.MinTokens, Max: s.MaxTokens, Counter: counter}
}

func (s Settings) viewOf(m Method) text.ViewName {
	if s.View != "" {
		return s.View
	}
	return m.View
}
