package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"

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
	MinTokens *int          `json:"minTokens"` // nil: Method.Least
	MaxTokens int           `json:"maxTokens"` // 0: Method.Size
	Overlap   int           `json:"overlap"`
	Unit      string        `json:"unit"`    // of the lengths, see token.Normal; empty: the embedder's tokens
	Headers   bool          `json:"headers"` // chunks have a header, and their length is with it
	// PageJoin, when not nil, stands between the pages of the content view in
	// place of one blank, and nothing is stripped (pipeline D uses "").
	PageJoin *string `json:"pageJoin"`
}

// Names of methods and defaults that are not breakpoint's.
const (
	MethodSemantic  = "semantic"
	MethodCluster   = "cluster"
	MethodSections  = "sections"
	MethodRecursive = "recursive"
	MethodSentences = "sentences"
	MethodPage      = "page"
	MethodFixed     = "fixed"
	DefaultMethod   = MethodSemantic
	DefaultEmbedder = Builtin
)

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
	if err := s.limits(m, nil).Check(); err != nil {
		return badf("%v", err)
	}
	if _, err := token.Normal(s.Unit); err != nil {
		return badf("%v", err)
	}
	given := 0
	for _, set := range []bool{s.Threshold != nil, s.Cut != nil, s.Count != 0} {
		if set {
			given++
		}
	}
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
	case given > 0 && m.Curve == "":
		return badf("%s takes no threshold and no count: only methods with a curve do", m.Name)
	case m.Name == MethodSemantic && s.Threshold != nil && !(*s.Threshold >= granularity.AtLeast && *s.Threshold <= granularity.Below):
		return badf("a granularity of %g: it is more than 0, and 1 by default", *s.Threshold)
	case s.MinTokens != nil && *s.MinTokens != 0 && !m.Min:
		return badf("%s takes no minimum: it takes a maximum and an overlap", m.Name)
	case s.Overlap != 0 && !m.Overlap:
		return badf("%s takes no overlap: its chunks are whole", m.Name)
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

// Embeds reports whether the method compares vectors.
func (s Settings) Embeds() bool {
	m, err := lookup(s.Method)
	return err == nil && m.NeedsEmbeddings
}

// keeps reports whether the vectors of sentences are kept for searching: those
// that cannot be had again for nothing.
func (s Settings) keeps() bool { return s.Hosted() || strings.HasPrefix(s.Embedder, Elsewhere) }

// charsPerToken turns the default minimum into characters: English has 4 to 5 a token.
const charsPerToken = 4

// limits are those that were asked for, or the method's own. A number of chunks
// that was asked for has none but those: they would make it another.
func (s Settings) limits(m Method, counter token.Counter) chunk.Limits {
	l := chunk.Limits{Max: s.MaxTokens, Overlap: s.Overlap, Counter: counter}
	if s.Count == 0 {
		l.Min = m.Least
		if s.Unit == "chars" {
			l.Min *= charsPerToken
		}
		if l.Max == 0 {
			l.Max = m.Size
		}
	}
	switch {
	case s.MinTokens != nil:
		l.Min = *s.MinTokens
	case s.MaxTokens > 0 && l.Min > 0:
		// Pieces of similar size are found better: see README.md of shared.
		l.Min = min(s.MaxTokens/3, 4*l.Min)
	}
	return l
}

func (s Settings) viewOf(m Method) text.ViewName {
	if s.View != "" {
		return s.View
	}
	return m.View
}
